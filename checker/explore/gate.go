package explore

import (
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker/explore/internal/store"
)

// gate stops all workers between two successors, so that the table can grow.
type gate struct {
	wanted atomic.Bool // a worker asked for it: all come to wait

	mu       sync.Mutex
	cond     sync.Cond
	active   int // workers that have not left
	waiting  int // of those, workers in wait
	moving   int // of those, workers that have not finished moving
	rounds   int // how often the gate was opened again
	table    *store.Table
	before   func()      // called before the table grows
	exceeded func(error) // called when the table cannot grow
}

func newGate(t *store.Table, before func(), exceeded func(error)) *gate {
	g := &gate{table: t, before: before, exceeded: exceeded}
	g.cond.L = &g.mu
	return g
}

// start says how many workers there will be, before the first of them starts. Each leaves when it
// has no more work.
func (g *gate) start(workers int) {
	g.mu.Lock()
	g.active = workers
	g.mu.Unlock()
}

func (g *gate) leave() {
	g.mu.Lock()
	g.active--
	g.check()
	g.mu.Unlock()
}

// wait stops until the table has grown, or cannot grow. All that wait share the work.
func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.wanted.Load() {
		return
	}
	round := g.rounds
	g.waiting++
	g.check()
	for g.moving == 0 && g.rounds == round {
		g.cond.Wait()
	}
	if g.rounds != round {
		return
	}
	g.mu.Unlock()
	g.table.Move()
	g.mu.Lock()
	if g.moving--; g.moving == 0 {
		g.open()
	}
	for g.rounds == round {
		g.cond.Wait()
	}
}

// check starts the growth once everyone waits.
func (g *gate) check() {
	if !g.wanted.Load() || g.waiting == 0 || g.waiting < g.active || g.moving > 0 {
		return
	}
	g.before()
	if err := g.table.Grow(); err != nil {
		g.table.Fill()
		g.exceeded(err)
		g.open()
		return
	}
	g.moving = g.waiting
	g.cond.Broadcast()
}

func (g *gate) open() {
	g.wanted.Store(false)
	g.waiting = 0
	g.rounds++
	g.cond.Broadcast()
}
