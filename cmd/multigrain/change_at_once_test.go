package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
)

// TestChangesAtOnce runs two equal changes and another one at once on one cache, with
// clean at the same time. Each ends as it does alone, and nothing that a run uses is removed.
func TestChangesAtOnce(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("MULTIGRAIN_SLOW is not set: four changes take minutes")
	}
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "cache")
	environ := append(os.Environ(), "MULTIGRAIN_CACHE="+cache)
	const older = "../../configs/raft/changes/commit-entry-of-older-term.diff"
	other := filepath.Join(t.TempDir(), "other.diff")
	text, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "+\tif at.term != 0 && at.index > l.committed {", "+\tif at.index > l.committed {", 1)
	if err := os.WriteFile(other, []byte(wrong), 0o644); err != nil || wrong == string(text) {
		t.Fatal(err, wrong)
	}
	diffs := []string{older, older, other}
	run := func(name string) string {
		cmd := exec.Command("multigrain", "change", "../../configs/raft/etcd.hcl", "-diff", name,
			"-seed", "1", "-workers", "1", "-budget", "10m", "-traces", t.TempDir(), "-quiet")
		cmd.Env = environ
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != 12 {
			t.Errorf("%s: %v, %v\n%s", name, cmd.ProcessState, err, out)
		}
		return settled(string(out))
	}
	var atOnce [3]string
	var all sync.WaitGroup
	for k, name := range diffs {
		all.Go(func() { atOnce[k] = run(name) })
	}
	ended, cleaned := make(chan struct{}), make(chan bool)
	go func() {
		left := false // clean found the cache in use
		for {
			select {
			case <-ended:
				cleaned <- left
				return
			default:
			}
			time.Sleep(200 * time.Millisecond)
			if _, err := os.Lstat(filepath.Join(cache, files.Marker)); err != nil {
				continue // no run has made the cache yet
			}
			cmd := exec.Command("multigrain", "clean", "-cache", t.TempDir())
			cmd.Env = environ
			out, err := cmd.CombinedOutput()
			if left = left || strings.Contains(string(out), "a running command uses it"); err != nil {
				t.Errorf("clean: %v\n%s", err, out)
			}
		}
	}()
	all.Wait()
	close(ended)
	if !<-cleaned {
		t.Error("clean never found the cache in use")
	}
	if atOnce[0] != atOnce[1] || atOnce[0] == atOnce[2] {
		t.Errorf("equal changes end differently, or others alike:\n%s\n%s\n%s", atOnce[0], atOnce[1], atOnce[2])
	}
	if alone := run(older); alone != atOnce[0] {
		t.Errorf("%s ends alone as\n%s\nand with others as\n%s", older, alone, atOnce[0])
	}
}

// settled returns an output without seconds, and without the names of temporary folders.
func settled(out string) string {
	out = regexp.MustCompile(`([0-9]+ (h|min) )*[0-9.]+ s\b`).ReplaceAllString(out, "some s")
	return regexp.MustCompile(`\S*/T\S*`).ReplaceAllString(out, "a file")
}
