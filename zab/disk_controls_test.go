package zab

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDiskControls explores the bounds of each manifest about disks without its cause: nothing is
// violated.
func TestDiskControls(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it explores up to 2.1 million states for each manifest; set MULTIGRAIN_SLOW=1")
	}
	dir := t.TempDir()
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct{ manifest, without string }{
		{"bugs/memory-behind-log", "disk=one"},
		{"bugs/memory-behind-log", "fix=final"},
		{"fixes/pr-2111-memory-behind-log", "fix=final"},
		{"bugs/truncate-keeps-record", "truncation=log"},
		{"fixes/truncate-snapshots", "crashes=1"},
		{"bugs/zk-5094", "synchronization=follower-threads"},
		{"bugs/zk-2354", "fix=none"},
		{"bugs/unforced-snapshot", "forces=all"},
		{"bugs/unforced-log", "forces=code"},
		{"bugs/rolled-log", "faults=power"},
		{"bugs/unforced-tail", "faults=power"},
		{"bugs/unforced-tail", "forces=all"},
	} {
		t.Run(filepath.Base(c.manifest)+" "+c.without, func(t *testing.T) {
			manifest := filepath.Join("..", "configs", "zab", c.manifest+".hcl")
			if out, err := exec.Command(command, "check", manifest, "-var", c.without, "-quiet").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
