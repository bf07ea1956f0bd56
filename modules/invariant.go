package modules

// Invariant is a property that is checked while exploring. Exactly one of State, Step, OnStep and
// Raises is set.
type Invariant[S any] struct {
	ID       string // identifier in the source's table, as I-10
	Instance string // where one identifier has several instances: I-14.npe is instance npe of I-14
	// one sentence; a code-level assertion names the implementation's file, line and version too
	Doc string

	// State holds in every reachable state.
	State func(s *S) bool
	// Step holds for every step from s to n.
	Step func(s, n *S) bool
	// OnStep holds for every step of one action: see the function OnStep.
	OnStep StepProperty[S]
	// Raises is the assertion of the implementation that must not be raised: see Raised and Bit.
	Raises uint32
}

// Name returns how manifests and results name an invariant: its ID and, after a dot, its instance.
func (v *Invariant[S]) Name() string {
	if v.Instance == "" {
		return v.ID
	}
	return v.ID + "." + v.Instance
}

// Kinds of invariants, as results name them.
const (
	KindState  = "state"
	KindStep   = "step"
	KindAssert = "assert"
)

// Kind is one of KindState, KindStep and KindAssert.
func (v *Invariant[S]) Kind() string {
	switch {
	case v.Raises != 0:
		return KindAssert
	case v.Step != nil || v.OnStep != nil:
		return KindStep
	}
	return KindState
}

// StepProperty is a property of the steps of one action. The result of the function OnStep is the
// only implementation.
type StepProperty[S any] interface{ actionOf() AnyAction[S] }

type onStep[S, P any] struct {
	action *Action[S, P]
	holds  func(s, n *S, p P) bool
}

func (o *onStep[S, P]) actionOf() AnyAction[S] { return o.action }

// OnStep returns the property that holds for every step of a.
func OnStep[S, P any](a *Action[S, P], holds func(s, n *S, p P) bool) StepProperty[S] {
	return &onStep[S, P]{a, holds}
}

// StandIn says that the steps of one action stand for steps of another one. A coarse grain declares
// it for a step that it replaces. Properties of the replaced step are judged on the coarse one. The
// result of the function StandsFor is the only implementation.
type StandIn[S any] interface {
	// on returns how a property is judged on the steps of an action, nil where the declaration is
	// about others.
	on(a AnyAction[S], v *Invariant[S], params []any) *StandingStep[S]
}

// StandsFor returns the declaration that each step of coarse stands for steps of replaced. A step
// property of replaced, see OnStep, then holds if it does for these, too.
//
// The function params yields the parameters of the replaced steps for one of coarse. Nil says that
// they are the same: both actions have one parameter type.
//
// A coarse step begins in the state before the first of the finer steps, s. The function before
// changes b, a copy of s, into the state in which the replaced step is taken. It writes b only. Nil
// says that this is s. The state after the replaced step is the one after the coarse step.
func StandsFor[S, P, Q any](coarse *Action[S, P], replaced *Action[S, Q], params func(p P, yield func(Q) bool), before func(s, b *S, p P)) StandIn[S] {
	return &standIn[S, P, Q]{coarse, replaced, params, before}
}

type standIn[S, P, Q any] struct {
	coarse   *Action[S, P]
	replaced *Action[S, Q]
	params   func(p P, yield func(Q) bool)
	before   func(s, b *S, p P)
}

// StandingStep is how a property of the steps of one action is judged on steps that stand for them.
type StandingStep[S any] struct {
	// Params are, by number of the parameter, those of the steps that it stands for.
	Params [][]any
	// Before returns the state in which these are taken: s, or b, which it writes.
	Before func(s, b *S, k int) *S
	// Holds judges the step of parameter x of Params[k]. Before returned b.
	Holds func(b, n *S, k, x int) bool
}

func (d *standIn[S, P, Q]) on(a AnyAction[S], v *Invariant[S], params []any) *StandingStep[S] {
	on, ok := any(v.OnStep).(*onStep[S, Q])
	if !ok || on.action != d.replaced || any(a) != any(d.coarse) {
		return nil
	}
	out := &StandingStep[S]{
		Before: func(s, b *S, k int) *S {
			if d.before == nil {
				return s
			}
			*b = *s
			d.before(s, b, params[k].(P))
			return b
		},
	}
	for _, p := range params {
		out.Params = append(out.Params, d.paramsOf(p.(P)))
	}
	out.Holds = func(b, n *S, k, x int) bool { return on.holds(b, n, out.Params[k][x].(Q)) }
	return out
}

// paramsOf returns the parameters of the replaced steps.
func (d *standIn[S, P, Q]) paramsOf(p P) (out []any) {
	if d.params == nil {
		return []any{p}
	}
	d.params(p, func(q Q) bool {
		out = append(out, q)
		return len(out) <= MostParams
	})
	return out
}

// holds judges the property on a step from s to n with parameter k of the coarse action.
func (x *StandingStep[S]) holds(s, n *S, k int) bool {
	var b S
	before := x.Before(s, &b, k)
	for q := range x.Params[k] {
		if !x.Holds(before, n, k, q) {
			return false
		}
	}
	return true
}

// MaxAssertions is the number of assertions that one Raised distinguishes.
const MaxAssertions = 32

// Raised is the State field into which effects raise the implementation's own assertions. The
// checker reads it after each step: the step ends there, as the implementation would have thrown an
// exception, so the field is zero in every state that is stored. E numbers the assertions from 0. A
// State has at most one such field.
type Raised[E ~uint8] struct{ bits [4]uint8 }

// Raise raises assertion e, 0 to MaxAssertions-1.
func (r *Raised[E]) Raise(e E) {
	if e >= MaxAssertions {
		panic(&RangeError{"Raised", int(e), MaxAssertions, address(r)})
	}
	r.bits[e/8] |= 1 << (e % 8)
}

// Has reports whether assertion e is raised.
func (r *Raised[E]) Has(e E) bool { return e < MaxAssertions && r.bits[e/8]>>(e%8)&1 != 0 }

func (r *Raised[E]) raised() {}

// Bit returns the value of Raises for assertion e.
func Bit[E ~uint8](e E) uint32 { return 1 << e }
