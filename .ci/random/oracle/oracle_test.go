package oracle

import (
	"slices"
	"testing"
)

// lights is a specification in which each node can be switched on: F[i] becomes true. Module right
// counts the steps of looking.
func lights() *Spec {
	on := &Node{Op: "flagof", Var: 0, Who: "I"}
	return &Spec{
		Name: "lights", Nodes: 3,
		Vars:    []Var{{Name: "F", Kind: Flags}},
		Inits:   []Init{{}},
		Modules: []Module{{Name: "left"}, {Name: "right", Target: true}},
		Actions: []Action{
			{Name: "On", Domain: Each, Guard: &Node{Op: "not", Args: []*Node{on}}, Effect: []*Node{{Op: "setflagof", Who: "I", Args: []*Node{{Op: "true"}}}}},
			{Name: "Look", Module: 1, Domain: Each, Guard: on},
		},
		Properties: []Property{{ID: "P", Kind: State, On: -1, Holds: &Node{Op: "lt", Args: []*Node{{Op: "count"}, {Op: "const", N: 2}}}}},
		Liveness: []Leads{
			{ID: "all", To: &Node{Op: "all", Body: []*Node{{Op: "flagof", Who: "q"}}}},
			{ID: "each", Each: true, From: &Node{Op: "not", Args: []*Node{on}}, To: on},
			{ID: "lazy", To: &Node{Op: "any", Body: []*Node{{Op: "flagof", Who: "q"}}}, Unfair: []int{0}},
		},
		Coarse: []Coarse{
			{Name: "same", Keep: []int{0}},
			{Name: "never"},
		},
	}
}

// TestLights: the states are the subsets of three nodes, and up to permutations the numbers 0 to 3.
func TestLights(t *testing.T) {
	m := New(lights())
	g := m.Search(Choice{Properties: []int{0}})
	if !slices.Equal(g.Levels, []int{1, 3, 3, 1}) {
		t.Errorf("levels %v, want 1 3 3 1", g.Levels)
	}
	// One initial state; each of the 8 states has a step for each of the 3 nodes.
	if last := g.Totals[len(g.Totals)-1]; last != (Total{8, 25}) {
		t.Errorf("distinct and generated %v, want 8 and 25", last)
	}
	// Four subsets have two nodes or more.
	if want := (Finding{Property: 0, Level: 2, Depth: 2, Count: 4}); len(g.Found) != 1 || g.Found[0] != want {
		t.Errorf("found %+v, want %+v", g.Found, want)
	}
	if up := m.Search(Choice{Symmetric: true}); !slices.Equal(up.Levels, []int{1, 1, 1, 1}) || !g.Alike() {
		t.Errorf("levels %v up to permutations, want 1 1 1 1", up.Levels)
	}
	for k, violated := range []bool{false, false, true} {
		if g.Live(k) != violated {
			t.Errorf("liveness %s: violated is %v", m.Spec.Liveness[k].ID, !violated)
		}
	}
}

// TestLightsInLevels: a grain with the same actions is preserved, and one that never switches on
// misses every look.
func TestLightsInLevels(t *testing.T) {
	s := lights()
	for k, want := range []Levels{
		{NoFalse: [3]bool{false, true, true}, NoMissed: [3]bool{false, true, true}, FineViews: 3, CoarseViews: 3},
		{NoFalse: [3]bool{false, true, true}, FineViews: 3},
	} {
		if got := Compare(s, s.Composition(k), Choice{}, false); *got != want {
			t.Errorf("%s: %+v, want %+v", s.Coarse[k].Name, *got, want)
		}
	}
	if s.MustKeep(0) != "" || s.MustKeep(1) != "F" {
		t.Errorf("must keep %q and %q", s.MustKeep(0), s.MustKeep(1))
	}
}
