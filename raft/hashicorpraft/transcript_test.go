package hashicorpraft

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestTranscript checks the run in testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Servers != 3 || MaxTerm < 2 || MaxRequests < 1 {
		t.Skip("the run is for the sizes as they are")
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "baseline"}, {Module: "replication", Grain: "baseline"},
			{Module: "client", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"timeouts": 2, "checks": 1, "restarts": 1, "drops": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Role":      {"Follower", "Candidate", "Leader"},
		"EntryKind": {"", "Configuration", "Noop", "Command"},
		"Kind":      {"", "RequestVote", "VoteReply", "AppendEntries", "AppendReply", "Heartbeat", "HeartbeatReply"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
