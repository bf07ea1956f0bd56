package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// bench runs the command on specifications in a Go module of its own.
type bench struct {
	repo, work, program string
	built               time.Duration     // processor time until the command was built
	trace               func(text string) // gets the text of every run; nil: nothing does
}

// result is what is read of the JSON document of a run.
type result struct {
	Verdict    string
	Distinct   int
	Generated  int
	Depth      int
	Levels     []int
	Violations []violation
	Actions    []struct {
		Name           string
		Enabled, Fired int
	}
	Diagnostics []struct{ Severity, Code, Summary, Detail string }
	Interaction struct {
		Verdict    string
		Comparison comparison
		Grains     []struct{ Grain, Verdict, Level string }
	}

	code   int
	stderr string
	dir    string
	killed bool
}

type violation struct {
	Invariant, Kind, Action, Trace string
	Depth, Count                   int
	DistinctAt                     int `json:"distinct_at"`
	Counterexample                 struct{ Loop *int }
}

type answers struct {
	NoFalse  string `json:"no_false"`
	NoMissed string `json:"no_missed"`
}

type comparison struct {
	Verdict string
	L1, L2  answers
	Views   [2]int
	Only    [2]int `json:"views_only"`
	Sides   []struct {
		States, Transitions, Depth int
		Complete                   bool
	}
	Looks []struct {
		Name               string
		Seen, Only, Broken [2]int
	}
}

// longest is how long a run may take.
const longest = 5 * time.Minute

// newBench builds the command and makes the module.
func newBench(repo, work string) (*bench, error) {
	b := &bench{repo: repo, work: work, program: filepath.Join(work, "multigrain")}
	build := exec.Command("go", "build", "-o", b.program, "./cmd/multigrain")
	build.Dir = repo
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	version, err := goVersion(filepath.Join(repo, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod := fmt.Sprintf("module example.org/random\n\ngo %s\n\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => %s\n", version, repo)
	if err := os.WriteFile(filepath.Join(work, "go.mod"), []byte(mod), 0o644); err != nil {
		return nil, err
	}
	b.built = processorTime()
	sums, err := os.ReadFile(filepath.Join(repo, "go.sum"))
	if err != nil {
		return nil, err
	}
	return b, os.WriteFile(filepath.Join(work, "go.sum"), sums, 0o644)
}

// spent returns the processor time of all runs and of the oracle.
func (b *bench) spent() time.Duration { return processorTime() - b.built }

// processorTime returns that of this process and of its children that have ended.
func processorTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

func goVersion(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if version, ok := strings.CutPrefix(line, "go "); ok {
			return strings.TrimSpace(version), nil
		}
	}
	return "", errors.New("go.mod has no line with the version of Go")
}

// run runs the command in the folder of a specification. It kills the command after a time that is
// not 0.
func (b *bench) run(dir string, environ []string, kill time.Duration, args ...string) *result {
	cmd := exec.Command(b.program, append(args, "-json", "-quiet")...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(append(os.Environ(), "MULTIGRAIN_CACHE="+b.cache()), environ...)
	cmd.WaitDelay = time.Minute
	r := &result{dir: dir}
	if err := cmd.Start(); err != nil {
		r.stderr = err.Error()
		return r
	}
	wait := longest
	if kill > 0 {
		wait = kill
	}
	timer := time.AfterFunc(wait, func() { r.killed = true; cmd.Process.Kill() })
	cmd.Wait()
	timer.Stop()
	r.code, r.stderr = cmd.ProcessState.ExitCode(), stderr.String()
	if err := json.Unmarshal(stdout.Bytes(), r); err != nil && !r.killed {
		r.stderr += fmt.Sprintf("the output is no JSON document: %v\n%s", err, stdout.String())
	}
	return r
}

// cache is the folder of programs: that of the caller, where there is one.
func (b *bench) cache() string {
	if dir := os.Getenv("MULTIGRAIN_CACHE"); dir != "" {
		return dir
	}
	return filepath.Join(b.work, "cache")
}

// refused reports whether a run was refused with a diagnostic of a code.
func (r *result) refused(code string) bool {
	for _, d := range r.Diagnostics {
		if d.Code == code && d.Severity == "error" {
			return true
		}
	}
	return false
}

// problem returns the errors of a run that is neither a verdict nor a refusal that the caller knows.
func (r *result) problem() string {
	text := fmt.Sprintf("exit code %d", r.code)
	for _, d := range r.Diagnostics {
		if d.Severity == "error" {
			text += fmt.Sprintf("; %s [%s] %s", d.Summary, d.Code, d.Detail)
		}
	}
	return text + r.stderr
}
