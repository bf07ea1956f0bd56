package modules

import "strings"

// KindLiveness is the kind of a violated Liveness property, as results name it.
const KindLiveness = "liveness"

// Liveness is a property of whole behaviours: from each state in which From is true, a state
// follows in which To is true, or it is true there already. It is judged under weak fairness.
// Suppose a fair action is enabled for ever from some state on, with one value of its parameters,
// and taking it changes the state. Then it is taken with that value again and again. A behaviour
// may stop only where no fair action can change the state.
type Liveness[S any] struct {
	ID  string
	Doc string // one sentence
	// From is where the property asks for something: P of "P leads to Q". Nil asks in the initial
	// states only: "eventually Q".
	From func(s *S) bool
	// To must follow: Q.
	To func(s *S) bool
	// Each is a property with a parameter, and then From and To are not set: see LeadsTo. It holds
	// if it does for every value of the parameter.
	Each ParametricLiveness[S]
	// Unfair are actions that need not happen however long they are enabled, as a client's
	// requests. Actions of an environment module never need; all others are fair.
	Unfair []AnyAction[S]
}

// ParametricLiveness is a liveness property with a parameter. The result of the function LeadsTo is
// the only implementation.
type ParametricLiveness[S any] interface {
	instances(names Names) []LivenessInstance[S]
}

// LivenessInstance is a liveness property with one value of its parameter, as text. The text is ""
// for a property without a parameter.
type LivenessInstance[S any] struct {
	Param    string
	From, To func(s *S) bool
}

// LeadsTo returns the property that from leads to, for each parameter: "a client that waits is
// served". A nil from asks in the initial states only.
func LeadsTo[S, P any](params Domain[P], from, to func(s *S, p P) bool) ParametricLiveness[S] {
	return &leadsTo[S, P]{params, from, to}
}

type leadsTo[S, P any] struct {
	params   Domain[P]
	from, to func(s *S, p P) bool
}

func (l *leadsTo[S, P]) instances(names Names) (out []LivenessInstance[S]) {
	for p := range l.params {
		in := LivenessInstance[S]{Param: paramText(ViewOf(p, names)), To: func(s *S) bool { return l.to(s, p) }}
		if l.from != nil {
			in.From = func(s *S) bool { return l.from(s, p) }
		}
		if out = append(out, in); len(out) > MostParams {
			break
		}
	}
	return out
}

// paramText joins the parts of a parameter: "1", "0,2".
func paramText(v View) string {
	if v.Shape == Scalar {
		return v.Text
	}
	parts := make([]string, len(v.Elems))
	for k := range v.Elems {
		parts[k] = paramText(v.Elems[k])
	}
	return strings.Join(parts, ",")
}

// Instances returns the property for each value of its parameter, or once where it has none.
func (v *Liveness[S]) Instances(names Names) []LivenessInstance[S] {
	if v.Each != nil {
		return v.Each.instances(names)
	}
	return []LivenessInstance[S]{{From: v.From, To: v.To}}
}
