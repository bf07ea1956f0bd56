package simulate_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// TestMixed expects the pattern of shares, the depth of each part, and the same walks with any
// number of workers.
func TestMixed(t *testing.T) {
	t.Parallel()
	spec := diceSpec(t)
	guided := func() *simulate.Guided[checker.Node[dice, [0]uint8]] {
		g, err := simulate.NewGuided(spec, map[string]float64{"Full": 0}, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	mixed := func() *simulate.Mixed[checker.Node[dice, [0]uint8]] {
		return simulate.NewMixed([]simulate.Part[checker.Node[dice, [0]uint8]]{
			{Name: "a", Strategy: guided(), Share: 3}, {Name: "none", Strategy: guided()}, {Name: "b", Strategy: guided(), Share: 1, Depth: 2},
		})
	}
	m := mixed()
	of := ""
	for walk := range int64(8) {
		of += m.Parts()[m.Of(walk+1)].Name
	}
	if of != "abaaabaa" {
		t.Errorf("walks are taken by %s", of)
	}
	var all []simulate.Result[checker.Node[dice, [0]uint8]]
	for _, workers := range []int{1, 3} {
		res, err := simulate.RunWith(spec, simulate.Options{Number: 400, Depth: 20, Seed: 4, Workers: workers, Stop: 0}, mixed())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, res)
	}
	if a, b := all[0], all[1]; a.Digest != b.Digest || a.Steps != b.Steps || a.Distinct != b.Distinct || a.Walks != 400 {
		t.Errorf("%d steps and %d nodes with one worker, %d and %d with three", a.Steps, a.Distinct, b.Steps, b.Distinct)
	}
	if all[0].Ends.Finished == 0 {
		t.Error("no walk ends at the depth of its part")
	}
}
