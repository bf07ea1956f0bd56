package simulate

import (
	"time"

	"github.com/multigrain/multigrain/checker"
)

// Result is the outcome of a simulation. These of the fields that it shares with exhaustive
// exploration mean something else here:
//
//   - Verdict is Holds if the walks that were asked for were taken and broke nothing;
//   - Distinct and Digest are of the nodes that walks visited, Generated counts the walks' initial
//     nodes and every step tried;
//   - Depth is the length of the longest walk, Levels is nil;
//   - an action's Enabled counts its enabled instances at visited nodes, Fired the steps tried, and
//     Distinct the nodes that it reached first, in the order of the walks;
//   - a violation's Trace is shrunk, Count is how many walks ended in it, and At the distinct nodes
//     when the first of them had;
//   - Violations are in the order in which walks found them, invariants of one step in their own
//     order;
//   - Memory is the size of the fingerprints of distinct nodes, in bytes.
type Result[T any] struct {
	checker.Result[T]
	Walks, Steps int64 // walks that came to their end, and the steps taken in all
	Abstractions int64 // distinct sets of enabled actions at visited nodes
	// no more nodes could be remembered: Distinct, Digest and the actions' Distinct are too small
	Full      bool
	Instances []int64 // by number of the instance: steps tried
	Ends      Ends
	Coverage  []Coverage // after 1, 2, 5, 10, 20, 50, ... walks and at the end
	Origins   []Origin   // of each violation
}

// Ends counts the walks by what ended them.
type Ends struct {
	Depth    int64 // as long as asked for
	Deadlock int64 // no instance was enabled
	Finished int64 // the strategy ended it
	Blocked  int64 // every enabled instance has weight 0 or raises an assertion that is masked
	Outside  int64 // the step that was drawn leads out of the state constraints
	Violated int64
}

// Coverage is the coverage of the first walks.
type Coverage struct {
	Walks, Steps           int64
	Actions, Instances     int // that were taken at least once
	Distinct, Abstractions int64
	Goals                  int           // that were reached
	Elapsed                time.Duration // until the last of them had ended
}

// Origin says where a violation comes from.
type Origin struct {
	Walk    int64 // number of the walk; 0: an initial node
	Length  int   // of that walk, in transitions
	Minimal bool  // no step can be left out of the trace; false where shrinking was given up
	From    []int // by step of the trace: its place in the walk, from 0
	Notes   any   // what the strategy's Noter says of the walk, nil where there is none
}
