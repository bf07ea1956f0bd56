package simulate_test

import (
	"sync/atomic"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// digits is a number in two digits. Its branches are whether a guard sees each of the values.
type digits struct{ Low, High uint8 }

func digitsSpec(t *testing.T, b *checker.Branches) *checker.Spec[checker.Node[digits, [0]uint8]] {
	t.Helper()
	see := func(k int) { atomic.StoreUint32(&b.Taken[k], 1) }
	table := &modules.Spec[digits]{System: "digits", Init: func(yield func(digits) bool) { yield(digits{}) }}
	for _, x := range modules.Bind([]modules.AnyAction[digits]{
		&modules.Action[digits, modules.None]{Name: "Low", Params: modules.Once,
			Guard:  func(s *digits, _ modules.None) bool { see(int(s.Low)); return true },
			Effect: func(s, n *digits, _ modules.None) { n.Low = (s.Low + 1) % 8 }},
		&modules.Action[digits, modules.None]{Name: "High", Params: modules.Once,
			Guard:  func(s *digits, _ modules.None) bool { see(8 + int(s.High)); return true },
			Effect: func(s, n *digits, _ modules.None) { n.High = (s.High + 1) % 8 }},
	}, nil, nil) {
		table.Actions = append(table.Actions, modules.SpecAction[digits]{Bound: x, Module: "digits"})
	}
	spec, err := checker.Of[digits, [0]uint8](table, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestBranches expects that each branch is a feature of exactly the walks that were first to take
// it, with any number of workers. Without branches all states look alike.
func TestBranches(t *testing.T) {
	t.Parallel()
	features := map[bool]int{}
	for _, use := range []bool{false, true} {
		var first simulate.Result[checker.Node[digits, [0]uint8]]
		for _, workers := range []int{1, 4} {
			b := &checker.Branches{Taken: make([]uint32, 16), Points: make([]checker.Point, 8)}
			spec := digitsSpec(t, b)
			g, err := simulate.NewGuided(spec, nil, 0.2)
			if err != nil {
				t.Fatal(err)
			}
			g.UseBranches = use
			res, err := simulate.RunWith(spec, simulate.Options{Number: 500, Depth: 9, Seed: 2, Workers: workers, Branches: b}, g)
			if err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				first, features[use] = res, g.Features()
			} else if res.Digest != first.Digest || res.Steps != first.Steps || g.Features() != features[use] {
				t.Errorf("with branches %v: %d steps and %d features, not %d and %d", use, res.Steps, g.Features(), first.Steps, features[use])
			}
			if b.Count() != 16 {
				t.Errorf("%d branches are taken", b.Count())
			}
		}
	}
	if features[true] != features[false]+16 {
		t.Errorf("%d features with branches, %d without", features[true], features[false])
	}
}
