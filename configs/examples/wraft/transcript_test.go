package wraft

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt: figure 7 of the SandTable paper.
func TestTranscript(t *testing.T) {
	t.Parallel()
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "baseline"}, {Module: "replication", Grain: "baseline"},
			{Module: "snapshot", Grain: "baseline"}, {Module: "faults", Grain: "isolation"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"timeouts": 2, "beats": 1, "compactions": 1, "isolations": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Role": {"Follower", "Candidate", "Leader"},
		"Kind": {"", "RequestVote", "RequestVoteResponse", "AppendEntries", "AppendEntriesResponse", "Snapshot"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
