package counterexample

import (
	"errors"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
)

// What it computes. The nodes of any level of a finished search, though the search kept only their
// fingerprints: all nodes of a level from those of the level before.
//
// Why it is right. The trace log has for each node the number of the node before and the instance
// that led to it first. Effects are functions of the node before, so the same instance gives the
// same node again. Nodes are written in the order of their numbers, so a number finds its node.
//
// What it costs. One application of an effect for each node up to the level, in all workers, and no
// guard. Nodes of a level take the memory of a frontier. What exceeds the limit goes to disk.
//
// Example. Runs of the log are lists of (node before, instance):
//
//	level 0   0: initial node 0
//	level 1   1: (0, Send)    2: (0, Crash)
//	level 2   3: (1, Recv)    4: (2, Send)
//
// Level 2 is made from level 1: node 3 is Recv applied to node 1, and node 4 is Send applied to
// node 2.

// regenerator makes the nodes of a search from its trace log: all of a level from those of the
// level before. They have the numbers that they had.
type regenerator[T any] struct {
	rec    *Record[T]
	arena  *memory.Arena
	levels [][]*store.Chunk
}

// regenerateBytes bounds the memory of regenerated nodes where no limit is set; more goes to disk.
const regenerateBytes = 1 << 30

// errGivenUp says that backward reachable sets are not computed: no time is left, or the
// specification panicked.
var errGivenUp = errors.New("nodes are not regenerated")

func newRegenerator[T any](r *Record[T]) *regenerator[T] {
	limit := int64(regenerateBytes)
	switch {
	case r.Regenerate > 0:
		limit = r.Regenerate
	case r.Mem > 0:
		limit = min(limit, max(r.Mem-r.Budget.Held(), 0))
	}
	a := &regenerator[T]{rec: r, arena: &memory.Arena{Budget: r.Budget.Unlimited(), Size: r.Block}}
	a.arena.Bound(limit, r.Workers, memory.NewDisk(r.Spill))
	return a
}

// close gives back what the nodes take.
func (a *regenerator[T]) close() {
	for _, level := range a.levels {
		for _, c := range level {
			c.Release(a.arena)
		}
	}
	a.arena.Trim()
	a.arena.Disk.Close()
}

// level returns the nodes of a level.
func (a *regenerator[T]) level(level int) ([]*store.Chunk, error) {
	if level == len(a.rec.Levels)-1 && a.rec.Front != nil {
		return a.rec.Front, nil
	}
	err := a.upTo(level)
	if err != nil || level >= len(a.levels) {
		return nil, err
	}
	return a.levels[level], nil
}

// upTo makes the nodes of all levels up to one.
func (a *regenerator[T]) upTo(level int) error {
	if a.levels == nil {
		if err := a.initial(); err != nil {
			return err
		}
	}
	for len(a.levels) <= level && len(a.levels) < len(a.rec.Levels) {
		if err := a.next(); err != nil {
			return err
		}
	}
	return nil
}

// runsOf says which of the log's runs are of a level: those from from on, before to.
func (a *regenerator[T]) runsOf(level int) (from, to int) {
	runs := a.rec.Log.Runs
	first, behind := a.rec.numbersOf(level)
	from = sort.Search(len(runs), func(k int) bool { return runs[k].First >= first })
	to = sort.Search(len(runs), func(k int) bool { return runs[k].First >= behind })
	return from, to
}

// nodesOf returns how many nodes the k-th run has.
func (a *regenerator[T]) nodesOf(k int) int64 {
	runs := a.rec.Log.Runs
	if k+1 < len(runs) {
		return runs[k+1].First - runs[k].First
	}
	return a.rec.Numbered - runs[k].First
}

// initial makes the nodes of the first level.
func (a *regenerator[T]) initial() error {
	w := a.writer()
	from, to := a.runsOf(0)
	for k := from; k < to; k++ {
		run, left, err := a.rec.Log.Runs[k], a.nodesOf(k), error(nil)
		c := a.rec.Log.From(run)
		position := int64(-1)
		advance := func() bool {
			if left == 0 {
				return false
			}
			left--
			var x uint32
			_, x, err = c.Next()
			position = int64(x)
			return err == nil
		}
		if !advance() {
			return err
		}
		at, number := int64(0), run.First
		a.rec.Spec.Init(func(n *T) bool {
			at++
			if at-1 != position {
				return true
			}
			if err = a.put(w, n, number); err != nil {
				return false
			}
			number++
			return advance()
		})
		if err != nil {
			return err
		}
	}
	chunks, err := a.take(w)
	a.levels = append(a.levels, chunks)
	return err
}

func (a *regenerator[T]) writer() *store.Writer[T] {
	return &store.Writer[T]{Arena: a.arena, Most: store.MaxNodes}
}

// put puts a node with a number, the one after that of the node before, if that is in the same
// chunk.
func (a *regenerator[T]) put(w *store.Writer[T], n *T, number int64) error {
	started, err := w.Room()
	if err != nil {
		return err
	}
	if started {
		w.Chunk.First = number
	}
	w.Put(n, 0)
	return nil
}

// next makes the nodes of one more level.
func (a *regenerator[T]) next() error {
	level := len(a.levels)
	from, to := a.runsOf(level)
	made := make([][]*store.Chunk, to-from)
	err := a.each(len(made), func(k int) (err error) {
		made[k], err = a.follow(from+k, a.levels[level-1])
		return err
	})
	if err != nil {
		return err
	}
	var chunks []*store.Chunk
	for _, m := range made {
		chunks = append(chunks, m...)
	}
	a.levels = append(a.levels, chunks)
	return nil
}

// follow makes the nodes of the k-th run from those of the level before.
func (a *regenerator[T]) follow(k int, before []*store.Chunk) ([]*store.Chunk, error) {
	run := a.rec.Log.Runs[k]
	c, w, from := a.rec.Log.From(run), a.writer(), store.NewSeeker[T](a.arena, before)
	defer from.Leave()
	var n T
	for x := range a.nodesOf(k) {
		parent, instance, err := c.Next()
		if err != nil {
			return nil, err
		}
		s, err := from.To(parent)
		if err != nil {
			return nil, err
		}
		n = *s
		a.rec.Spec.Apply(s, &n, int(instance))
		if err := a.put(w, &n, run.First+x); err != nil {
			return nil, err
		}
	}
	return a.take(w)
}

// take returns the chunks of a writer, which is done. The last one goes to disk, too, where memory
// is used up.
func (a *regenerator[T]) take(w *store.Writer[T]) ([]*store.Chunk, error) {
	chunks := w.Take()
	if len(chunks) == 0 || !a.arena.Tight() {
		return chunks, nil
	}
	return chunks, chunks[len(chunks)-1].MoveOut(a.arena)
}

// each does so many pieces of work in all workers, until one fails or the run is to end.
func (a *regenerator[T]) each(pieces int, do func(k int) error) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				failed.CompareAndSwap(nil, &errGivenUp)
			}
		}()
		for failed.Load() == nil {
			k := int(next.Add(1)) - 1
			if k >= pieces {
				return
			}
			if a.rec.late() {
				failed.CompareAndSwap(nil, &errGivenUp)
				return
			}
			if err := do(k); err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	}
	var wait sync.WaitGroup
	for range min(a.rec.Workers, pieces) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	if e := failed.Load(); e != nil {
		return *e
	}
	return nil
}
