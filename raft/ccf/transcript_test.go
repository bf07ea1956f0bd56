package ccf

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
			{Module: "election", Grain: "baseline"}, {Module: "replication", Grain: "baseline"}, {Module: "signatures", Grain: "baseline"},
			{Module: "client", Grain: "baseline"}, {Module: "reconfiguration", Grain: "baseline"}, {Module: "network", Grain: "drop-duplicate"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"drops": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Leadership": {"None", "Follower", "PreVoteCandidate", "Candidate", "Leader"},
		"Membership": {"Active", "RetirementOrdered", "RetirementSigned", "RetirementCompleted", "RetiredCommitted"},
		"PreVote":    {"Disabled", "Capable", "Enabled"},
		"Content":    {"", "Entry", "Signature", "Reconfiguration", "Retired"},
		"Kind":       {"", "RequestVoteRequest", "RequestVoteResponse", "AppendEntriesRequest", "AppendEntriesResponse", "ProposeVoteRequest"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
