package simulate_test

import (
	"math"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// dice is a state with four actions. One is never enabled, and one exceeds a capacity.
type dice struct {
	Last uint8
	None modules.Seq[uint8, [0]uint8]
}

func diceSpec(t *testing.T) *checker.Spec[checker.Node[dice, [0]uint8]] {
	t.Helper()
	roll := func(name string, n int, guard bool) modules.AnyAction[dice] {
		return &modules.Action[dice, modules.One[uint8]]{Name: name, Params: modules.Each[uint8](n),
			Guard:  func(*dice, modules.One[uint8]) bool { return guard },
			Effect: func(s, d *dice, p modules.One[uint8]) { d.Last = uint8(n)*10 + p.I }}
	}
	full := &modules.Action[dice, modules.None]{Name: "Full", Params: modules.Once, Effect: func(s, d *dice, _ modules.None) { d.None.Append(1) }}
	spec := &modules.Spec[dice]{System: "dice", Init: func(yield func(dice) bool) { yield(dice{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[dice]{roll("Rare", 2, true), roll("Often", 4, true), roll("Never", 3, false), full}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[dice]{Bound: b})
	}
	bound, err := checker.Of[dice, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// TestStepperDraws compares the frequencies of actions and instances with the weights, and refused
// steps against the walk: an action that is never possible changes nothing of the others' shares.
func TestStepperDraws(t *testing.T) {
	t.Parallel()
	spec := diceSpec(t)
	s, err := simulate.NewStepper(spec, map[string]float64{"Often": 3, "Never": 50, "Full": 2})
	if err != nil {
		t.Fatal(err)
	}
	rng := simulate.Source(5, 1)
	if s.Start(rng) != 0 || len(s.Starts()) != 1 {
		t.Error("there is one initial node")
	}
	const steps = 40_000
	count := make([]float64, len(spec.Instances))
	for range steps {
		k, err := s.Step(rng)
		if err != nil || k < 0 {
			t.Fatal(k, err)
		}
		count[k]++
	}
	for k, in := range spec.Instances {
		want := map[string]float64{"Rare": 1.0 / 4 / 2, "Often": 3.0 / 4 / 4}[spec.Actions[in.Action].Name]
		if got := count[k] / steps; math.Abs(got-want) > 0.01 {
			t.Errorf("%s %v: share %.3f, want %.3f", spec.Actions[in.Action].Name, in.Params, got, want)
		}
	}
	if s.Refused == 0 || s.Refused != s.Exceeded {
		t.Errorf("%d refused, %d of them for want of capacity", s.Refused, s.Exceeded)
	}
	if s.Node().State.Last == 0 || s.Before().State.Last == 0 {
		t.Error("the walk stands still")
	}
}

// TestStepperEnds holds that a walk ends where nothing can be done.
func TestStepperEnds(t *testing.T) {
	t.Parallel()
	s, err := simulate.NewStepper(diceSpec(t), map[string]float64{"Rare": 0, "Often": 0})
	if err != nil {
		t.Fatal(err)
	}
	rng := simulate.Source(5, 1)
	s.Start(rng)
	if k, err := s.Step(rng); k != -1 || err != nil {
		t.Error(k, err)
	}
}
