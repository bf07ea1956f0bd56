package ahead_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/ahead"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// tank is filled and emptied. A tank with a leak loses what is above its mark.
type tank struct {
	Level uint8
	Leaks bool
	Lost  bool
}

type node = checker.Node[tank, [0]uint8]

// most is the highest level. Instances are 0 for Fill, 1 for Empty and 2 for Spill.
const most = 4

func composed(t *testing.T) (*checker.Spec[node], *simulate.Stepper[node]) {
	t.Helper()
	spec := &modules.Spec[tank]{System: "tank", Init: func(yield func(tank) bool) { yield(tank{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[tank]{
		&modules.Action[tank, modules.None]{Name: "Fill", Params: modules.Once,
			Guard: func(s *tank, _ modules.None) bool { return s.Level < most }, Effect: func(_, n *tank, _ modules.None) { n.Level++ }},
		&modules.Action[tank, modules.None]{Name: "Empty", Params: modules.Once,
			Guard: func(s *tank, _ modules.None) bool { return s.Level > 0 }, Effect: func(_, n *tank, _ modules.None) { n.Level = 0 }},
		&modules.Action[tank, modules.None]{Name: "Spill", Params: modules.Once,
			Guard:  func(s *tank, _ modules.None) bool { return s.Leaks && s.Level == 2 || s.Level == most },
			Effect: func(_, n *tank, _ modules.None) { n.Lost = true }},
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[tank]{Bound: b, Module: "tank"})
	}
	spec.Invariants = []*modules.Invariant[tank]{{ID: "Kept", State: func(s *tank) bool { return !s.Lost }}}
	bound, err := checker.Of[tank, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	walk, err := simulate.NewStepper(bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bound, walk
}

// TestSearch: the shortest steps come first. Steps that break the invariant from the twin, too, do
// not count, and neither does an invariant that is broken from the start.
func TestSearch(t *testing.T) {
	t.Parallel()
	spec, walk := composed(t)
	leaks, sound := node{State: tank{Leaks: true}}, node{}
	over, full := node{State: tank{Leaks: true, Lost: true}}, node{State: tank{Level: most, Leaks: true}}
	soundAndFull := node{State: tank{Level: most}}
	for _, x := range []struct {
		name       string
		from, twin *node
		limits     ahead.Limits
		want       string
	}{
		{"without a twin", &leaks, nil, ahead.Limits{States: 100, Paths: 1}, "[[0 0 2]]"},
		{"with a twin", &leaks, &sound, ahead.Limits{States: 100, Paths: 1}, "[[0 0 2]]"},
		{"the twin is as it is", &leaks, &leaks, ahead.Limits{States: 100, Paths: 1}, "[]"},
		{"a mistake of both", &full, &soundAndFull, ahead.Limits{States: 100, Paths: 1}, "[[1 0 0 2]]"},
		{"broken from the start", &over, nil, ahead.Limits{States: 100, Paths: 1}, "[]"},
		{"few states", &leaks, nil, ahead.Limits{States: 1, Paths: 1}, "[]"},
	} {
		var got [][]int32
		for _, p := range ahead.Search(walk, spec, 1, x.from, x.twin, x.limits) {
			if p.Breaks != 1 {
				t.Errorf("%s: the mask is %b", x.name, p.Breaks)
			}
			got = append(got, p.Steps)
		}
		if fmt.Sprint(got) != x.want {
			t.Errorf("%s: %v, want %s", x.name, got, x.want)
		}
	}
	if len(ahead.Search(walk, spec, 0, &leaks, nil, ahead.Limits{States: 100, Paths: 1})) > 0 {
		t.Error("no invariant is judged, and one is found")
	}
}
