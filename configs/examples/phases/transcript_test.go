package phases

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxPhases != 4 || Dated != "taken" {
		t.Skip("the run is for the sizes as they are")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "prepare", Grain: "baseline"}, {Module: "propose", Grain: "baseline"}, {Module: "network", Grain: "loss"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"losses": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Kind": {"", "PREPARE", "ACK", "PROPOSE", "PROMISE"},
		"Step": {"Waiting", "Joined", "Taken", "Promised", "Done"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
