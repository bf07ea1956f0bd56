package published

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestMSpec2Transcript checks the run in testdata/mspec-2.txt. It needs faults, so TestMSpec2Parity
// runs it with other sizes, and writes it with -transcripts.
func TestMSpec2Transcript(t *testing.T) {
	t.Parallel()
	switch {
	case MaxTimeoutFailures == 0 || asSystem:
		t.Skip("compiled without faults")
	case Servers != 3 || MaxTransactions != 2:
		return // the run is for three servers with two transactions
	}
	m, err := grains.Compose(&System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "coarse"}, {Module: "synchronization", Grain: "follower-steps"},
			{Module: "broadcast", Grain: "baseline"}, {Module: "faults", Grain: "crash-partition"},
			{Module: "bounds", Grain: "mspec-2"},
		},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": 1, "partitions": 1, "epochs": MaxEpochs},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"ServerState":  {"LOOKING", "FOLLOWING", "LEADING"},
		"ZabState":     {"ELECTION", "DISCOVERY", "SYNCHRONIZATION", "BROADCAST"},
		"ServingState": {"SHUTDOWN", "INITIAL", "RUNNING"},
		"Kind": {"", "FOLLOWERINFO", "LEADERINFO", "ACKEPOCH", "DIFF", "TRUNC", "SNAP", "PROPOSAL", "COMMIT", "NEWLEADER", "ACKLD",
			"UPTODATE", "ACK"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/mspec-2.txt", spec)
}
