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
// interpretations. A call that took no notice of it would keep a result that is too small.
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
`, "a result of the call under way": `
func effect(s, n *State) { first(s, n, s.D.X) }
func first(s, n *State, k int) int {
	if k <= 1 {
		return n.R[0]
	}
	return second(s, n)
}
func second(s, n *State) int {
	x := first(s, n, 0)
	n.R[0] = n.R[1]
	n.R[1] = n.R[2]
	n.R[2] = s.B
	return x
}
`, "an object in use": `
func effect(s, n *State) {
	x, y, z := 0, 0, 0
	var kept *int
	for range 9 {
		q := middle(0)
		if kept != nil {
			n.A = *kept
		}
		*q = s.B
		if x == 1 {
			kept = q
		}
		x, y, z = y, z, 1
	}
}
func middle(x int) *int { return fresh() }
func fresh() *int { return new(int) }
`, "an object in use, asked for in a remembered call": `
func effect(s, n *State) {
	x, y, z, u, v := 0, 0, 0, 0, 0
	var kept *int
	for range 19 {
		q := middle(z)
		if kept != nil {
			n.A = *kept
		}
		*q = s.B
		if x == 1 {
			kept = q
		}
		x, y, z, u, v = y, z, u, v, 1
	}
}
func middle(x int) *int { return fresh() }
func fresh() *int { return new(int) }
`, "an object that stands for several": `
func effect(s, n *State) {
	x, y, z := 0, 0, 0
	var kept *int
	for range 9 {
		q := new(int)
		set(q, s.B)
		n.A = *q
		set(q, 0)
		if kept != nil {
			n.B = *kept
		}
		if x == 1 {
			kept = q
		}
		x, y, z = y, z, 1
	}
}
func set(q *int, v int) { *q = v }
`, "memory that a remembered call uses": `
func effect(s, n *State) {
	x, u, v, w := 0, 0, 0, 0
	c := 0
	for range 19 {
		n.A = outer(&c, x)
		x = s.B
		if w == 1 {
			c = s.D.X
		}
		w, v, u = v, u, 1
	}
}
func outer(p *int, x int) int { return x + get(p) }
func get(p *int) int { return *p }
`, "an object that is made anew": `
func effect(s, n *State) {
	for range 5 {
		q := fresh()
		n.A = *q
		*q = s.B
	}
}
func fresh() *int { return new(int) }
`, "memory that a call sets": `
func effect(s, n *State) {
	x, y, z := 0, 0, 0
	for range 9 {
		n.A = *made(x)
		x, y, z = y, z, s.B
	}
}
func made(x int) *int {
	p := new(int)
	*p = x
	return p
}
`, "memory that one path of a call allocates": `
func effect(s, n *State) {
	x, y, z := 0, 0, 0
	for range 9 {
		n.A = *chosen(s, x)
		x, y, z = y, z, s.D.X
	}
}
func chosen(s *State, x int) *int {
	p := &x
	if s.F {
		p = fresh(s)
	}
	return p
}
func fresh(s *State) *int {
	p := new(int)
	*p = s.B
	return p
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
