package preserve

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/layout"
)

// What it computes. Whether a composition can violate a property as a counterexample of the other
// one does: with the same observations.
//
// Why it is right. A place is a state with the number of observations so far. Silent steps lead to
// places with the same number, and a step with the next observation to one more. If no place has
// all observations, no behaviour has them, so the counterexample is none of this composition. If
// the state of a place breaks the property, the behaviour that leads there is a counterexample.
//
// What it costs. Only states with these observations are examined, so most often a small part of
// the composition. They stay in memory. Places with the most observations come first. Among them
// the oldest and the newest take turns: one path to the violation is enough, and the newest ones
// dive for it, while the oldest ones keep the search from being lost in a part.
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
	// Trace is its own behaviour: to the violation, or one with the observations before Step.
	Trace checker.Trace[T]
}

// pursuit is the places that were reached so far.
type pursuit[T any] struct {
	*run[T]
	side  int // that follows
	wants []observation
	// free says that all steps are taken after all observations.
	free   bool
	bits   uint64 // of the properties that count
	places []place[T]
	open   [][][]int // places that were not expanded yet, by observations and by distance
	known  map[placeKey]bool
	goals  []goal // by the number of observations
	cells  []layout.Cell
	found  int    // the place that breaks a property; -1: none so far
	broken uint64 // bits of the properties that it breaks
	buf    []byte
	// failed says how the specification failed in a step, which was left out.
	failed string
}

// observation is an observed step of the counterexample.
type observation struct {
	step int // its index in the trace
	key  []byte
}

// goal is the state of the counterexample before its next observation: its observed cells, one
// after the other, and where each one ends.
type goal struct {
	values []byte
	ends   []int
}

// place is a state with the number of observations before it, and the step that led to it.
type place[T any] struct {
	node     T
	parent   int // -1 for an initial state
	instance int
	seen     int
}

type placeKey struct {
	state [sha256.Size]byte
	seen  int
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
	x.along(side, t)
	out.Complete = x.search()
	x.end(out)
	if most := x.most(); out.Complete && !out.Violated && most < len(x.wants) {
		out.Step = x.wants[most].step + 1
		x.because(side, t, most, out)
	}
	return out, nil
}

func newPursuit[T any](c *Comparison[T], side int, opt Options) *pursuit[T] {
	return &pursuit[T]{run: &run[T]{c: c, opt: opt, start: host.Now(), labels: newLabels()}, side: side, known: map[placeKey]bool{}, found: -1,
		cells: observed(c.Steps)}
}

// failure says how the specification failed; nil if it did not, or if a violation is known.
// Recovered comes from recover.
func (x *pursuit[T]) failure(recovered any, violated bool) error {
	if recovered != nil {
		x.failed = fmt.Sprint(recovered)
	}
	if x.failed == "" || violated {
		return nil
	}
	return fmt.Errorf("the specification fails in a step that may lead on: %s", x.failed)
}

// along notes the observations of a side's behaviour.
func (x *pursuit[T]) along(side int, t *checker.Trace[T]) {
	s := &t.Init
	for k := range t.Steps {
		n := &t.Steps[k].Node
		if key := x.keyOf(side, s, n, t.Steps[k].Instance); key != nil {
			x.wants = append(x.wants, observation{k, slices.Clone(key)})
			x.goals = append(x.goals, x.goalAt(s))
		}
		s = n
	}
	x.goals = append(x.goals, x.goalAt(s))
	x.open = make([][][]int, len(x.goals))
}

// observed returns the cells that observed steps read, each once.
func observed(steps []Step) (out []layout.Cell) {
	known := map[string]bool{}
	for k := range steps {
		for _, c := range steps[k].Cells {
			if !known[c.Name] {
				known[c.Name] = true
				out = append(out, c)
			}
		}
	}
	return out
}

func (x *pursuit[T]) goalAt(s *T) (g goal) {
	p := x.c.State(s)
	for k := range x.cells {
		g.values = x.cells[k].Append(g.values, p)
		g.ends = append(g.ends, len(g.values))
	}
	return g
}

// distance counts the observed cells in which a state differs from the goal.
func (x *pursuit[T]) distance(s *T, seen int) (n int) {
	g, p, from := &x.goals[seen], x.c.State(s), 0
	for k := range x.cells {
		if x.buf = x.cells[k].Append(x.buf[:0], p); !bytes.Equal(x.buf, g.values[from:g.ends[k]]) {
			n++
		}
		from = g.ends[k]
	}
	return n
}

// most returns how many of the observations a place has, at most.
func (x *pursuit[T]) most() (n int) {
	for k := range x.places {
		n = max(n, x.places[k].seen)
	}
	return n
}

// search expands places until one breaks a property, or none is left. It reports whether the limits
// allowed all of it.
func (x *pursuit[T]) search() bool {
	x.c.Sides[x.side].Spec.Init(func(n *T) bool {
		x.add(n, -1, -1, 0)
		return true
	})
	for turn := 0; x.found < 0; turn++ {
		at := x.next(turn)
		if at < 0 {
			return true
		}
		if x.opt.MaxStates > 0 && int64(len(x.places)) > x.opt.MaxStates || x.opt.Timeout > 0 && turn%64 == 0 && host.Since(x.start) > x.opt.Timeout ||
			x.opt.Context != nil && x.opt.Context.Err() != nil {
			return false
		}
		x.expand(at)
	}
	return true
}

// next takes an open place with the most observations; -1: there is none. The nearest ones come
// first, the newest and the oldest in turns. Each fourth one is the oldest at any distance, so that
// a path that first leads away from the goal is found, too. After all observations of a search that
// is free it is the oldest one, so that it finds a shortest way.
func (x *pursuit[T]) next(turn int) int {
	for seen := len(x.open) - 1; seen >= 0; seen-- {
		near, old := -1, -1
		for far, q := range x.open[seen] {
			if len(q) == 0 {
				continue
			}
			if near < 0 {
				near = far
			}
			if old < 0 || q[0] < x.open[seen][old][0] {
				old = far
			}
		}
		switch {
		case near < 0:
			continue
		case turn%4 == 3:
			return x.take(seen, old, true)
		}
		return x.take(seen, near, turn%2 == 0 || x.free && seen == len(x.wants))
	}
	return -1
}

// take removes the oldest or the newest of the open places with a number of observations and a
// distance.
func (x *pursuit[T]) take(seen, far int, oldest bool) (at int) {
	q := x.open[seen][far]
	if oldest {
		at, q = q[0], q[1:]
	} else {
		at, q = q[len(q)-1], q[:len(q)-1]
	}
	x.open[seen][far] = q
	return at
}

// because says what places with the most observations have in the place of what the next observed
// step reads: those in which its action is enabled, if there are such.
func (x *pursuit[T]) because(side int, t *checker.Trace[T], most int, out *Pursued[T]) {
	step := x.wants[most].step
	s := &t.Init
	if step > 0 {
		s = &t.Steps[step-1].Node
	}
	number := x.c.Sides[side].Step[t.Steps[step].Instance]
	var all, enabled []*T
	for at := range x.places {
		p := &x.places[at]
		if p.seen < most || len(all) == candidates {
			continue
		}
		all = append(all, &p.node)
		for i, is := range x.c.Sides[x.side].Step {
			if is == number && x.c.Sides[x.side].Spec.Enabled(&p.node, i) {
				enabled = append(enabled, &p.node)
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

// end completes the answer: to the violation, or to the first place with the most observations.
func (x *pursuit[T]) end(out *Pursued[T]) {
	out.States = int64(len(x.places))
	at := x.found
	if out.Violated = at >= 0; out.Violated {
		out.Complete = true
	} else {
		most := x.most()
		at = slices.IndexFunc(x.places, func(p place[T]) bool { return p.seen == most })
	}
	for ; at >= 0; at = x.places[at].parent {
		p := &x.places[at]
		if p.parent < 0 {
			out.Trace.Init = p.node
			break
		}
		out.Trace.Steps = append(out.Trace.Steps, checker.Step[T]{Instance: p.instance, Node: p.node})
	}
	slices.Reverse(out.Trace.Steps)
}

// keyOf returns the key of a step; nil for a silent one.
func (x *pursuit[T]) keyOf(side int, s, n *T, instance int) []byte {
	raised := false
	if spec := x.c.Sides[side].Spec; spec.Raised != nil {
		raised, _ = spec.Raised(n)
	}
	return x.key(side, s, instance, raised)
}

// expand adds the places that steps of a place lead to.
func (x *pursuit[T]) expand(at int) {
	spec := x.c.Sides[x.side].Spec
	s, seen := x.places[at].node, x.places[at].seen
	all := seen == len(x.wants)
	for instance := range spec.Instances {
		n, ok := x.after(&s, instance)
		if !ok {
			continue
		}
		now := seen
		if key := x.keyOf(x.side, &s, &n, instance); key != nil && !(all && x.free) {
			if all || !bytes.Equal(key, x.wants[seen].key) {
				continue
			}
			now++
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
		if broken &= x.bits; broken != 0 {
			x.places = append(x.places, place[T]{n, at, instance, now})
			x.found, x.broken = len(x.places)-1, broken
		} else {
			x.add(&n, at, instance, now)
		}
		if x.found >= 0 {
			return
		}
	}
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

// add adds a place, once.
func (x *pursuit[T]) add(n *T, parent, instance, seen int) {
	spec := x.c.Sides[x.side].Spec
	key := placeKey{sha256.Sum256(checker.Bytes(n)), seen}
	if x.known[key] || x.found >= 0 {
		return
	}
	x.known[key] = true
	broken := uint64(0)
	if spec.State != nil {
		broken = spec.State(n) & x.bits
	}
	if broken == 0 && spec.Within != nil && !spec.Within(n) {
		return
	}
	x.places = append(x.places, place[T]{*n, parent, instance, seen})
	if at := len(x.places) - 1; broken != 0 {
		x.found, x.broken = at, broken
	} else {
		far := 0
		if !x.free {
			far = x.distance(n, seen)
		}
		for len(x.open[seen]) <= far {
			x.open[seen] = append(x.open[seen], nil)
		}
		x.open[seen][far] = append(x.open[seen][far], at)
	}
}
