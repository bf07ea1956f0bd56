package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestMutantsOracle compares outcomes of level L3 with those of check on copies of the
// specification. Each mutant has a copy, made by replacing text, and each composition a run.
// Without MULTIGRAIN_SLOW it takes three mutants of one grain: one that is kept, one that is lost,
// and one that is equal.
func TestMutantsOracle(t *testing.T) {
	inTime(t)
	script, err := txtar.ParseFile("testdata/script/l3.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, grain := range []string{"right", "lossy", "inventing"} {
		if os.Getenv("MULTIGRAIN_SLOW") == "" && grain != "lossy" {
			continue
		}
		t.Run(grain, func(t *testing.T) {
			dir := ownModule(t, script)
			fine := map[string]string{"right": "baseline", "lossy": "baseline", "inventing": "atomic"}[grain]
			text, _ := exec.Command(binary(t), "interaction", "-level", "L3", "-json", filepath.Join(dir, "right.hcl"), "-var", "grain="+grain).Output()
			var d result.Document
			if err := json.Unmarshal(text, &d); err != nil || d.Interaction == nil || d.Interaction.Mutants == nil {
				t.Fatalf("%v\n%s", err, text)
			}
			tried := map[string]bool{}
			for _, m := range d.Interaction.Mutants.List {
				if os.Getenv("MULTIGRAIN_SLOW") == "" && tried[m.Outcome] {
					continue
				}
				source, ok := replaced(t, script, &m)
				if !ok {
					continue
				}
				tried[m.Outcome] = true
				if err := os.WriteFile(filepath.Join(dir, "spec.go"), source, 0o644); err != nil {
					t.Fatal(err)
				}
				want := map[[2]bool]string{{true, true}: "kept", {true, false}: "lost", {false, true}: "false", {false, false}: "equal"}[[2]bool{violates(t, dir, fine), violates(t, dir, grain)}]
				if m.Outcome != want {
					t.Errorf("%s is %s, and by itself it is %s", m.Name, m.Outcome, want)
				}
			}
			if len(tried) < 2 {
				t.Errorf("only these outcomes were tried: %v", tried)
			}
		})
	}
}

// TestMutantsResumed interrupts level L3 after some mutants and asks again. What was decided is not
// explored again, and the result is that of a run in one piece.
func TestMutantsResumed(t *testing.T) {
	inTime(t)
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it explores the mutants of a grain three times; set MULTIGRAIN_SLOW=1")
	}
	script, err := txtar.ParseFile("testdata/script/l3.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, cache := ownModule(t, script), t.TempDir()
	kept := filepath.Join(cache, "mutants")
	command := func() *exec.Cmd {
		cmd := exec.Command(binary(t), "interaction", "-level", "L3", "-json", filepath.Join(dir, "lossy.hcl"))
		cmd.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+cache)
		return cmd
	}
	read := func(text []byte) *result.Mutants {
		var d result.Document
		if err := json.Unmarshal(text, &d); err != nil || d.Interaction == nil || d.Interaction.Mutants == nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return d.Interaction.Mutants
	}
	text, _ := command().Output()
	whole := read(text)
	if err := os.RemoveAll(kept); err != nil {
		t.Fatal(err)
	}
	part := read(interrupted(t, command(), kept, 4))
	if n := len(part.List); n == 0 || n == whole.Drawn {
		t.Fatalf("%d of %d mutants were decided before the interrupt", n, whole.Drawn)
	}
	if part.Verdict == "preserved" || part.Undecided < whole.Drawn-len(part.List) {
		t.Errorf("interrupted: %s, %d undecided", part.Verdict, part.Undecided)
	}
	text, _ = command().Output()
	resumed := read(text)
	for k, m := range part.List {
		if m.Mixed.Seconds != resumed.List[k].Mixed.Seconds || m.Fine.Seconds != resumed.List[k].Fine.Seconds {
			t.Errorf("%s was explored again", m.Name)
		}
	}
	for _, m := range []*result.Mutants{whole, resumed} {
		for k := range m.List {
			m.List[k].Fine.Seconds, m.List[k].Mixed.Seconds = 0, 0
		}
		m.Seconds, m.Fine.Seconds, m.Mixed.Seconds = [2]float64{}, 0, 0
	}
	if !reflect.DeepEqual(whole, resumed) {
		t.Errorf("resumed: %+v\nin one piece: %+v", resumed, whole)
	}
}

// interrupted starts a command, interrupts it when a folder has some files, and returns what it
// prints.
func interrupted(t *testing.T, cmd *exec.Cmd, folder string, files int) []byte {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case <-done:
			return out.Bytes()
		case <-time.After(time.Millisecond):
		}
		if list, err := os.ReadDir(folder); err == nil && len(list) >= files {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			<-done
			return out.Bytes()
		}
	}
}

// ownModule writes the files of a script into a module of their own.
func ownModule(t *testing.T, script *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(mod), "module github.com/multigrain/multigrain", "module example.org/own", 1)
	own += "\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => " + root + "\n"
	files := append([]txtar.File{{Name: "go.mod", Data: []byte(own)}, {Name: "go.sum", Data: sum}}, script.Files...)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// replaced returns the specification with the text of a mutant, as its name has it. It returns
// false for a mutant whose name does not say where the text stands.
func replaced(t *testing.T, script *txtar.Archive, m *result.Mutant) ([]byte, bool) {
	t.Helper()
	parts := strings.SplitN(m.Name, ": ", 3)
	was, is, changed := strings.Cut(parts[2], " => ")
	if !changed && parts[1] == "extra write" {
		return nil, false
	}
	for _, f := range script.Files {
		if f.Name != m.File {
			continue
		}
		lines := strings.Split(string(f.Data), "\n")
		line := lines[m.Line-1]
		if strings.Count(line, was) != 1 {
			return nil, false
		}
		lines[m.Line-1] = strings.Replace(line, was, is, 1)
		return []byte(strings.Join(lines, "\n")), true
	}
	t.Fatalf("%s has no file", m.Name)
	return nil, false
}

// violates checks one composition.
func violates(t *testing.T, dir, grain string) bool {
	t.Helper()
	cmd := exec.Command(binary(t), "check", filepath.Join(dir, "right.hcl"), "-var", "grain="+grain)
	out, _ := cmd.CombinedOutput()
	switch code := cmd.ProcessState.ExitCode(); code {
	case 0:
		return false
	case 12:
		return true
	default:
		t.Fatalf("exit code %d\n%s", code, out)
		return false
	}
}
