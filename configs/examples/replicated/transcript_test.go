package replicated

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	m, err := grains.Compose(&System, grains.Choice{Grains: []grains.Ref{{Module: "log", Grain: "baseline"}}, Invariants: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [0]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
