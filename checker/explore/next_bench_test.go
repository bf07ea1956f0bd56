package explore_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/raft/reference"
)

// BenchmarkNext makes the successors of the first nodes of the reference model by its table of
// actions. compose has the benchmark of generated next-state functions.
func BenchmarkNext(b *testing.B) {
	m, err := grains.Compose(&reference.System, grains.Choice{
		Grains:     []grains.Ref{{Module: "raft", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"}},
		Invariants: []string{"*"}, Budgets: map[string]int{"crashes": 1, "drops": 1},
	})
	if err != nil {
		b.Fatal(err)
	}
	type node = checker.Node[reference.State, [8]uint8]
	spec, err := checker.Of[reference.State, [8]uint8](m, nil)
	if err != nil {
		b.Fatal(err)
	}
	var nodes []node
	out := &checker.Successors[node]{}
	out.Full = func() {
		nodes = append(nodes, out.Node[:out.N]...)
		out.N = 0
	}
	spec.Init(func(n *node) bool { nodes = append(nodes, *n); return true })
	for k := 0; len(nodes) < 10_000; k++ {
		spec.Next(&nodes[k], out)
		out.Full()
	}
	steps := 0
	out.N, out.Full = 0, func() { steps += out.N; out.N = 0 }
	b.ResetTimer()
	for b.Loop() {
		for k := range nodes {
			spec.Next(&nodes[k], out)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
