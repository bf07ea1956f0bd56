package modules

import "reflect"

// Action is a guarded command over states S with parameters P. An action is a package-level
// variable with a constant, unique name: it is identified by its package and that name.
type Action[S, P any] struct {
	Name string
	// Params enumerates the parameters that exploration tries. A trace or a live stream binds a P
	// from what was observed instead, by its field names. The acting server, where there is one, is
	// the field I of P.
	Params Domain[P]
	// Guard reports whether the action is enabled. It writes nothing. A nil guard is always true.
	Guard func(s *S, p P) bool
	// Effect writes the state after, n, which starts as a copy of the state before, s. It does not
	// write s.
	Effect func(s, n *S, p P)
	// Actor names whose step it is in traces and diagrams, where that is not the field I of P. It
	// is another field of P, or a role with one node, such as "master". Nothing else depends on it.
	Actor string
}

// AnyAction is an *Action of some parameter type. The package's own Action is the only
// implementation.
type AnyAction[S any] interface {
	name() string
	bind(rules []Rule[S], steps []*Invariant[S], stands []StandIn[S]) Bound[S]
}

// NameOf returns the name of an action.
func NameOf[S any](a AnyAction[S]) string { return a.name() }

// Bound is an action with all that rides on it, its parameters numbered from 0: what a checker
// runs.
type Bound[S any] struct {
	Name   string
	Actor  string // see Action
	Params []any  // the parameters, in the order of the domain
	// Enabled reports whether the guard and the rules allow the action with parameter k in s.
	Enabled func(s *S, k int) bool
	// Apply runs the effect and the rules' bookkeeping; n is a copy of s.
	Apply func(s, n *S, k int)
	// Steps judges the step properties of this action alone: Steps[x] holds for the x-th of Steps'
	// Properties.
	Steps []StepOf[S]
	// Match finds the number of parameter p, of the action's parameter type; -1 where the domain
	// lacks it.
	Match func(p any) int
	// Param is the action's parameter type. EnabledWith and ApplyWith are Enabled and Apply with a
	// parameter that was bound from something observed: it is of type Param and need not be of the
	// domain.
	Param       reflect.Type
	EnabledWith func(s *S, p any) bool
	ApplyWith   func(s, n *S, p any)
}

// StepOf is a step property of one action, bound to its parameters.
type StepOf[S any] struct {
	Invariant *Invariant[S]
	Holds     func(s, n *S, k int) bool
	// Stands is set where the property is one of another action, for which this one stands.
	Stands *StandingStep[S]
}

func (a *Action[S, P]) name() string { return a.Name }

func (a *Action[S, P]) bind(rules []Rule[S], invs []*Invariant[S], stands []StandIn[S]) Bound[S] {
	var params []P
	for p := range a.Params {
		if params = append(params, p); len(params) > MostParams {
			break
		}
	}
	b := Bound[S]{Name: a.Name, Actor: a.Actor}
	for _, p := range params {
		b.Params = append(b.Params, p)
	}
	allow, note := ridersOf(a, rules)
	enabled := func(s *S, p P) bool {
		if a.Guard != nil && !a.Guard(s, p) {
			return false
		}
		for _, ok := range allow {
			if !ok(s, p) {
				return false
			}
		}
		return true
	}
	apply := func(s, n *S, p P) {
		a.Effect(s, n, p)
		for _, do := range note {
			do(s, n, p)
		}
	}
	b.Enabled = func(s *S, k int) bool { return enabled(s, params[k]) }
	b.Apply = func(s, n *S, k int) { apply(s, n, params[k]) }
	b.Param = reflect.TypeFor[P]()
	b.EnabledWith = func(s *S, p any) bool { return enabled(s, p.(P)) }
	b.ApplyWith = func(s, n *S, p any) { apply(s, n, p.(P)) }
	for _, v := range invs {
		on, ok := any(v.OnStep).(*onStep[S, P]) // see same
		if ok && on.action == a {
			b.Steps = append(b.Steps, StepOf[S]{Invariant: v, Holds: func(s, n *S, k int) bool { return on.holds(s, n, params[k]) }})
		}
		for _, d := range stands {
			if x := d.on(a, v, b.Params); x != nil {
				b.Steps = append(b.Steps, StepOf[S]{Invariant: v, Holds: x.holds, Stands: x})
			}
		}
	}
	b.Match = func(p any) int {
		for k := range b.Params {
			if b.Params[k] == p {
				return k
			}
		}
		return -1
	}
	return b
}
