package counterexample

import (
	"context"
	"time"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/host"
)

// Record is the outcome of a search from which counterexamples are found. No worker of the search
// may be running.
type Record[T any] struct {
	Replayer[T]
	Groups Groups[T]
	Stop   int // as explore.Options.Stop: 1 asks for the first violation alone
	Edges  *store.Edges
	// Levels is the number of nodes at each distance, Numbered of all. Closed is the number of
	// nodes at the end of each level.
	Levels   []int64
	Numbered int64
	Closed   []int64
	// Front is the last level, where it was found in full and not expanded. Partly says that not
	// all nodes of the level before it were expanded.
	Front  []*store.Chunk
	Partly bool
	// Noted says by level whether edges to new nodes were kept, too.
	Noted []bool
	// PruneFrom is the least number of nodes of a level in which steps were pruned.
	PruneFrom int64

	Context  context.Context // nil: nothing interrupts
	Deadline time.Time       // to stop looking for better counterexamples; zero: none
	Workers  int
	Share    int // pieces of work that are worth a worker; 0: shareEach
	Budget   *memory.Budget
	Mem      int64  // limit of Budget; 0: none
	Block    int    // bytes of a chunk
	Spill    string // folder of temporary files

	Logged     bool  // counterexamples have the steps of the trace log: no better ones are sought
	Regenerate int64 // bytes of memory for regenerated nodes; 0: as Mem says
}

// late reports whether there is no time left to look for a better counterexample.
func (r *Record[T]) late() bool {
	return r.Context != nil && r.Context.Err() != nil || !r.Deadline.IsZero() && host.Now().After(r.Deadline)
}

// numbersOf returns the numbers of a level's nodes: from first on, before end.
func (r *Record[T]) numbersOf(level int) (first, end int64) {
	for _, n := range r.Levels[:level] {
		first += n
	}
	return first, first + r.Levels[level]
}

// onNode reports whether nodes show by themselves that they break an invariant.
func (r *Record[T]) onNode(invariant int) bool { return isState(r.Spec, invariant) }

// hidden reports whether a group may have violations that no stored node shows.
func (r *Record[T]) hidden(key Key) bool { return !r.onNode(key.Invariant) || r.Spec.Within != nil }
