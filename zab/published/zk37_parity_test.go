package published

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// systemRow holds TLC's counts for ZkV3_7_0 under a view without its last step, for limits of
// crashes, partitions, other time-outs and those of elections. TLC's depth counts states, one more.
type systemRow struct {
	crashes, partitions, timeouts, fle int
	distinct                           int64
	depth                              int
}

// systemRows are the rows for so many servers, transactions and epochs. The first is a published
// one. For the others TLC ran on the published files with the same view. Where states are fewer
// than a hundred thousand the sets are equal too.
var systemRows = map[[3]int][]systemRow{
	{2, 1, 2}: {{1, 0, 1, 3, 30_924, 52}, {0, 1, 1, 3, 51_740, 52}},
	{2, 2, 3}: {{2, 0, 2, 2, 143_139, 67}},
	{3, 1, 1}: {{0, 0, 0, 1, 26_557, 34}},
}

// chooseZK37 returns the composition of all baselines with the bounds of ZkV3_7_0.
func chooseZK37(r systemRow) grains.Choice {
	c := grains.Choice{
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": r.crashes, "partitions": r.partitions, "fle_timeouts": r.fle},
	}
	for _, m := range []string{"election", "discovery", "synchronization", "broadcast"} {
		c.Grains = append(c.Grains, grains.Ref{Module: m, Grain: "baseline"})
	}
	c.Grains = append(c.Grains, grains.Ref{Module: "faults", Grain: "crash-partition"}, grains.Ref{Module: "bounds", Grain: "zk-3.7"})
	return c
}

// TestZK37Counts runs where the sizes are those of a row: see TestZK37Parity.
func TestZK37Counts(t *testing.T) {
	rows := systemRows[[3]int{Servers, MaxTransactions, MaxEpochs}]
	if !asSystem || MaxTimeoutFailures == 0 || len(rows) == 0 {
		t.Skip("compiled for other sizes")
	}
	for _, r := range rows {
		// The compiled-in limit of time-outs is the largest; rules keep to fewer.
		spec := compose(t, chooseZK37(r),
			modules.When(&NodeCrash, func(s *State, p One) bool { return s.isLooking(p.I) || s.NTimeout < uint8(r.timeouts) }),
			modules.When(&PartitionStart, func(s *State, _ Pair) bool { return s.NTimeout < uint8(r.timeouts) }))
		have, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if have.Verdict != checker.Holds || have.Distinct != r.distinct || have.Depth != r.depth {
			t.Errorf("%+v: %s with %d states, depth %d", r, have.Verdict, have.Distinct, have.Depth)
		}
	}
}

// TestZK37Parity compiles the package with the sizes of the rows and runs TestZK37Counts there.
func TestZK37Parity(t *testing.T) {
	t.Parallel()
	for size := range systemRows {
		t.Run(fmt.Sprintf("%d servers, %d transactions, %d epochs", size[0], size[1], size[2]), func(t *testing.T) {
			t.Parallel()
			withSizes(t, "^TestZK37Counts$", map[string]string{
				"Servers": fmt.Sprint(size[0]), "MaxTransactions": fmt.Sprint(size[1]),
				"MaxEpochs": fmt.Sprint(size[2]), "MaxTimeoutFailures": "2", "Specification": `"zk-3.7"`,
				"MaxNotifications": "16",
			})
		})
	}
}
