package explore

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/host"
)

// run is one exploration.
type run[T any] struct {
	spec     *checker.Spec[T]
	opt      Options
	store    *memory.Budget // of the table
	arena    *memory.Arena  // of the frontier and the trace log
	disk     *memory.Disk   // of the arena; nil where nothing is spilled
	table    *store.Table
	log      *store.TraceLog
	edges    *store.Edges // nil where none are kept
	notesAll bool         // edges to new nodes are kept, too
	noted    []bool       // by level: that was so
	gate     *gate
	workers  []*worker[T]
	allGoals uint64

	halted atomic.Bool // workers end as soon as they can
	// workers end when they are done with their chunk: a checkpoint is to be written
	due      atomic.Bool
	starting atomic.Bool // initial nodes are being made
	saving   atomic.Bool // a checkpoint is being written
	// nanoseconds from the start to the last checkpoint, and what that took once more
	rested atomic.Int64
	mu     sync.Mutex
	reason string        // why it ends
	ends   chan struct{} // closed when there is a reason

	start    time.Time
	before   time.Duration  // that earlier runs took, which this one continues from
	levels   []int64        // distinct nodes at each distance
	closed   []int64        // distinct nodes at the end of each level
	numbered int64          // nodes that have a number
	rest     []*store.Chunk // of the level, what a checkpoint left to do
	carried  []carried      // of the next level, what a checkpoint had found
	front    []*store.Chunk // the last level, where it was found in full and not expanded
	partly   bool           // not all nodes of the level before it were expanded
	broken   counterexample.Groups[T]
	newly    counterexample.Breaking // of this level
	depth    atomic.Int64            // for those who watch
	expanded atomic.Int64            // nodes, for those who watch
	kept     *keeper                 // of checkpoints; nil where there are none

	part    *part[T] // nil where the search has no other parts
	between func()   // called between two nodes that are expanded; nil: nothing is

	// What is pruned in this level: see pruning.go.
	prunes bool // steps are left out
	// instances, as sleepset.Rules.Ordered takes them; nil: in the order of their numbers
	ordered   []int
	sampling  bool   // all pruned steps are checked
	comparing bool   // all that steps write is
	dirty     uint64 // invariants that were false in nodes of this or an earlier level
	wrong     error  // footprints are wrong, or there is nothing to explore
}

// Run explores a specification. A limit or an interrupt makes the result undecided and is no error;
// the result then says what was covered. The error is a *SpecError[T] if the specification panicked
// or did not return, and a *ReplayError if a counterexample does not replay. It is a
// *CheckpointError if there is a checkpoint that cannot be used. Other errors say what the machine
// lacks. Together with an error the result holds what was found, without a reliable verdict.
func Run[T any](spec *checker.Spec[T], opt Options) (checker.Result[T], error) {
	r, err := newRun(spec, opt)
	if err == memory.ErrLimit {
		return checker.Result[T]{
			Verdict: checker.Undecided, Reason: limitReason(opt.Mem), Actions: make([]checker.ActionCount, len(spec.Actions)),
		}, nil
	}
	if err != nil {
		return checker.Result[T]{Verdict: checker.Undecided, Reason: err.Error()}, err
	}
	stop := r.watch()
	complete := make(chan bool, 1)
	go func() { complete <- r.search() }()
	res, err, ended := r.await(complete)
	stop()
	if !ended {
		return res, err // its memory is in use
	}
	defer r.free()
	if r.part != nil {
		return r.part.outcome(res)
	}
	for _, w := range r.workers {
		if w.fault != nil {
			return res, r.specError(w.fault)
		}
	}
	if r.wrong != nil {
		return res, r.wrong
	}
	if r.opt.Nearest && r.opt.Fingerprint == 64 {
		res.Nearest = r.table.Nearest(len(r.workers))
	}
	res.Violations, err = r.record().Violations()
	res.Memory = r.memory()
	return res, err
}

func newRun[T any](spec *checker.Spec[T], opt Options) (*run[T], error) {
	if err := flat[T](); err != nil {
		return nil, err
	}
	if err := opt.complete(); err != nil {
		return nil, err
	}
	if opt.Fingerprint != 64 && opt.Fingerprint != WideFingerprint {
		return nil, fmt.Errorf("a fingerprint of %d bits: 64 or %d are possible", opt.Fingerprint, WideFingerprint)
	}
	own := *spec // its Pruning changes
	r := &run[T]{
		spec: &own, opt: opt, start: host.Now(), broken: counterexample.Groups[T]{}, newly: counterexample.Breaking{}, ends: make(chan struct{}), store: memory.NewBudget(opt.Mem),
	}
	kept, err := newKeeper(&r.opt, r.identity())
	if err != nil {
		return nil, err
	}
	defer kept.done()
	r.kept = kept
	if spec.Reached != nil && len(spec.Goals) > 0 {
		r.allGoals = ^uint64(0) >> (64 - len(spec.Goals))
	}
	if err := r.provide(); err != nil {
		r.free()
		return nil, err
	}
	streams := kept.streams() + opt.Workers
	if opt.Part != nil {
		streams = opt.Part.Count
	}
	r.log = store.NewTraceLog(r.arena, streams)
	if !kept.resumes() && opt.Part == nil {
		r.edges = store.NewEdges(r.store, r.edgeLimit(), opt.Workers)
	}
	r.gate = newGate(r.table, r.arena.Trim, r.tableFull)
	for k := range opt.Workers {
		r.workers = append(r.workers, newWorker(r, kept.streams()+k))
	}
	if err := r.restore(); err != nil {
		r.free()
		return nil, err
	}
	if opt.Part != nil {
		r.part = newPart(r, opt.Part)
	}
	return r, nil
}

// provide takes the memory that a run starts with.
func (r *run[T]) provide() error {
	block, err := store.BlockFor[T](r.opt.block)
	if err != nil {
		return err
	}
	if r.kept.resumes() { // the trace log's places count in blocks
		block = r.kept.meta.Block
		if fitting, _ := store.BlockFor[T](block); fitting != block {
			return r.damaged(store.ErrDamaged)
		}
	}
	r.arena = &memory.Arena{Budget: r.store.Unlimited(), Size: block}
	frontier := r.opt.frontier
	if frontier == 0 {
		frontier = r.opt.Mem / frontierShare
	}
	if frontier > 0 {
		r.disk = memory.NewDisk(r.opt.Spill)
		r.arena.Bound(frontier, r.opt.Workers, r.disk)
	}
	if r.opt.Mem > 0 {
		if !r.store.Reserve(r.arena.Budget.Limit) {
			return memory.ErrLimit
		}
	}
	homes := r.opt.homes
	if r.kept.resumes() {
		homes = max(homes, store.HomesFor(r.kept.meta.Visited, r.opt.Fingerprint == WideFingerprint))
	}
	r.table, err = store.NewTable(r.store, homes, r.opt.Fingerprint == WideFingerprint)
	return err
}

// edgeLimit returns what edges may take.
func (r *run[T]) edgeLimit() int64 {
	switch {
	case r.opt.edges > 0:
		return r.opt.edges
	case r.opt.Mem == 0:
		return store.MaxEdgeBytes
	}
	return min(r.opt.Mem/store.EdgeShare, store.MaxEdgeBytes)
}

// free gives back what the run holds. Nothing of it must be used any more. A run that did not end
// keeps its lock until the process does.
func (r *run[T]) free() {
	r.kept.unlock()
	r.store.Free()
	r.disk.Close()
}

func (r *run[T]) memory() int64 { return r.store.Peak() }

// search reports whether every reachable node was expanded.
func (r *run[T]) search() (complete bool) {
	if r.part != nil {
		return r.part.explore()
	}
	return r.explore()
}

// explore is search for a run without other parts.
func (r *run[T]) explore() (complete bool) {
	level := r.rest // the initial nodes are those of the first next level
	if !r.kept.resumes() {
		r.initial()
	}
	for {
		saved := false
		if level = r.expand(level); r.due.Load() {
			saved = r.save(level)
		}
		if len(level) > 0 && !r.ending() {
			continue
		}
		left := len(level) > 0
		r.partly = left || r.halted.Load() || r.skipped()
		level = r.close()
		if !r.halted.Load() && !left {
			r.confirm()
		}
		switch {
		case r.halted.Load() || left:
			return false
		case len(level) == 0:
			complete = !r.skipped() && (r.opt.MaxStates == 0 || r.numbered <= r.opt.MaxStates)
			if complete {
				r.kept.remove()
			}
			if len(r.broken) == 0 {
				r.edges.Drop()
			}
			return complete
		case r.opt.Stop > 0 && r.broken.Total() >= int64(r.opt.Stop):
			r.kept.remove()
			r.front = level
			return false
		case r.ending():
			if !saved {
				r.save(level)
			}
			return false
		}
	}
}

// skipped reports whether anything was left out of a chunk that was expanded.
func (r *run[T]) skipped() bool {
	for _, w := range r.workers {
		if w.skipped {
			return true
		}
	}
	return false
}

// fail ends the run with an error.
func (r *run[T]) fail(err error, why string) {
	r.mu.Lock()
	if r.wrong == nil {
		r.wrong = err
	}
	r.mu.Unlock()
	r.halt(why)
}

func (r *run[T]) initial() {
	r.starting.Store(true)
	defer r.starting.Store(false)
	w := r.workers[0]
	w.write.Most = checker.Batch
	r.gate.start(1)
	defer r.gate.leave()
	defer w.caught()
	x := 0
	r.spec.Init(func(n *T) bool {
		if r.ending() {
			w.skipped = true
			return false
		}
		w.initial(n, x)
		x++
		return true
	})
	if x == 0 && !r.ending() && r.part == nil {
		r.fail(&SpecError[T]{During: checker.DuringInit, Instance: -1, Value: checker.ErrNoInit}, checker.ErrNoInit.Error())
	}
}

// collect takes over what workers found broken in this level.
func (r *run[T]) collect() {
	for _, w := range r.workers {
		r.broken.Merge(w.broken, len(r.closed), r.newly)
	}
}

// close ends a level: its nodes are numbered and what was found in it is collected. It returns the
// nodes of the next one.
func (r *run[T]) close() (level []*store.Chunk) {
	before := r.numbered
	level = r.number()
	r.order()
	r.note(r.numbered-before, r.numbered)
	return level
}

// note takes the number of distinct nodes at the end of a level, and how many of them are new.
func (r *run[T]) note(news, total int64) {
	r.closed = append(r.closed, total)
	if news > 0 {
		r.levels = append(r.levels, news)
		r.depth.Store(int64(len(r.levels) - 1))
	}
}

// number numbers the nodes that were found in a level, collects what was found broken, and returns
// the nodes.
func (r *run[T]) number() (level []*store.Chunk) {
	number := func(stream int, chunks []*store.Chunk) {
		for _, c := range chunks {
			c.First = r.numbered
			r.numbered += int64(c.Nodes)
		}
		r.log.Number(stream, chunks)
		level = append(level, chunks...)
	}
	for _, c := range r.carried {
		number(c.stream, c.chunks)
	}
	r.carried = nil
	for _, w := range r.workers {
		number(w.id, w.write.Take())
	}
	r.collect()
	r.broken.Number(r.spec, len(r.closed), r.newly)
	r.edges.Trim(r.numbered)
	r.disk.Turn()
	r.arena.Trim()
	return level
}

// chunksEach is how many chunks of a small level each worker should find, so that all have work
// until its end.
const chunksEach = 8

// expand makes the successors of a level, until a checkpoint is due. It returns what is left of the
// level.
func (r *run[T]) expand(level []*store.Chunk) (rest []*store.Chunk) {
	if len(level) == 0 {
		return nil
	}
	nodes := r.levels[len(r.levels)-1]
	most := max(int(min(nodes, 1<<30))/(chunksEach*len(r.workers)), checker.Batch)
	var next atomic.Int64
	work := func(w *worker[T]) {
		defer r.gate.leave()
		w.write.Most = most
		for !r.due.Load() && !r.halted.Load() {
			k := next.Add(1) - 1
			if k >= int64(len(level)) {
				return
			}
			r.expandChunk(w, level[k])
		}
	}
	r.prepare(nodes)
	workers := r.workers[:min(len(r.workers), len(level))]
	r.gate.start(len(workers))
	var wait sync.WaitGroup
	for _, w := range workers[1:] {
		wait.Go(func() { work(w) })
	}
	work(workers[0])
	wait.Wait()
	return level[min(next.Load(), int64(len(level))):]
}

func (r *run[T]) expandChunk(w *worker[T], c *store.Chunk) {
	if err := c.Load(r.arena); err != nil {
		r.outOfMemory(err)
		w.skipped = true
		return
	}
	w.expand(c)
	r.expanded.Add(int64(c.Nodes))
	c.Release(r.arena)
}

// result returns all but the violations.
func (r *run[T]) result(complete bool) checker.Result[T] {
	res := checker.Result[T]{
		Distinct: r.numbered, Levels: r.levels, Depth: max(len(r.levels)-1, 0), Duration: r.before + host.Since(r.start),
		Workers: len(r.workers), Memory: r.memory(), MemoryEnd: r.store.Held(), Disk: r.disk.Bytes(), Actions: make([]checker.ActionCount, len(r.spec.Actions)),
		Fingerprint: r.opt.Fingerprint, Checkpoint: r.kept.report(), MaskedBy: make([]int64, len(r.spec.Masked)),
	}
	for _, w := range r.workers {
		res.Generated += w.generated
		res.Masked += w.masked
		for k, n := range w.maskedBy {
			res.MaskedBy[k] += n
		}
		res.Digest += w.digest
		res.Goals |= w.goals
		for k, in := range r.spec.Instances {
			a := &res.Actions[in.Action]
			a.Enabled += w.fired[k]
			a.Fired += w.fired[k]
			a.Distinct += w.first[k]
		}
		for k, n := range w.out.Skipped {
			a := &res.Actions[k]
			a.Enabled += n
			a.Fired += n
			res.Pruned += n
		}
	}
	if !complete {
		r.mu.Lock()
		res.Reason = r.reason
		r.mu.Unlock()
	}
	switch {
	case len(r.broken) > 0:
		res.Verdict = checker.Violated
	case complete:
		res.Verdict = checker.Holds
	default:
		res.Verdict = checker.Undecided
	}
	return res
}

func limitReason(bytes int64) string {
	return fmt.Sprintf("the memory limit of %.1f MiB is reached", float64(bytes)/(1<<20))
}
