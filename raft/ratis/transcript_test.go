package ratis

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
			{Module: "election", Grain: "baseline"}, {Module: "replication", Grain: "baseline"}, {Module: "faults", Grain: "lose-restart"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"timeouts": 2, "passes": 1, "beats": 2, "losses": 2, "restarts": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Role":   {"Follower", "Candidate", "Leader"},
		"Kind":   {"", "RequestVote", "RequestVoteReply", "AppendEntries", "AppendEntriesReply"},
		"Result": {"Success", "NotLeader", "Inconsistency"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
