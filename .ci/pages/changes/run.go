package changes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// document is the part of a result of multigrain change that the tables show.
type document struct {
	Verdict     string
	Reason      string
	Diagnostics []struct{ Severity, Summary, Detail, Code string }
	Change      *struct {
		Touched []struct{ Module string }
		// Modelled functions that the change reaches.
		Trails     []struct{ Place struct{ Name string } }
		Unmodelled []struct{ Name, Reason string }
		Observed   *observed
	}
}

// observed says how the changed code ran.
type observed struct {
	Verdict, Reason string
	Walks           int64
	Seconds         float64
	Found           []difference
	Broken          []struct {
		Invariant       string
		Departed, Depth int
	}
	Places []struct{ True, False bool }
}

// difference is a step at which the changed code departs.
type difference struct {
	Kind, Variable, Action, Message string
	Step                            int
}

// outcome is the result of a command, with its cost.
type outcome struct {
	Exit     int
	Document document
	Wall     float64 // seconds from the command to the verdict
	CPU      float64 // processor seconds, user and system, of the command and what it started
	Load     float64 // average of the machine's last minute before the command
	Stderr   string
	Made     time.Time
	Program  string // its digest
	Commit   string // of the checkout
}

// runner runs multigrain change, and keeps its results by all that they depend on.
type runner struct {
	program, cache, keep string
	digest               string // of the program
	commit               string // that is checked out
	budget               time.Duration
	missing, keptOnly    bool
}

// newRunner builds the command.
func newRunner(keep string) (*runner, error) {
	if keep == "" {
		return nil, errors.New("name a folder for results with -keep")
	}
	keep, err := filepath.Abs(keep)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(keep, "results"), 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(keep, "build-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	built := filepath.Join(work, "multigrain")
	if err := kept.Command(built); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(built)
	if err != nil {
		return nil, err
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(text))
	r := &runner{program: filepath.Join(keep, "multigrain-"+digest[:12]), cache: filepath.Join(keep, "cache"), keep: keep, digest: digest}
	head, _ := exec.Command("git", "rev-parse", "--short=8", "HEAD").Output()
	r.commit = strings.TrimSpace(string(head))
	return r, os.Rename(built, r.program)
}

// mostTime is how long a command may take with the budget of its own, on a machine under load.
const mostTime = 30 * time.Minute

// change returns the result of multigrain change with these arguments. Key names the change with
// its manifest. A result that is kept counts if the program is the same, or as the flags say.
// It returns nil where nothing is kept and nothing may be run.
func (r *runner) change(key string, dir string, args ...string) (*outcome, error) {
	sum := sha256.Sum256([]byte(key + "\x00" + r.budget.String()))
	file := filepath.Join(r.keep, "results", fmt.Sprintf("%x.json", sum[:12]))
	out := new(outcome)
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, out); err != nil {
			return nil, fmt.Errorf("%s: %w; remove it", file, err)
		}
		if r.keptOnly || r.missing || out.Program == r.digest {
			return out, nil
		}
	}
	if r.keptOnly {
		return nil, nil
	}
	out = &outcome{Program: r.digest, Commit: r.commit}
	args = append(append([]string{"change"}, args...), "-json", "-quiet", "-traces", filepath.Join(r.keep, "traces"))
	if r.budget > 0 {
		args = append(args, "-budget", r.budget.String())
	}
	ctx, cancel := context.WithTimeout(context.Background(), mostTime+10*r.budget)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+r.cache)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	out.Load = load()
	start := time.Now()
	err := cmd.Run() // the exit code says the verdict
	if cmd.ProcessState == nil {
		return nil, err
	}
	out.Wall, out.Made = time.Since(start).Seconds(), start
	out.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	out.Exit, out.Stderr = cmd.ProcessState.ExitCode(), stderr.String()
	if err := json.Unmarshal(stdout.Bytes(), &out.Document); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return out, os.WriteFile(file, text, 0o644)
}

// load returns the average load of the machine's last minute; 0 where it is not known.
func load() (out float64) {
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(text), &out)
	}
	return out
}

// verdict returns the word of the verdict.
func (o *outcome) verdict() string {
	d := &o.Document
	switch {
	case d.Change != nil && d.Change.Observed != nil:
		return d.Change.Observed.Verdict
	case o.Exit == 0 && d.Verdict != "":
		return d.Verdict
	case o.Exit == 0:
		return "touches nothing"
	case d.Verdict != "":
		return d.Verdict
	}
	return "invalid"
}

// touched returns the modules that a change touches, or else the declarations that no grain models.
func (o *outcome) touched() (out []string) {
	d := o.Document.Change
	if d == nil {
		return []string{o.where()}
	}
	for _, t := range d.Touched {
		out = append(out, t.Module)
	}
	if len(out) == 0 {
		for _, u := range d.Unmodelled {
			out = append(out, "not modelled: "+u.Name[strings.LastIndexAny(u.Name, "/")+1:])
		}
	}
	return out
}

// where returns the first step at which the code departs, or why nothing is decided.
func (o *outcome) where() string {
	d := &o.Document
	if d.Change != nil && d.Change.Observed != nil {
		x := d.Change.Observed
		if len(x.Found) > 0 {
			return x.Found[0].text()
		}
		if x.Reason != "" {
			return x.Reason
		}
	}
	if d.Reason != "" {
		return d.Reason
	}
	for _, g := range d.Diagnostics {
		if strings.EqualFold(g.Severity, "error") {
			first, _, _ := strings.Cut(g.Detail, "\n")
			return fmt.Sprintf("%s [%s]: %s", g.Summary, g.Code, first)
		}
	}
	return ""
}

func (d *difference) text() string {
	switch {
	case d.Variable != "" && d.Step > 0:
		return fmt.Sprintf("%s, step %d, %s", d.Variable, d.Step, d.Action)
	case d.Step > 0:
		return fmt.Sprintf("%s, step %d, %s", d.Kind, d.Step, d.Action)
	}
	return strings.TrimSpace(d.Kind + " " + d.Message + " " + d.Variable)
}

// broken returns the invariants that the changed code violates.
func (o *outcome) broken() (out []string) {
	if d := o.Document.Change; d != nil && d.Observed != nil {
		for _, b := range d.Observed.Broken {
			if !slices.Contains(out, b.Invariant) {
				out = append(out, b.Invariant)
			}
		}
	}
	return out
}
