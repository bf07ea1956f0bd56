package priorities

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// What it computes. The next step of a walk, by a schedule of agents: PCT's priorities or
// delay-bounded scheduling.
//
// Why it is right. Every drawn step is enabled, so a walk is a behaviour. The bounds on
// probabilities are those of the papers that the package comment names: the priorities and the
// change points that a bug needs are drawn with at least the stated probability.
//
// What it costs. One pass over the enabled instances for each step.
//
// Example. Agents A and B, d = 2, a walk of k steps. The bug needs A's step 1 before B's and A's
// step 2 after it. PCT draws A above B with 1/2 and the change point at step 2 with 1/k.

// Kind is how agents are scheduled.
type Kind uint8

// Kinds of schedules.
const (
	PCT    Kind = iota // by priorities
	Delays             // in a fixed order, with delays
)

// Strategy draws walks by schedules of agents: it is a simulate.Strategy.
type Strategy[T any] struct {
	// Of is the agent of each instance, from 0 to Agents-1; -1: the instance is never taken.
	Of     []int
	Agents int
	Kind   Kind
	// Depth is d: the depth of the bugs that are sought (PCT), or the number of delays of a walk
	// (Delays). Steps is k, the length of a walk.
	Depth, Steps int
}

// Probability returns a lower bound, from 0 to 1, of the probability with which a walk shows a bug
// of this depth, or makes given delays.
func (s *Strategy[T]) Probability() float64 {
	if s.Kind == Delays {
		return math.Pow(float64(s.Steps), -float64(s.Depth))
	}
	return 1 / (float64(s.Agents) * math.Pow(float64(s.Steps), float64(s.Depth-1)))
}

// Drawer returns what draws the steps of one worker's walks.
func (s *Strategy[T]) Drawer() simulate.Drawer[T] { return &drawer[T]{Strategy: s} }

type drawer[T any] struct {
	*Strategy[T]
	rng *rand.Rand
	// priority of each agent, all different. Those of a change point are negative: the first point
	// gets the highest.
	priority []int
	points   []int // steps, from 1, at which a priority changes or a delay happens
	step     int   // the one that is drawn next
	current  int   // Delays: the agent that has the turn
	mine     []int32
}

// Begin draws the schedule of a walk.
func (d *drawer[T]) Begin(_ int64, rng *rand.Rand, _ *T) {
	d.rng, d.step, d.current = rng, 1, 0
	d.priority = append(d.priority[:0], rng.Perm(d.Agents)...)
	d.points = d.points[:0]
	n := d.Depth
	if d.Kind == PCT {
		n--
	}
	for range n {
		d.points = append(d.points, 1+rng.IntN(d.Steps))
	}
}

// Draw returns a step of the agent whose turn it is; -1 where no agent has one.
func (d *drawer[T]) Draw(_ *T, enabled []int32) int {
	agent := d.turn(enabled)
	if agent < 0 {
		return -1
	}
	d.mine = d.mine[:0]
	for _, k := range enabled {
		if d.Of[k] == agent {
			d.mine = append(d.mine, k)
		}
	}
	return int(d.mine[d.rng.IntN(len(d.mine))])
}

// turn returns the agent whose step is next.
func (d *drawer[T]) turn(enabled []int32) int {
	if d.Kind == Delays {
		return d.inOrder(enabled)
	}
	best := d.highest(enabled)
	for k, at := range d.points {
		if at == d.step && best >= 0 {
			d.points[k] = 0 // passed
			d.priority[best] = -1 - k
			best = d.highest(enabled)
		}
	}
	return best
}

// highest returns the agent with the highest priority that has a step; -1 if none has.
func (d *drawer[T]) highest(enabled []int32) int {
	best := -1
	for _, k := range enabled {
		if a := d.Of[k]; a >= 0 && (best < 0 || d.priority[a] > d.priority[best]) {
			best = a
		}
	}
	return best
}

// inOrder returns the agent whose turn it is in the fixed order, after the delays of this step.
func (d *drawer[T]) inOrder(enabled []int32) int {
	has := func(a int) bool {
		return slices.ContainsFunc(enabled, func(k int32) bool { return d.Of[k] == a })
	}
	next := func(from int) int {
		for k := range d.Agents {
			if a := (from + k) % d.Agents; has(a) {
				return a
			}
		}
		return -1
	}
	at := next(d.current)
	for k, point := range d.points {
		if point == d.step && at >= 0 {
			d.points[k] = 0
			at = next(at + 1)
		}
	}
	if at >= 0 {
		d.current = at
	}
	return at
}

// Took counts steps.
func (d *drawer[T]) Took(int, *T, *T) { d.step++ }

// Refused has nothing to take back: the step is drawn again.
func (d *drawer[T]) Refused(int) {}
