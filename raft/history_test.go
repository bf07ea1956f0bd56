package raft

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// operation is a write or a read of a register by a client. Times are different from one another;
// end is never for a write that is not acknowledged.
type operation struct {
	write      bool
	begin, end int
	value      Number // that was written, by its place in the log from 1, or read, 0 for none
}

const never = 1 << 20

// history returns a random one of up to four writes and three reads. A write takes effect, in the
// log, between its begin and its end; a read returns a value that is in the log before its end.
func history(rng *rand.Rand) (all []operation) {
	writes, reads := rng.IntN(5), 1+rng.IntN(3)
	times := rng.Perm(3*writes + 2*reads)
	var effects []int
	for range writes {
		t := times[:3]
		times = times[3:]
		slices.Sort(t)
		o := operation{write: true, begin: t[0], end: t[2]}
		if rng.IntN(4) == 0 {
			o.end = never
		}
		all, effects = append(all, o), append(effects, t[1])
	}
	order := slices.Clone(effects)
	slices.Sort(order)
	for k := range all {
		all[k].value = Number(slices.Index(order, effects[k]) + 1)
	}
	for range reads {
		t := times[:2]
		times = times[2:]
		slices.Sort(t)
		n := 0
		for n < len(order) && order[n] < t[1] {
			n++
		}
		all = append(all, operation{begin: t[0], end: t[1], value: Number(rng.IntN(n + 1))})
	}
	return all
}

// fresh reports whether the invariant holds for a history: what Completed, Floor and Value are in
// the specification.
func fresh(all []operation) bool {
	for _, r := range all {
		if r.write {
			continue
		}
		read := Read{Phase: Answered, Value: r.value}
		for _, o := range all {
			if o.end < r.begin {
				read.Floor = max(read.Floor, o.value)
			}
		}
		if !read.fresh() {
			return false
		}
	}
	return true
}

// linearized reports whether the operations can be put into an order in which none stands before
// one that had ended when it began, and every read returns the last write. With ordered the writes
// must stand as in the log. Writes without an end may be left out.
func linearized(rest []operation, last Number, ordered bool) bool {
	done := true
	for _, o := range rest {
		done = done && o.end == never
	}
	if done {
		return true
	}
	for k, o := range rest {
		blocked := slices.ContainsFunc(rest, func(x operation) bool {
			return x.end < o.begin || ordered && o.write && x.write && x.value < o.value
		})
		if blocked || !o.write && o.value != last {
			continue
		}
		next := last
		if o.write {
			next = o.value
		}
		if linearized(slices.Delete(slices.Clone(rest), k, k+1), next, ordered) {
			return true
		}
	}
	return false
}

// TestLinearizability compares the invariant of the register with a search through all orders of
// the operations (Wing and Gong, 1993), on random histories.
func TestLinearizability(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	counts := map[bool]int{}
	for range 20_000 {
		h := history(rng)
		ok := fresh(h)
		counts[ok]++
		if linearized(h, 0, true) != ok {
			t.Fatalf("the invariant says %t of %+v", ok, h)
		}
		if ok && !linearized(h, 0, false) {
			t.Fatalf("no order of %+v", h)
		}
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("histories: %v", counts)
	}
}
