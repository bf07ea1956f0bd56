package reference

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxTerm != 2 || MaxRequests != 2 || MaxQueue != 1 {
		t.Skip("the run is for the sizes as they are")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains:     []grains.Ref{{Module: "raft", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"}},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": 1, "drops": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Role": {"Follower", "Candidate", "Leader"}, "Kind": {"", "RV", "RVR", "AE", "AER"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
