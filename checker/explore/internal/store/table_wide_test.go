package store

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

// TestWideTable compares a wide table with a map while it grows from nothing. Many fingerprints
// share their first 64 bits, which a table of those would take for one.
func TestWideTable(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	tab, err := NewTable(st, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(11, 12))
	in := map[Entry]bool{}
	var last uint64
	for len(in) < 150_000 {
		e := Entry{r.Uint64() | 1, r.Uint32()}
		if r.IntN(5) == 0 {
			e.Hash = last
		}
		if last = e.Hash; r.IntN(4) == 0 {
			e.More = uint32(r.IntN(3))
		}
		want := Fresh
		if in[e] {
			want = Seen
		}
		got := tab.Put(e.Hash, e.More)
		for got == Full || len(in) > int(tab.limit) {
			if err := tab.Grow(); err != nil {
				t.Fatal(err)
			}
			tab.Move()
			if got == Full {
				got = tab.Put(e.Hash, e.More)
			}
		}
		if got != want {
			t.Fatalf("%x %x: %d, want %d", e.Hash, e.More, got, want)
		}
		in[e] = true
	}
	for e := range in {
		if !tab.Knows(e) || tab.Knows(Entry{e.Hash, e.More + 4}) != in[Entry{e.Hash, e.More + 4}] {
			t.Fatalf("%x %x", e.Hash, e.More)
		}
	}
	if per := float64(st.Held()) / float64(len(in)); per > 24 {
		t.Errorf("%.1f bytes for each", per)
	}
}

// TestWideTableTogether: if several workers insert the same entry at the same time, exactly one
// learns that it is fresh.
func TestWideTableTogether(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	const n = 20_000
	tab, err := NewTable(st, HomesFor(n, true), true)
	if err != nil {
		t.Fatal(err)
	}
	var news atomic.Int64
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(13, 14))
			for range n / 2 {
				h := r.Uint64() | 1
				for more := range uint32(2) {
					if tab.Put(h, more) == Fresh {
						news.Add(1)
					}
				}
			}
		})
	}
	wait.Wait()
	if news.Load() != n {
		t.Errorf("%d were fresh, want %d", news.Load(), n)
	}
}
