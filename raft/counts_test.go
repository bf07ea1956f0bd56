package raft

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// node is a state with the counters of the budgets.
type node = checker.Node[State, [16]uint8]

func compose(t *testing.T, c grains.Choice) *checker.Spec[node] {
	t.Helper()
	m, err := grains.Compose(&System, c)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [16]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func choice(election, apply string, budgets map[string]int) grains.Choice {
	return grains.Choice{
		Grains: []grains.Ref{{Module: "election", Grain: election}, {Module: "replication", Grain: "baseline"},
			{Module: "apply", Grain: apply}, {Module: "client", Grain: "baseline"}, {Module: "faults", Grain: "restart-partition"}},
		Invariants: []string{"*"},
		Budgets:    budgets,
	}
}

// TestNaiveSearchAgrees compares the sets of states of the obvious search and of the fast one, and
// that the invariants hold.
func TestNaiveSearchAgrees(t *testing.T) {
	t.Parallel()
	for _, c := range []grains.Choice{
		choice("coarse", "baseline", map[string]int{"timeouts": 1, "requests": 1}),
		choice("coarse", "coarse", map[string]int{"timeouts": 2, "requests": 0}),
		choice("baseline", "coarse", map[string]int{"timeouts": 1, "requests": 1}),
	} {
		spec := compose(t, c)
		slow := spectest.Naive(spec, spectest.NaiveOptions[node]{})
		fast, err := explore.Run(spec, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if slow.Verdict != checker.Holds || fast.Verdict != checker.Holds {
			t.Errorf("%s and %s", slow.Verdict, fast.Verdict)
		}
		if slow.Distinct != fast.Distinct || slow.Digest != fast.Digest {
			t.Errorf("%d and %d states, digests %016x and %016x", slow.Distinct, fast.Distinct, slow.Digest, fast.Digest)
		}
		t.Logf("%v: %d states, depth %d", c.Budgets, fast.Distinct, fast.Depth)
	}
}
