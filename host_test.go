package multigrain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostFolders hold the command and what assembled programs are made of. Their files and their clock
// are those of package checker/host, so that torture can make them fail.
var hostFolders = []string{"checker", "cmd/multigrain", "compose", "configs", "interaction"}

// hostless are files and folders with calls of their own, and why.
var hostless = map[string]string{
	"checker/host":                              "it is the place where they belong",
	"checker/spectest":                          "only tests import it",
	"checker/mgtest":                            "only tests of users import it",
	"cmd/multigrain/internal/schema/write":      "it runs under go generate, on the machine of a developer",
	"cmd/multigrain/internal/files/use_unix.go": "package host has no locks",
	"checker/explore/lock_unix.go":              "package host has no locks",
	"checker/explore/lock_other.go":             "package host has no locks",
}

// hostCalls are the functions that checker/host has instead of those of packages os and time.
var hostCalls = map[string][]string{
	"os":   {"Create", "CreateTemp", "MkdirAll", "Mkdir", "MkdirTemp", "Open", "OpenFile", "ReadFile", "Remove", "RemoveAll", "Rename", "Truncate", "WriteFile"},
	"time": {"Now", "Since", "Until"},
}

// TestHost finds calls that go past package checker/host.
func TestHost(t *testing.T) {
	parsed := 0
	for _, folder := range hostFolders {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			slash := filepath.ToSlash(name)
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || hostless[slash] != ""):
				return fs.SkipDir
			case d.IsDir() || hostless[slash] != "" || !strings.HasSuffix(slash, ".go") || strings.HasSuffix(slash, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			parsed++
			for _, found := range pastHost(t, slash, text) {
				t.Errorf("%s calls %s: call the function of package checker/host, so that torture reaches it", slash, found)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if parsed < 300 {
		t.Errorf("only %d files were read: the search is wrong", parsed)
	}
}

// pastHost returns the calls, as package and function, that package checker/host should make.
func pastHost(t *testing.T, name string, text []byte) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(hostCalls[x.Name], s.Sel.Name) {
				found = append(found, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return found
}

func TestPastHost(t *testing.T) {
	text := "package a\n\nfunc f() {\n\tos.Rename(\"a\", \"b\")\n\thost.Remove(\"a\")\n\tg := time.Now\n\tos.Stat(\"a\")\n}\n"
	if got := pastHost(t, "a.go", []byte(text)); !slices.Equal(got, []string{"os.Rename", "time.Now"}) {
		t.Errorf("found %v", got)
	}
}
