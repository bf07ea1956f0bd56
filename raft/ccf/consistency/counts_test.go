package consistency

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
)

// compose returns a composition of the named modules, each at a grain.
func compose(t *testing.T, history, others int, chosen []grains.Ref, invariants ...string) *checker.Spec[checker.Node[State, [8]uint8]] {
	t.Helper()
	if MaxHistory < 7 || MaxViews != 3 || MaxEntries < 7 || FirstBranch != 1 || Invalid != "early" {
		t.Skip("the counts are for other sizes")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: chosen, Invariants: invariants, Budgets: map[string]int{"history": history, "others": others, "elections": 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

var (
	writes    = grains.Ref{Module: "writes", Grain: "baseline"}
	status    = grains.Ref{Module: "status", Grain: "baseline"}
	reads     = grains.Ref{Module: "reads", Grain: "baseline"}
	elections = grains.Ref{Module: "elections", Grain: "baseline"}
	others    = grains.Ref{Module: "others", Grain: "baseline"}
)

// TestCounts compares distinct states and depths with what TLC 2.18 counted for the published
// specification. TLC's depth counts states, one more.
func TestCounts(t *testing.T) {
	t.Parallel()
	always := []string{"HistoryTypeOK", "LedgerTypeOK", "HistoryMonoProp", "LedgersMonoProp", "AllReceivedIsFirstSentInv",
		"AllCommittedObservedInv", "OnlyObserveSentRequestsInv", "UniqueTxsInv", "SameObservationsInv", "UniqueTxIdsInv",
		"UniqueTxRequestsInv", "UniqueSeqNumsCommittedInv", "CommittedOrInvalidStrongInv", "CommittedRwLinearizableInv",
		"CommittedRwOrderedSpecLinearizableInv"}
	alone := []string{"UniqueSeqNumsInv", "RwSerializableInv", "InvalidNotObservedInv", "AllCommittedObservedRoInv"}
	for _, c := range []struct {
		name            string
		history, others int
		grains          []grains.Ref
		distinct        int64
		depth           int
	}{
		{"MCSingleNode", 5, 0, []grains.Ref{writes, status}, 1024, 11},
		{"MCSingleNode", 7, 0, []grains.Ref{writes, status}, 63_449, 15},
		{"MCSingleNodeReads", 4, 0, []grains.Ref{writes, status, reads}, 380, 9},
		{"MCMultiNode", 4, 0, []grains.Ref{writes, status, elections}, 10_434, 11},
		{"MCMultiNodeReads", 4, 0, []grains.Ref{writes, status, reads, elections}, 15_789, 11},
		{"MCMultiNodeReads with AppendOtherTxnAction", 3, 1, []grains.Ref{writes, status, reads, elections, others}, 11_715, 10},
	} {
		invariants := always
		if len(c.grains) <= 3 && c.grains[len(c.grains)-1] != elections {
			invariants = append(invariants[:len(invariants):len(invariants)], alone...)
		}
		res, err := explore.Run(compose(t, c.history, c.others, c.grains, invariants...), explore.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != checker.Holds || res.Distinct != c.distinct || res.Depth != c.depth-1 {
			t.Errorf("%s, HistoryLimit %d: %v %v, %d distinct states, depth %d; TLC has %d and %d",
				c.name, c.history, res.Verdict, res.Violations, res.Distinct, res.Depth, c.distinct, c.depth-1)
		}
	}
}

// TestPropertiesThatDoNotHold: with elections, the properties of one node are violated, and a
// transaction that a client knows to be invalid is observed by a committed one.
func TestPropertiesThatDoNotHold(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"UniqueSeqNumsInv": 7, "RwSerializableInv": 7, "InvalidNotObservedInv": 7, "InvalidNotObservedByCommittedInv": 9,
	} {
		res, err := explore.Run(compose(t, 6, 0, []grains.Ref{writes, status, elections}, name), explore.Options{Workers: 1, Stop: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Violations) == 0 {
			t.Errorf("%s: %v", name, res.Verdict)
		} else if got := res.Violations[0].Depth; got != want {
			t.Errorf("%s: a counterexample of %d steps, want %d", name, got, want)
		}
	}
}
