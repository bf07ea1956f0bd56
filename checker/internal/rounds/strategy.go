package rounds

import (
	"errors"
	"math/rand/v2"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// Strategy draws uniform executions: it is a simulate.Strategy.
type Strategy[T any] struct {
	spec    *checker.Spec[T]
	state   func(n *T) unsafe.Pointer
	plan    *Plan
	space   *Space
	late    bool
	pause   float64
	weights []float64 // by action
}

// Settings are the parameters of walks.
type Settings struct {
	// Late lets a message that isolation kept from its receiver be received in a later round, once
	// both ends are in the kernel. Without it the message is lost: it is never received. In a
	// channel that keeps its order nothing after it is received then, until a step of the
	// environment removes it.
	Late bool
	// Pause is the weight of ending a round's internal steps, compared with the weights of the
	// actions that have a step.
	Pause float64
	// Weights are as in simulate.Options.
	Weights map[string]float64
}

// New returns the strategy of a plan and a space of schedules. State returns the State of a node.
func New[T any](spec *checker.Spec[T], state func(n *T) unsafe.Pointer, plan *Plan, space *Space, s Settings) *Strategy[T] {
	x := &Strategy[T]{spec: spec, state: state, plan: plan, space: space, late: s.Late, pause: s.Pause}
	for _, a := range spec.Actions {
		w, ok := s.Weights[a.Name]
		if !ok {
			w = 1
		}
		x.weights = append(x.weights, w)
	}
	return x
}

// Drawer returns what draws the steps of one worker's walks.
func (x *Strategy[T]) Drawer() simulate.Drawer[T] { return x.drawer() }

func (x *Strategy[T]) drawer() *drawer[T] {
	d := &drawer[T]{strategy: x, scratch: new(T)}
	d.machine = machine{plan: x.plan, late: x.late}
	d.after = func(k int, visit func(unsafe.Pointer)) {
		if d.apply(k) {
			visit(x.state(d.scratch))
		}
	}
	return d
}

// apply makes scratch the successor by an instance. It reports false where a value would exceed its
// capacity.
func (d *drawer[T]) apply(k int) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			err, _ := v.(error)
			if full := new(modules.CapacityError); !errors.As(err, &full) {
				panic(v)
			}
			ok = false
		}
	}()
	*d.scratch = *d.at
	d.strategy.spec.Apply(d.at, d.scratch, k)
	return true
}

// drawer draws the steps of walks.
type drawer[T any] struct {
	machine
	strategy *Strategy[T]
	rng      *rand.Rand
	at       *T // where the walk stands, while Draw runs
	scratch  *T
	choices  []int32
	rounds   []int // by step of the walk: its round, from 1
}

// Begin begins a walk.
func (d *drawer[T]) Begin(_ int64, rng *rand.Rand, s *T) {
	d.rng, d.rounds = rng, d.rounds[:0]
	d.begin(d.strategy.space.Draw(rng), d.strategy.state(s))
}

// Draw returns the next step; -1 after the last round.
func (d *drawer[T]) Draw(s *T, enabled []int32) int {
	d.at = s
	for !d.over() {
		if k := d.choose(enabled); k >= 0 {
			d.rounds = append(d.rounds, d.round+1)
			return k
		}
		d.next()
	}
	return -1
}

// choose draws a step of this part; -1 ends the part.
func (d *drawer[T]) choose(enabled []int32) int {
	x := d.strategy
	state := x.state(d.at)
	d.choices = d.choices[:0]
	for _, k := range enabled {
		if x.weights[x.spec.Instances[k].Action] > 0 && d.admits(state, int(k)) {
			d.choices = append(d.choices, k)
		}
	}
	switch {
	case len(d.choices) == 0, d.part == faults && d.rng.IntN(2) == 0:
		return -1
	case d.part != internals:
		return int(d.choices[d.rng.IntN(len(d.choices))])
	}
	return d.weigh()
}

// weigh draws an action among those of the choices by weight, with d.strategy.pause for none, and
// one of its choices uniformly.
func (d *drawer[T]) weigh() int {
	x := d.strategy
	total := x.pause
	for at := 0; at < len(d.choices); at = d.group(at) {
		total += x.weights[x.spec.Instances[d.choices[at]].Action]
	}
	return d.among(total)
}

// among draws as weigh does, where the weights of actions are part of a total: the rest of it is
// that of no step.
func (d *drawer[T]) among(total float64) int {
	x := d.strategy
	r := float64(d.rng.Float64() * total)
	for at := 0; at < len(d.choices); {
		to := d.group(at)
		w := x.weights[x.spec.Instances[d.choices[at]].Action]
		if r < w {
			return int(d.choices[at+d.rng.IntN(to-at)])
		}
		r -= w
		at = to
	}
	if d.part == internals {
		return -1
	}
	return int(d.choices[len(d.choices)-1]) // the sum was rounded upwards
}

// group returns the end of the choices that have the action of one: instances are numbered action
// by action.
func (d *drawer[T]) group(at int) (to int) {
	instances := d.strategy.spec.Instances
	for to = at; to < len(d.choices) && instances[d.choices[to]].Action == instances[d.choices[at]].Action; to++ {
	}
	return to
}

// Took follows a step.
func (d *drawer[T]) Took(instance int, s, n *T) {
	d.took(instance, d.strategy.state(s), d.strategy.state(n))
}

// Refused takes back a step that raises a masked assertion.
func (d *drawer[T]) Refused(instance int) {
	d.rounds = d.rounds[:len(d.rounds)-1]
	d.refused(instance)
}

// Notes say by which rounds and which schedule a walk was taken.
type Notes struct {
	Rounds   []int // by step: its round, from 1
	Schedule Schedule
}

// Notes returns the rounds of the walk's steps.
func (d *drawer[T]) Notes() any {
	return Notes{append([]int(nil), d.rounds...), append(Schedule(nil), d.schedule...)}
}
