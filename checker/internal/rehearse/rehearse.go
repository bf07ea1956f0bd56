// Package rehearse takes random walks of a specification alone, and chooses those that come across
// the most, for an implementation whose walks take seconds. Package conform does them on it.
package rehearse

import (
	"container/heap"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/guide"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// What it computes. An order of random walks in which each of them adds as much coverage as
// possible to those before it, for the time that it takes.
//
// Why it is right. Each is a walk that the run could have drawn. So what an implementation shows on
// one is true, and only the order is chosen. Coverage of a walk is which branches its steps took,
// step by step, and which step of an action that is aimed at came after which other one. This is
// the greedy method for weighted set cover (Chvátal, 1979).
//
// What it costs. A walk of a specification takes about a millisecond, so thousands of them cost
// what one walk on servers does. A gain can only fall, so it is computed anew for the first
// candidate alone (Minoux, 1978).
//
// Example. A learner gets DIFF in 9 of 10 walks, TRUNC in one of 30 and SNAP in one of 100:
//
//	drawn       DIFF DIFF DIFF DIFF ... TRUNC ... SNAP
//	rehearsed   TRUNC, SNAP, and DIFF with other steps around it

// Options of a rehearsal.
type Options struct {
	Walks int64 // that are taken; 0: none
	Most  int   // that are chosen
	Depth int   // steps of a walk
	Seed  uint64
	Time  time.Duration // after which no further walk is taken
	// Aims are the actions that the walks are about, by number: each counts by itself, their
	// branches count fourfold, and their order counts. Nil: no action is preferred.
	Aims []bool
	// Noted are the branches that the program notes; nil: it notes none.
	Noted *checker.Branches
	// Halted ends the rehearsal; nil: nothing does.
	Halted func() bool
}

// startCost is how many steps the start of an implementation is worth.
const startCost = 40

// firstTime is the weight of an action that is aimed at and in no walk before. One that is in none
// leaves a result undecided, so walks with all of them come first.
const firstTime = 60

// Choose takes walks, of each stepper in turns, and returns those that the implementation should do
// first, best first. Branches that they take are forgotten again. A walk in which the specification
// fails ends there.
func Choose[T any](by []*simulate.Stepper[T], spec *checker.Spec[T], o Options) []guide.Plan {
	if o.Walks == 0 || len(by) == 0 {
		return nil
	}
	x := chooser[T]{spec: spec, o: o, covered: map[uint64]bool{}}
	if o.Noted != nil {
		kept := slices.Clone(o.Noted.Taken)
		defer copy(o.Noted.Taken, kept)
	}
	end := host.Now().Add(o.Time)
	for number := int64(1); number <= o.Walks && host.Now().Before(end) && (o.Halted == nil || !o.Halted()); number++ {
		if c := x.walk(by[number%int64(len(by))], number); len(c.plan.Steps) > 0 {
			c.number = number
			x.all = append(x.all, c)
		}
	}
	return x.choose()
}

// candidate is a walk with what it covers.
type candidate struct {
	plan     guide.Plan
	number   int64
	features []feature
	worth    float64 // gain for each unit of time, when it was computed last
}

type feature struct {
	hash   uint64
	weight float64
}

type chooser[T any] struct {
	spec    *checker.Spec[T]
	o       Options
	all     []*candidate
	covered map[uint64]bool
}

// walk takes a walk.
func (x *chooser[T]) walk(by *simulate.Stepper[T], number int64) *candidate {
	rng := simulate.Source(^x.o.Seed, number)
	c := &candidate{plan: guide.Plan{Start: by.Start(rng)}}
	seen := map[uint64]bool{}
	add := func(hash uint64, weight float64) {
		if !seen[hash] {
			seen[hash] = true
			c.features = append(c.features, feature{hash, weight})
		}
	}
	last := uint64(0)
	for len(c.plan.Steps) < x.o.Depth {
		k, err := by.Step(rng)
		if k < 0 || err != nil {
			break
		}
		c.plan.Steps = append(c.plan.Steps, int32(k))
		action := x.spec.Instances[k].Action
		step := x.signature(by.Before(), k)
		if x.o.Aims == nil || !x.o.Aims[action] {
			add(step, 1)
			continue
		}
		add(mix(2, uint64(action)), firstTime)
		add(step, 4)
		add(mix(last, step), 1)
		last = step
	}
	return c
}

// signature stands for an action with the branches that its effect and the rules on it take.
func (x *chooser[T]) signature(before *T, instance int) uint64 {
	hash := mix(1, uint64(x.spec.Instances[instance].Action))
	if x.o.Noted == nil {
		return hash
	}
	clear(x.o.Noted.Taken)
	s, n := *before, *before
	x.spec.Apply(&s, &n, instance)
	for k, taken := range x.o.Noted.Taken {
		if taken != 0 {
			hash = mix(hash, uint64(k))
		}
	}
	return hash
}

// mix returns a hash of two numbers (FNV-1a with 64 bits, over words).
func mix(a, b uint64) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range []uint64{a, b} {
		h = (h ^ v) * 1099511628211
		h ^= h >> 29
	}
	return h
}

// gain returns how much a walk adds to those that are chosen, for the time that it takes.
func (x *chooser[T]) gain(c *candidate) float64 {
	sum := 0.0
	for _, f := range c.features {
		if !x.covered[f.hash] {
			sum += f.weight
		}
	}
	return sum / float64(startCost+len(c.plan.Steps))
}

// choose orders the walks.
func (x *chooser[T]) choose() (out []guide.Plan) {
	for _, c := range x.all {
		c.worth = x.gain(c)
	}
	queue := candidates(x.all)
	heap.Init(&queue)
	for len(queue) > 0 && len(out) < x.o.Most {
		c := queue[0]
		if now := x.gain(c); now < c.worth {
			c.worth = now
			heap.Fix(&queue, 0)
			continue
		}
		if c.worth == 0 {
			break
		}
		heap.Pop(&queue)
		for _, f := range c.features {
			x.covered[f.hash] = true
		}
		out = append(out, c.plan)
	}
	return out
}

// candidates is a heap with the best walk first; of equals, the one that was taken first.
type candidates []*candidate

func (q candidates) Len() int { return len(q) }
func (q candidates) Less(a, b int) bool {
	return q[a].worth > q[b].worth || q[a].worth == q[b].worth && q[a].number < q[b].number
}
func (q candidates) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *candidates) Push(x any)   { *q = append(*q, x.(*candidate)) }
func (q *candidates) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
