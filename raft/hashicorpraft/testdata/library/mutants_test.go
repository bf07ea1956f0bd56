package library

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mutant is a change of one line of the library: the first place of a text is replaced.
type mutant struct{ name, file, text, by string }

// mutants reads mutants.tsv, whose lines have the fields of a mutant with tabs between them.
func mutants(t *testing.T) (out []mutant) {
	t.Helper()
	table, err := os.ReadFile("mutants.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, mutant{f[0], f[1], f[2], f[3]})
	}
	return out
}

var difference = regexp.MustCompile(`(?m)^.*difference: .*$`)

// TestMutants makes one change after the other in a copy of the library and holds that walks find it.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("builds the library sixteen times, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	library, modfile := copyLibrary(t)
	for _, m := range mutants(t) {
		t.Run(m.name, func(t *testing.T) {
			path := filepath.Join(library, m.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), m.text, m.by, 1)
			if changed == string(text) {
				t.Fatalf("%s does not have %q", m.file, m.text)
			}
			if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			defer os.WriteFile(path, text, 0o644)
			cmd := exec.Command("go", "test", "-mod=mod", "-modfile="+modfile, "-run=^TestWalks$", "-timeout=2m", ".")
			cmd.Env = append(os.Environ(), "GOFLAGS=", "MULTIGRAIN_WALKS=3000")
			out, err := cmd.CombinedOutput()
			found := difference.Find(out)
			if err == nil || found == nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", strings.TrimSpace(string(found)))
		})
	}
}

// copyLibrary copies the library's package and returns its folder, and a go.mod that asks for it.
func copyLibrary(t *testing.T) (dir, modfile string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", Implementation.Module).Output()
	if err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*"))
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	dir, modfile = filepath.Join(scratch, "raft"), filepath.Join(scratch, "go.mod")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if name := filepath.Base(path); name == "go.mod" || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			copyFile(t, path, filepath.Join(dir, name), "")
		}
	}
	copyFile(t, "go.mod", modfile, "\nreplace "+Implementation.Module+" => "+dir+"\n")
	copyFile(t, "go.sum", filepath.Join(scratch, "go.sum"), "")
	return dir, modfile
}

func copyFile(t *testing.T, from, to, more string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, append(text, more...), 0o644); err != nil {
		t.Fatal(err)
	}
}
