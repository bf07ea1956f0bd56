package reduce

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/bitset"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. For a node, a set of its enabled instances that suffices: a strong stubborn
// set. The others wait.
//
// Why it is right. The set is closed under dependence, so steps outside it commute with the set's
// steps and cannot enable or disable them. Any behaviour can be reordered so that a step of the set
// comes first. A cycle proviso makes sure that no step waits for ever. The comment of StubbornSets
// states both conditions exactly.
//
// What it costs. One closure over bit sets for each enabled instance that can begin a set. To see
// that waiting ends, up to `ahead` further nodes are computed for a reduced node.
//
// Example. Three clients each take a local step a, b, c that no property reads. Every pair is
// independent:
//
//	all orders   8 nodes, 12 steps
//	reduced      o --a--> o --b--> o --c--> o        4 nodes, 3 steps

// StubbornSets expands a node by some of its enabled instances where the others can wait: strong
// stubborn sets (Valmari, "Stubborn sets for reduced state space generation", 1991). A set is
// closed so: with an enabled instance come all that depend on it, and with a disabled one those
// that may enable it. None come if a budget is spent, since that is for ever. So no sequence of
// instances outside the set can enable, disable or change what one in it does. The enabled ones in
// it commute with all that is outside.
//
// What is kept are deadlocks, and the verdicts of state invariants, assertions, constraints and
// goals:
//
//   - visibility: a node is reduced only if no enabled instance of the set writes what such a
//     property reads or raises an assertion;
//   - cycle proviso: on each cycle of the reduced graph one node is expanded in full, so that
//     nothing waits for ever. It is decided by the node alone, not by which nodes were visited, so
//     that results do not depend on workers: a node is reduced only if all paths through nodes that
//     have a set end within ahead steps in nodes that have none, or if its successors that have a
//     set have smaller fingerprints than itself. On a cycle of reduced nodes no path ends, and
//     fingerprints cannot always become smaller.
//
// Step properties see every step and are refused; so is symmetry, since a cycle of orbits need not
// be one of nodes. Distances grow: a counterexample is a trace of the specification, but need not
// be a shortest one.
type StubbornSets[T any] struct {
	spec     *checker.Spec[T]
	d        *Independence
	spent    func(n *T) []uint8
	full     func(s *T, out *checker.Successors[T])
	scratch  sync.Pool
	expanded atomic.Int64
	reduced  atomic.Int64
}

// ahead is how many nodes are made to see that waiting ends.
const ahead = 24

// ReductionError is a reduction that is unsound for what is checked.
type ReductionError struct{ Text string }

func (e *ReductionError) Error() string { return e.Text }

// ByStubbornSets makes spec.Next expand nodes by stubborn sets. It fails with a *ReductionError
// where step properties are checked, or states are represented by others than themselves and sliced
// is not stated.
func ByStubbornSets[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], d *Independence, sliced bool) (*StubbornSets[checker.Node[S, U]], error) {
	for _, v := range spec.Invariants {
		if v.Kind == modules.KindStep {
			return nil, &ReductionError{fmt.Sprintf("%s is a property of steps, and partial-order reduction leaves steps out", v.Name())}
		}
	}
	if spec.Represent != nil && !sliced {
		return nil, &ReductionError{"partial-order reduction and symmetry cannot be had together"}
	}
	r := &StubbornSets[checker.Node[S, U]]{spec: spec, d: d, full: spec.Next}
	r.spent = func(n *checker.Node[S, U]) []uint8 { return checker.Bytes(&n.Spent) }
	r.scratch.New = func() any { return newStubborn(len(spec.Instances)) }
	spec.Next, spec.Partial = r.next, true
	return r, nil
}

// Counts returns how many nodes were expanded, and how many of them by a part of what is enabled.
func (r *StubbornSets[T]) Counts() (expanded, reduced int64) {
	return r.expanded.Load(), r.reduced.Load()
}

func (r *StubbornSets[T]) next(s *T, out *checker.Successors[T]) {
	x := r.scratch.Get().(*stubborn)
	defer r.scratch.Put(x)
	r.expanded.Add(1)
	set := r.set(x, s)
	left := ahead
	if set == nil || !r.waits(x, s, set, &left) {
		r.full(s, out)
		return
	}
	r.reduced.Add(1)
	for _, k := range set {
		n := out.Slot(s)
		r.spec.Apply(s, n, k)
		out.Emit(s, k)
	}
}

// waits reports whether the cycle proviso lets s be reduced. It ignores a panic of a step; the
// expansion that reaches the step reports it.
func (r *StubbornSets[T]) waits(x *stubborn, s *T, set []int, left *int) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return r.endsWaiting(x, s, set, left) || r.descends(x, s, set)
}

// descends reports whether all successors of s by the set that have a set themselves have smaller
// fingerprints.
func (r *StubbornSets[T]) descends(x *stubborn, s *T, set []int) bool {
	var rep T
	own := fingerprint.Of(r.spec.Representative(s, &rep))
	for _, k := range set {
		n := *s
		r.spec.Apply(s, &n, k)
		if !ends(r.spec, &n) && r.set(x, &n) != nil && fingerprint.Of(r.spec.Representative(&n, &rep)) >= own {
			return false
		}
	}
	return true
}

// endsWaiting reports whether all paths from s through nodes that have a set end, as far as left
// nodes tell.
func (r *StubbornSets[T]) endsWaiting(x *stubborn, s *T, set []int, left *int) bool {
	for _, k := range set {
		if *left--; *left < 0 {
			return false
		}
		n := *s
		r.spec.Apply(s, &n, k)
		if ends(r.spec, &n) {
			continue
		}
		if more := r.set(x, &n); more != nil && !r.endsWaiting(x, &n, more, left) {
			return false
		}
	}
	return true
}

// stubborn is the room that finding sets takes.
type stubborn struct {
	enabled, in bitset.Set
	list        []int // enabled instances
	work        []int
}

func newStubborn(n int) *stubborn {
	return &stubborn{enabled: bitset.New(n), in: bitset.New(n)}
}

// set returns the smallest stubborn set that an enabled invisible instance begins: its enabled
// instances, in order. It is nil where none is smaller than all that is enabled, or all have a
// visible instance.
func (r *StubbornSets[T]) set(x *stubborn, s *T) (best []int) {
	clear(x.enabled)
	x.list = x.list[:0]
	for k := range r.spec.Instances {
		if r.spec.Enabled(s, k) {
			x.enabled.Add(k)
			x.list = append(x.list, k)
		}
	}
	limit := len(x.list)
	for _, k := range x.list {
		if r.d.visible.Has(k) {
			continue
		}
		if n := r.close(x, s, k, limit); n < limit {
			limit, best = n, best[:0]
			for _, e := range x.list {
				if x.in.Has(e) {
					best = append(best, e)
				}
			}
			if n == 1 {
				break
			}
		}
	}
	return best
}

// close makes x.in the closure of an enabled instance and returns how many enabled instances it
// has; limit, if there are as many or a visible one is among them.
func (r *StubbornSets[T]) close(x *stubborn, s *T, seed, limit int) (enabled int) {
	clear(x.in)
	x.in.Add(seed)
	x.work = append(x.work[:0], seed)
	enabled = 1
	for len(x.work) > 0 && enabled < limit {
		k := x.work[len(x.work)-1]
		x.work = x.work[:len(x.work)-1]
		var more bitset.Set
		switch {
		case x.enabled.Has(k):
			more = r.d.dependent[k]
		case r.d.isSpent(r.spent(s), k):
			continue
		default:
			more = r.d.enablers[k]
		}
		ok := more.Each(func(y int) bool {
			if x.in.Has(y) {
				return true
			}
			x.in.Add(y)
			x.work = append(x.work, y)
			if x.enabled.Has(y) {
				enabled++
				return !r.d.visible.Has(y)
			}
			return true
		})
		if !ok {
			return limit
		}
	}
	return enabled
}

// isSpent reports whether a budget of the instance is used up.
func (d *Independence) isSpent(spent []uint8, k int) bool {
	for _, b := range d.budgets[k] {
		if int(spent[b]) >= d.limits[b] {
			return true
		}
	}
	return false
}
