package hashicorpraft

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLibrary runs the tests of the module in testdata/library, which compare the library with this
// package. With MULTIGRAIN_SLOW they also change the library.
func TestLibrary(t *testing.T) {
	t.Parallel()
	module := filepath.Join("testdata", "library")
	dir := t.TempDir()
	// copies, which the go command may bring up to date with the project's
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", append(args, "-mod=mod", "-modfile="+filepath.Join(dir, "go.mod"), "./...")...)
		cmd.Dir, cmd.Env = module, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "MULTIGRAIN_SLOW="+os.Getenv("MULTIGRAIN_SLOW"))
		return cmd.CombinedOutput()
	}
	if out, err := run("list", "-deps", "-test"); err != nil {
		t.Skipf("the library or what it needs cannot be had: %v\n%s", err, out)
	}
	out, err := run("test", "-count=1", "-v")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
