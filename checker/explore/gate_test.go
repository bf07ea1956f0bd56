package explore

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
)

// TestGateGrowsTheTable has workers ask for growth all the time while some of them leave.
func TestGateGrowsTheTable(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	tab, err := store.NewTable(st, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(tab, func() {}, func(err error) { t.Error(err) })
	const workers = 5
	for level := range 20 {
		g.start(workers)
		var wait sync.WaitGroup
		for k := range workers {
			wait.Go(func() {
				defer g.leave()
				r := rand.New(rand.NewPCG(uint64(level), uint64(k)))
				for range 200 * (k + 1) {
					h := r.Uint64() | 1
					for tab.Put(h, 0) == store.Full {
						g.wanted.Store(true)
						g.wait()
					}
					if tab.Crowded(tab.Add(1)) {
						g.wanted.Store(true)
					}
					if g.wanted.Load() {
						g.wait()
					}
				}
			})
		}
		wait.Wait()
	}
	for level := range 20 {
		for k := range workers {
			r := rand.New(rand.NewPCG(uint64(level), uint64(k)))
			for range 200 * (k + 1) {
				if h := r.Uint64() | 1; !tab.Knows(store.Entry{Hash: h}) {
					t.Fatalf("%x is lost", h)
				}
			}
		}
	}
}
