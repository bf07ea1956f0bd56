package zab

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
)

// TestQuorumReachesBroadcast: what configs/zab/liveness.hcl says, for a crash alone, and that a
// leader that waits for its followers without a time-out breaks it.
func TestQuorumReachesBroadcast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		grains []grains.Ref
		steps  int // to the loop; -1: it holds
	}{
		{"coarse", []grains.Ref{{Module: "election", Grain: "coarse"}}, -1},
		{"no time-out", []grains.Ref{{Module: "election", Grain: "coarse-election"}, {Module: "discovery", Grain: "baseline"}}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			spec, err := grains.Compose(&System, grains.Choice{
				Grains: append(c.grains, grains.Ref{Module: "synchronization", Grain: "baseline"},
					grains.Ref{Module: "broadcast", Grain: "baseline"}, grains.Ref{Module: "faults", Grain: "crash-partition"}),
				Properties: []string{"broadcast"},
				Budgets:    map[string]int{"crashes": 1, "partitions": 0, "requests": 0, "epochs": 2},
			})
			if err != nil {
				t.Fatal(err)
			}
			bound, err := checker.Of[State, [8]uint8](spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := spectest.Liveness(bound)
			if err != nil || res.Reason != "" {
				t.Fatal(err, res.Reason)
			}
			if c.steps < 0 {
				if len(res.Violations) > 0 {
					t.Errorf("%+v", res.Violations[0].Trace.Steps)
				}
				return
			}
			if len(res.Violations) != 1 || len(res.Violations[0].Trace.Steps) != c.steps || res.Violations[0].Loop != c.steps {
				t.Errorf("%d violations", len(res.Violations))
			}
		})
	}
}
