package tap_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// TestOtherLibrary builds the tap with an older library, which cannot be done: the first error
// names the version that is supported.
func TestOtherLibrary(t *testing.T) {
	const other = "go.etcd.io/raft/v3@v3.6.0"
	dir := t.TempDir()
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = "../../.."
		return cmd.Output()
	}
	out, err := run("mod", "download", "-json", other)
	if err != nil {
		t.Skipf("the module proxy does not have %s: %v", other, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), fmt.Sprintf("%s\nreplace go.etcd.io/raft/v3 => %s\n", mod, module.Dir))
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	cmd := exec.Command("go", "build", "-mod=mod", "-modfile="+filepath.Join(dir, "go.mod"), "./raft/etcdraft/tap")
	cmd.Dir = "../../.."
	text, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("the tap is built with %s", other)
	}
	version := strings.ReplaceAll(strings.Fields(tap.Supports)[1], ".", "_")
	if !strings.Contains(string(text), "supportsRaftV"+strings.TrimPrefix(version, "v")) {
		t.Errorf("no word of %s in\n%s", tap.Supports, text)
	}
}
