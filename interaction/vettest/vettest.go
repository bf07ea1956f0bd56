// Package vettest enforces the rules of speclint under plain go test. A specification package has one test:
//
//	func TestSpecification(t *testing.T) { vettest.Run(t) }
package vettest

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/multigrain/multigrain/interaction/speclint"
)

// Run reports every finding of speclint in the packages as an error of the test, with its place and, behind it, the
// places that explain it. Patterns are those of the go command, relative to the directory of the test; without any it is
// the package in that directory. Files of tests are not looked at. Run ends the test where a package cannot be loaded.
func Run(t testing.TB, patterns ...string) {
	t.Helper()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	// The syntax of these packages and the types of their imports: speclint needs no more.
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, patterns...)
	if err != nil {
		t.Fatalf("loading %v: %v", patterns, err)
	}
	if len(pkgs) == 0 {
		t.Fatalf("no package matches %v", patterns)
	}
	if broken(t, pkgs) {
		t.FailNow()
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{speclint.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		report(t, act)
	}
}

// broken reports the errors of loading. What the go command says of a package repeats what its files say, where they do.
func broken(t testing.TB, pkgs []*packages.Package) bool {
	t.Helper()
	found := false
	for _, p := range pkgs {
		inFiles := slices.ContainsFunc(p.Errors, func(e packages.Error) bool { return e.Kind != packages.ListError })
		for _, e := range p.Errors {
			if e.Kind != packages.ListError || !inFiles {
				t.Errorf("loading %s: %v", p.PkgPath, e)
			}
			found = true
		}
	}
	return found
}

// report reports the findings in one package, in the order of the source.
func report(t testing.TB, act *checker.Action) {
	t.Helper()
	if act.Err != nil {
		t.Fatalf("%s: %v", act.Package.PkgPath, act.Err)
	}
	slices.SortFunc(act.Diagnostics, func(a, b analysis.Diagnostic) int { return int(a.Pos - b.Pos) })
	for _, d := range act.Diagnostics {
		t.Errorf("%s: %s", act.Package.Fset.Position(d.Pos), d.Message)
		for _, r := range d.Related {
			t.Logf("\t%s: %s", act.Package.Fset.Position(r.Pos), r.Message)
		}
	}
}
