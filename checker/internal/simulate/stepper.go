package simulate

import (
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// Stepper takes random walks one step at a time, for those who do something between the steps. As
// in Run an action is drawn by weight among those with an enabled instance, and one of its enabled
// instances uniformly; properties are not judged.
//
// A walk of a Stepper should be long. An instance whose step raises an assertion, leads out of the
// state constraints or exceeds a capacity is not taken, and another one is drawn.
//
// Guards are asked only of actions that are drawn: an action without an enabled instance is drawn
// again, which gives the same distribution as drawing among the enabled ones. So the walks of a
// seed are not those of Run. A strategy can draw instead: see By. A Stepper may not be used by
// several goroutines at once.
type Stepper[T any] struct {
	// LeavesOut reports whether an instance, which leads from before to after, is not to be taken.
	// It is asked after all else. Nil: every instance is.
	LeavesOut func(instance int, before, after *T) bool

	// Refused counts the steps that were drawn and not taken, over all walks; Exceeded those of
	// them that exceeded a capacity.
	Refused, Exceeded int64

	w      *walker[T]
	starts []T
	table  []drawn
	order  []int // actions that can still be drawn
	// drawer draws the steps; nil: weights do. All are the enabled instances then.
	drawer Drawer[T]
	all    []int32
}

// drawn holds the known facts about an action at the walk's current node.
type drawn struct {
	weight  float64
	asked   bool
	enabled []int32
}

// NewStepper makes a stepper with Options.Weights. It fails as NewWalker does.
func NewStepper[T any](spec *checker.Spec[T], weights map[string]float64) (*Stepper[T], error) {
	x, err := NewWalker(spec, weights)
	if err != nil {
		return nil, err
	}
	s := &Stepper[T]{w: x.w, starts: x.starts, table: make([]drawn, len(spec.Actions))}
	for k, weight := range x.w.weights {
		s.table[k].weight = weight
	}
	return s, nil
}

// Starts returns the initial nodes in which walks begin.
func (s *Stepper[T]) Starts() []T { return s.starts }

// Start begins a walk in an initial node, drawn uniformly, and returns its number among Starts.
func (s *Stepper[T]) Start(rng *rand.Rand) int {
	k := rng.IntN(len(s.starts))
	s.w.stand(&s.starts[k])
	return k
}

// Node returns where the walk stands. It is valid until the next step.
func (s *Stepper[T]) Node() *T { return s.w.s }

// Before returns where the walk stood before its last step.
func (s *Stepper[T]) Before() *T { return s.w.n }

// Step takes a step and returns its instance, or -1 where no step can be taken. The error is an
// *checker.SpecError[T].
func (s *Stepper[T]) Step(rng *rand.Rand) (instance int, err error) {
	if s.drawer != nil {
		return s.stepBy(rng)
	}
	return s.stepByWeight(rng)
}

// stepByWeight is Step where weights draw.
func (s *Stepper[T]) stepByWeight(rng *rand.Rand) (instance int, err error) {
	s.forget()
	for {
		var done bool
		instance, done = -1, false
		f := s.w.try(func() { instance, done = s.attempt(rng) })
		switch {
		case f != nil && exceeds(f):
			s.Exceeded++
			s.Refused++
			s.refuse(s.w.instance)
		case f != nil:
			return -1, s.w.specError(f, checker.Trace[T]{Init: *s.w.s})
		case done:
			return instance, nil
		}
	}
}

// Each yields the steps that a walk at s could take, in the order of the instances, with their
// successors. A successor is valid until the next one. Steps that no walk takes are counted as for
// Step. The walk stands at s afterwards. The error is an *checker.SpecError[T].
func (s *Stepper[T]) Each(at *T, yield func(instance int, n *T)) error {
	w := s.w
	s.forget()
	w.stand(at)
	var all []int32
	if f := w.try(func() {
		w.during, w.judging = checker.DuringStep, false
		for _, a := range s.order {
			all = w.ask(a, all)
		}
	}); f != nil {
		return w.specError(f, checker.Trace[T]{Init: *w.s})
	}
	slices.Sort(all)
	for _, k := range all {
		taken := false
		f := w.try(func() { taken = s.does(int(k)) })
		switch {
		case f != nil && exceeds(f):
			s.Exceeded++
			s.Refused++
		case f != nil:
			return w.specError(f, checker.Trace[T]{Init: *w.s})
		case taken:
			yield(int(k), w.n)
		}
	}
	return nil
}

// exceeds reports whether a panic is that of a full value.
func exceeds(f *fault) bool {
	err, ok := f.value.(error)
	var full *modules.CapacityError
	return ok && errors.As(err, &full)
}

// forget makes every action one that can be drawn.
func (s *Stepper[T]) forget() {
	s.order = s.order[:0]
	for a := range s.table {
		s.table[a].asked = false
		if s.table[a].weight > 0 {
			s.order = append(s.order, a)
		}
	}
}

// attempt draws an instance and does its step. Done reports that the walk has moved, or that there
// is no step.
func (s *Stepper[T]) attempt(rng *rand.Rand) (instance int, done bool) {
	instance = s.draw(rng)
	if instance < 0 {
		return -1, true
	}
	if !s.does(instance) {
		s.refuse(instance)
		return -1, false
	}
	s.w.move()
	return instance, true
}

// does makes the walker's n the successor by an instance, and reports whether a walk may take the
// step.
func (s *Stepper[T]) does(instance int) bool {
	w := s.w
	w.during, w.instance, w.judging = checker.DuringStep, instance, false
	*w.n = *w.s
	w.spec.Apply(w.s, w.n, instance)
	w.judging = true
	if s.leaves() {
		s.Refused++
		return false
	}
	return s.LeavesOut == nil || !s.LeavesOut(instance, w.s, w.n)
}

// StartAt begins a walk in the initial node with a number among Starts.
func (s *Stepper[T]) StartAt(start int) { s.w.stand(&s.starts[start]) }

// Do does a step of a walk that was planned with Each. It reports false where a walk may not take
// the step. The error is an *checker.SpecError[T].
func (s *Stepper[T]) Do(instance int) (ok bool, err error) {
	if f := s.w.try(func() {
		if ok = s.w.spec.Enabled(s.w.s, instance) && s.does(instance); ok {
			s.w.move()
		}
	}); f != nil {
		return false, s.w.specError(f, checker.Trace[T]{Init: *s.w.s})
	}
	return ok, nil
}

// leaves reports whether the walk may not come to the walker's n.
func (s *Stepper[T]) leaves() bool {
	w := s.w
	if w.spec.Raised != nil {
		w.during = checker.DuringRaised
		if raised, _ := w.spec.Raised(w.n); raised {
			return true
		}
	}
	if w.spec.Within == nil {
		return false
	}
	w.during = checker.DuringConstraint
	return !w.spec.Within(w.n)
}

// draw returns a random one of the enabled instances, -1 if there is none.
func (s *Stepper[T]) draw(rng *rand.Rand) int {
	for {
		total := 0.0
		for _, a := range s.order {
			total += s.table[a].weight
		}
		if total == 0 {
			return -1
		}
		x := float64(rng.Float64() * total) // rounded here, as in walker.draw
		k := 0
		for ; k < len(s.order)-1 && x >= s.table[s.order[k]].weight; k++ {
			x -= s.table[s.order[k]].weight
		}
		d := &s.table[s.order[k]]
		if !d.asked {
			s.ask(s.order[k])
		}
		if len(d.enabled) > 0 {
			return int(d.enabled[rng.IntN(len(d.enabled))])
		}
		s.order = append(s.order[:k], s.order[k+1:]...)
	}
}

// ask asks the guards of an action.
func (s *Stepper[T]) ask(action int) {
	w, d := s.w, &s.table[action]
	w.during, w.judging = checker.DuringStep, false
	d.asked = true
	d.enabled = w.ask(action, d.enabled[:0])
}

// refuse takes an instance out of the enabled ones.
func (s *Stepper[T]) refuse(instance int) {
	d := &s.table[s.w.spec.Instances[instance].Action]
	for k, x := range d.enabled {
		if int(x) == instance {
			d.enabled = append(d.enabled[:k], d.enabled[k+1:]...)
			return
		}
	}
}
