package multigrain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// starters are the files of the command and its packages that start a program, and how names reach
// its arguments. docs/explanation/trust.md says the same to users.
var starters = map[string]string{
	"checker/wire/client.go":                       "an assembled program, without arguments",
	"cmd/multigrain/internal/axetest/axe.go":       "npm, with constant arguments and a new folder; tests in a browser only",
	"cmd/multigrain/internal/changes/command.go":   "the build command of a manifest, in a copy of the changed code",
	"cmd/multigrain/internal/fleet/local.go":       "the command itself as a worker, with an address and a file of its own",
	"cmd/multigrain/internal/fleet/part.go":        "this command for a part of a search: jobs.Check refuses what names no manifest or value",
	"cmd/multigrain/internal/fleet/work.go":        "the command itself, with a verb and flags from a list, and a manifest below the root after --",
	"cmd/multigrain/internal/loopback/loopback.go": "the user's browser, with the address of the page",
	"cmd/multigrain/internal/lsp/lens.go":          "the command itself, with the absolute path of a manifest",
	"cmd/multigrain/internal/mcp/run.go":           "the command itself, with a verb and flags from a list, and paths below the root",
	"cmd/multigrain/internal/systems/catalogs.go":  "go list, with constant arguments",
	"cmd/multigrain/tap.go":                        "a tap, with the arguments that the user wrote for it",
	"compose/internal/gocmd/build.go":              "go build, with checked paths",
	"compose/internal/gocmd/home.go":               "go mod tidy, without other arguments",
	"compose/internal/gocmd/source.go":             "go list, with checked paths",
	"interaction/change/internal/effects/load.go":  "go list by go/packages, with checked paths and patterns",
	"interaction/change/graph.go":                  "go list by go/packages, with checked patterns",
	"interaction/change/repo.go":                   "git, with hashes, checked words and paths after --",
	"interaction/load.go":                          "go list by go/packages, with checked paths",
	"checker/conform/drivers/process.go":           "the command of a driver, as the manifest has it; conform and its like only",
	"cmd/multigrain/internal/drivers/prepare.go":   "python3 -m venv, pip with packages after --, and the build of a driver; conform -setup only",
	"checker/mgtest/mgtest.go":                     "the command itself, for tests of users, with manifests after --",
	"interaction/typecheck.go":                     "go list, with checked paths after --",
	"interaction/vettest/vettest.go":               "go list by go/packages, for tests of users",
}

// TestStarters finds files that start a program. A new one needs a check of all names that become
// arguments, and a line in starters.
func TestStarters(t *testing.T) {
	var found []string
	for _, folder := range []string{"checker", "cmd/multigrain", "cmd/speclint", "compose", "configs", "grains", "interaction", "modules"} {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			slash := filepath.ToSlash(name)
			if d.IsDir() || !strings.HasSuffix(slash, ".go") || strings.HasSuffix(slash, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(name)
			if err == nil && starts(t, slash, text) {
				found = append(found, slash)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range found {
		if starters[name] == "" {
			t.Errorf("%s starts a program: check all names that become arguments, and say so in starters", name)
		}
	}
	for name := range starters {
		if !slices.Contains(found, name) {
			t.Errorf("%s starts no program: remove its line", name)
		}
	}
}

// starts reports whether a file starts a program, or lets go/packages do that.
func starts(t *testing.T, name string, text []byte) (yes bool) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]string{
		"exec": {"Command", "CommandContext"}, "os": {"StartProcess"}, "packages": {"Load"}, "syscall": {"Exec", "ForkExec", "StartProcess"},
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			yes = yes || ok && slices.Contains(calls[x.Name], s.Sel.Name)
		}
		return true
	})
	return yes
}

// TestProgramNeedsNoModule checks that an assembled program is made of this project and the
// standard library. It is built in the user's module, whose go.sum has the modules that the user's
// own packages import, and no others.
func TestProgramNeedsNoModule(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./checker/program").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if !strings.HasPrefix(name, "github.com/multigrain/multigrain/") {
			t.Errorf("checker/program imports %s, directly or not: a specification of a user cannot be checked then", name)
		}
	}
}
