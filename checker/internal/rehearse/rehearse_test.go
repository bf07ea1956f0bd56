package rehearse_test

import (
	"slices"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/rehearse"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// coin is a state with a common step and two rare ones.
type coin struct{ Tosses, Edges uint8 }

type node = checker.Node[coin, [0]uint8]

func composed(t *testing.T) *checker.Spec[node] {
	t.Helper()
	spec := &modules.Spec[coin]{System: "coin", Init: func(yield func(coin) bool) { yield(coin{}) }}
	step := func(name string, do func(n *coin)) modules.AnyAction[coin] {
		return &modules.Action[coin, modules.None]{Name: name, Params: modules.Once,
			Guard:  func(s *coin, _ modules.None) bool { return s.Tosses < 200 },
			Effect: func(_, n *coin, _ modules.None) { n.Tosses++; do(n) }}
	}
	for _, b := range modules.Bind([]modules.AnyAction[coin]{
		step("Toss", func(*coin) {}), step("Edge", func(n *coin) { n.Edges++ }), step("Lost", func(*coin) {}),
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[coin]{Bound: b, Module: "coin"})
	}
	bound, err := checker.Of[coin, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// TestChoose: the first walks have the rare steps, and no walk is chosen that adds nothing. The
// same seed chooses the same walks.
func TestChoose(t *testing.T) {
	t.Parallel()
	spec := composed(t)
	choose := func(o rehearse.Options) (out [][]int32) {
		walk, err := simulate.NewStepper(spec, map[string]float64{"Edge": 0.002, "Lost": 0.002})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range rehearse.Choose([]*simulate.Stepper[node]{walk}, spec, o) {
			out = append(out, p.Steps)
		}
		return out
	}
	o := rehearse.Options{Walks: 2000, Most: 50, Depth: 10, Seed: 4, Time: time.Minute}
	all := choose(o)
	rare := func(steps []int32) bool { return slices.Contains(steps, 1) || slices.Contains(steps, 2) }
	if len(all) == 0 || len(all) > 3 || !rare(all[0]) {
		t.Fatalf("%d walks are chosen: %v", len(all), all)
	}
	for _, action := range []int32{0, 1, 2} {
		if !slices.ContainsFunc(all, func(steps []int32) bool { return slices.Contains(steps, action) }) {
			t.Errorf("no chosen walk takes action %d", action)
		}
	}
	if again := choose(o); !slices.EqualFunc(all, again, slices.Equal) {
		t.Errorf("%v, and then %v", all, again)
	}
	o.Aims = []bool{false, true, false} // the order of aimed steps counts, too
	if aimed := choose(o); len(aimed) == 0 || !slices.Contains(aimed[0], 1) {
		t.Errorf("the first walk does not take the action that is aimed at: %v", aimed)
	}
	// A rare action is in the first walk, whatever else walks have.
	o.Aims = []bool{false, false, true}
	if aimed := choose(o); len(aimed) == 0 || !slices.Contains(aimed[0], 2) {
		t.Errorf("the first walk does not take the rare action: %v", aimed)
	}
	if o.Walks = 0; choose(o) != nil {
		t.Error("without walks some are chosen")
	}
}
