package explore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
)

// What it computes. A check of the pruning that the search relies on: that no pruned step leads to
// a node that nothing else reaches, and that no invariant changes where it is not judged.
//
// Why it is right. Pruning is sound if footprints are. A footprint that lacks an access shows
// itself in some node. So of a sample of nodes, pruned steps are taken after all, and at the end of
// the level their nodes must be in the visited set. Of a sample of new nodes, all invariants are
// judged. In small levels the sample is every node. A failure is a fault of the analysis and ends
// the run with an error. Without a failure the check is evidence and no proof.
//
// What it costs. One node of sampleEvery has its pruned steps taken, and one new node of judgeEvery
// is judged in full: about one part in a hundred of the run.
//
// Example. Instances a and b are called independent, so b sleeps in t:
//
//	s --a--> t . . b . . > v      v must be in the visited set at the end of the level,
//	s --b--> u ----a-----> v      by the path through u; if it is not, b depends on a

const (
	sampleEvery = 512 // one node of so many of a chunk has its pruned steps checked
	judgeEvery  = 64  // one new node of so many is judged in full
	// in levels of at most so many nodes, all nodes are checked and judged in full
	sampleAll = 4096

	// of one large node of so many of a chunk, successors are compared in all lines
	compareEvery = 64
	compareAll   = 256 // in levels of at most so many nodes, all are

	// pruneFrom is the least number of nodes of a level in which steps are pruned. In small state
	// spaces pruning would save nothing, and people read their traces closely: these are then what
	// an expansion of every node finds first.
	pruneFrom = 1024
)

// FootprintError says that pruning would have left out a step that matters, or that an invariant
// changed where it would not have been judged. It is a fault of the analysis of the specification,
// or of this project.
type FootprintError struct{ Text string }

func (e *FootprintError) Error() string { return "internal error: footprints are wrong: " + e.Text }

// order sets the order of the instances for the next level: those of an action last of whose steps
// the fewest led to new nodes.
func (r *run[T]) order() {
	r.orderBy(r.sums())
}

// sums returns by action how many steps were taken, and how many nodes they reached first.
func (r *run[T]) sums() (taken, first []int64) {
	taken, first = make([]int64, len(r.spec.Actions)), make([]int64, len(r.spec.Actions))
	for _, w := range r.workers {
		for k, in := range r.spec.Instances {
			taken[in.Action] += w.fired[k]
			first[in.Action] += w.first[k]
		}
	}
	return taken, first
}

// orderBy sets the order by the sums of all actions.
func (r *run[T]) orderBy(taken, first []int64) {
	if !r.spec.Pruning.Sleeps() {
		return
	}
	order := make([]int, len(r.spec.Instances))
	for k := range order {
		order[k] = k
	}
	news := func(instance int) float64 {
		action := r.spec.Instances[instance].Action
		return float64(first[action]) / float64(max(taken[action], 1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(news(b), news(a)) })
	r.reorder(order)
}

// reorder sets the order of the next level, or of the one that a run continues with.
func (r *run[T]) reorder(order []int) {
	if slices.Equal(order, r.ordered) {
		return
	}
	r.ordered = order
	own := *r.spec.Pruning
	own.Sleep = own.Sleep.Ordered(order)
	r.spec.Pruning = &own
}

// prepare decides what may be pruned in a level with so many nodes.
func (r *run[T]) prepare(nodes int64) {
	r.noteAll()
	r.prunes = r.spec.Pruning.Sleeps() && nodes >= r.opt.pruneFrom
	r.sampling, r.comparing = nodes <= sampleAll, nodes <= r.opt.compareAll
	for k := range r.broken {
		if k.Invariant >= 0 {
			r.dirty |= 1 << k.Invariant
		}
	}
}

// noteAll decides whether edges to new nodes are kept of a level. Backward reachability needs them
// if steps may be pruned in the next level. So they are kept until there was a level in which steps
// might have been pruned, and after it if any were.
func (r *run[T]) noteAll() {
	if len(r.noted) == len(r.levels) {
		return // a part of the level was expanded
	}
	// initial nodes have no labels
	if r.notesAll = r.spec.Pruning.Sleeps(); r.prunes && len(r.levels) > 2 {
		left := int64(0)
		for _, w := range r.workers {
			for _, n := range w.out.Skipped {
				left += n
			}
		}
		r.notesAll = left > 0
	}
	for len(r.noted) < len(r.levels) {
		r.noted = append(r.noted, r.notesAll)
	}
}

// pruningChecks holds what a worker needs to check its pruning.
type pruningChecks[T any] struct {
	expected   []expectation
	judged     int
	node       T // of a step that is checked
	judgeTwice func(s, n *T, instance int) uint64
}

// prune sets which steps from s, the k-th node of its chunk, are pruned, and by what steps are
// judged.
func (w *worker[T]) prune(s *T, k int) {
	x := w.spec.Pruning
	tried := k%sampleEvery == 0 || w.run.sampling
	still := x.IsStill(s)
	if w.spec.Steps != nil {
		switch {
		case !still:
			w.out.Steps = w.spec.Steps
		case tried:
			w.out.Steps = w.checks.judgeTwice
		default:
			w.out.Steps = x.JudgeStep
		}
	}
	if !w.run.prunes {
		return
	}
	labels := w.out.From
	if !still {
		labels = 0
	}
	x.Sleep.Sleeping(labels, &w.out.Skip)
	if tried {
		w.expect(s)
	}
}

// judgeTwice judges a step by all properties, and checks that those hold which need not be judged.
func (w *worker[T]) judgeTwice(s, n *T, instance int) uint64 {
	broken := w.spec.Steps(s, n, instance)
	if extra := broken &^ w.spec.Pruning.JudgeStep(s, n, instance); extra != 0 {
		w.run.refute(&FootprintError{fmt.Sprintf("%s breaks properties of steps that see nothing of what it writes (mask %x)", checker.InstanceName(w.spec, instance), extra)})
	}
	return broken
}

// expectation is a node that must be in the visited set when the level ends. A hash of 0 never is.
type expectation struct {
	store.Entry
	instance int
}

// expect notes where the pruned steps of s lead.
func (w *worker[T]) expect(s *T) {
	n := &w.checks.node
	for k := range w.spec.Instances {
		if !w.out.Skip.Has(k) || !w.spec.Enabled(s, k) {
			continue
		}
		*n = *s
		w.spec.Apply(s, n, k)
		r := w.spec.Representative(n, &w.rep)
		p := expectation{store.EntryOf(w.run.table, r), k}
		if w.spec.Raised != nil {
			if raised, _ := w.spec.Raised(n); raised {
				p.Hash = 0
			}
		}
		if w.spec.Within != nil && !w.spec.Within(n) || w.spec.Steps != nil && w.spec.Steps(s, n, k) != 0 {
			p.Hash = 0
		}
		w.checks.expected = append(w.checks.expected, p)
	}
}

// countLeft counts the pruned steps with those that were taken.
func (w *worker[T]) countLeft() {
	if w.out.Left == 0 {
		return
	}
	w.generated += w.out.Left
	w.out.Left = 0
	w.published.Store(w.generated)
}

// judgeMeeting returns the mask of state invariants that are false in n, to which an instance led.
func (w *worker[T]) judgeMeeting(n *T, instance uint32) uint64 {
	mask := w.spec.Pruning.Meets[instance] | w.run.dirty
	if w.checks.judged++; w.checks.judged%judgeEvery != 0 && !w.run.sampling {
		return w.spec.Pruning.Judge(n, mask)
	}
	broken := w.spec.State(n)
	if extra := broken &^ mask; extra != 0 {
		w.run.refute(&FootprintError{fmt.Sprintf("%s breaks invariants that read nothing of what it writes (mask %x)", checker.InstanceName(w.spec, int(instance)), extra)})
	}
	return broken
}

// refute ends the run with an error.
func (r *run[T]) refute(err error) { r.fail(err, "footprints are wrong") }

// confirm looks the expected nodes up when a level has ended.
func (r *run[T]) confirm() {
	for _, w := range r.workers {
		for _, p := range w.checks.expected {
			if p.Hash == 0 || !r.table.Knows(p.Entry) {
				r.refute(&FootprintError{fmt.Sprintf("%s leads where no other step does", checker.InstanceName(r.spec, p.instance))})
			}
		}
		w.checks.expected = w.checks.expected[:0]
	}
}
