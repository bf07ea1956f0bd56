package twophase

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if RMs != 3 || Early {
		t.Skip("the run is for the sizes as they are")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains:     []grains.Ref{{Module: "participants", Grain: "baseline"}, {Module: "coordinator", Grain: "baseline"}},
		Invariants: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Phase":    {"Working", "Ready", "Committed", "Aborted"},
		"Decision": {"Undecided", "ToCommit", "ToAbort"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
