package simulate

import (
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// What it computes. A random walk: at each node the enabled instances, one of them by chance, and
// its successor. The weights choose the action; the action's enabled instances are equally likely.
//
// Why it is right. Only an instance whose guard holds is drawn, so a walk is a behaviour. An
// instance is drawn with probability w/W/n, where w is the weight of its action, W the sum of the
// weights of actions with enabled instances, and n the number of the action's enabled instances. A
// step that ends in a masked assertion is discarded, and the next draw is among the rest. So a draw
// of -1 means that no step is left. All chance comes from the generator that the caller gives: the
// same seed gives the same walk.
//
// What it costs. A step costs the guards of all instances, and one copy of a node. A composition
// that answers for all instances of an action at once saves most of the calls (Spec.EnabledOf). The
// walker has two nodes and swaps them, so a step allocates nothing.
//
// Example. Action A has weight 1 and two enabled instances, action B has weight 3 and one.
//
//	live     A: from 0, n 2, weight 1    B: from 2, n 1, weight 3
//	enabled  A1 A2 B1
//	draw     x in [0,4): below 1 it is A1 or A2 (1/8 each), else B1 (3/4)

// walker stands at a node and takes steps, one after another, in memory that it owns.
type walker[T any] struct {
	spec    *checker.Spec[T]
	weights []float64 // by action
	of      [][]int32 // by action: its instances
	key     []uint64  // by action: its part of an abstraction
	learned *learner  // nil: only the weights count
	hash    Hash      // of the nodes for which weights are learned
	bytes   []Span    // of hash ByBytes

	s, n *T // the node where it stands, and the place of its successor

	// What look found at s.
	live        []choice
	enabled     []int32 // instances, by action
	abstraction uint64  // of s: a fingerprint of the set of enabled actions, not 0
	known       uint64  // of s: what learned weights know of it
	drawn       *choice // what draw drew from
	place       int32   // of the drawn instance in enabled

	// What it is doing, for those who catch a panic.
	during   string
	instance int
	judging  bool // n, not s
	asking   bool // all guards of an action at once, whose first instance is instance
}

// choice is an action with enabled instances: n of them, from a place in walker.enabled on.
type choice struct {
	action  int
	from, n int32
	weight  float64
}

// newWalker fails if the weights are wrong.
func newWalker[T any](spec *checker.Spec[T], byName map[string]float64) (*walker[T], error) {
	weights, err := weightsOf(spec.Actions, byName)
	if err != nil {
		return nil, err
	}
	w := &walker[T]{spec: spec, weights: weights, s: new(T), n: new(T), of: make([][]int32, len(spec.Actions))}
	for k, in := range spec.Instances {
		w.of[in.Action] = append(w.of[in.Action], int32(k))
	}
	for k := range spec.Actions {
		w.key = append(w.key, scramble(uint64(k)+1))
	}
	return w, nil
}

// look asks all guards at s.
func (w *walker[T]) look() {
	w.during, w.judging = checker.DuringStep, false
	w.live, w.enabled, w.abstraction = w.live[:0], w.enabled[:0], 1
	for a := range w.of {
		from := len(w.enabled)
		w.enabled = w.ask(a, w.enabled)
		if n := len(w.enabled) - from; n > 0 {
			w.live = append(w.live, choice{a, int32(from), int32(n), w.weights[a]})
			w.abstraction ^= w.key[a]
		}
	}
	if w.abstraction == 0 {
		w.abstraction = 1
	}
	if w.learned != nil {
		w.known = w.hashed()
		w.learned.weigh(w.known, w.live)
	}
}

// hashed returns what learned weights know of s, after look has asked its guards.
func (w *walker[T]) hashed() uint64 {
	switch w.hash {
	case ByInstances:
		sum := uint64(0)
		for _, k := range w.enabled {
			sum ^= scramble(uint64(k) + 1)
		}
		return sum
	case ByBytes:
		all, sum := checker.Bytes(w.s), uint64(0)
		for _, b := range w.bytes {
			for _, x := range all[b.From:b.To] {
				sum = scramble(sum ^ uint64(x))
			}
		}
		return sum
	case ByNodes:
		return fingerprint.Of(w.s)
	}
	return w.abstraction
}

// ask puts the enabled instances of an action after out.
func (w *walker[T]) ask(action int, out []int32) []int32 {
	if w.spec.EnabledOf != nil && len(w.of[action]) > 0 {
		w.asking, w.instance = true, int(w.of[action][0])
		out = w.spec.EnabledOf(w.s, action, out)
		w.asking = false
		return out
	}
	return w.askEach(action, out)
}

// askEach calls ask for one instance after another.
func (w *walker[T]) askEach(action int, out []int32) []int32 {
	for _, k := range w.of[action] {
		w.instance = int(k)
		if w.spec.Enabled(w.s, int(k)) {
			out = append(out, k)
		}
	}
	return out
}

// draw returns a random one of the enabled instances, -1 if none is left.
func (w *walker[T]) draw(rng *rand.Rand) int {
	total := 0.0
	for k := range w.live {
		total += w.live[k].weight
	}
	if total == 0 {
		return -1
	}
	// rounded here, so that no processor does it together with what follows
	x := float64(rng.Float64() * total)
	for k := range w.live {
		c := &w.live[k]
		if c.weight == 0 {
			continue
		}
		w.drawn = c // the last one, if the sum was rounded upwards
		if x < c.weight {
			break
		}
		x -= c.weight
	}
	w.place = w.drawn.from + rng.Int32N(w.drawn.n)
	return int(w.enabled[w.place])
}

// discard takes the drawn instance out of the enabled ones.
func (w *walker[T]) discard() {
	c := w.drawn
	c.n--
	w.enabled[w.place] = w.enabled[c.from+c.n]
	if c.n == 0 {
		c.weight = 0
	}
}

// outcome is the result of a step.
type outcome int

const (
	inside  outcome = iota // it leads to a node
	outside                // out of the state constraints
	raised                 // it ended in an assertion
)

// apply makes n the successor of s and judges it. Broken is the mask of invariants that the step or
// n breaks.
func (w *walker[T]) apply(instance int) (o outcome, broken uint64) {
	w.during, w.instance, w.judging = checker.DuringStep, instance, false
	*w.n = *w.s
	w.spec.Apply(w.s, w.n, instance)
	w.judging = true
	return w.judge(w.s)
}

// judge judges n, the successor of s, or an initial node if s is nil.
func (w *walker[T]) judge(s *T) (o outcome, broken uint64) {
	if w.spec.Raised != nil {
		w.during = checker.DuringRaised
		if any, broken := w.spec.Raised(w.n); any {
			return raised, broken
		}
	}
	if s != nil && w.spec.Steps != nil {
		w.during = checker.DuringStepProperty
		broken = w.spec.Steps(s, w.n, w.instance)
	}
	if w.spec.Within != nil {
		w.during = checker.DuringConstraint
		if !w.spec.Within(w.n) {
			o = outside
		}
	}
	w.during = checker.DuringInvariant
	return o, broken | w.spec.State(w.n)
}

// move makes n the node where the walker stands.
func (w *walker[T]) move() { w.s, w.n = w.n, w.s }

// stand puts the walker at a node.
func (w *walker[T]) stand(n *T) { *w.s = *n }

// initials returns the initial nodes from which walks start. Those that break an invariant go to
// broken, if that is not nil, and are left out; masked counts those that are left out because of a
// masked assertion. It ends early if halted says so.
func (w *walker[T]) initials(halted func() bool, broken func(n *T, mask uint64)) (starts []T, masked int64) {
	w.spec.Init(func(n *T) bool {
		if halted != nil && halted() {
			return false
		}
		*w.n = *n
		o, mask := w.judge(nil)
		switch {
		case mask != 0:
			if broken != nil {
				broken(w.n, mask)
			}
		case o == inside:
			starts = append(starts, *w.n)
		case o == raised:
			masked++
		}
		return true
	})
	return starts, masked
}
