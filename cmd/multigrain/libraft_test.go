package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestLibraft: three mistakes of libraft 0.15.0 are found in its specification, and the unmodified
// library takes each trace. With repairs nothing is violated. The library conforms on some walks,
// also with late writes and with PreVote. It departs from the repaired specification. With a
// vote that asks for no log it departs from that of 0.15.0, and with a harmless change it does not.
func TestLibraft(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds and drives the library several times; set MULTIGRAIN_SLOW=1")
	}
	t.Parallel()
	const manifest = "../../configs/raft/libraft.hcl"
	if out, err := exec.Command("multigrain", "conform", "-setup", manifest).CombinedOutput(); err != nil {
		t.Skipf("libraft cannot be set up: %v\n%s", err, out)
	}
	traces := t.TempDir()
	run := func(want int, args ...string) string {
		t.Helper()
		cmd := exec.Command("multigrain", append(args, "-quiet")...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit code %d, want %d\n%s", strings.Join(args, " "), got, want, out)
		}
		return string(out)
	}
	for name, code := range map[string]int{"commits-older-term": verdicts.ExitStep, "match-beyond-message": verdicts.ExitSafety, "answers-nobody": verdicts.ExitAssert} {
		run(code, "check", "../../configs/raft/libraft/"+name+".hcl", "-traces", traces)
		found, err := filepath.Glob(filepath.Join(traces, name+"-*.itf.json"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: traces %v, %v", name, found, err)
		}
		run(0, "replay", found[0])
		run(0, "check", "../../configs/raft/libraft/"+name+".hcl", "-var", "version=repaired")
	}
	run(0, "conform", manifest, "-walks", "20")
	run(0, "conform", manifest, "-walks", "20", "-var", "prevote=true")
	run(0, "conform", manifest, "-walks", "20", "-var", "replication=writes")
	run(30, "conform", manifest, "-walks", "100", "-var", "version=repaired", "-traces", traces)

	// A program of the library's own fixture loses command B, which it reports as done.
	loses := filepath.Join(traces, "loses")
	if out, err := exec.Command("cc", "-o", loses, "../../raft/libraft/testdata/loses.c", "-lraft").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(loses).Output()
	if text := string(out); err != nil || !strings.Contains(text, "the client of B gets: done") || strings.Count(text, "applies B") != 1 || strings.Count(text, "applies A") != 2 {
		t.Errorf("command B is not lost: %v\n%s", err, out)
	}
	// The linker puts a function of the test in the place of one of the library.
	for name, want := range map[string]int{"log-not-asked": 30, "asked-twice": 0} {
		changed := filepath.Join("testdata", "libraft", name+".hcl")
		run(0, "conform", "-setup", changed)
		if out := run(want, "conform", changed, "-walks", "100", "-traces", traces); want == 30 && !strings.Contains(out, "Vote") {
			t.Errorf("%s: no vote differs:\n%s", name, out)
		}
	}
}
