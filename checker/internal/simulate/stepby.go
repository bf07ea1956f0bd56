package simulate

import (
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker"
)

// By makes a strategy's drawer draw the steps of all later walks. Guards of all actions are asked
// at each node then, except of those with weight 0. As in Run the drawer learns which steps are
// taken and which are refused. The instances that LeavesOut leaves out are refused, too.
func (s *Stepper[T]) By(d Drawer[T]) { s.drawer = d }

// StartWalk begins the walk with a number in an initial node, and returns the number of that node
// among Starts. The strategy chooses the node, if it has a preference, or else it is drawn
// uniformly. The error is an *checker.SpecError[T].
func (s *Stepper[T]) StartWalk(number int64, rng *rand.Rand) (start int, err error) {
	start = rng.IntN(len(s.starts))
	if s.drawer == nil {
		s.w.stand(&s.starts[start])
		return start, nil
	}
	f := s.w.try(func() {
		if x, ok := s.drawer.(Starter); ok {
			if k := x.Start(number, rng); k >= 0 {
				start = k
			}
		}
		s.w.stand(&s.starts[start])
		s.w.instance = -1
		s.drawer.Begin(number, rng, s.w.s)
	})
	if f != nil {
		return start, s.w.specError(f, checker.Trace[T]{Init: s.starts[start]})
	}
	return start, nil
}

// stepBy is Step where a strategy draws.
func (s *Stepper[T]) stepBy(rng *rand.Rand) (instance int, err error) {
	if x, ok := s.drawer.(Skipper); ok && x.Skips() {
		return s.stepSkipping(x, rng)
	}
	if f := s.w.try(s.askAll); f != nil {
		return -1, s.w.specError(f, checker.Trace[T]{Init: *s.w.s})
	}
	for len(s.all) > 0 {
		instance = -1
		taken, drawing := false, true
		f := s.w.try(func() {
			s.w.during, s.w.judging, s.w.instance = checker.DuringStep, false, -1
			if instance = s.drawer.Draw(s.w.s, s.all); instance < 0 {
				return
			}
			drawing = false
			if taken = s.does(instance); taken {
				s.w.move()
				s.drawer.Took(instance, s.w.n, s.w.s)
			}
		})
		switch {
		case f != nil && !drawing && !taken && exceeds(f):
			s.Exceeded++
			s.Refused++
		case f != nil:
			return -1, s.w.specError(f, checker.Trace[T]{Init: *s.w.s})
		case taken || instance < 0:
			return instance, nil
		}
		s.remove(instance)
		s.drawer.Refused(instance)
	}
	return -1, nil
}

// stepSkipping is Step where the strategy does without the enabled instances: it takes a planned
// step, or else one that weights draw.
func (s *Stepper[T]) stepSkipping(x Skipper, rng *rand.Rand) (instance int, err error) {
	for {
		instance = x.Planned()
		if instance < 0 {
			break
		}
		taken := false
		f := s.w.try(func() {
			if taken = s.w.spec.Enabled(s.w.s, instance) && s.does(instance); taken {
				s.w.move()
			}
		})
		switch {
		case f != nil && exceeds(f):
			s.Exceeded++
			s.Refused++
		case f != nil:
			return -1, s.w.specError(f, checker.Trace[T]{Init: *s.w.s})
		}
		if taken {
			s.drawer.Took(instance, s.w.n, s.w.s)
			return instance, nil
		}
	}
	if instance, err = s.stepByWeight(rng); instance >= 0 {
		s.drawer.Took(instance, s.w.n, s.w.s)
	}
	return instance, err
}

// askAll asks the guards of all actions that can be drawn. Instances are numbered action by action,
// so those that are enabled are in ascending order.
func (s *Stepper[T]) askAll() {
	w := s.w
	w.during, w.judging = checker.DuringStep, false
	s.all = s.all[:0]
	for a := range s.table {
		if s.table[a].weight > 0 {
			s.all = w.ask(a, s.all)
		}
	}
}

// remove takes an instance out of those that can be drawn.
func (s *Stepper[T]) remove(instance int) {
	for k, have := range s.all {
		if int(have) == instance {
			s.all = append(s.all[:k], s.all[k+1:]...)
			return
		}
	}
}
