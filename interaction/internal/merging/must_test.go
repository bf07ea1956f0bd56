package merging

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const guards = `package spec

type State struct {
	Phase uint8
	Up    [3]bool
	Vote  struct{ Round [3]int8 }
	Count int
}

type Pair struct{ I, J int8 }

func helper(s *State) bool { return s.Count == 7 }

// Comments give the facts that each guard requires.

func equal(s *State, p Pair) bool { return s.Phase == 2 } // Phase=2
func element(s *State, p Pair) bool { return s.Up[p.I] && !s.Up[p.J] } // Up[p.I]=true Up[p.J]=false
func constant(s *State, p Pair) bool { return s.Up[1] && 3 == s.Count } // Count=3 Up[1]=true
func nested(s *State, p Pair) bool { return s.Vote.Round[p.J] != -1 } // Vote.Round[p.J]!=-1
func either(s *State, p Pair) bool { return s.Phase == 1 || s.Phase == 2 } // nothing
func mixed(s *State, p Pair) bool { return s.Count == 1 && (s.Phase == 1 || s.Up[0]) } // Count=1
func less(s *State, p Pair) bool { return s.Count < 3 && helper(s) } // nothing
func early(s *State, p Pair) bool { // Count=4 Phase=1
	if s.Phase != 1 {
		return false
	}
	return s.Count == 4
}
func negated(s *State, p Pair) bool { return !(s.Phase == 1) && !(s.Up[2] || s.Count == 5) } // Phase!=1
func changed(s *State, p Pair) bool { p.I = 2; return s.Up[p.I] } // nothing
func local(s *State, p Pair) bool { c := *s; c.Count++; return c.Count == 1 } // nothing
func loop(s *State, p Pair) bool { // nothing
	for i := range s.Up {
		if s.Up[i] {
			return true
		}
	}
	return s.Phase == 1
}
`

// TestRequired compares the facts of guards with those in their comments, worked out by hand.
func TestRequired(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "spec.go", guards, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("spec", "spec"),
		[]*ast.File{file}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	comments := map[int]string{} // by line
	for _, g := range file.Comments {
		comments[fset.Position(g.Pos()).Line] = g.Text()
	}
	tested := 0
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name == "helper" {
			continue
		}
		tested++
		var have []string
		for _, x := range Required(pkg.Func(f.Name.Name)) {
			have = append(have, fmt.Sprintf("%s%s%s%s", x.Variable, x.Index, map[bool]string{false: "=", true: "!="}[x.Differs], x.Value))
		}
		slices.Sort(have)
		got := fmt.Sprintln(join(have))
		if want := comments[fset.Position(f.Pos()).Line]; got != want {
			t.Errorf("%s requires %swant %s", f.Name.Name, got, want)
		}
	}
	if tested != 12 {
		t.Errorf("%d guards were tested", tested)
	}
}

func join(facts []string) string {
	if len(facts) == 0 {
		return "nothing"
	}
	text := facts[0]
	for _, f := range facts[1:] {
		text += " " + f
	}
	return text
}
