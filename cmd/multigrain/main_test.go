package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(cached{m}, map[string]func(){"multigrain": main})
}

// cached runs the tests with one cache of programs for all of them, which other packages share if MULTIGRAIN_CACHE is set.
type cached struct{ tests *testing.M }

func (c cached) Run() int {
	if os.Getenv("MULTIGRAIN_CACHE") == "" {
		dir, err := os.MkdirTemp("", "multigrain-cmd-*")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		os.Setenv("MULTIGRAIN_CACHE", dir)
	}
	return c.tests.Run()
}

// command returns the path of the command under test, which is this test binary.
func command(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("multigrain")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestScripts runs testdata/script/*.txtar. A script's name says which verb it is about. Scripts see this repository as $REPO
// and share the caches, since what they assemble is the same each time. Those that build many programs skip themselves but where
// MULTIGRAIN_SLOW is set: condition [slow].
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	goEnv := strings.Split(string(out), "\n")
	multigrain := command(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			for k, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOPATH"} {
				env.Setenv(name, goEnv[k])
			}
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("REPO", repo)
			env.Setenv("MULTIGRAIN", multigrain)
			env.Setenv("MULTIGRAIN_CACHE", os.Getenv("MULTIGRAIN_CACHE"))
			env.Setenv("MULTIGRAIN_VAR_repo", repo)
			env.Setenv("MULTIGRAIN_VAR_buffer", filepath.Join(repo, "cmd/multigrain/testdata/spec/buffer"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "slow" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Getenv("MULTIGRAIN_SLOW") != "", nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits CODE COMMAND... runs a command and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ProcessState.String()[len("exit status "):]
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}
