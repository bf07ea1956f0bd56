package explore

import (
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
)

// Small makes everything of o small that is large in use: the table grows from its first insertions
// on, and a chunk holds a handful of nodes. Every level has states that pruning can skip.
func Small(o Options) Options {
	o.homes, o.block, o.pruneFrom = 1, 512, 1
	return o
}

// Untried lets what steps of large nodes write be tried in every 64th node of a chunk alone.
func Untried(o Options) Options {
	o.compareAll = -1
	return o
}

// Spilling lets o keep no more of the frontier and the trace log in memory than workers need.
func Spilling(o Options) Options {
	o.frontier = 1
	return o
}

// Logged lets counterexamples have the steps that the trace log has, in another order at most.
func Logged(o Options) Options {
	o.logged = true
	return o
}

// SpillingAgain lets no more of the nodes that are made again be in memory than workers need.
func SpillingAgain(o Options) Options {
	o.regenerate = 1
	return o
}

// Late lets the table of o grow where it is full, mostly in the midst of a batch.
func Late(o Options) Options {
	o.late = true
	return o
}

// Sharing lets several workers share what is usually too little for that.
func Sharing(o Options) Options {
	o.share = 1
	return o
}

// FullDisk lets o's checkpoints fail as on a disk with so many bytes left.
func FullDisk(o Options, left int64) Options {
	o.room = left
	return o
}

// Impatient lets a run that does not end be looked into soon.
func Impatient(o Options) Options {
	o.patience = 100 * time.Millisecond
	return o
}

// Edgeless keeps no edges, so that what leads to violations is looked for among all nodes.
func Edgeless(o Options) Options {
	o.edges = 1
	return o
}

// BackwardSets returns the fingerprints of nodes that lead to violations, by level, with their
// masks of groups: as edges tell them, and as they are found among all nodes. left is how many
// steps were left out, saved how many checkpoints were written; ok is false where there is nothing
// to tell.
func BackwardSets[T any](spec *checker.Spec[T], o Options) (near, far []map[uint64]uint64, left, saved int64, ok bool, err error) {
	r, err := newRun(spec, o)
	if err != nil {
		return nil, nil, 0, 0, false, err
	}
	defer r.free()
	stop := r.watch()
	r.explore()
	stop()
	if r.kept != nil {
		saved = int64(r.kept.status.Written)
	}
	for _, w := range r.workers {
		for _, n := range w.out.Skipped {
			left += n
		}
	}
	keys := r.broken.Sorted()
	l := r.record().Backward(keys[:min(len(keys), counterexample.GroupsAtOnce)], false)
	if l == nil || !l.ByEdges() {
		return nil, nil, left, saved, false, nil
	}
	near = l.Sets()
	ok = l.ByRegeneration()
	return near, l.Sets(), left, saved, ok, nil
}

// LockFolder locks a folder of checkpoints.
func LockFolder(folder string) (unlock func(), err error) {
	l, err := lockFolder(folder)
	return l.unlock, err
}

// RunAhead explores until a limit of o, with a start that lies ahead by some time: as if the clock
// went back by as much.
func RunAhead[T any](spec *checker.Spec[T], o Options, by time.Duration) error {
	r, err := newRun(spec, o)
	if err != nil {
		return err
	}
	defer r.free()
	r.start = r.start.Add(by)
	r.explore()
	r.kept.unlock()
	return nil
}
