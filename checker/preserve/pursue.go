package preserve

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
)

// What it computes. Whether a composition can violate a property as a counterexample of the other
// one does: with the same observations.
//
// Why it is right. The set of its states with the observations so far is computed step by step:
// first all that silent steps lead to, then those after the next observed step. If the set becomes
// empty, no behaviour has these observations, so the counterexample is none of this composition. If
// one of its states breaks the property, the behaviour that leads there is a counterexample.
//
// What it costs. Only states with these observations are examined, so most often a small part of
// the composition. They stay in memory.
//
// Example. Only Work is observed. The coarse composition has Begin and Hear in one step, Prepare:
//
//	coarse    Prepare     Work(2)     Two works at once: violated
//	fine      {s0, s1}    {s2}        s2 -Hear-> s3 breaks it, too: confirmed

// Pursued is the answer of Pursue.
type Pursued[T any] struct {
	// Complete says that all states with the observations were examined, or that the property is
	// violated. Otherwise nothing else is known.
	Complete bool
	States   int64 // examined
	// Violated says that the composition violates the property with these observations.
	Violated bool
	// Step is the number of the first step of the counterexample, from 1, whose observation it
	// cannot have after those before; 0: it has all of them.
	Step int
	// Because says what it has in the place of what Step reads; nil if Step is 0. Enabled says that
	// it can take the action of Step there, with other values.
	Because *Difference[T]
	Enabled bool
	// Trace is its own behaviour: to the violation, or a shortest one with the observations before
	// Step.
	Trace checker.Trace[T]
}

// pursuit is the states with the observations so far.
type pursuit[T any] struct {
	*run[T]
	side   int          // that follows
	bits   uint64       // of the properties that count
	layer  []pursued[T] // all states, layer after layer
	from   int          // the first one of the present layer
	known  map[[sha256.Size]byte]bool
	found  int    // the state that breaks a property; -1: none so far
	broken uint64 // bits of the properties that it breaks
	// failed says how the specification failed in a step, which was left out.
	failed string
}

// pursued is a state with the step that led to it.
type pursued[T any] struct {
	node     T
	parent   int // -1 for an initial state
	instance int
}

// Pursue follows a counterexample of a side in the other composition, up to a violation of the
// property with this name. The error says that the specification fails, or is an
// *UnknownPropertyError.
func Pursue[T any](c *Comparison[T], side int, t *checker.Trace[T], property string, opt Options) (out *Pursued[T], err error) {
	x := newPursuit(c, 1-side, opt)
	spec := c.Sides[x.side].Spec
	k := slices.IndexFunc(spec.Invariants, func(p checker.Property) bool { return p.Name() == property })
	if k < 0 {
		return nil, &UnknownPropertyError{property}
	}
	x.bits = 1 << k
	out = &Pursued[T]{}
	defer func() {
		if err = x.failure(recover(), out.Violated); err != nil {
			out = nil
		}
	}()
	if out.Complete = x.along(side, t, out); out.Complete && out.Step == 0 && x.found < 0 {
		out.Complete = x.close(nil)
	}
	return x.end(out), nil
}

func newPursuit[T any](c *Comparison[T], side int, opt Options) *pursuit[T] {
	return &pursuit[T]{run: &run[T]{c: c, opt: opt, start: host.Now(), labels: newLabels()}, side: side, known: map[[sha256.Size]byte]bool{}, found: -1}
}

// failure says how the specification failed; nil if it did not, or if a violation is known.
// Recovered is what recover returned.
func (x *pursuit[T]) failure(recovered any, violated bool) error {
	if recovered != nil {
		x.failed = fmt.Sprint(recovered)
	}
	if x.failed == "" || violated {
		return nil
	}
	return fmt.Errorf("the specification fails in a step that may lead on: %s", x.failed)
}

// along leads from the initial states to those with the observations of a side's behaviour. It
// notes the first step that cannot be had. It reports whether the limits allowed all of it, or
// whether a state that breaks a property was found before.
func (x *pursuit[T]) along(side int, t *checker.Trace[T], out *Pursued[T]) bool {
	x.c.Sides[x.side].Spec.Init(func(n *T) bool {
		x.add(n, -1, -1)
		return true
	})
	s := &t.Init
	for k := range t.Steps {
		step := &t.Steps[k]
		want := slices.Clone(x.keyOf(side, s, &step.Node, step.Instance))
		before := s
		if s = &step.Node; want == nil {
			continue
		}
		if x.found >= 0 {
			return true
		}
		if !x.close(nil) {
			return false
		}
		first := len(x.layer)
		if x.found < 0 && !x.close(want) {
			return false
		}
		if x.found >= 0 {
			return true
		}
		if len(x.layer) == first {
			out.Step = k + 1
			x.because(side, before, step.Instance, out)
			return true
		}
		x.from = first
	}
	return true
}

// because says what the states of the present layer have in the place of what a step of a side
// reads in s: those in which its action is enabled, if there are such.
func (x *pursuit[T]) because(side int, s *T, instance int, out *Pursued[T]) {
	number := x.c.Sides[side].Step[instance]
	var all, enabled []*T
	for at := x.from; at < len(x.layer) && len(all) < candidates; at++ {
		n := &x.layer[at].node
		all = append(all, n)
		for i, is := range x.c.Sides[x.side].Step {
			if is == number && x.c.Sides[x.side].Spec.Enabled(n, i) {
				enabled = append(enabled, n)
				break
			}
		}
	}
	if out.Enabled = len(enabled) > 0; out.Enabled {
		all = enabled
	}
	d := x.explainAmong(side, "L2", number, s, all)
	out.Because = &d
}

// UnknownPropertyError says that a composition does not have a property.
type UnknownPropertyError struct{ Property string }

func (e *UnknownPropertyError) Error() string {
	return "the other composition has no property " + e.Property
}

// end completes the answer.
func (x *pursuit[T]) end(out *Pursued[T]) *Pursued[T] {
	out.States = int64(len(x.layer))
	at := x.found
	if out.Violated = at >= 0; out.Violated {
		out.Complete, out.Step = true, 0
	} else if len(x.layer) > x.from {
		at = x.from
	}
	for ; at >= 0; at = x.layer[at].parent {
		p := &x.layer[at]
		if p.parent < 0 {
			out.Trace.Init = p.node
			break
		}
		out.Trace.Steps = append(out.Trace.Steps, checker.Step[T]{Instance: p.instance, Node: p.node})
	}
	slices.Reverse(out.Trace.Steps)
	return out
}

// keyOf returns the key of a step; nil for a silent one.
func (x *pursuit[T]) keyOf(side int, s, n *T, instance int) []byte {
	raised := false
	if spec := x.c.Sides[side].Spec; spec.Raised != nil {
		raised, _ = spec.Raised(n)
	}
	return x.key(side, s, instance, raised)
}

// close adds the states that silent steps of the present layer lead to. With an observation it adds
// those of the next layer. It reports whether the limits allowed all of it.
func (x *pursuit[T]) close(want []byte) bool {
	if want != nil {
		clear(x.known)
	}
	return x.spread(want == nil, func(key []byte) bool {
		return (key == nil) == (want == nil) && (want == nil || bytes.Equal(key, want))
	})
}

// spread adds the states that steps of the present layer lead to, if their keys are wanted. With
// further it continues from those, too.
func (x *pursuit[T]) spread(further bool, wanted func(key []byte) bool) bool {
	spec := x.c.Sides[x.side].Spec
	last := len(x.layer)
	for at := x.from; at < last || further && at < len(x.layer); at++ {
		if x.opt.MaxStates > 0 && int64(len(x.layer)) > x.opt.MaxStates || x.opt.Timeout > 0 && at%64 == 0 && host.Since(x.start) > x.opt.Timeout ||
			x.opt.Context != nil && x.opt.Context.Err() != nil {
			return false
		}
		for instance := range spec.Instances {
			s := x.layer[at].node
			n, ok := x.after(&s, instance)
			if !ok {
				continue
			}
			if !wanted(x.keyOf(x.side, &s, &n, instance)) {
				continue
			}
			broken := uint64(0)
			if spec.Steps != nil {
				broken = spec.Steps(&s, &n, instance)
			}
			if spec.Raised != nil {
				raised, of := spec.Raised(&n)
				if broken |= of; raised && of&x.bits == 0 {
					continue
				}
			}
			if x.add(&n, at, instance); broken&x.bits != 0 && x.found < 0 {
				x.layer = append(x.layer, pursued[T]{n, at, instance})
				x.found, x.broken = len(x.layer)-1, broken&x.bits
			}
			if x.found >= 0 {
				return true
			}
		}
	}
	return true
}

// after returns the state after an instance; false if it is not enabled, or if the specification
// fails, as where a capacity is exceeded.
func (x *pursuit[T]) after(s *T, instance int) (n T, ok bool) {
	defer func() {
		if v := recover(); v != nil {
			ok = false
			if x.failed == "" {
				x.failed = fmt.Sprint(v)
			}
		}
	}()
	spec := x.c.Sides[x.side].Spec
	if !spec.Enabled(s, instance) {
		return n, false
	}
	n = *s
	spec.Apply(s, &n, instance)
	return n, true
}

// add adds a state to the layer that is being made, once.
func (x *pursuit[T]) add(n *T, parent, instance int) {
	spec := x.c.Sides[x.side].Spec
	if key := sha256.Sum256(checker.Bytes(n)); !x.known[key] {
		x.known[key] = true
		broken := uint64(0)
		if spec.State != nil {
			broken = spec.State(n) & x.bits
		}
		if broken == 0 && spec.Within != nil && !spec.Within(n) {
			return
		}
		x.layer = append(x.layer, pursued[T]{*n, parent, instance})
		if broken != 0 && x.found < 0 {
			x.found, x.broken = len(x.layer)-1, broken
		}
	}
}
