package published

import (
	"fmt"
	"os"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// row holds TLC's counts for MSPEC_2 under a view without its step counter and last step. TLC's
// depth counts states, one more.
type row struct {
	crashes, partitions, timeouts int
	distinct                      int64 // 0: violated
	depth                         int
}

// rowsOf are the rows for so many servers and transactions.
var rowsOf = map[[2]int][]row{
	{3, 2}: {{1, 0, 1, 1_329, 22}, {2, 0, 2, 23_909, 33}, {1, 1, 2, 17_015, 29}, {3, 0, 2, 0, 15}, {2, 1, 3, 0, 15}},
	{3, 3}: {{1, 0, 1, 10_522, 29}, {1, 1, 1, 11_842, 29}},
	{3, 4}: {{1, 0, 1, 51_898, 36}},
	{4, 2}: {{1, 0, 1, 22_675, 31}},
	{2, 3}: {{2, 1, 2, 695, 20}},
	{2, 4}: {{2, 2, 3, 2_648, 25}},
}

// TestMSpec2Counts runs where the sizes are those of a published row: see TestMSpec2Parity.
func TestMSpec2Counts(t *testing.T) {
	rows := rowsOf[[2]int{Servers, MaxTransactions}]
	if asSystem || MaxTimeoutFailures == 0 || len(rows) == 0 {
		t.Skip("compiled for other sizes")
	}
	for _, r := range rows {
		choice := grains.Choice{
			Grains: []grains.Ref{
				{Module: "election", Grain: "coarse"}, {Module: "synchronization", Grain: "follower-steps"},
				{Module: "broadcast", Grain: "baseline"}, {Module: "faults", Grain: "crash-partition"},
				{Module: "bounds", Grain: "mspec-2"},
			},
			Invariants: []string{"*"},
			Budgets:    map[string]int{"crashes": r.crashes, "partitions": r.partitions, "epochs": MaxEpochs},
		}
		// The compiled-in limit of time-outs is the largest; rules keep to fewer.
		spec := compose(t, choice,
			modules.When(&NodeCrash, func(s *State, p One) bool { return s.isLooking(p.I) || s.NTimeout < uint8(r.timeouts) }),
			modules.When(&PartitionStart, func(s *State, _ Pair) bool { return s.NTimeout < uint8(r.timeouts) }))
		have, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
		switch {
		case err != nil:
			t.Error(err)
		case r.distinct == 0:
			if name, depth := found(t, spec, have); name != "leaderLogCompleteness" || depth != r.depth {
				t.Errorf("%+v: %s at depth %d", r, name, depth)
			}
		case have.Verdict != checker.Holds || have.Distinct != r.distinct || have.Depth != r.depth:
			t.Errorf("%+v: %s with %d states, depth %d", r, have.Verdict, have.Distinct, have.Depth)
		}
	}
}

// TestMSpec2Parity compiles the package with the sizes of published rows and runs TestMSpec2Counts
// there.
func TestMSpec2Parity(t *testing.T) {
	t.Parallel()
	for size := range rowsOf {
		if size != [2]int{3, 2} && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue
		}
		t.Run(fmt.Sprintf("%d servers, %d transactions", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			withSizes(t, "^TestMSpec2(Counts|PropertiesCanFail|Transcript)$", map[string]string{
				"Servers": fmt.Sprint(size[0]), "MaxTransactions": fmt.Sprint(size[1]),
				"MaxTimeoutFailures": "3", "Specification": `"mspec-2"`, "ElectionSlots": "0", "SystemSlots": "0",
			})
		})
	}
}
