//go:build !multigrain_runtime

package etcdraft

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// conformed is the part of the result of multigrain conform that the test reads.
type conformed struct {
	Diagnostics []struct{ Detail string }
	Conform     struct {
		Traces, Steps, Differences int64
		Found                      []struct {
			Kind, Variable, Action, Message string
			Step                            int
		}
	}
}

// TestMutant: a library without mutants refuses one, and the adapter has the flag of package
// mutants.
func TestMutant(t *testing.T) {
	if mutantFlag != mutants.Flag {
		t.Errorf("the adapter has the flag %s", mutantFlag)
	}
	if err := mutate("vote-twice"); err == nil || mutate("") != nil {
		t.Errorf("a mutant that is not there is selected: %v", err)
	}
}

// TestMutants makes the mutants of package mutants and expects that walks find each, within 3 000
// walks of its manifest and without a limit of time or memory. The library without a change
// conforms.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("takes up to 3 000 walks for each mutant, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	all, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	workspace, err := mutants.MakeAll(all, "../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, m mutants.Mutant, manifest string) (r conformed, code int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command, "conform", mutants.Manifest("../..", manifest), "-var", "mutant="+m.Name, "-json", "-branches=false", "-traces", "3000", "-to", t.TempDir())
		cmd.Env = append(os.Environ(), "GOWORK="+workspace, "MULTIGRAIN_CACHE="+filepath.Join(dir, "cache"))
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		return r, cmd.ProcessState.ExitCode()
	}
	manifests := map[string]bool{}
	for _, m := range all {
		manifests[m.Manifest] = true
	}
	for manifest := range manifests {
		t.Run("none, "+manifest, func(t *testing.T) {
			if r, code := run(t, mutants.Mutant{}, manifest); code != 0 || r.Conform.Traces != 3000 {
				t.Fatalf("exit code %d, %+v", code, r)
			}
		})
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			r, code := run(t, m, m.Manifest)
			if code != 30 || len(r.Conform.Found) != 1 {
				t.Fatalf("exit code %d, %+v", code, r)
			}
			d := r.Conform.Found[0]
			if d.Step == 0 || d.Action == "" || d.Kind == "variable" && d.Variable == "" || d.Kind != "variable" && d.Message == "" {
				t.Errorf("%+v", d)
			}
			t.Logf("%s: %s %s%s after step %d, %s; trace %d", m.Name, d.Kind, d.Variable, d.Message, d.Step, d.Action, r.Conform.Traces)
		})
	}
}
