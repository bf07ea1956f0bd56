package explore_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/raft/reference"
)

type raftNode = checker.Node[reference.State, [8]uint8]

// raft is the reference model with 2 terms, 2 requests and queues of 1, as compiled in, and budgets.
func raft(t testing.TB, crashes, drops int) *checker.Spec[raftNode] {
	t.Helper()
	m, err := grains.Compose(&reference.System, grains.Choice{
		Grains:     []grains.Ref{{Module: "raft", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"}},
		Invariants: []string{"*"}, Budgets: map[string]int{"crashes": crashes, "drops": drops},
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

// TestReferenceCounts holds the engine against TLC's counts of the reference model: configuration C, and MID where long
// tests run.
func TestReferenceCounts(t *testing.T) {
	for _, c := range []struct {
		crashes, drops, depth int
		distinct, generated   int64
		slow                  bool
	}{
		{0, 0, 32, 245_028, 851_086, false},
		{1, 1, 35, 1_512_004, 8_807_446, true},
	} {
		t.Run(fmt.Sprintf("crashes=%d,drops=%d", c.crashes, c.drops), func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("-short: 1.5 million states")
			}
			res, err := explore.Run(raft(t, c.crashes, c.drops), explore.Options{Stop: 1})
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict != checker.Holds || res.Distinct != c.distinct || res.Generated != c.generated || res.Depth != c.depth {
				t.Errorf("%s, %d distinct, %d generated, depth %d", res.Verdict, res.Distinct, res.Generated, res.Depth)
			}
		})
	}
}

// BenchmarkMID explores configuration MID with invariants and trace log.
func BenchmarkMID(b *testing.B) {
	for _, workers := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			spec := raft(b, 1, 1)
			for b.Loop() {
				res, err := explore.Run(spec, explore.Options{Workers: workers, Stop: 1})
				if err != nil || res.Distinct != 1_512_004 {
					b.Fatal(res.Verdict, res.Distinct, err)
				}
				b.ReportMetric(float64(res.Distinct)/res.Duration.Seconds(), "distinct/s")
				b.ReportMetric(float64(res.Generated)/res.Duration.Seconds(), "generated/s")
				b.ReportMetric(float64(res.Memory)/float64(res.Distinct), "B/state")
			}
		})
	}
}
