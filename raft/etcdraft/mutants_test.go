//go:build !multigrain_runtime

package etcdraft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mutants are changes of one line of the library. Each is what a text, which is in its file once, is replaced by.
var mutants = []struct{ name, file, text, by, manifest string }{
	{"vote for a log that is only as long", "log.go", "their.index >= our.index", "their.index > our.index", "etcd"},
	{"commit beyond what the append vouches for", "log.go", "min(committed, lastnewi)", "committed", "etcd"},
	{"commit index goes down", "log.go", "l.committed < tocommit", "l.committed != tocommit", "etcd"},
	{"commit entries of older terms by counting", "log.go", "at.index > l.committed && l.matchTerm(at)", "at.index > l.committed", "etcd"},
	{"heartbeat tells a commit index beyond the match", "raft.go", "min(pr.Match, r.raftLog.committed)", "r.raftLog.committed", "etcd"},
	{"acknowledge one entry more", "raft.go", "new(mlastIndex)", "new(mlastIndex + 1)", "etcd"},
	{"append at the commit index is answered as an old one", "raft.go", "a.prev.index < r.raftLog.committed", "a.prev.index <= r.raftLog.committed", "etcd"},
	{"next index falls to the match index", "tracker/progress.go", "max(min(rejected, matchHint+1), pr.Match+1)", "min(rejected, matchHint+1)", "etcd"},
	{"flow is not paused when the window is full", "tracker/progress.go", "pr.MsgAppFlowPaused = pr.Inflights.Full()", "pr.MsgAppFlowPaused = false", "etcd"},
	{"a quorum is one too few", "quorum/majority.go", "n - (n/2 + 1)", "n - n/2", "etcd"},
	{"entries of another term count as stable", "log_unstable.go", "gt != id.term", "false", "etcd-async"},
	{"campaign with unapplied changes", "raft.go", "if r.hasUnappliedConfChanges()", "if false", "etcd-full"},
	{"snapshot's last entry is sent once more", "tracker/progress.go", "pr.Next = snapshoti + 1", "pr.Next = snapshoti", "etcd-full"},
	{"a read is confirmed before its turn", "read_only.go", "ro.confirmedReads = newConfirmedReads", "ro.confirmedReads++", "etcd-full"},
}

// conformed is what is read of the result of multigrain conform.
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

// TestMutants makes one change after the other in a copy of the library and holds that walks find it. Beside it, the copy without
// a change conforms.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("builds the library fifteen times, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	dir := t.TempDir()
	library, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", Implementation.Module).Output()
	if err != nil {
		t.Fatal(err)
	}
	from, to := strings.TrimSpace(string(library)), filepath.Join(dir, "raft")
	if err := copyLibrary(from, to); err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	workspace := filepath.Join(dir, "go.work")
	text := fmt.Sprintf("go 1.26.0\n\nuse %s\n\nreplace %s => %s\n", repo, Implementation.Module, to)
	if err := os.WriteFile(workspace, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, manifest string) (r conformed, code int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command, "conform", "../../configs/raft/"+manifest+".hcl", "-json", "-traces", "2000", "-time", "2m", "-to", t.TempDir())
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
	t.Run("none", func(t *testing.T) {
		if r, code := run(t, "etcd"); code != 0 || r.Conform.Traces != 2000 {
			t.Fatalf("exit code %d, %+v", code, r)
		}
	})
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			path := filepath.Join(to, filepath.FromSlash(m.file))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), m.text); n != 1 {
				t.Fatalf("%q is in %s %d times", m.text, m.file, n)
			}
			defer os.WriteFile(path, text, 0o644)
			if err := os.WriteFile(path, []byte(strings.Replace(string(text), m.text, m.by, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			r, code := run(t, m.manifest)
			if code != 30 || len(r.Conform.Found) != 1 {
				t.Fatalf("exit code %d, %+v", code, r)
			}
			d := r.Conform.Found[0]
			if d.Step == 0 || d.Action == "" || d.Kind == "variable" && d.Variable == "" || d.Kind != "variable" && d.Message == "" {
				t.Errorf("%+v", d)
			}
			t.Logf("%s: %s %s%s after step %d, %s; trace %d", m.name, d.Kind, d.Variable, d.Message, d.Step, d.Action, r.Conform.Traces)
		})
	}
}

// copyLibrary copies the files of a module, which are read-only in the module cache.
func copyLibrary(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rest), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rest), text, 0o644)
	})
}
