package changes

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTables makes every refactoring of the tables from the source in the module cache. The tables
// have changed lines only.
func TestTables(t *testing.T) {
	t.Chdir("../../..")
	for name, l := range libraries {
		if l.harmless == nil {
			continue
		}
		dir, err := l.dir()
		if err != nil {
			t.Fatal(err)
		}
		all, err := refactorings(name+".hcl", l.harmless)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			texts, err := r.apply(dir)
			if err != nil {
				t.Error(err)
				continue
			}
			for file, text := range texts.after {
				if _, err := parser.ParseFile(token.NewFileSet(), file, text, 0); err != nil {
					t.Errorf("refactoring %q: %v", r.Name, err)
				}
			}
			if _, err := os.Stat(filepath.Join(l.manifests, l.manifestOf(r.Manifest)+".hcl")); err != nil {
				t.Errorf("refactoring %q: %v", r.Name, err)
			}
		}
	}
}

// TestWrong expects errors that say what is wrong with a row.
func TestWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte("package p\n\nfunc (x *T) F() {\n\ta()\n\ta()\n\tb()\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r    refactoring
		want string
	}{
		{refactoring{Edits: []edit{{File: "p.go", In: "T.F", Line: "c()"}}}, "does not have"},
		{refactoring{Edits: []edit{{File: "p.go", In: "T.F", Line: "a()"}}}, "twice, in lines 4 and 5"},
		{refactoring{Edits: []edit{{File: "p.go", In: "F", Line: "a()"}}}, "no function F"},
		{refactoring{Renames: []rename{{From: "c", To: "d"}}}, "nothing is called c"},
	} {
		if _, err := c.r.apply(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
	r := refactoring{Edits: []edit{{File: "p.go", In: "T.F", Line: "a()\nb()", Becomes: "\tc()"}}, Adds: []add{{File: "q.go", Text: "package p\n"}}}
	diff, err := r.diff(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-\ta()\n-\tb()\n+\tc()\n", "--- /dev/null\n+++ b/q.go\n@@ -0,0 +1 @@\n+package p\n"} {
		if !strings.Contains(diff, want) {
			t.Errorf("no %q in\n%s", want, diff)
		}
	}
}
