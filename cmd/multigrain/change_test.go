package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestPullRequest1848: the lines of pull request 1848 lead to fine Synchronization. With the
// variant that does as it does, I-8 is violated (table 6 of Remix), with three crashes. So it is
// without the pull request, and the change is not accused of it.
func TestPullRequest1848(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("takes most of a minute: set MULTIGRAIN_SLOW=1")
	}
	var out, errs bytes.Buffer
	a := &command.App{Verbs: verbs(), In: strings.NewReader(""), Out: &out, Err: &errs, Environ: append(os.Environ(), "MULTIGRAIN_CACHE="+t.TempDir())}
	const folder = "../../configs/zab/changes/"
	code := a.Run([]string{"change", folder + "zookeeper.hcl", "-diff", folder + "pr-1848.diff", "-var", "fix=pr-1848", "-var", "crashes=3",
		"-var", "partitions=0", "-traces", t.TempDir(), "-quiet"})
	const says = "undecided: the specification of the version before the change violates I-8, which says nothing of the change;"
	if code != verdicts.ExitUndecided || !strings.Contains(out.String(), says) {
		t.Errorf("exit code %d, want %d with I-8\n%s%s", code, verdicts.ExitUndecided, out.String(), errs.String())
	}
}
