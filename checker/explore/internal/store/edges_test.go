package store

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

// TestEdgeStreams: what was put is found by its level and a part of its fingerprint, over the ends
// of blocks and however far nodes are apart.
func TestEdgeStreams(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	s := memory.NewBudget(0)
	defer s.Free()
	e := NewEdges(s, MaxEdgeBytes, 2)
	type edge struct {
		from int64
		part uint32
	}
	var all []edge
	number, level := int64(0), []int64{0}
	for range 3 {
		for range 40 {
			k := r.IntN(2)
			if !e.Start(k, number) {
				t.Fatal("edges are not kept")
			}
			place := uint32(0)
			for range r.IntN(6000) {
				gaps := []uint32{0, 0, 0, 1, 1, uint32(r.IntN(40)), farPlace - 1, farPlace}
				if r.IntN(1000) == 0 {
					gaps = []uint32{1<<partBits - 1, 1<<partBits + uint32(r.IntN(9)), 3 << partBits}
				}
				place += gaps[r.IntN(len(gaps))]
				hash := r.Uint64()
				e.Put(k, place, hash)
				all = append(all, edge{number + int64(place), partOf(hash)})
			}
			number += int64(place) + 1
		}
		level = append(level, number)
	}
	if len(e.streams[0].blocks) < 4 {
		t.Fatal("few blocks hold all")
	}
	for k := range 3 {
		var to Parts
		for range 200 {
			to[r.IntN(len(to))] = r.Uint64() & r.Uint64()
		}
		var got, want []int64
		e.From(level[k], level[k+1], &to, func(number int64) { got = append(got, number) })
		for _, x := range all {
			if level[k] <= x.from && x.from < level[k+1] && to[x.part/64]>>(x.part%64)&1 != 0 {
				want = append(want, x.from)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("level %d: %d nodes, want %d", k, len(got), len(want))
		}
	}
}

// TestTooManyEdges: above the limit none are kept, and their memory is given back.
func TestTooManyEdges(t *testing.T) {
	t.Parallel()
	s := memory.NewBudget(0)
	defer s.Free()
	if e := NewEdges(s, memory.SlabBytes-1, 3); e != nil || e.Kept() || e.Start(0, 0) {
		t.Error("there are edges in less than a slab")
	}
	s.Limit = 16<<20 - 1
	if e := NewEdges(s, 4<<20, 3); e != nil || s.Limit != 16<<20-1 {
		t.Error("there are edges that take more than a quarter of the memory")
	}
	s.Limit = 20 << 20
	for _, over := range []bool{false, true} {
		e := NewEdges(s, 4<<20, 2)
		if s.Limit != 16<<20 {
			t.Errorf("a limit of %d bytes is left, want 16 MiB", s.Limit)
		}
		e.Start(0, 0)
		e.Start(1, 0)
		for k := range uint64(3<<20) / edgeBytes {
			e.Put(0, 1, k<<44)
		}
		e.Put(1, 1, 1)
		if e.Trim(200_000); !e.Kept() || s.Held() < 3<<20 {
			t.Errorf("%d bytes are held of 3 MiB of edges of 200 000 nodes", s.Held())
		}
		if over {
			for k := range uint64(2<<20) / edgeBytes {
				e.Put(0, 1, k<<44)
			}
			if e.Kept() || e.Start(0, 9) || s.Held() != 4<<20 {
				t.Errorf("%d bytes are held, at most 4 MiB may be", s.Held())
			}
		}
		if e.Trim(100_000); e.Kept() || s.Held() != 0 {
			t.Errorf("%d bytes are held of too many edges", s.Held())
		}
		if e.Drop(); s.Limit != 20<<20 {
			t.Errorf("the limit is %d bytes again, want 20 MiB", s.Limit)
		}
	}
}
