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
	testscript.Main(m, map[string]func(){"multigrain": main})
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
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			for k, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOPATH"} {
				env.Setenv(name, goEnv[k])
			}
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("REPO", repo)
			path, err := exec.LookPath("multigrain")
			if err != nil {
				return err
			}
			env.Setenv("MULTIGRAIN", path)
			env.Setenv("MULTIGRAIN_CACHE", cache)
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
