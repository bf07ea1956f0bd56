package session

import (
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestSeeds: the result of several seeds is that of the first with a violation; or else of the
// first that is undecided, or of the first. A seed without a step is undecided.
func TestSeeds(t *testing.T) {
	t.Parallel()
	holds, empty := wire.Report{Verdict: "holds", Simulation: &wire.Simulation{Walks: 2, Steps: 9}}, wire.Report{Verdict: "holds", Simulation: &wire.Simulation{}}
	open, found := holds, holds
	open.Verdict, found.Verdict = "undecided", "violated"
	for _, c := range []struct {
		reports []wire.Report
		want    uint64
		verdict string
	}{
		{[]wire.Report{holds, holds}, 0, "nothing-found"},
		{[]wire.Report{holds, empty, open}, 1, "undecided"},
		{[]wire.Report{open, holds, found, found}, 2, "violated"},
		{[]wire.Report{found, open, holds}, 0, "violated"},
	} {
		var all []result.Seeded
		var kept result.Seeded
		for k := range c.reports {
			if all = append(all, seeded(uint64(k), &c.reports[k])); decides(all) {
				kept = all[k]
			}
		}
		if kept.Seed != c.want || kept.Verdict != c.verdict {
			t.Errorf("%+v of %+v", kept, all)
		}
	}
}
