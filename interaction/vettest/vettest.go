// Package vettest enforces the rules of speclint under plain go test. A specification package has
// one test:
//
//	func TestSpecification(t *testing.T) { vettest.Run(t) }
package vettest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/multigrain/multigrain/interaction/speclint"
)

// Run reports every finding of speclint in the packages as an error of the test, with its place
// and, after it, the places that explain it. Patterns are those of the go command, relative to the
// directory of the test; without any it is the package in that directory. Files of tests are not
// looked at. Run ends the test where a package cannot be loaded.
func Run(t testing.TB, patterns ...string) {
	t.Helper()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	pkgs := load(t, patterns...)
	pkgs = withHelpers(t, pkgs)
	graph, err := checker.Analyze([]*analysis.Analyzer{speclint.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		report(t, act)
	}
}

// load loads the syntax of packages and the types of their imports.
func load(t testing.TB, patterns ...string) []*packages.Package {
	t.Helper()
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
	return pkgs
}

// withHelpers returns the packages with all that they import and whose functions a step might call:
// speclint needs their syntax, too. It forgets all other imports.
func withHelpers(t testing.TB, pkgs []*packages.Package) []*packages.Package {
	t.Helper()
	for {
		have := map[string]bool{}
		var paths []string
		for _, p := range pkgs {
			have[p.PkgPath] = true
			paths = append(paths, p.PkgPath)
		}
		for _, p := range pkgs {
			for path := range p.Imports {
				if !have[path] && mayHelp(p.PkgPath, path) {
					have[path] = true
					paths = append(paths, path)
				}
			}
		}
		if len(paths) == len(pkgs) {
			for _, p := range pkgs {
				maps.DeleteFunc(p.Imports, func(path string, _ *packages.Package) bool { return !have[path] })
			}
			return pkgs
		}
		pkgs = load(t, paths...)
	}
}

// mayHelp reports whether a package imports one that is neither of the standard library nor of the
// framework's vocabulary. A path of the standard library has no dot in its first part.
func mayHelp(importer, path string) bool {
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(importer, "/")
	vocabulary := path == "github.com/multigrain/multigrain/modules" || path == "github.com/multigrain/multigrain/grains"
	return (strings.Contains(first, ".") || first == own) && !vocabulary
}

// broken reports the errors of loading. What the go command says of a package repeats what its
// files say, where they do.
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
