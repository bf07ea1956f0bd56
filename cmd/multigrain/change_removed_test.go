package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestChangeRemovesMethod: a method of github.com/hashicorp/raft that nothing calls decides nothing
// when it is gone. One that the adapter calls does, and so does each where the adapter is not read.
func TestChangeRemovesMethod(t *testing.T) {
	t.Parallel()
	// Without -m the command downloads the library.
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/hashicorp/raft")
	list.Dir = hashicorpLibrary
	dir, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "api.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method string
		flags  []string
		want   int
	}{
		{"LeaderCh", nil, verdicts.ExitOK},
		{"LeaderCh", []string{"-n"}, verdicts.ExitUndecided},
		{"CommitIndex", nil, verdicts.ExitUndecided},
	} {
		doc, code, out := changed(t, hashicorpLibrary+"/hashicorp.hcl", withoutMethod(t, string(text), c.method), c.flags...)
		if code != c.want || doc.Change == nil {
			t.Errorf("%s %v: exit code %d\n%s", c.method, c.flags, code, out)
			continue
		}
		if o := doc.Change.Observed; o != nil && o.Walks > 0 {
			t.Errorf("%s: %d walks", c.method, o.Walks)
		}
	}
}

// withoutMethod returns the diff that removes a method of api.go.
func withoutMethod(t *testing.T, text, name string) string {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "api.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name {
			from, to := set.Position(fn.Pos()).Offset, set.Position(fn.End()).Offset
			diff, err := udiff.ToUnified("a/api.go", "b/api.go", text, udiff.Strings(text, text[:from]+text[to:]), 0)
			if err != nil {
				t.Fatal(err)
			}
			return diff
		}
	}
	t.Fatalf("no method %s", name)
	return ""
}
