package rounds

import (
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// Loss draws weighted walks in which each message is lost with a probability: the baseline with
// which the paper compares rounds. A lost message is never received. In a channel that keeps its
// order nothing after it is received, until a step of the environment removes it.
type Loss[T any] struct {
	strategy    *Strategy[T]
	probability float64
}

// NewLoss returns the strategy. It takes what is known of messages, and the weights, from a
// strategy of rounds.
func NewLoss[T any](of *Strategy[T], probability float64) *Loss[T] { return &Loss[T]{of, probability} }

// A lossDrawer marks the messages in flight with these, instead of the rounds in which they were
// sent. Messages of round 0 are due in the only round that there is.
const (
	kept  = 0
	fresh = 1 // sent by the last step
	lost  = 2
)

// Drawer returns what draws the steps of one worker's walks.
func (x *Loss[T]) Drawer() simulate.Drawer[T] {
	d := &lossDrawer[T]{drawer: x.strategy.drawer(), probability: x.probability}
	d.late = false
	return d
}

type lossDrawer[T any] struct {
	*drawer[T]
	probability float64
}

// Begin begins a walk.
func (d *lossDrawer[T]) Begin(_ int64, rng *rand.Rand, s *T) {
	d.rng = rng
	d.begin(Schedule{0}, d.strategy.state(s))
	d.decide(kept)
}

// decide loses messages at random among those with a mark.
func (d *lossDrawer[T]) decide(mark uint16) {
	for _, net := range d.sent {
		for _, channel := range net {
			for k := range channel {
				if channel[k] != mark {
					continue
				}
				if channel[k] = kept; d.rng.Float64() < d.probability {
					channel[k] = lost
				}
			}
		}
	}
}

// Draw returns the next step, drawn by weight; -1 if there is none.
func (d *lossDrawer[T]) Draw(s *T, enabled []int32) int {
	x := d.strategy
	state := x.state(s)
	d.choices = d.choices[:0]
	total := 0.0
	for _, k := range enabled {
		a := x.spec.Instances[k].Action
		in := &x.plan.of[k]
		if x.weights[a] == 0 || in.role == Never || in.role == Delivery && d.sees(state, in) && !d.receives(state, in) {
			continue
		}
		if n := len(d.choices); n == 0 || x.spec.Instances[d.choices[n-1]].Action != a {
			total += x.weights[a]
		}
		d.choices = append(d.choices, k)
	}
	if len(d.choices) == 0 {
		return -1
	}
	return d.among(total)
}

// Took follows a step, and decides which of the messages that it sent are lost.
func (d *lossDrawer[T]) Took(instance int, s, n *T) {
	d.took(instance, d.strategy.state(s), d.strategy.state(n))
	d.decide(fresh)
}

// Refused has nothing to take back.
func (d *lossDrawer[T]) Refused(int) {}

// Notes returns nil: there is one round.
func (d *lossDrawer[T]) Notes() any { return nil }
