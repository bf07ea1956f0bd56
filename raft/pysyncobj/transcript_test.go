package pysyncobj

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "baseline"}, {Module: "replication", Grain: "baseline"}, {Module: "faults", Grain: "restart-partition"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"timeouts": 2, "beats": 2, "partitions": 1, "restarts": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Role": {"Follower", "Candidate", "Leader"},
		"Kind": {"", "RequestVote", "ResponseVote", "AppendEntries", "NextNodeIdx", "TimeoutNow"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
