// Package larger writes docs/results/larger.md: what each shipped coarse grain shows within larger
// bounds than its manifest compares, once with twice the faults and once with five nodes. Run it in
// the folder of the checkout:
//
//	go run ./.ci/pages larger -keep DIR
//
// Results are kept in the folder DIR, by the digest of what is compared. A command that was ended
// continues with the others, and a result is made again when the compared code has changed. Each
// comparison ends after -timeout at the latest, which is a result, too. Flag -only chooses
// manifests by a part of their paths, and -open the rows that the document calls "not run". A row
// without a result stays as the document has it.
package larger

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/.ci/pages/kept"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

type asked struct {
	keep, out, only string
	timeout         time.Duration
	states          int64
	onlyKept, open  bool
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results")
	flag.StringVar(&a.out, "out", "docs/results/larger.md", "the file that is written")
	flag.StringVar(&a.only, "only", "", "compare only manifests whose paths have this part")
	flag.DurationVar(&a.timeout, "timeout", 30*time.Minute, "end a comparison after this time")
	flag.Int64Var(&a.states, "max-states", 40_000_000, "end a comparison after so many states of a composition")
	flag.BoolVar(&a.onlyKept, "only-kept", false, "write the table from what the folder has, and compare nothing")
	flag.BoolVar(&a.open, "open", false, "compare only rows that the document has no result for")
	flag.Parse()
	return a.run()
}

func (a *asked) run() error {
	if a.keep == "" {
		return errors.New("name a folder for results with -keep")
	}
	keep, err := filepath.Abs(a.keep)
	if err != nil {
		return err
	}
	if keep, err = filepath.EvalSymlinks(keep); errors.Is(err, os.ErrNotExist) {
		keep, err = filepath.Abs(a.keep)
	}
	if err = errors.Join(err, os.MkdirAll(keep, 0o755)); err != nil {
		return err
	}
	a.keep = keep
	all, err := manifests("configs", a.resolve)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("no manifest in configs states a level: run the command in the folder of the checkout")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	program := filepath.Join(a.keep, "multigrain")
	if !a.onlyKept {
		if err := kept.Command(program); err != nil {
			return err
		}
	}
	rows := readRows(a.out)
	for _, l := range all {
		if a.open && ran(rows[l.name()]) {
			continue
		}
		got, err := a.result(ctx, program, l)
		if err != nil {
			return err
		}
		if got != nil {
			rows[l.name()] = l.row(got)
		}
		if err := os.WriteFile(a.out, []byte(page(all, rows)), 0o644); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
	return nil
}

// resolve resolves a manifest with the cache of the kept results.
func (a *asked) resolve(m *configs.Manifest) (*compose.Composition, error) {
	c, diags := compose.Resolve(m, compose.Env{CacheDir: filepath.Join(a.keep, "cache")})
	if diags.HasErrors() {
		return nil, diags
	}
	return c, nil
}

// outcome is a result that the folder keeps.
type outcome struct {
	Bounds  string    `json:"bounds"`
	Verdict string    `json:"verdict"` // preserved, gap, broken or undecided
	Reason  string    `json:"reason,omitempty"`
	States  [2]int64  `json:"states"` // of the fine and the coarse composition
	Views   int       `json:"views"`  // of the fine one
	Seconds int       `json:"seconds"`
	Gaps    []gap     `json:"gaps,omitempty"`
	False   []string  `json:"false,omitempty"` // who observes a false behaviour
	On      time.Time `json:"on"`
}

type gap struct {
	Cause  string `json:"cause"` // the step that the coarse grain leaves out, or who observes it
	Missed int    `json:"missed"`
}

// result returns the result of a comparison, compared now if the folder does not have it. It is
// nil if it must not be compared.
func (a *asked) result(ctx context.Context, program string, l *larger) (*outcome, error) {
	for {
		path, c, err := a.write(l)
		if diags := (hcl.Diagnostics)(nil); errors.As(err, &diags) && diags.HasErrors() {
			return refused(diags), nil
		}
		if err != nil {
			return nil, err
		}
		now, diags := c.ComparisonDigest()
		if diags.HasErrors() {
			return refused(diags), nil
		}
		file := filepath.Join(a.keep, now.Whole+".json")
		if text, err := os.ReadFile(file); err == nil {
			got := new(outcome)
			return got, json.Unmarshal(text, got)
		}
		if a.onlyKept || !strings.Contains(l.manifest, a.only) {
			return nil, nil
		}
		got, capacity, err := a.compare(ctx, program, path, l)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil { // interrupted, so it is no result
			return nil, nil
		}
		if capacity > 0 && l.roomier(c, capacity) {
			continue
		}
		text, err := json.Marshal(got)
		if err != nil {
			return nil, err
		}
		return got, os.WriteFile(file, text, 0o644)
	}
}

// refused is the result of bounds that the system does not have.
func refused(diags hcl.Diagnostics) *outcome {
	d := diags.Errs()[0].(*hcl.Diagnostic)
	return &outcome{Verdict: "refused", Reason: strings.TrimSuffix(d.Summary, ".")}
}

// write writes the comparison as a manifest and resolves it.
func (a *asked) write(l *larger) (path string, c *compose.Composition, err error) {
	text, err := l.text(a.keep)
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(a.keep, l.file()+".hcl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return "", nil, err
	}
	m, diags := configs.Load(path, configs.Options{})
	if diags.HasErrors() {
		return "", nil, diags
	}
	c, err = a.resolve(m)
	return path, c, err
}

// compare runs the command. Capacity is that of what was full, if the run ended with that; else 0.
func (a *asked) compare(ctx context.Context, program, path string, l *larger) (got *outcome, capacity int, err error) {
	fmt.Fprintf(os.Stderr, "%s %s, %s\n", time.Now().Format(time.TimeOnly), l.manifest, l.kind)
	var complaints strings.Builder
	cmd := exec.CommandContext(ctx, program, "interaction", path, "-level", "L2", "-json", "-quiet",
		"-timeout", a.timeout.String(), "-max-states", fmt.Sprint(a.states), "-traces", filepath.Join(a.keep, "traces"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stderr = &complaints
	begun := time.Now()
	text, runErr := cmd.Output() // the exit code says the verdict, which the document has, too
	d := new(document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, 0, fmt.Errorf("%s: %w\n%s", path, errors.Join(runErr, err), complaints.String())
	}
	got = d.outcome()
	got.Seconds, got.On = int(time.Since(begun).Seconds()), begun
	return got, d.capacity(), nil
}
