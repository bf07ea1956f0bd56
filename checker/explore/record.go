package explore

import (
	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
)

// replayer replays traces of the run.
func (r *run[T]) replayer() counterexample.Replayer[T] {
	out := counterexample.Replayer[T]{Spec: r.spec, Log: r.log, Table: r.table}
	if r.part != nil {
		out.Far = &far[T]{part: r.part}
	}
	return out
}

// record returns what the run leaves to find counterexamples by.
func (r *run[T]) record() *counterexample.Record[T] {
	o := &r.opt
	rec := &counterexample.Record[T]{
		Replayer: r.replayer(), Groups: r.broken, Stop: o.Stop, Edges: r.edges,
		Levels: r.levels, Numbered: r.numbered, Closed: r.closed, Front: r.front, Partly: r.partly, Noted: r.noted, PruneFrom: o.pruneFrom,
		Context: o.Context, Workers: len(r.workers), Share: o.share, Budget: r.store, Mem: o.Mem, Block: r.arena.Size, Spill: o.Spill,
		Logged: o.logged || r.part != nil, Regenerate: o.regenerate,
	}
	if o.Timeout > 0 {
		rec.Deadline = r.start.Add(o.Timeout)
	}
	return rec
}

// traceTo returns the shortest path by which a numbered node, at a distance from the initial nodes,
// was reached.
func (r *run[T]) traceTo(node int64, depth int) (checker.Trace[T], error) {
	replay := r.replayer()
	return replay.TraceTo(node, depth)
}
