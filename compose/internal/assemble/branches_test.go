package assemble

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestBranches: the conditions that a composition can branch on, in the order in which they are
// found. Functions f are where it begins.
func TestBranches(t *testing.T) {
	t.Parallel()
	const frame = `package p
import "example.org/absent"
const (
	On    = true
	Off   = false
	Size  = 0
	Mode  = "fast"
	Late  = false
)
type State struct{ A [2]int8; None [Size]int8; Box absent.Box }
`
	for name, c := range map[string]struct {
		body string
		want string // texts of conditions
	}{
		"operands":            {`func f(s *State) bool { return s.A[0] > 0 && (s.A[1] > 0 || !s.Box.Has(1)) }`, "s.A[0] > 0, s.A[1] > 0, s.Box.Has(1)"},
		"a constant and":      {`func f(s *State) bool { return Off && s.A[0] > 0 }`, ""},
		"a constant or":       {`func f(s *State) bool { return Off || s.A[0] > 0 }`, "s.A[0] > 0"},
		"a set constant":      {`func f(s *State) bool { if Mode == "slow" { return s.A[0] > 0 }; return s.A[1] > 0 }`, "s.A[0] > 0"},
		"a value at start":    {`func f(s *State) bool { if !Late && On { return s.A[0] > 0 }; return s.A[1] > 0 }`, "Late, s.A[0] > 0, s.A[1] > 0"},
		"behind a return":     {`func f(s *State) bool { if On { return true }; return s.A[0] > 0 }`, ""},
		"a dead else":         {`func f(s *State) { if On { g(s) } else { h(s) } }`, "s.A[0] == 1"},
		"a function":          {`func f(s *State) { g(s); g(s) }`, "s.A[0] == 1"},
		"a function as value": {`func f(s *State) { x := h; x(s) }`, "s.A[0] == 2"},
		"a method":            {`func f(s *State) { s.m() }; func (s *State) m() { for s.A[0] < 3 { s.A[0]++ } }`, "s.A[0] < 3"},
		"no turn":             {`func f(s *State) { for x := range s.None { if x > 0 { g(s) } }; for range Size { g(s) } }`, ""},
		"a tag":               {`func f(s *State) { switch Mode { case "fast": g(s); case "slow": h(s) } }`, "s.A[0] == 2"},
		"cases":               {`func f(s *State) { switch { case Off: g(s); case s.A[1] > 0: h(s); default: g(s) } }`, "s.A[1] > 0, s.A[0] == 2, s.A[0] == 1"},
		"a case for sure":     {`func f(s *State) { switch { case On: g(s); default: h(s) } }`, "s.A[0] == 1"},
		"behind a break":      {`func f(s *State) { for { switch s.A[0] { case 1: break; default: return }; g(s) } }`, "s.A[0] == 1"},
		"an answer":           {`func f(s *State) { if never(s) { g(s) } }; func never(s *State) bool { for ; Off && s.A[0] > 0; { return true }; return false }`, ""},
		"a recursion":         {`func f(s *State) { if r(s) { g(s) } }; func r(s *State) bool { return r(s) }`, "r(s), s.A[0] == 1, r(s)"},
		"an unknown answer":   {`func f(s *State) { if r(s) { g(s) } }; func r(s *State) bool { if s.A[0] > 7 { return false }; return true }`, "r(s), s.A[0] == 1, s.A[0] > 7"},
		"a literal":           {`func f(s *State) { func() { if s.A[0] > 5 { return } }() }`, "s.A[0] > 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := frame + c.body + "\nfunc g(s *State) { if s.A[0] == 1 { s.A[1]++ } }\nfunc h(s *State) { if s.A[0] == 2 { s.A[1]++ } }\n"
			r := &Rewriting{fset: token.NewFileSet(), path: "p", set: map[string]string{}}
			tree, err := parser.ParseFile(r.fset, "p.go", text, 0)
			if err != nil {
				t.Fatal(err)
			}
			r.files = []*goFile{{path: "p.go", text: []byte(text), tree: tree}}
			if err := r.SetConstant("Mode", `"slow"`); err != nil {
				t.Fatal(err)
			}
			b, err := newBrancher(r)
			if err != nil {
				t.Fatal(err)
			}
			r.started = map[string]bool{"Late": true}
			_, f := r.function("f")
			b.enter("f", f.Type, f.Body)
			b.run()
			var have, want []string
			for _, p := range b.points {
				have = append(have, p.Text)
			}
			if c.want != "" {
				want = strings.Split(c.want, ", ")
			}
			slices.Sort(have)
			slices.Sort(want)
			if !slices.Equal(have, want) {
				t.Errorf("%q, want %q", have, want)
			}
			// What is generated is Go again, with as many calls as points.
			changed, err := parser.ParseFile(token.NewFileSet(), "p.go", r.Changed()["p.go"], 0)
			if err != nil {
				t.Fatal(err)
			}
			calls := 0
			ast.Inspect(changed, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if ok && id.Name == "multigrainSee" {
					calls++
				}
				return true
			})
			if calls != len(b.points) {
				t.Errorf("%d calls for %d points", calls, len(b.points))
			}
		})
	}
}

// TestStart: a constant that has its value at the start of the program is a variable, with the type
// that the constant states.
func TestStart(t *testing.T) {
	t.Parallel()
	const text = "package p // with a remark\n\ntype Kind string\n\nconst (\n\tLate = false\n\tMode Kind = \"fast\"\n\tSize = 2\n)\n\nvar room [Size]int\n"
	r := &Rewriting{fset: token.NewFileSet(), path: "p", set: map[string]string{}}
	tree, err := parser.ParseFile(r.fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.files = []*goFile{{path: "p.go", text: []byte(text), tree: tree}}
	if err := r.start(map[string][]string{"Late": {"false", "true"}, "Mode": {`"fast"`, `"slow"`}}); err != nil {
		t.Fatal(err)
	}
	got := string(r.Changed()["p.go"])
	for _, want := range []string{
		`package p; import multigrainsetting "github.com/multigrain/multigrain/checker/setting" // with`, "_ = false", "_ Kind = ",
		`var Late = multigrainsetting.Of("Late", []string{"false", "true"}, false, true)`,
		`var Mode = multigrainsetting.Of[Kind]("Mode", []string{"\"fast\"", "\"slow\""}, "fast", "slow")`,
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", got, 0); err != nil {
		t.Error(err)
	}
	if err := r.start(map[string][]string{"Size": {"2"}}); err == nil {
		t.Error("the length of an array is a variable")
	}
}
