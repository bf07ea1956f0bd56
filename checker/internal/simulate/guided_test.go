package simulate_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// TestGuidedWorkers: the same seed gives the same walks with any number of workers, and keeps the
// same number of them.
func TestGuidedWorkers(t *testing.T) {
	t.Parallel()
	spec := raft(t)
	var first simulate.Result[raftNode]
	var kept int
	for _, workers := range []int{1, 3} {
		by, err := simulate.NewGuided(spec, nil, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		res, err := simulate.RunWith(spec, simulate.Options{Depth: 40, Number: 500, Seed: 7, Workers: workers}, by)
		if err != nil || by.Kept() == 0 || by.Kept() > 500 || by.Features() < by.Kept() {
			t.Fatalf("%d walks are kept for %d features; %v", by.Kept(), by.Features(), err)
		}
		if workers == 1 {
			first, kept = res, by.Kept()
			continue
		}
		if res.Digest != first.Digest || res.Steps != first.Steps || res.Distinct != first.Distinct || by.Kept() != kept {
			t.Errorf("%d workers: %d steps, %d distinct, %d kept; one: %d, %d, %d", workers, res.Steps, res.Distinct, by.Kept(), first.Steps, first.Distinct, kept)
		}
	}
}
