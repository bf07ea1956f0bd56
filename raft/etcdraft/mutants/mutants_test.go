package mutants

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestChange makes every mutant of the table from the source in the module cache. The result must
// be Go.
func TestChange(t *testing.T) {
	t.Parallel()
	library, err := Library("../../..")
	if err != nil {
		t.Fatal(err)
	}
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 24 {
		t.Errorf("the table has %d mutants", len(all))
	}
	for _, m := range all {
		text, err := os.ReadFile(filepath.Join(library, filepath.FromSlash(m.File)))
		if err != nil {
			t.Fatal(err)
		}
		changed, err := m.Change(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.File, changed, 0); err != nil {
			t.Errorf("mutant %q: %v", m.Name, err)
		}
		if _, err := os.Stat("../../../configs/raft/" + m.Manifest + ".hcl"); err != nil {
			t.Errorf("mutant %q: %v", m.Name, err)
		}
	}
}

// TestMake expects a copy of the library with the changed line, and a workspace that uses it.
func TestMake(t *testing.T) {
	t.Parallel()
	m, err := Named("commit-goes-down")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	workspace, err := Make(m, "../../..", folder)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "raft", "log.go"))
	if err != nil || !strings.Contains(string(text), m.Becomes) || strings.Contains(string(text), m.Line) {
		t.Errorf("log.go does not have the mistake: %v", err)
	}
	work, err := os.ReadFile(workspace)
	if err != nil || !strings.Contains(string(work), "replace "+Module+" => ") {
		t.Errorf("%v in %s", err, work)
	}
}

// TestWrong expects errors that say what is wrong with a mutant.
func TestWrong(t *testing.T) {
	t.Parallel()
	const source = "package p\n\nfunc (x *T) F() {\n\ta()\n\ta()\n\tb()\n}\n"
	for _, c := range []struct{ method, line, want string }{
		{"T.F", "c()", "is not in T.F"},
		{"T.F", "a()", "twice, in lines 4 and 5"},
		{"F", "b()", "no method F"},
	} {
		m := Mutant{Name: "m", File: "p.go", Method: c.method, Line: c.line, Becomes: "d()"}
		if _, err := m.Change([]byte(source)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v", c.method, c.line, err)
		}
	}
	if _, err := parse("t.hcl", []byte("mutant \"a\" {\n  mistake = \"\"\n  file = \"\"\n  method = \"\"\n  line = \"x\"\n  becomes = \" x\"\n}\n")); err == nil {
		t.Error("a mutant that changes nothing is accepted")
	}
	if _, err := Named("none"); err == nil {
		t.Error("a mutant that is not there is found")
	}
}

// TestMakeAll builds the library with all mutants. A test program then finds the selected one.
func TestMakeAll(t *testing.T) {
	t.Parallel()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if _, err := MakeAll(all, "../../..", folder); err != nil {
		t.Fatal(err)
	}
	const test = `package quorum

import (
	"flag"
	"testing"
)

func TestMutant(t *testing.T) {
	if flag.Set("multigrain-mutant", "none") == nil {
		t.Error("a mutant that the table does not have is selected")
	}
	votes := map[uint64]bool{1: true}
	c := MajorityConfig{1: {}, 2: {}}
	if won := c.VoteResult(votes) == VoteWon; won != (multigrainMutant > 0) {
		t.Errorf("mutant %d: one vote of two wins: %v", multigrainMutant, won)
	}
}
`
	library := filepath.Join(folder, "raft")
	if err := os.WriteFile(filepath.Join(library, "quorum", "mutant_test.go"), []byte(test), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "majority-rounded-up"} {
		cmd := exec.Command("go", "test", "./quorum", "-args", "-"+Flag+"="+name)
		cmd.Dir = library
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("mutant %q: %v: %s", name, err, out)
		}
	}
	cmd := exec.Command("go", "vet", ".", "./tracker")
	cmd.Dir = library
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
