package explore_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/raft/reference"
)

type raftNode = checker.Node[reference.State, [8]uint8]

// raft returns the reference model with 2 terms, 2 requests and queues of 1, as compiled in, and
// budgets.
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

// BenchmarkParts explores configuration MID in two parts, whose frames stay in this process, and
// next to it in two workers with fingerprints as long.
func BenchmarkParts(b *testing.B) {
	spec := raft(b, 1, 1)
	measure := func(name string, explored func() (checker.Result[raftNode], error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				res, err := explored()
				if err != nil || res.Distinct != 1_512_004 {
					b.Fatal(res.Verdict, res.Distinct, err)
				}
				b.ReportMetric(float64(res.Distinct)/res.Duration.Seconds(), "distinct/s")
			}
		})
	}
	measure("workers=2", func() (checker.Result[raftNode], error) {
		return explore.Run(spec, explore.Options{Workers: 2, Stop: 1, Fingerprint: explore.WideFingerprint})
	})
	measure("parts=2", func() (checker.Result[raftNode], error) {
		results, errs := shared(spec, explore.Options{Stop: 1}, newNetwork(2))
		return results[0], errors.Join(errs...)
	})
}
