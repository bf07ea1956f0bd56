package footprint

import (
	"fmt"
	"go/format"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// cell is an element of a variable of a state, by name and index.
type cell struct {
	variable string
	index    []int
	get, put func(s *state, v int) int
}

// cells lists the elements of all variables.
var cells = func() (out []cell) {
	add := func(name string, at func(s *state) *int, index ...int) {
		out = append(out, cell{name, index,
			func(s *state, _ int) int { return *at(s) },
			func(s *state, v int) int { *at(s) = v; return v }})
	}
	add("A", func(s *state) *int { return &s.A })
	add("B", func(s *state) *int { return &s.B })
	for i := range 3 {
		add("R", func(s *state) *int { return &s.R[i] }, i)
		add("E.X", func(s *state) *int { return &s.E[i].X }, i)
		add("E.Y", func(s *state) *int { return &s.E[i].Y }, i)
	}
	for i := range 4 {
		add("G", func(s *state) *int { return &s.G[i/2][i%2] }, i/2, i%2)
	}
	add("D.X", func(s *state) *int { return &s.D.X })
	add("D.Y", func(s *state) *int { return &s.D.Y })
	return append(out, cell{"F", nil,
		func(s *state, _ int) int {
			if s.F {
				return 1
			}
			return 0
		},
		func(s *state, v int) int { s.F = v == 1; return v }})
}()

// named reports whether a symbolic index may name a cell.
func (c cell) named(index []string, p param) bool {
	for k, term := range index {
		if k >= len(c.index) || term == "*" {
			continue
		}
		n, err := strconv.Atoi(term)
		if err != nil {
			n = map[string]int{"p.I": p.I, "p.J": p.J, "p.K": p.K}[term]
		}
		if n != c.index[k] {
			return false
		}
	}
	return true
}

func (c cell) read(reads []Read, a *Analyzer, p param) bool {
	return slices.ContainsFunc(reads, func(r Read) bool { return a.Variables[r.Variable].Name == c.variable && c.named(r.Index, p) })
}

func randomState(r *rand.Rand) (s state) {
	for _, c := range cells {
		n := r.Intn(3)
		if c.variable == "F" {
			n = r.Intn(2)
		}
		c.put(&s, n)
	}
	return s
}

// generated is a random program with its footprint.
type generated struct {
	text   string
	a      *Analyzer
	code   Code
	effect func(s, n *state, p param)
	guard  func(s *state, p param) bool
}

func generate(t *testing.T, seed int64) *generated {
	t.Helper()
	g := &programs{r: rand.New(rand.NewSource(seed))}
	x := &generated{}
	x.text, x.effect, x.guard = g.program()
	if b, err := format.Source([]byte("package p\n" + x.text)); err == nil {
		x.text = strings.TrimPrefix(string(b), "package p\n")
	}
	a, pkg := domain(t, x.text)
	x.a = a
	x.code = Code{Guards: []*initial.Func{{Fn: pkg.Func("guard")}}, Effects: []*initial.Func{{Fn: pkg.Func("effect")}}}
	return x
}

// TestFootprintCoversRuns runs random programs in random states and in states that differ in one
// cell. A variable that a program changes is listed as written. A variable that a written one
// depends on is listed as its source. Where the footprint lists constants alone, the program writes
// one of these. A guard depends on the variables that it is listed to read, and is never true if
// the footprint says so.
func TestFootprintCoversRuns(t *testing.T) {
	t.Parallel()
	changed, depends := 0, 0
	for seed := range int64(1000) {
		x := generate(t, seed)
		c, d := x.check(t, seed)
		changed, depends = changed+c, depends+d
		if t.Failed() {
			t.Fatalf("program %d:\n%s", seed, x.text)
		}
	}
	if changed < 8000 || depends < 8000 {
		t.Errorf("%d cells changed, %d depended on another: too few to say anything", changed, depends)
	}
}

// check compares the footprint with runs. It counts the cells that runs change, and those that
// another cell influences.
func (x *generated) check(t *testing.T, seed int64) (changed, depends int) {
	t.Helper()
	res := x.a.Action(x.code)
	for _, i := range res.Issues {
		t.Errorf("the analysis cannot follow the program: %s", i.Text)
	}
	writes := map[string]*Write{}
	for k := range res.Writes {
		writes[x.a.Variables[res.Writes[k].Variable].Name] = &res.Writes[k]
	}
	r := rand.New(rand.NewSource(seed))
	for range 12 {
		s, p := randomState(r), param{r.Intn(3), r.Intn(3), r.Intn(2)}
		before := s
		n := s
		x.effect(&s, &n, p)
		holds := x.guard(&s, p)
		if s != before {
			t.Fatal("the program changes the state before")
		}
		if holds && res.Never {
			t.Errorf("the guard holds, which the footprint says it never does")
		}
		for _, c := range cells {
			if v := c.get(&n, 0); v != c.get(&s, 0) {
				changed++
				x.written(t, writes[c.variable], c, v, p)
			}
		}
		for k, from := range cells {
			other := s
			from.put(&other, (from.get(&s, 0)+1)%3)
			m := other
			x.effect(&other, &m, p)
			if x.guard(&other, p) != holds && !from.read(res.Guard, x.a, p) {
				t.Errorf("the guard depends on %s%v, which its footprint does not list", from.variable, from.index)
			}
			for j, c := range cells {
				if j == k || c.get(&n, 0) == c.get(&m, 0) {
					continue
				}
				depends++
				w := writes[c.variable]
				if w == nil || !from.read(slices.Concat(w.Data, w.Control, w.Indices), x.a, p) {
					t.Errorf("%s%v depends on %s%v, which the footprint does not list", c.variable, c.index, from.variable, from.index)
				}
			}
		}
	}
	return changed, depends
}

// written checks that a footprint lists a change.
func (x *generated) written(t *testing.T, w *Write, c cell, v int, p param) {
	t.Helper()
	if w == nil || !slices.ContainsFunc(w.Elements, func(e Element) bool { return c.named(e.Index, p) }) {
		t.Errorf("%s%v is changed, which the footprint does not list", c.variable, c.index)
		return
	}
	text := fmt.Sprint(v)
	if c.variable == "F" {
		text = fmt.Sprint(v == 1)
	}
	if !w.Computed && !slices.Contains(w.Constants, text) {
		t.Errorf("%s%v becomes %s: the footprint lists %v", c.variable, c.index, text, w.Constants)
	}
}
