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
