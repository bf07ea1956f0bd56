package abstraction

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/guide"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// Where a limit ends the exploration, random walks of the concrete composition go past it. Each
// begins in an initial state that is drawn among all of them. Walks that reach new coverage guide
// later ones, and so do waypoints: see package guide. The set of abstract states with the same
// observations is followed with each walk. A walk whose set becomes empty ends with a step that the
// abstract composition cannot match. That no walk ends so says nothing. Sets cost most of the time.
// So where there are waypoints, they are followed only along walks that met all of them.

const (
	fewWalks  = 20_000 // walks, where no number is set
	walkSteps = 400    // steps of a walk, where no number is set
	fresh     = 0.2    // share of the walks that are random from the start
)

// walker takes walks.
type walker[C, A any] struct {
	*run[C, A]
	sets *inclusion.Sets // those of the search lack what its limit omitted
	rnd  *rand.Rand
	// Walks that reach new coverage are kept and changed. What is observed is coverage, too.
	corpus *guide.Corpus
	guide  *guide.Walker
	starts []C     // the initial nodes that a walk may have
	from   int     // the one of this walk
	taken  []int32 // steps of this walk
	way    []int   // steps of this walk up to the node that is expanded
	met    int     // waypoints that it has met
}

// walks takes random walks. Where no number is set, they have at most as many steps as the
// composition may have states, so that the same is found on every machine.
func (r *run[C, A]) walks() {
	limit := r.limit
	defer func() { r.limit = limit }()
	r.limit, r.walking = "", true
	r.search.Sets = inclusion.NewSets(r.abstract)
	w := r.walker()
	r.came = w.came
	defer func() { r.res.Met, r.res.Ended = w.corpus.Met(), r.limit }()
	if len(w.starts) == 0 {
		return
	}
	for w.from = range w.starts { // of the search's own sets some may be missing
		if _, _, ok := w.start(); !ok && !r.exhausted() {
			w.found(nil)
			return
		}
	}
	most, steps := cmp.Or(r.opt.Walks, fewWalks), int64(math.MaxInt64)
	if r.opt.Walks == 0 {
		steps = cmp.Or(r.opt.MaxStates, steps)
	}
	for r.res.Walks < most && r.res.Steps < steps && !r.exhausted() {
		r.res.Walks++
		if way := w.walk(); len(way) > 0 {
			w.found(w.shrink(way))
			return
		}
	}
}

// found notes the difference that steps from this walk's initial node show.
func (w *walker[C, A]) found(way []int) {
	t, labels := w.replay(way)
	w.res.Difference = w.explain(t, labels)
	w.res.Difference.Walked = true
}

// walker returns what takes walks.
func (r *run[C, A]) walker() *walker[C, A] {
	spec := r.c.Concrete
	var actions []int
	for _, in := range spec.Instances {
		actions = append(actions, in.Action)
	}
	corpus := guide.New(fresh)
	weights := r.c.Weights
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(spec.Actions))
	}
	w := &walker[C, A]{run: r, sets: r.search.Sets, rnd: rand.New(rand.NewPCG(r.opt.Seed, 1)),
		corpus: corpus, guide: guide.NewWalker(corpus, actions, weights)}
	spec.Init(func(n *C) bool {
		if !w.raised(n) {
			w.starts = append(w.starts, *n)
		}
		return true
	})
	return w
}

// draw draws the initial node of a walk, which a plan may have set.
func (w *walker[C, A]) draw(planned int) {
	w.from = planned
	if planned < 0 {
		w.from = 0
		if n := len(w.starts); n > 1 {
			w.from = w.rnd.IntN(n)
		}
	}
}

// start returns the set of abstract states with the values of this walk's initial node, and its
// label.
func (w *walker[C, A]) start() (set, label uint32, ok bool) {
	label = w.label(initially, 0, w.value(w.c.Map, &w.starts[w.from], nil))
	set, ok = w.sets.After(w.sets.Begin(), label)
	return set, label, ok
}

// walk takes random steps, and returns the instances of those up to one that the abstract
// composition cannot match; nil where there is none.
func (w *walker[C, A]) walk() (way []int) {
	spec := w.c.Concrete
	w.draw(w.guide.Begin(w.rnd))
	s := w.starts[w.from]
	set, _, ok := w.start()
	if !ok || spec.Within != nil && !spec.Within(&s) {
		return nil
	}
	defer func() { w.corpus.Learn(w.from, w.taken, w.guide.Features()) }()
	w.taken, w.met = w.taken[:0], 0
	follows := w.c.Waypoints == 0
	var enabled []int32
	for range cmp.Or(w.opt.Depth, walkSteps) {
		w.way, w.concrete.node = way, &s
		enabled = w.enabled(&s, enabled[:0])
		k := -1
		if len(enabled) > 0 {
			k = w.guide.Draw(enabled)
		}
		if k < 0 { // nothing is enabled, or all that is has weight 0
			break
		}
		n := s
		spec.Apply(&s, &n, k)
		if w.raised(&n) {
			break
		}
		way = append(way, k)
		w.res.Steps++
		before := set
		if follows {
			next, label, ok := w.follow(&s, &n, k, set)
			switch {
			case w.exhausted():
				return nil
			case !ok && w.stopping(set, label) == "":
				return way
			case !ok:
				return nil
			}
			set = next
		}
		if w.exhausted() || spec.Within != nil && !spec.Within(&n) {
			break
		}
		w.took(k, &n)
		if set != before {
			w.guide.Goal(uint64(set))
		}
		s = n
	}
	if !follows && w.met == w.c.Waypoints {
		w.res.Followed++
		return way[:w.fails(way)]
	}
	return nil
}

// enabled appends the enabled instances of a node.
func (w *walker[C, A]) enabled(s *C, out []int32) []int32 {
	spec := w.c.Concrete
	if spec.EnabledOf != nil {
		for a := range spec.Actions {
			out = spec.EnabledOf(s, a, out)
		}
		return out
	}
	for k := range spec.Instances {
		if spec.Enabled(s, k) {
			out = append(out, int32(k))
		}
	}
	return out
}

// took notes a step to n for the guide.
func (w *walker[C, A]) took(k int, n *C) {
	w.guide.Took(k)
	w.taken = append(w.taken, int32(k))
	for w.met < w.c.Waypoints && w.c.Waypoint(n, w.met) {
		w.met++
		w.guide.Waypoint(w.met)
	}
}

func (w *walker[C, A]) raised(n *C) bool {
	if w.c.Concrete.Raised == nil {
		return false
	}
	raised, _ := w.c.Concrete.Raised(n)
	return raised
}

// follow returns the set of abstract states after a concrete step.
func (w *walker[C, A]) follow(s, n *C, instance int, set uint32) (next, label uint32, ok bool) {
	before := w.value(w.c.Map, s, nil)
	label = w.label(w.concrete.action(instance), before, w.value(w.c.Map, n, nil))
	if label == inclusion.Silent {
		return set, label, true
	}
	next, ok = w.sets.After(set, label)
	return next, label, ok
}

// shrink leaves out steps as long as the rest still ends with a step that cannot be matched.
func (w *walker[C, A]) shrink(way []int) []int {
	for again := true; again; {
		again = false
		for k := len(way) - 2; k >= 0; k-- {
			without := slices.Concat(way[:k], way[k+1:])
			n := 0
			panicsIn(func() { n = w.fails(without) }) // such a way is no shorter one
			if n > 0 {
				way, again = without[:n], true
				k = min(k, len(way)-1)
			}
		}
	}
	return way
}

// fails returns the number, from 1, of the first step that cannot be matched. It returns 0 where
// there is none or a step is not possible.
func (w *walker[C, A]) fails(way []int) int {
	spec := w.c.Concrete
	s := w.starts[w.from]
	set, _, _ := w.start()
	for k, instance := range way {
		if !spec.Enabled(&s, instance) {
			return 0
		}
		n := s
		spec.Apply(&s, &n, instance)
		if w.raised(&n) {
			return 0
		}
		next, label, ok := w.follow(&s, &n, instance, set)
		if !ok {
			if w.limit != "" || w.stopping(set, label) != "" {
				return 0
			}
			return k + 1
		}
		if spec.Within != nil && !spec.Within(&n) {
			return 0
		}
		s, set = n, next
	}
	return 0
}

// came returns the steps of the walk to the node that is expanded.
func (w *walker[C, A]) came() (t checker.Trace[C]) {
	t.Init = w.starts[w.from]
	s := t.Init
	for _, instance := range w.way {
		n := s
		w.c.Concrete.Apply(&s, &n, instance)
		t.Steps = append(t.Steps, checker.Step[C]{Instance: instance, Node: n})
		s = n
	}
	return t
}

// replay returns the behaviour of a way, with its labels.
func (w *walker[C, A]) replay(way []int) (t checker.Trace[C], labels []uint32) {
	s := w.starts[w.from]
	set, label, _ := w.start()
	t.Init, labels = s, []uint32{label}
	for _, instance := range way {
		n := s
		w.c.Concrete.Apply(&s, &n, instance)
		t.Steps = append(t.Steps, checker.Step[C]{Instance: instance, Node: n})
		next, label, _ := w.follow(&s, &n, instance, set)
		labels = append(labels, label)
		s, set = n, next
	}
	return t, labels
}
