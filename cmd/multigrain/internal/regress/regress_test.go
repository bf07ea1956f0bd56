package regress

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// TestWrite: the test is Go of the package of its folder. The copy of the trace names the manifest
// relative to the folder. A file of another hand stays.
func TestWrite(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folder := filepath.Join(root, "2-lock", "sub")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, "m.hcl"), "")
	state := modules.View{Shape: modules.Record, Names: []string{"X"}, Elems: []modules.View{{Text: "1"}}}
	x := Test{
		File: filepath.Join(folder, "lost-write_test.go"), On: "lockd v1\n}", Sees: "the two differ: X after step 1, Go\nfunc evil() {}",
		Flags: []string{"-impl", `a"b`},
		Meta:  itf.Meta{Manifest: filepath.Join(root, "m.hcl"), Kind: "conform"},
		Trace: &wire.Trace{Init: state, Steps: []wire.Step{{Action: "Go", State: state}}},
	}
	copied, err := x.Write()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(x.File)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), x.File, text, 0)
	if err != nil || f.Name.Name != "sub" || len(f.Decls) != 2 || f.Scope.Lookup("TestLostWrite") == nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if want := filepath.Join(folder, "testdata", "multigrain", "lost-write.itf.json"); copied != want {
		t.Errorf("the copy is %s, not %s", copied, want)
	}
	trace, err := os.ReadFile(copied)
	if err != nil || !strings.Contains(string(trace), `"manifest":"../../m.hcl"`) {
		t.Errorf("%v in %s", err, trace)
	}
	write(filepath.Join(folder, "a.go"), "package lock")
	if _, err := x.Write(); err != nil {
		t.Errorf("what was written is not replaced: %v", err)
	}
	if text, _ := os.ReadFile(x.File); !strings.Contains(string(text), "\npackage lock\n") {
		t.Errorf("the package is not that of the folder:\n%s", text)
	}
	write(x.File, "package lock // mine")
	if _, err := x.Write(); err == nil {
		t.Error("a test of another hand is replaced")
	}
}

// TestPackageOf: a folder without Go files gives a name that Go accepts.
func TestPackageOf(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for folder, want := range map[string]string{"lock-service": "lockservice", "2pc": "regresspc", "go": "regressgo", "é": "regress", "Zab": "zab"} {
		if got, err := packageOf(filepath.Join(root, folder)); err != nil || got != want {
			t.Errorf("%s: package %s, want %s; %v", folder, got, want, err)
		}
	}
}

// TestNamed: only names that go test reads.
func TestNamed(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{"a_test.go": true, "x/b_test.go": true, "_test.go": false, "a.go": false, "a_test.go.txt": false, "": false} {
		if Named(file) != want {
			t.Errorf("%q: %v", file, !want)
		}
	}
}

// TestJudged: only traces whose bug is seen in observed states.
func TestJudged(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{"conform": true, "state": true, "step": true, "assert": false, "deadlock": false, "liveness": false, "explored": false, "": false} {
		if Judged(itf.Meta{Kind: kind}) != want {
			t.Errorf("%q: %v", kind, !want)
		}
	}
	if Judged(itf.Meta{Kind: "state", Change: &itf.OfChange{}}) {
		t.Error("a trace of changed code is judged by replay itself")
	}
}
