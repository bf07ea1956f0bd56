package control

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPartOfRecord asks ZooKeeper's own FileTxnLog what a start reads of a log whose last record is
// on disk in part. It ends the log, unless only the middle of the record is missing: then the
// checksum differs, and the server does not start. The comment of zab.NodeLosesPower says so.
func TestPartOfRecord(t *testing.T) {
	t.Parallel()
	versions := []string{"3.8.0", "3.9.5"}
	if os.Getenv("MULTIGRAIN_SLOW") != "" {
		versions = []string{"3.4.14", "3.5.10", "3.6.4", "3.7.2", "3.8.0", "3.8.6", "3.9.1", "3.9.2", "3.9.3", "3.9.5"}
	}
	found := 0
	for _, version := range versions {
		jars, err := Find(Places{}, version)
		if err != nil {
			t.Logf("%s: %v", version, err)
			continue
		}
		found++
		var stderr strings.Builder
		cmd := exec.Command("java", "-XX:TieredStopAtLevel=1", "-Dzookeeper.preAllocSize=64", "-cp", strings.Join(jars.Path, ":"),
			filepath.Join("testdata", "PartOfRecord.java"), t.TempDir())
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", version, err, stderr.String())
		}
		const want = "none 3 \ncut 2 \nend 2 \nmiddle 2 CRC check failed\nbeginning 2 \n"
		if string(out) != want {
			t.Errorf("%s: read\n%s, want\n%s", version, out, want)
		}
	}
	if found == 0 {
		t.Skip("no jars of ZooKeeper; make zookeeper-jars gets them")
	}
}
