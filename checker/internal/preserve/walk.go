package preserve

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// What it computes. Behaviours of the fine composition that the coarse one misses, by random walks.
// It is used where the fine composition is too large to be explored, and the coarse one is explored
// whole.
//
// Why it is right. A walk is a behaviour of the fine composition. The set of the coarse states with
// the same observations is followed with it. If the set becomes empty, no coarse behaviour has
// these observations, so the behaviour is missed for certain. That no walk finds one means nothing.
//
// What it costs. For each step of a walk all guards, one effect, and one step of the set, which is
// remembered. A walk has at most walkSteps steps.
//
// Example. Of the walk a, x, b only a and b are observed. Coarse states are p to r:
//
//	fine      f0 --a--> f1 --x--> f2 --b--> f3
//	coarse    {p} -a-> {q, r}     {q, r}    {}     no state of q and r has b: the walk ends here

const (
	walkSteps = 400    // transitions of a walk, at most
	fewWalks  = 20_000 // walks, where no number is set
)

// walker takes walks.
type walker[T any] struct {
	*run[T]
	side *Side[T]
	sets *inclusion.Sets
	init uint32
	// members are the states of each class of the coarse composition.
	members [][]uint32
	enabled []int
	steps   int64 // transitions that walks have taken, again ones too
	taken   []int // the instances of the current walk so far
}

// walks searches for behaviours that the coarse composition misses. Where no number is set, they
// take at most as many transitions as each composition may have states. So the same is found on
// every machine, unless the time is over before. The error is a *Fault of the specification.
func (r *run[T]) walks(coarse *lts, class []uint32) (err error) {
	w := &walker[T]{run: r, side: &r.c.Sides[Fine], sets: inclusion.NewSets(coarse), members: membersOf(class, coarse.states())}
	defer func() {
		if v := recover(); v != nil {
			err = newFault(Fine, w.side.Spec, v, callers(), w.behaviour)
		}
	}()
	w.init = w.sets.Begin()
	rnd := rand.New(rand.NewPCG(r.opt.Seed, 1))
	most, steps := r.opt.Walks, int64(math.MaxInt64)
	if most == 0 {
		most, steps = fewWalks, cmp.Or(r.opt.MaxStates, steps)
	}
	for !r.late() && r.res.Walks < most && w.steps < steps {
		r.res.Walks++
		if way := w.walk(rnd); way != nil {
			w.report(way)
			r.res.L1.NoMissed, r.res.L2.NoMissed = w.answers()
		}
	}
	return nil
}

// answers returns those of the missed behaviours that were found.
func (w *walker[T]) answers() (l1, l2 Answer) {
	l1, l2 = w.res.L1.NoMissed, w.res.L2.NoMissed
	for k := range w.res.Differences {
		if d := &w.res.Differences[k]; d.Side == Fine {
			l2 = No
			if d.Level == "L1" {
				l1 = No
			}
		}
	}
	return l1, l2
}

// start returns an initial node, with which a walk begins.
func (w *walker[T]) start() (n T) {
	w.taken = w.taken[:0]
	w.side.Spec.Init(func(p *T) bool {
		n = *p
		return false
	})
	return n
}

// take takes a step of the walk from s.
func (w *walker[T]) take(s *T, instance int) T {
	n := *s
	w.side.Spec.Apply(s, &n, instance)
	w.taken = append(w.taken, instance)
	return n
}

// behaviour returns the walk so far.
func (w *walker[T]) behaviour() checker.Trace[T] {
	way := slices.Clone(w.taken)
	t := checker.Trace[T]{Init: w.start()}
	for _, instance := range way {
		t.Steps = append(t.Steps, checker.Step[T]{Instance: instance, Node: w.take(last(&t), instance)})
	}
	return t
}

// walk takes random steps up to one that the coarse composition cannot match, and returns their
// instances; nil for none.
func (w *walker[T]) walk(rnd *rand.Rand) (way []int) {
	s, set := w.start(), w.init
	for range walkSteps {
		w.enabled = w.enabled[:0]
		for k := range w.side.Spec.Instances {
			if w.side.Spec.Enabled(&s, k) {
				w.enabled = append(w.enabled, k)
			}
		}
		if len(w.enabled) == 0 {
			return nil
		}
		k := w.enabled[rnd.IntN(len(w.enabled))]
		n := w.take(&s, k)
		way = append(way, k)
		next, ok, _ := w.observe(&s, &n, k, set)
		if !ok {
			return way
		}
		if w.ends(Fine, &n) {
			return nil
		}
		s, set = n, next
	}
	return nil
}

// observe follows a step of the fine composition in the coarse one. It reports whether that can
// match it, and whether it shows the same view anywhere.
func (w *walker[T]) observe(s, n *T, instance int, set uint32) (next uint32, ok, known bool) {
	w.steps++
	label, seen := w.labelOf(Fine, s, n, instance)
	switch {
	case label == silent && seen:
		return set, true, true
	case !seen || w.labels.first[Coarse][label] == 0:
		return 0, false, false
	}
	next, ok = w.sets.After(set, label)
	return next, ok, true
}

// report makes a difference of a walk, from as few of its steps as still show one.
func (w *walker[T]) report(way []int) {
	way = w.shrink(way)
	t, set, known := w.replay(way)
	before := checker.Trace[T]{Init: t.Init, Steps: t.Steps[:len(t.Steps)-1]}
	var there []uint32
	for _, c := range w.sets.States(set) {
		there = append(there, w.members[c]...)
	}
	step := w.side.Step[way[len(way)-1]]
	d := w.explainNode(Fine, "L2", step, last(&before), w.graphs[Coarse].real(there))
	if !known {
		d.Level = "L1"
	}
	d.Walked = true
	d.Trace = t
	if w.note(&d) {
		w.lastWriter(&d, step)
		w.keep(d)
		return
	}
	if old := &w.res.Differences[w.run.found[d.key()]]; old.Walked && len(t.Steps) < len(old.Trace.Steps) {
		w.lastWriter(&d, step)
		d.Count = old.Count
		*old = d
	}
}

// shrink leaves out steps as long as the rest still ends with a step that the coarse composition
// cannot match.
func (w *walker[T]) shrink(way []int) []int {
	for again := true; again; {
		again = false
		for k := len(way) - 2; k >= 0; k-- {
			without := append(append([]int(nil), way[:k]...), way[k+1:]...)
			if n := w.misses(without); n > 0 {
				way, again = without[:n], true
				k = min(k, len(way)-1)
			}
		}
	}
	return way
}

// misses returns the number, from 1, of the first step that cannot be matched. It returns 0 where
// there is none or a step is not possible.
func (w *walker[T]) misses(way []int) int {
	s, set := w.start(), w.init
	for k, instance := range way {
		if !w.side.Spec.Enabled(&s, instance) {
			return 0
		}
		n := w.take(&s, instance)
		next, ok, _ := w.observe(&s, &n, instance, set)
		if !ok {
			return k + 1
		}
		if w.ends(Fine, &n) {
			return 0
		}
		s, set = n, next
	}
	return 0
}

// replay returns the behaviour of a way, the set before its last step, and whether the coarse
// composition knows that step's view.
func (w *walker[T]) replay(way []int) (t checker.Trace[T], set uint32, known bool) {
	t.Init, set = w.start(), w.init
	s := t.Init
	for _, instance := range way {
		n := w.take(&s, instance)
		t.Steps = append(t.Steps, checker.Step[T]{Instance: instance, Node: n})
		next, ok, seen := w.observe(&s, &n, instance, set)
		if !ok {
			return t, set, seen
		}
		s, set = n, next
	}
	panic("preserve: a witness does not show what it was found for")
}
