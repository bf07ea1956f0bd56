package chain

import (
	"os"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

type node = checker.Node[State, [8]uint8]

// compose picks one grain for each module.
func compose(t *testing.T, client, replication, master string, crashes int) *checker.Spec[node] {
	t.Helper()
	spec, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "client", Grain: client}, {Module: "replication", Grain: replication},
			{Module: "master", Grain: master}, {Module: "faults", Grain: "stopping"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": crashes},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := checker.Of[State, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNaiveSearchAgrees compares the sets of states of the obvious search and the fast one, for the
// baseline grains and for each coarse grain alone.
func TestNaiveSearchAgrees(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		client, replication, master string
		crashes                     int
		distinct                    int64
		slow                        bool
	}{
		{"baseline", "baseline", "baseline", 0, 392, false},
		{"coarse", "coarse", "coarse", 1, 29_681, false},
		{"baseline", "baseline", "baseline", 1, 224_043, true},
		{"coarse", "baseline", "baseline", 1, 183_495, true},
		{"baseline", "coarse", "baseline", 1, 68_372, true},
		{"baseline", "baseline", "coarse", 1, 137_698, true},
	} {
		if c.slow && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue
		}
		spec := compose(t, c.client, c.replication, c.master, c.crashes)
		slow := spectest.Naive(spec, spectest.NaiveOptions[node]{})
		fast, err := explore.Run(spec, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if slow.Verdict != checker.Holds || slow.Distinct != c.distinct {
			t.Errorf("%v: %s with %d states, want %d", c, slow.Verdict, slow.Distinct, c.distinct)
		}
		if slow.Digest != fast.Digest || !slices.Equal(slow.Levels, fast.Levels) {
			t.Errorf("%v: digests %016x and %016x, levels %v and %v", c, slow.Digest, fast.Digest, slow.Levels, fast.Levels)
		}
		for k, a := range slow.Actions {
			if a.Fired == 0 && c.crashes > 0 {
				t.Errorf("%v: action %s never fired", c, spec.Actions[k].Name)
			}
		}
	}
}
