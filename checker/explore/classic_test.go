package explore_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/classic"
)

// TestClassics explores the models of package classic in every way and compares each with the naive
// search; that one's counts are compared with the published ones there and here.
func TestClassics(t *testing.T) {
	t.Parallel()
	classics(t, classic.DieHard())
	classics(t, classic.EWD840())
	classics(t, classic.Bakery())
	classics(t, classic.Fischer())
	classics(t, classic.FastMutex())
	if !underRace {
		classics(t, classic.TwoPhaseCommit())
		classics(t, classic.PcalPaxos(1))
	}
}

func classics[S comparable](t *testing.T, m classic.Model[S]) {
	t.Run(m.Name, func(t *testing.T) {
		t.Parallel()
		spec, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		res := everyWay(t, spec, 0, false)
		if res.Distinct != m.Distinct || res.Generated != m.Generated || res.Depth != m.Depth {
			t.Errorf("%d distinct, %d generated, depth %d", res.Distinct, res.Generated, res.Depth)
		}
		if m.Violation == 0 != (res.Verdict == checker.Holds) {
			t.Errorf("it %s", res.Verdict)
		}
		if len(res.Violations) > 0 && res.Violations[0].Depth != m.Violation {
			t.Errorf("violated at depth %d", res.Violations[0].Depth)
		}
	})
}
