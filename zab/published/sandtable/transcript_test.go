package sandtable

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Servers != 3 {
		t.Skip("the run is for three servers")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
			{Module: "faults", Grain: "crash-partition"}, {Module: "bounds", Grain: "zk-3.4.3"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": 1, "timeouts": 2, "fle_timeouts": 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"ServerState": {"LOOKING", "FOLLOWING", "LEADING"},
		"ZabState":    {"ELECTION", "DISCOVERY", "SYNCHRONIZATION"},
		"Kind":        {"", "FOLLOWERINFO", "LEADERINFO", "ACKEPOCH"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
