package regress

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// user is somebody with a module of his own, and with multigrain.
type user struct {
	t                 *testing.T
	root, dir, binary string
}

// newUser makes a module that requires this repository.
func newUser(t *testing.T) *user {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real systems; set MULTIGRAIN_SLOW=1")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	u := &user{t: t, root: root, dir: t.TempDir(), binary: os.Getenv("MULTIGRAIN")}
	if u.binary == "" {
		u.binary = filepath.Join(t.TempDir(), "multigrain")
		u.run(0, root, nil, "go", "build", "-o", u.binary, "./cmd/multigrain")
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod := fmt.Sprintf("module example.com/user\n\ngo 1.26\n\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => %s\n", root)
	for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(u.dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return u
}

// run runs a command and expects an exit code.
func (u *user) run(code int, dir string, env []string, name string, args ...string) string {
	u.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		u.t.Fatalf("%s %s: exit code %d, want %d\n%s", filepath.Base(name), strings.Join(args, " "), got, code, out)
	}
	return string(out)
}

// multigrain runs the command.
func (u *user) multigrain(code int, env []string, args ...string) string {
	u.t.Helper()
	return u.run(code, u.dir, env, u.binary, append(args, "-quiet")...)
}

// only returns the only trace in a folder.
func (u *user) only(folder string) string {
	u.t.Helper()
	found, err := filepath.Glob(filepath.Join(u.dir, folder, "*.itf.json"))
	if err != nil || len(found) != 1 {
		u.t.Fatalf("traces %v, %v", found, err)
	}
	return found[0]
}

// test compiles the tests of a folder and returns a function that runs them.
func (u *user) test(folder string) func(code int, env ...string) string {
	u.t.Helper()
	compiled := filepath.Join(u.t.TempDir(), "user.test")
	u.run(0, u.dir, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, "go", "test", "-c", "-o", compiled, "./"+folder)
	return func(code int, env ...string) string {
		u.t.Helper()
		return u.run(code, filepath.Join(u.dir, folder), append(env, "MULTIGRAIN="+u.binary), compiled, "-test.v")
	}
}

// TestEtcdMistakes: a walk of conform that shows a mistake of etcd-raft becomes a test. It fails
// with the mistake, and passes with the library as it is.
func TestEtcdMistakes(t *testing.T) {
	u := newUser(t)
	with := func(m mutants.Mutant) (environ string) {
		workspace, err := mutants.Make(m, u.root, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return "GOWORK=" + workspace
	}
	without := with(mutants.Mutant{})
	for _, name := range []string{"vote-twice", "commit-goes-down", "commit-without-quorum"} {
		m, err := mutants.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		env := []string{with(m)}
		manifest := filepath.Join(u.root, "configs", "raft", m.Manifest+".hcl")
		u.multigrain(30, env, "conform", manifest, "-branches=false", "-traces", "3000", "-to", name+"-found")
		u.multigrain(30, env, "replay", u.only(name+"-found"), "-write-test", filepath.Join(name, "mistake_test.go"), "-to", name+"-again")
		run := u.test(name)
		if out := run(1, env...); !strings.Contains(out, "exit code 30") {
			t.Errorf("%s: the test does not fail with a difference:\n%s", name, out)
		}
		run(0, without)
	}
}

// TestPySyncObjMistake: the counterexample of a published mistake of PySyncObj becomes a test that
// starts the driver. It fails with 0.3.11, and passes with 0.3.12, which mended the mistake.
func TestPySyncObjMistake(t *testing.T) {
	u := newUser(t)
	manifest := filepath.Join(u.root, "configs", "raft", "pysyncobj", "commit-goes-down.hcl")
	for _, version := range []string{"0.3.11", "0.3.12"} {
		cmd := exec.Command(u.binary, "conform", "-setup", manifest, "-var", "version="+version)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("PySyncObj %s cannot be set up: %v\n%s", version, err, out)
		}
	}
	u.multigrain(13, nil, "check", manifest, "-traces", "found")
	u.multigrain(13, nil, "replay", u.only("found"), "-write-test", "sync/commit_test.go")
	if out := u.test("sync")(1); !strings.Contains(out, "violated: MonotonicCommit; pysyncobj 0.3.11") {
		t.Errorf("the test does not fail with the violation:\n%s", out)
	}
	file := filepath.Join(u.dir, "sync", "commit_test.go")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "pysyncobj@0.3.11") {
		t.Fatalf("%v in %s", err, text)
	}
	mended := strings.ReplaceAll(string(text), "pysyncobj@0.3.11", "pysyncobj@0.3.12")
	if err := os.WriteFile(file, []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	u.test("sync")(0)
	// The same as a script, for a project of Python.
	u.multigrain(13, nil, "replay", u.only("found"), "-write-test", "script/commit.sh")
	u.script(13, "script/commit.sh", "violated: MonotonicCommit; pysyncobj 0.3.11")
	file = filepath.Join(u.dir, "script", "commit.sh")
	if text, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	mended = strings.ReplaceAll(string(text), "pysyncobj@0.3.11", "pysyncobj@0.3.12")
	if err := os.WriteFile(file, []byte(mended), 0o755); err != nil {
		t.Fatal(err)
	}
	u.script(0, "script/commit.sh", "not violated: MonotonicCommit; pysyncobj 0.3.12")
}

// script runs a written script and expects an exit code and a text.
func (u *user) script(code int, file, text string) {
	u.t.Helper()
	if out := u.run(code, u.dir, []string{"MULTIGRAIN=" + u.binary}, filepath.Join(u.dir, file)); !strings.Contains(out, text) {
		u.t.Errorf("%s does not say %q:\n%s", file, text, out)
	}
}

// TestZooKeeperMistake: the counterexample that is ZOOKEEPER-4712 becomes a test that drives real
// servers of 3.8.0, which have the mistake, and a script that does. Both fail.
func TestZooKeeperMistake(t *testing.T) {
	u := newUser(t)
	manifest := filepath.Join(u.root, "configs", "zab", "bugs", "zk-4712.hcl")
	u.multigrain(12, nil, "check", manifest, "-traces", "found")
	cmd := exec.Command(u.binary, "replay", u.only("found"), "-impl", "zookeeper@3.8.0", "-write-test", "zk/log_test.go", "-quiet")
	cmd.Dir = u.dir
	out, _ := cmd.CombinedOutput()
	for _, missing := range []string{"java is not on the PATH", "is not on this machine"} {
		if strings.Contains(string(out), missing) {
			t.Skip("no servers of ZooKeeper 3.8.0: " + missing)
		}
	}
	if code := cmd.ProcessState.ExitCode(); code != 12 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if out := u.test("zk")(1); !strings.Contains(out, "violated: I-10; zookeeper 3.8.0") {
		t.Errorf("the test does not fail with the violation:\n%s", out)
	}
	u.multigrain(12, nil, "replay", u.only("found"), "-impl", "zookeeper@3.8.0", "-write-test", "script/log.sh")
	u.script(12, "script/log.sh", "violated: I-10; zookeeper 3.8.0")
}
