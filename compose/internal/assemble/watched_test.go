package assemble

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// TestViolating: which branches of an invariant f only a violation takes. Functions that the guard
// reaches are not noted.
func TestViolating(t *testing.T) {
	t.Parallel()
	const frame = `package p
const On, Off = true, false
type State struct{ A, B, C int8 }
func guard(s *State) bool { return shared(s) }
func shared(s *State) bool { return s.A == 7 }
`
	for name, c := range map[string]struct {
		body string
		want string // condition and value, in the order of the code
	}{
		"and":           {`return s.A > 0 && s.B > 0`, "s.A > 0 false, s.B > 0 false"},
		"or":            {`return s.A > 0 || s.B > 0`, "s.B > 0 false"},
		"implication":   {`return !(s.A > 0) || s.B > 0`, "s.B > 0 false"},
		"not":           {`return !(s.A > 0 && s.B > 0)`, "s.B > 0 true"},
		"refusal":       {`if s.A > 0 && s.B > 0 { return false }; return true`, "s.B > 0 true"},
		"either":        {`if s.A > 0 || s.B > 0 { return false }; return true`, "s.A > 0 true, s.B > 0 true"},
		"else":          {`if s.A > 0 { s.B++ } else { return false }; return true`, "s.A > 0 false"},
		"more":          {`if s.A > 0 { s.B++; return false }; return true`, ""},
		"constant":      {`return s.A > 0 && On || s.B > 0`, "s.B > 0 false"},
		"last constant": {`if s.A > 0 && On { return false }; return true`, "s.A > 0 true"},
		"literal":       {`return func() bool { return s.A > 0 }()`, "func() bool { return s.A > 0 }() false"},
		"shared":        {`return shared(s)`, "shared(s) false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := frame + "func f(s *State) bool { " + c.body + " }\n"
			r := &Rewriting{fset: token.NewFileSet(), path: "p", set: map[string]string{}}
			tree, err := parser.ParseFile(r.fset, "p.go", text, 0)
			if err != nil {
				t.Fatal(err)
			}
			r.files = []*goFile{{path: "p.go", text: []byte(text), tree: tree}}
			b, err := newBrancher(r)
			if err != nil {
				t.Fatal(err)
			}
			b.quiet = true
			b.root("guard", grains.Function{Name: "guard"})
			b.run()
			b.quiet = false
			b.verdict("f", grains.Function{Name: "f"})
			b.run()
			slices.Sort(b.never)
			var have []string
			for _, k := range b.never {
				have = append(have, fmt.Sprint(b.points[k/2].Text, " ", k%2 == 1))
			}
			if got := strings.Join(have, ", "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			for _, p := range b.points {
				if p.Func == "shared" {
					t.Errorf("%s of a function that the guard calls is noted", p.Text)
				}
			}
		})
	}
}
