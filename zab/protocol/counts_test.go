package protocol

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/naive"
	"github.com/multigrain/multigrain/grains"
)

type node = checker.Node[State, [8]uint8]

// choice picks the grains that the shipped manifests pick.
func choice(synchronization, bounds string, more ...grains.Ref) grains.Choice {
	return grains.Choice{
		Grains: append([]grains.Ref{
			{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
			{Module: "synchronization", Grain: synchronization}, {Module: "broadcast", Grain: "baseline"},
			{Module: "faults", Grain: "timeout-restart"}, {Module: "bounds", Grain: bounds},
		}, more...),
		Invariants: []string{"*"},
	}
}

func compose(t *testing.T, c grains.Choice) *checker.Spec[node] {
	t.Helper()
	spec, err := grains.Compose(&System, c)
	if err != nil {
		t.Fatal(err)
	}
	out, err := checker.Of[State, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPublishedCount holds the compiled-in sizes against what TLC finds for Zab.tla with 2 servers, MaxTransactionNum 2,
// MaxTimeoutFailures 2, MaxRestarts 0 and MaxEpoch 3, seen without recorder.pc.
func TestPublishedCount(t *testing.T) {
	t.Parallel()
	r := naive.Run(compose(t, choice("atomic", "published")), naive.Options[node]{})
	if r.Verdict != checker.Holds || r.Distinct != 26695 || r.Generated != 33521 || r.Depth != 37 {
		t.Errorf("%s with %d distinct, %d generated, depth %d; published: holds, 26695, 33521, 37",
			r.Verdict, r.Distinct, r.Generated, r.Depth)
	}
}
