package vr

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// compose composes the baseline grains.
func compose(t *testing.T) *checker.Spec[checker.Node[State, [8]uint8]] {
	t.Helper()
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "normal", Grain: "baseline"}, {Module: "views", Grain: "baseline"},
			{Module: "recovery", Grain: "baseline"}, {Module: "faults", Grain: "crash"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": 1},
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

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Replicas != 3 || MaxViews != 1 || MaxRequests != 1 || OwnLog || AnyNonce {
		t.Skip("the run is for the sizes as they are")
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", compose(t))
}
