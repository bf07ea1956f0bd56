package chain

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxPuts != 2 || MaxGets != 1 {
		t.Skip("the run is for the sizes as they are")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "client", Grain: "baseline"}, {Module: "replication", Grain: "baseline"},
			{Module: "master", Grain: "baseline"}, {Module: "faults", Grain: "stopping"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Kind":  {"", "PUT", "GET", "UPDATE", "DONE", "VALUE", "VIEW"},
		"Phase": {"Idle", "Called", "Sent", "Answered"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
