package mutate

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// parse checks the types of a package of one file without imports.
func parse(t *testing.T, source string) *Package {
	t.Helper()
	p := &Package{Fset: token.NewFileSet(), State: "State", Texts: map[string][]byte{"spec.go": []byte(source)},
		Info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	f, err := parser.ParseFile(p.Fset, "spec.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p.Files = []*ast.File{f}
	c := types.Config{Importer: importer.Default()}
	if p.Types, err = c.Check("example.org/spec", p.Fset, p.Files, p.Info); err != nil {
		t.Fatal(err)
	}
	return p
}

// named returns functions of the catalog by their names.
func named(names ...string) (out []grains.Function) {
	for _, n := range names {
		out = append(out, grains.Function{Name: n})
	}
	return out
}

// texts returns mutants as results show them.
func texts(list []Mutant) (out []string) {
	for k := range list {
		out = append(out, list[k].String())
	}
	return out
}

const source = `package spec

const (
	Servers = 3
	Fast    = false
)

type Server int8

type Net struct{ sent uint8 }

func (n *Net) Send(from, to Server, m uint8) { n.sent += m }

type State struct {
	Term  uint8
	Voted [Servers]uint8
	Up    [Servers]bool
	Lead  Server
	Msgs  Net
}

type One struct{ I Server }

func guard(s *State, p One) bool {
	if s.Term == 0 || Fast && s.Term > 7 {
		return false
	}
	return s.Up[p.I] && s.trusts(p.I) && (Fast || s.Voted[p.I] < s.Term)
}

func effect(s, n *State, p One) {
	if Fast {
		n.Lead = p.I
	}
	n.store(s, p.I)
	n.Msgs.Send(s.Lead, p.I, n.Term)
	for j := range Servers {
		n.Voted[j]++
	}
	shared(n)
}

func (s *State) trusts(i Server) bool { return s.Lead == i }

func (n *State) store(s *State, i Server) { n.Voted[i] = s.Term }

func shared(n *State) { n.Term++ }

func other(s, n *State, p One) { shared(n) }
`

// TestFind lists the mutants of functions with their helpers. What other code reaches stays as it
// is, and so does what constants exclude.
func TestFind(t *testing.T) {
	t.Parallel()
	p := parse(t, source)
	scope := Scope{Guards: named("guard"), Effects: named("effect"), Others: named("other")}
	list, err := Compiling(p, Find(p, scope))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"effect: drop a call or a send: n.store(s, p.I)",
		"effect: drop a call or a send: n.Msgs.Send(s.Lead, p.I, n.Term)",
		"effect: redirect a send: n.Msgs.Send(s.Lead, p.I, n.Term) => n.Msgs.Send(p.I, s.Lead, n.Term)",
		"effect: new for old value: s.Lead => n.Lead",
		"effect: old for new value: n.Term => s.Term",
		"effect: swap an index: n.Voted[j] => n.Voted[(j+1)%3]",
		"effect: drop a call or a send: shared(n)",
		"effect: extra write: n.",
		"store: extra write: n.",
		"guard: weaken a condition: s.Term == 0 => false",
		"guard: strengthen a condition: s.Term == 0 => ((s.Term == 0) || s.Term != 0)",
		"guard: weaken a condition: s.Up[p.I] => true",
		"guard: strengthen a condition: s.Up[p.I] => ((s.Up[p.I]) && s.",
		"guard: swap an index: s.Up[p.I] => s.Up[(p.I+1)%3]",
		"guard: weaken a condition: s.trusts(p.I) => true",
		"guard: swap an index: s.Voted[p.I] => s.Voted[(p.I+1)%3]",
		"store: drop an assignment: n.Voted[i] = s.Term",
		"store: swap an index: n.Voted[i] => n.Voted[(i+1)%3]",
		"store: new for old value: s.Term => n.Term",
		"trusts: weaken a condition: s.Lead == i => true",
	}
	got := texts(list)
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, w) }) {
			t.Errorf("it lacks %q", w)
		}
	}
	for _, g := range got {
		if strings.HasPrefix(g, "shared:") || strings.Contains(g, "n.Lead = p.I") || strings.Contains(g, "> 7") {
			t.Errorf("%q is of code that is shared or excluded", g)
		}
		if strings.HasPrefix(g, "store: ") && strings.Contains(g, "write: s.") || strings.Contains(g, "drop an assignment: s.") {
			t.Errorf("%q writes the state before the step", g)
		}
	}
	if t.Failed() {
		t.Logf("%s", strings.Join(got, "\n"))
	}
}

// TestFindWithoutOthers: a helper of the code under test alone is changed.
func TestFindWithoutOthers(t *testing.T) {
	t.Parallel()
	p := parse(t, source)
	got := texts(Find(p, Scope{Effects: named("effect")}))
	if !slices.Contains(got, "shared: drop an assignment: n.Term++") {
		t.Errorf("%q", got)
	}
}

// TestSwitch compiles the file with all mutants, and finds each change in it. Places of other code
// stay.
func TestSwitch(t *testing.T) {
	t.Parallel()
	p := parse(t, source)
	list, err := Compiling(p, Find(p, Scope{Guards: named("guard"), Effects: named("effect")}))
	if err != nil {
		t.Fatal(err)
	}
	text := string(Switch(p, list)["spec.go"])
	q := parse(t, text)
	for k := range list {
		if !strings.Contains(text, "case "+strconv.Itoa(k+1)+":") {
			t.Errorf("mutant %d is missing", k+1)
		}
	}
	at := func(p *Package, name string) token.Position {
		return p.Fset.Position(p.Types.Scope().Lookup(name).Pos())
	}
	for _, name := range []string{"guard", "effect", "shared", "other", "One"} {
		if a, b := at(p, name), at(q, name); a.Line != b.Line {
			t.Errorf("%s is at line %d, and was at %d", name, b.Line, a.Line)
		}
	}
}

// TestCompiling leaves out what does not compile, alone.
func TestCompiling(t *testing.T) {
	t.Parallel()
	p := parse(t, source)
	list, err := Compiling(p, Find(p, Scope{Effects: named("effect")}))
	if err != nil {
		t.Fatal(err)
	}
	bad := list[0]
	bad.with = `n.Term = "no number"`
	got, err := Compiling(p, append(slices.Clone(list), bad))
	if err != nil || len(got) != len(list) {
		t.Errorf("%d of %d mutants compile: %v", len(got), len(list)+1, err)
	}
}

// TestNoElements: mutants compile in a composition in which an array of the State has no elements.
// Their places are those of the specification with three.
func TestNoElements(t *testing.T) {
	t.Parallel()
	list := Find(parse(t, source), Scope{Effects: named("effect")})
	swapped := slices.DeleteFunc(list, func(m Mutant) bool { return m.Operator != SwapIndex })
	got, err := Compiling(parse(t, strings.Replace(source, "Servers = 3", "Servers = 0", 1)), swapped)
	if err != nil || len(got) == 0 || len(got) != len(swapped) {
		t.Errorf("%d of %d mutants compile: %v", len(got), len(swapped), err)
	}
}

// TestDraw draws the same mutants for the same seed, in order and each once.
func TestDraw(t *testing.T) {
	t.Parallel()
	p := parse(t, source)
	all := Find(p, Scope{Guards: named("guard"), Effects: named("effect")})
	a, b := texts(Draw(all, 7, 3)), texts(Draw(all, 7, 3))
	if len(a) != 7 || !slices.Equal(a, b) {
		t.Errorf("%q and %q", a, b)
	}
	if c := texts(Draw(all, 7, 4)); slices.Equal(a, c) {
		t.Errorf("another seed draws the same: %q", c)
	}
	order := texts(all)
	last := -1
	for _, x := range a {
		k := slices.Index(order[last+1:], x)
		if k < 0 {
			t.Fatalf("%q is not in order", x)
		}
		last += k + 1
	}
	if got := Draw(all, len(all)+5, 1); len(got) != len(all) {
		t.Errorf("%d of %d are drawn", len(got), len(all))
	}
}
