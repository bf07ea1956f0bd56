package libraft

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
		Budgets:    map[string]int{"timeouts": 3, "beats": 2, "restarts": 1, "partitions": 1, "checks": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Role": {"Follower", "PreCandidate", "Candidate", "Leader", "Unavailable"},
		"Kind": {"", "RequestVote", "RequestVoteResult", "AppendEntries", "AppendEntriesResult"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
