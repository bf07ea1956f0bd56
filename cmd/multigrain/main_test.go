package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/schematest"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

func TestMain(m *testing.M) {
	if recordGo() {
		os.Exit(1)
	}
	if mutantsGo() {
		os.Exit(0)
	}
	testscript.Main(cached{m}, map[string]func(){"multigrain": checked})
}

// cached runs the tests with one cache of programs. If MULTIGRAIN_CACHE is set, other packages
// share it.
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

// binary returns the path of the command under test, which is this test binary.
func binary(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("multigrain")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// exitNoDocument is the exit code of the command in tests where JSON that it wrote is no
// document.
const exitNoDocument = 98

// checked is the command as tests run it. All JSON that it prints, and that it writes into the
// folder of -report, is checked against the published schema.
func checked() {
	a := &command.App{Verbs: verbs(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ()}
	a.OutWidth, a.ErrWidth = shell.TerminalWidth(os.Stdout), shell.TerminalWidth(os.Stderr)
	line, _ := verbs().Parse(os.Args[1:])
	documents := map[string][]byte{}
	var printed bytes.Buffer
	a.Out = io.MultiWriter(os.Stdout, &printed)
	tap := slices.Contains(os.Args, "tap") // its program writes to the file itself
	if a.OutWidth > 0 || tap && !line.Json {
		a.Out = os.Stdout
	}
	wrong := ""
	a.Ended = func(d *result.Document, code int) { wrong = unlisted(d, code, printed.String()) }
	code := a.Run(os.Args[1:])
	if o, ok := line.Own.(*checkOptions); ok && o.watch {
		wrong = "" // several results were printed
	}
	if wrong != "" {
		fmt.Fprintf(os.Stderr, "docs/reference/verdicts.md does not have this: %s\n", wrong)
		code = exitNoDocument
	}
	if line.Json {
		documents["standard output"] = printed.Bytes()
	}
	if o, ok := line.Own.(interface{ Places() []shell.Place }); ok {
		for _, p := range o.Places() {
			if p.Flag == "-report" && p.Path != "" {
				reported(p.Path, documents)
			}
		}
	}
	for name, text := range documents {
		if err := schematest.Check(text); err != nil {
			fmt.Fprintf(os.Stderr, "%s is not as docs/reference/result.schema.json says: %v\n", name, err)
			code = exitNoDocument
		}
	}
	os.Exit(code)
}

// reported adds the documents of a folder, by their names.
func reported(folder string, documents map[string][]byte) {
	found, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, file := range found {
		if text, err := os.ReadFile(file); err == nil && !strings.HasSuffix(file, ".itf.json") {
			documents[file] = text
		}
	}
}

// TestChecked: a document that the schema does not know fails whatever runs the command.
func TestChecked(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "odd.json"), []byte(`{"verb": "check", "colour": "red"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("multigrain", "check", "missing.hcl", "-report", folder)
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitNoDocument || !strings.Contains(string(out), "odd.json is not as") {
		t.Errorf("%v\n%s", cmd.ProcessState, out)
	}
}

// scriptTime is left for scripts that run and for the tests after them, testTime for one of these.
const (
	scriptTime = 5 * time.Minute
	testTime   = 2 * time.Minute
)

const noTime = "the time limit of go test is near; a longer one, as -timeout 1h, runs this test"

// late reports whether go test ends the tests before this time is over.
func late(t *testing.T, need time.Duration) bool {
	limit, ok := t.Deadline()
	return ok && time.Until(limit) < need
}

// inTime lets a long test run with others at the same time, or skips it if go test would end it. On
// a slow machine the usual ten minutes are too few.
func inTime(t *testing.T) {
	t.Helper()
	t.Parallel()
	if late(t, testTime) {
		t.Skip(noTime)
	}
}

// TestScripts runs testdata/script/*.txtar. A script's name says which verb it is about. Scripts
// see this repository as $REPO and share the caches, since what they assemble is the same each
// time. Those that build many programs skip themselves but where MULTIGRAIN_SLOW is set:
// condition [slow].
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
	raft, err := mutants.Library("../..") // a copy that scripts change
	if err != nil {
		t.Fatal(err)
	}
	multigrain := binary(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			if late(t, scriptTime) {
				env.T().Skip(noTime)
			}
			for k, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOPATH"} {
				env.Setenv(name, goEnv[k])
			}
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("REPO", repo)
			env.Setenv("RAFT", raft)
			env.Setenv("MULTIGRAIN", multigrain)
			env.Setenv("MULTIGRAIN_CACHE", os.Getenv("MULTIGRAIN_CACHE"))
			env.Setenv("USER_HOME", os.Getenv("HOME")) // where the Maven repository is
			env.Setenv("MULTIGRAIN_VAR_repo", repo)
			env.Setenv("MULTIGRAIN_VAR_buffer", filepath.Join(repo, "cmd/multigrain/testdata/spec/buffer"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "slow":
				return os.Getenv("MULTIGRAIN_SLOW") != "", nil
			case "mounts": // a user may mount a file system of its own
				return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/tmp").Run() == nil, nil
			case "zookeeper": // Java and the jars of some version
				_, err := control.Find(control.Places{}, "3.8.0")
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
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
