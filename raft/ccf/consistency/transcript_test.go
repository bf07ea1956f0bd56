package consistency

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
		Grains:     []grains.Ref{writes, status, reads, elections, others},
		Invariants: []string{"OnceCommittedNextInvalidInv"},
		Budgets:    map[string]int{"history": 16, "others": 1, "elections": 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, spectest.Names(map[string][]string{
		"Kind":   {"", "RwTxRequest", "RwTxResponse", "RoTxRequest", "RoTxResponse", "TxStatusReceived"},
		"Status": {"", "CommittedStatus", "InvalidStatus"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	spectest.CheckTranscript(t, "testdata/transcript.txt", spec)
}
