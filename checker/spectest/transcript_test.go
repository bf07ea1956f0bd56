package spectest

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type colour uint8

type lamps struct {
	On     [2]bool
	Colour [2]colour
	Seen   modules.Seq[flash, [4]flash]
}

type flash struct {
	I      int8
	Colour colour
	Bright bool
}

type one = modules.One[int8]

// spec has two lamps that can be switched on, in order, and never both.
func spec(t *testing.T) *checker.Spec[checker.Node[lamps, [0]uint8]] {
	t.Helper()
	turn := modules.Action[lamps, one]{
		Name: "TurnOn", Params: modules.Each[int8](2),
		Guard: func(s *lamps, p one) bool { return !s.On[p.I] },
		Effect: func(s, n *lamps, p one) {
			n.On[p.I] = true
			n.Colour[p.I] = colour(p.I)
			n.Seen.Append(flash{I: p.I, Colour: colour(p.I)})
		},
	}
	m, err := grains.Compose(&grains.System[lamps]{
		Name:    "lamps",
		Init:    func(yield func(lamps) bool) { yield(lamps{}) },
		Modules: []grains.Module{{Name: "lamps"}},
		Grains:  []grains.Grain[lamps]{{Name: "baseline", Covers: []string{"lamps"}, Actions: []modules.AnyAction[lamps]{&turn}}},
		Invariants: []modules.Invariant[lamps]{
			{ID: "NotBoth", State: func(s *lamps) bool { return !s.On[0] || !s.On[1] }},
		},
	}, grains.Choice{Grains: []grains.Ref{{Module: "lamps", Grain: "baseline"}}, Invariants: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := checker.Of[lamps, [0]uint8](m, Names(map[string][]string{"colour": {"red", "green"}}))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTake(t *testing.T) {
	r, err := NewRun(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		step string
		want []string
	}{
		{"TurnOn 1", []string{"On[1] = true", "Colour[1] = green", "Seen = <{I:1 Colour:green}>"}},
		{"TurnOn 1", []string{"is not enabled"}},
		{"TurnOn 0", []string{"On[0] = true", "Seen = <{I:1 Colour:green} {Colour:red}>", "breaks NotBoth"}},
	} {
		if got, err := r.Take(c.step); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", c.step, got, err)
		}
	}
	if _, err := r.Take("TurnOn 2"); err == nil {
		t.Error("a step that does not exist is taken")
	}
	if r.Enabled() != "" {
		t.Errorf("enabled is %q", r.Enabled())
	}
}
