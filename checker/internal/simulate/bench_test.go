package simulate_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/raft/reference"
)

type raftNode = checker.Node[reference.State, [8]uint8]

// raft returns the reference model with 2 terms and 2 requests, as compiled in, and budgets.
func raft(t testing.TB) *checker.Spec[raftNode] {
	t.Helper()
	m, err := grains.Compose(&reference.System, grains.Choice{
		Grains:     []grains.Ref{{Module: "raft", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"}},
		Invariants: []string{"*"}, Budgets: map[string]int{"crashes": 1, "drops": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[reference.State, [8]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// BenchmarkRaft walks the reference model, all properties judged.
func BenchmarkRaft(b *testing.B) {
	for _, opt := range []simulate.Options{{Workers: 1}, {Workers: 1, Learned: true}, {Workers: 2}} {
		b.Run(fmt.Sprintf("workers=%d,learned=%v", opt.Workers, opt.Learned), func(b *testing.B) {
			spec := raft(b)
			opt.Depth, opt.Number = 60, 20_000
			for b.Loop() {
				res, err := simulate.Run(spec, opt)
				if err != nil || res.Verdict != checker.Holds {
					b.Fatal(res.Verdict, err)
				}
				b.ReportMetric(float64(res.Steps)/res.Duration.Seconds(), "steps/s")
				b.ReportMetric(float64(res.Distinct), "distinct")
				b.ReportMetric(float64(res.Abstractions), "abstractions")
			}
		})
	}
}

// BenchmarkWalk takes walks for their traces.
func BenchmarkWalk(b *testing.B) {
	w, err := simulate.NewWalker(raft(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	steps, walk := 0, int64(0)
	for b.Loop() {
		walk++
		t, err := w.Walk(simulate.Source(1, walk), 60)
		if err != nil {
			b.Fatal(err)
		}
		steps += len(t.Steps)
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}
