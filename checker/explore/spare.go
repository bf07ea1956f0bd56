package explore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/store"
)

// What checker.Spared says is tried while it is relied on: of some nodes the steps that are left out are taken after all, and behind the
// level, where their nodes must lead is looked for; of some new nodes all invariants are judged. So a footprint that lacks an
// access is found out and does not pass for a result.
const (
	promiseEvery = 512  // nodes of a chunk from one whose steps are tried to the next
	judgeEvery   = 64   // new nodes from one that is judged in full to the next
	promiseAll   = 4096 // nodes of a level up to which all are tried, and their successors judged in full

	tryEvery = 64  // nodes of a chunk from one to the next of whose successors, large nodes, all lines are compared
	tryAll   = 256 // nodes of a level up to which that is so of all

	// spareFrom is how many nodes a level has from which on steps are left out: in small state spaces nothing is, where it would save
	// nothing. What people read closely, traces of small models, then is what an expansion of every node finds first.
	spareFrom = 1024
)

// A SparedError is a step that was to be left out and must not be, or an invariant that was not to be judged: a fault of the analysis of
// the specification, or of this project.
type SparedError struct{ Text string }

func (e *SparedError) Error() string { return "internal error: footprints are wrong: " + e.Text }

// order sets the order in which instances of the next level are left out behind others: by their actions, those last of whose steps that were
// taken the fewest led to new nodes.
func (r *run[T]) order() {
	if !r.spec.Pruning.Sleeps() {
		return
	}
	taken, first := make([]int64, len(r.spec.Actions)), make([]int64, len(r.spec.Actions))
	for _, w := range r.workers {
		for k, in := range r.spec.Instances {
			taken[in.Action] += w.fired[k]
			first[in.Action] += w.first[k]
		}
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

// reorder sets the order of the next level, or of the one that a run goes on with.
func (r *run[T]) reorder(order []int) {
	if slices.Equal(order, r.ordered) {
		return
	}
	r.ordered = order
	own := *r.spec.Pruning
	own.Sleep = own.Sleep.Ordered(order)
	r.spec.Pruning = &own
}

// prepare says what may be left out of a level with so many nodes.
func (r *run[T]) prepare(nodes int64) {
	r.noteAll()
	r.omits = r.spec.Pruning.Sleeps() && nodes >= r.opt.spareFrom
	r.promising, r.trying = nodes <= promiseAll, nodes <= r.opt.tryAll
	for k := range r.broken {
		if k.Invariant >= 0 {
			r.dirty |= 1 << k.Invariant
		}
	}
}

// noteAll says whether edges to new nodes are kept of a level. They have to be if steps may be left out in the next one, see near: so it is until there was a level in
// which they might have been, and from there on if any were.
func (r *run[T]) noteAll() {
	if len(r.noted) == len(r.levels) {
		return // a part of the level was expanded
	}
	if r.notesAll = r.spec.Pruning.Sleeps(); r.omits && len(r.levels) > 2 { // initial nodes have no labels
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

// spare is what a worker keeps to try what it is spared.
type spare[T any] struct {
	promises []promise
	judged   int
	node     T // of a step that is tried
	tried    func(s, n *T, instance int) uint64
}

// spareSteps sets what is left out of the steps from s, the k-th node of its chunk, and by what they are judged.
func (w *worker[T]) spareSteps(s *T, k int) {
	x := w.spec.Pruning
	tried := k%promiseEvery == 0 || w.run.promising
	still := x.IsStill(s)
	if w.spec.Steps != nil {
		switch {
		case !still:
			w.out.Steps = w.spec.Steps
		case tried:
			w.out.Steps = w.spare.tried
		default:
			w.out.Steps = x.JudgeStep
		}
	}
	if !w.run.omits {
		return
	}
	labels := w.out.From
	if !still {
		labels = 0
	}
	x.Sleep.Sleeping(labels, &w.out.Skip)
	if tried {
		w.promise(s)
	}
}

// tryStep judges a step by all properties, and whether those that need not be judged hold.
func (w *worker[T]) tryStep(s, n *T, instance int) uint64 {
	broken := w.spec.Steps(s, n, instance)
	if extra := broken &^ w.spec.Pruning.JudgeStep(s, n, instance); extra != 0 {
		w.run.doubt(&SparedError{fmt.Sprintf("%s breaks properties of steps that see nothing of what it writes (mask %x)", checker.InstanceName(w.spec, instance), extra)})
	}
	return broken
}

// promise is what is in the table when the level ends; a fingerprint of 0 never is.
type promise struct {
	store.Entry
	instance int
}

// promise notes where the steps lead that are left out in s.
func (w *worker[T]) promise(s *T) {
	n := &w.spare.node
	for k := range w.spec.Instances {
		if !w.out.Skip.Has(k) || !w.spec.Enabled(s, k) {
			continue
		}
		*n = *s
		w.spec.Apply(s, n, k)
		r := w.spec.Representative(n, &w.rep)
		p := promise{store.EntryOf(w.run.table, r), k}
		if w.spec.Raised != nil {
			if raised, _ := w.spec.Raised(n); raised {
				p.Hash = 0
			}
		}
		if w.spec.Within != nil && !w.spec.Within(n) || w.spec.Steps != nil && w.spec.Steps(s, n, k) != 0 {
			p.Hash = 0
		}
		w.spare.promises = append(w.spare.promises, p)
	}
}

// countLeft counts the steps that were left out with those that were taken.
func (w *worker[T]) countLeft() {
	if w.out.Left == 0 {
		return
	}
	w.generated += w.out.Left
	w.out.Left = 0
	w.published.Store(w.generated)
}

// judgeSpared is the mask of state invariants that are false in n, which an instance led to.
func (w *worker[T]) judgeSpared(n *T, instance uint32) uint64 {
	mask := w.spec.Pruning.Meets[instance] | w.run.dirty
	if w.spare.judged++; w.spare.judged%judgeEvery != 0 && !w.run.promising {
		return w.spec.Pruning.Judge(n, mask)
	}
	broken := w.spec.State(n)
	if extra := broken &^ mask; extra != 0 {
		w.run.doubt(&SparedError{fmt.Sprintf("%s breaks invariants of which it writes nothing (mask %x)", checker.InstanceName(w.spec, int(instance)), extra)})
	}
	return broken
}

// doubt ends the run with an error.
func (r *run[T]) doubt(err error) { r.fail(err, "footprints are wrong") }

// redeem looks for what was promised in the level that ends.
func (r *run[T]) redeem() {
	for _, w := range r.workers {
		for _, p := range w.spare.promises {
			if p.Hash == 0 || !r.table.Knows(p.Entry) {
				r.doubt(&SparedError{fmt.Sprintf("%s leads where no other step does", checker.InstanceName(r.spec, p.instance))})
			}
		}
		w.spare.promises = w.spare.promises[:0]
	}
}
