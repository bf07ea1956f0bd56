package footprint

import (
	"reflect"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// TestMemo: random programs have the same footprints whether calls with unchanged inputs are
// interpreted again or not. Only the number of interpreted instructions differs.
func TestMemo(t *testing.T) {
	t.Parallel()
	saved, steps := 0, 0
	for seed := range int64(1000) {
		x, y := generate(t, seed), generate(t, seed)
		y.a.forgetful = true
		with, without := x.a.Action(x.code), y.a.Action(y.code)
		if with.Steps > without.Steps {
			t.Errorf("program %d: %d instructions were interpreted, and %d without what calls remember", seed, with.Steps, without.Steps)
		}
		saved, steps = saved+without.Steps-with.Steps, steps+without.Steps
		with.Steps, without.Steps = 0, 0
		if !reflect.DeepEqual(with, without) {
			t.Errorf("program %d has the footprint\n%+v\nand, without what calls remember,\n%+v\n%s", seed, with, without, x.text)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d instructions saved", saved, steps)
	if saved == 0 {
		t.Error("no call was remembered: the test says nothing")
	}
}

// TestMemoInputs has a program for each input of a call that is the only one to change between two
// interpretations: a call that took no notice of it would keep a result that is too small.
func TestMemoInputs(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"an argument": `
func effect(s, n *State) {
	x, y, z := 0, 0, 0
	for range 5 {
		y = same(x)
		x, z = z, s.B
	}
	n.A = y
}
func same(x int) int { return x }
`, "what decides about the call": `
func effect(s, n *State) {
	x, y, z := 0, 0, 0
	for range 5 {
		if x == 0 {
			set(n)
		}
		x, y, z = y, z, s.B
	}
}
func set(n *State) { n.A = 1 }
`, "the memory": `
func effect(s, n *State) {
	for range 5 {
		copyB(n)
		n.B = s.D.X
	}
}
func copyB(n *State) { n.A = n.B }
`, "a recursive call under way": `
func effect(s, n *State) {
	n.R[1] = s.B
	first(s, n, s.D.X)
}
func first(s, n *State, k int) int {
	if k <= 1 {
		return s.B
	}
	return second(s, n)
}
func second(s, n *State) int {
	x := first(s, n, 0)
	n.R[0] = x
	return x
}
`,
	} {
		with, pkg := domain(t, text)
		without, other := domain(t, text)
		without.forgetful = true
		code := func(p *ssa.Package) Code { return Code{Effects: []*initial.Func{{Fn: p.Func("effect")}}} }
		x, y := with.Action(code(pkg)), without.Action(code(other))
		x.Steps, y.Steps = 0, 0
		if len(x.Issues) > 0 || !reflect.DeepEqual(x, y) {
			t.Errorf("%s: the footprint is\n%+v\nand, without what calls remember,\n%+v", what, x, y)
		}
	}
}
