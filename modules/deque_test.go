package modules

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func asIs(v link) link    { return v }
func without(v link) link { return link{A: v.A} }

// TestDeque does the same to Deques and to slices, and folds the elements away that were taken.
func TestDeque(t *testing.T) {
	defer UseArena(UseArena(NewArena()))
	rng := rand.New(rand.NewPCG(5, 5))
	var queues [4]Deque[link]
	var naive [4][]link
	for step := range 40_000 {
		k, o := rng.IntN(len(queues)), rng.IntN(len(queues))
		q, r := &queues[k], &queues[o]
		switch x := rng.IntN(12); {
		case x < 5:
			v := link{uint8(rng.IntN(2)), uint64(rng.IntN(2))}
			q.Append(v)
			naive[k] = append(slices.Clip(naive[k]), v)
		case x < 7 && q.Len() > 0:
			if v := q.PopFront(); v != naive[k][0] {
				t.Fatalf("step %d: %v was first, want %v", step, v, naive[k][0])
			}
			naive[k] = naive[k][1:]
		case x == 7:
			n := rng.IntN(q.Len() + 1)
			q.Drop(n)
			naive[k] = naive[k][n:]
		case x == 8 && k != o && q.Len()+r.Len() < 60:
			q.AppendAll(r, asIs)
			naive[k] = append(slices.Clip(naive[k]), naive[o]...)
		case x == 9 && k != o && q.Len()+r.Len() < 60:
			q.AppendAll(r, without)
			for _, v := range naive[o] {
				naive[k] = append(slices.Clip(naive[k]), without(v))
			}
		case x == 10:
			*q, naive[k] = *r, slices.Clone(naive[o])
		case step%50 == 0:
			var roots []Root
			for x := range queues {
				roots = append(roots, Root{&queues[x].all.node, uint64(queues[x].taken)})
			}
			chains.Fold(roots)
		}
		common := 0
		for common < min(len(naive[k]), len(naive[o])) && naive[k][common] == naive[o][common] {
			common++
		}
		if got := q.Common(r); got != common {
			t.Fatalf("step %d: %v and %v have %d elements in common, not %d", step, naive[k], naive[o], common, got)
		}
		if q.Len() != len(naive[k]) || q.Empty() != (len(naive[k]) == 0) || q.Empty() && *q != (Deque[link]{}) {
			t.Fatalf("step %d: %d elements, want %d", step, q.Len(), len(naive[k]))
		}
		for p, v := range naive[k] {
			if q.At(p+1) != v {
				t.Fatalf("step %d: element %d is %v, want %v", step, p+1, q.At(p+1), v)
			}
		}
	}
}

// TestDequeTriedAgain: a queue that is added again to another one, after each element that is taken
// from that, costs no more than its length.
func TestDequeTriedAgain(t *testing.T) {
	defer UseArena(UseArena(NewArena()))
	const long = 2000
	var queued, held Deque[link]
	for k := range uint64(long) {
		queued.Append(link{B: k})
		held.Append(link{B: long + k})
	}
	before := chains.Used()
	for !queued.Empty() {
		q := queued
		q.AppendAll(&held, asIs)
		if q.Len() != queued.Len()+long || q.Common(&held) != 0 || q.Last() != held.Last() {
			t.Fatalf("%d elements after %d", q.Len(), queued.Len())
		}
		queued.PopFront()
	}
	if used := chains.Used() - before; used > 10*long {
		t.Errorf("%d elements were used for %d", used, long)
	}
}
