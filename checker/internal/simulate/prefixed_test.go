package simulate_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// TestPrefixed counts the steps of walks that consist of a prefix alone. It expects the same longer
// walks with any number of workers.
func TestPrefixed(t *testing.T) {
	t.Parallel()
	spec := digitsSpec(t, &checker.Branches{Taken: make([]uint32, 16), Points: make([]checker.Point, 8)})
	run := func(depth, workers int, prefixes ...[]int32) simulate.Result[checker.Node[digits, [0]uint8]] {
		g, err := simulate.NewGuided(spec, nil, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		res, err := simulate.RunWith(spec, simulate.Options{Number: 200, Depth: depth, Seed: 5, Workers: workers}, simulate.NewPrefixed(g, prefixes))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := run(3, 2, []int32{0, 0, 1}); res.Instances[0] != 400 || res.Instances[1] != 200 || res.Distinct != 4 {
		t.Errorf("steps %v, %d nodes", res.Instances, res.Distinct)
	}
	a, b := run(12, 1, nil, []int32{1}, []int32{1, 1, 0}), run(12, 3, nil, []int32{1}, []int32{1, 1, 0})
	if a.Digest != b.Digest || a.Instances[0] != b.Instances[0] || a.Steps != 200*12 {
		t.Errorf("%d and %d steps, %v and %v", a.Steps, b.Steps, a.Instances, b.Instances)
	}
}
