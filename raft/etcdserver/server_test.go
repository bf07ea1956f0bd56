package etcdserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// server builds etcd of a version: the module in testdata/VERSION. MULTIGRAIN_ETCD may name a
// folder that has programs of these names already.
func server(t testing.TB, version string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds and runs etcd")
	}
	if dir := os.Getenv("MULTIGRAIN_ETCD"); dir != "" {
		path := filepath.Join(dir, version)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	path := filepath.Join(t.TempDir(), "etcd")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = filepath.Join("testdata", version)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("etcd %s cannot be built, its modules may not be had here: %v\n%s", version, err, out)
	}
	return path
}
