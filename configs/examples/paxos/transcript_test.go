package paxos

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// compose composes the baseline grains.
func compose(t *testing.T) *checker.Spec[checker.Node[State, [8]uint8]] {
	t.Helper()
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "prepare", Grain: "baseline"}, {Module: "accept", Grain: "baseline"},
			{Module: "clients", Grain: "baseline"},
		},
		Invariants: []string{"*"},
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
	if Servers != 3 || Clients != 2 || OwnValue || AcceptAny {
		t.Skip("the run is for the sizes as they are")
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", compose(t))
}

// TestPublishedCount compares the number of states with that of the example of stateright.
func TestPublishedCount(t *testing.T) {
	t.Parallel()
	if Servers != 3 || Clients != 2 || OwnValue || AcceptAny {
		t.Skip("the count is for the sizes as they are")
	}
	r, err := explore.Run(compose(t), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != checker.Holds || r.Distinct != 16_668 {
		t.Errorf("%s with %d states, want 16668", r.Verdict, r.Distinct)
	}
}
