package explore

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// TestWideTable holds a wide table against a map while it grows from nothing. Many fingerprints share their first 64 bits,
// which a table of those would take for one.
func TestWideTable(t *testing.T) {
	t.Parallel()
	st := newStore(0)
	defer st.free()
	tab, err := newTableOf(st, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(11, 12))
	in := map[entry]bool{}
	var last uint64
	for len(in) < 150_000 {
		e := entry{r.Uint64() | 1, r.Uint32()}
		if r.IntN(5) == 0 {
			e.h = last
		}
		if last = e.h; r.IntN(4) == 0 {
			e.more = uint32(r.IntN(3))
		}
		want := fresh
		if in[e] {
			want = seen
		}
		got := tab.put(e.h, e.more)
		for got == full || len(in) > int(tab.limit) {
			if err := tab.grow(); err != nil {
				t.Fatal(err)
			}
			tab.move()
			if got == full {
				got = tab.put(e.h, e.more)
			}
		}
		if got != want {
			t.Fatalf("%x %x: %d, want %d", e.h, e.more, got, want)
		}
		in[e] = true
	}
	for e := range in {
		if !tab.knows(e) || tab.knows(entry{e.h, e.more + 4}) != in[entry{e.h, e.more + 4}] {
			t.Fatalf("%x %x", e.h, e.more)
		}
	}
	if per := float64(st.held) / float64(len(in)); per > 24 {
		t.Errorf("%.1f bytes for each", per)
	}
}

// TestWideTableTogether: of several that put the same in at the same time, one is told that it is fresh.
func TestWideTableTogether(t *testing.T) {
	t.Parallel()
	st := newStore(0)
	defer st.free()
	const n = 20_000
	tab, err := newTableOf(st, homesFor(n, true), true)
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
					if tab.put(h, more) == fresh {
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
