package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestRoundsFind finds known mistakes by walks in rounds, each within 120 seconds. Where rounds
// cannot be derived, they are refused without heuristic=1, and the result says that they are a
// heuristic.
func TestRoundsFind(t *testing.T) {
	for manifest, heuristic := range map[string]bool{
		"zab/bugs/zk-2832":                     false,
		"examples/phases-joined":               false,
		"examples/mistakes/cas-one-ballot":     false,
		"raft/mistakes/ack-beyond-message":     false,
		"raft/mistakes/leader-votes":           false,
		"raft/mistakes/match-from-rejection":   false,
		"raft/mistakes/match-from-stale-reply": false,
		"raft/mistakes/next-at-match":          false,
		"raft/mistakes/stale-cache":            false,
		"raft/mistakes/stale-vote-replies":     false,
		"raft/mistakes/apply-uncommitted":      true,
		"raft/mistakes/concurrent-changes":     true,
		"raft/mistakes/union-quorum":           true,
		"raft/mistakes/vote-without-log-check": true,
	} {
		// A name without a folder: its last letter says in which part of a long suite it runs.
		t.Run(filepath.Base(manifest), func(t *testing.T) {
			if os.Getenv("MULTIGRAIN_SLOW") == "" && manifest != "raft/mistakes/concurrent-changes" {
				t.Skip("it builds fourteen programs; set MULTIGRAIN_SLOW=1")
			}
			t.Parallel()
			rounds := func(strategy string) (string, int) {
				cmd := exec.Command("multigrain", "simulate", "../../configs/"+manifest+".hcl", "-strategy", strategy, "-timeout", "120s", "-quiet", "-traces", t.TempDir())
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				cmd.Run()
				return out.String(), cmd.ProcessState.ExitCode()
			}
			out, code := rounds("rounds")
			if heuristic {
				if code != shell.Invalid || !strings.Contains(out, "Strategy does not fit the composition") ||
					!strings.Contains(strings.Join(strings.Fields(out), " "), "-strategy rounds:heuristic=1.") {
					t.Errorf("without heuristic=1 the exit code is %d\n%s", code, out)
				}
				out, code = rounds("rounds:heuristic=1")
			}
			if code < verdicts.ExitSafety || code > verdicts.ExitAssert {
				t.Errorf("the exit code is %d\n%s", code, out)
			}
			for _, want := range []string{"\nviolated: ", "\n    sample space: ", "1/(nr)^d", ", kernel {"} {
				if !strings.Contains(out, want) {
					t.Errorf("the result lacks %q\n%s", want, out)
				}
			}
			if heuristic != strings.Contains(out, "\n    heuristic: ") {
				t.Errorf("the result says that the rounds are a heuristic: %v\n%s", !heuristic, out)
			}
		})
	}
}
