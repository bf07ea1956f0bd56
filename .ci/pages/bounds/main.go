// Package bounds writes docs/results/larger-bounds.md: what is known past the bounds of the
// shipped manifests that hold. In the folder of the checkout:
//
//	go run ./.ci/pages bounds -keep DIR
//
// For each manifest of system zab that configs/testdata/snapshot.tsv says holds, it takes the
// next larger value of each of three bounds alone: transactions, crashes and partitions. It runs
// multigrain check until -time is over. If the search did not end by then, random walks follow
// for -walks, or for -long in the manifests that most documents stand on. All searches come
// before all walks. They are jobs of multigrain run: see package jobs.
//
// Results are kept in the folder DIR, and a command that was ended continues there. A result is
// made again when the code of package zab or the manifest has changed. If the folder lacks a
// result, the cell stays as the document has it. Flag -only chooses manifests by a part of their
// paths, and -missing the cells that the document says nothing about. Below the table the
// document names the cells whose walks were shorter. Flag -short takes only these walks again,
// and keeps what the document has of the search.
package bounds

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/.ci/pages/jobs"
	"github.com/multigrain/multigrain/.ci/pages/kept"
	"github.com/multigrain/multigrain/configs"
)

// causes is a table that people write: what a violation is, and how that was seen.
//
//go:embed causes.tsv
var causes string

// Times of walks after a search that did not end: in most manifests, and in those of long.
const (
	defaultWalks = 2 * time.Minute
	defaultLong  = 10 * time.Minute
)

const (
	snapshot = "configs/testdata/snapshot.tsv"
	folder   = "configs/zab/"
)

// bounds are those that are made larger.
var bounds = []string{"transactions", "crashes", "partitions"}

// isLong reports whether the walks of a manifest take longer: those of the README, and repairs
// with disks apart.
func isLong(m *configs.Manifest) bool {
	path := filepath.ToSlash(m.Path)
	disk, _ := m.Options.Get("disk")
	apart := !disk.Value.IsNull() && disk.Value.Type() == cty.String && disk.Value.AsString() == "apart"
	return strings.HasPrefix(path, folder+"mspec-") || strings.HasPrefix(path, folder+"fixes/") && apart
}

// document is the part of a result of multigrain check or simulate that the table shows.
type document struct {
	Verdict         string
	Seconds         float64
	Distinct, Depth int
	Violations      []struct {
		Invariant, Instance string
		Depth               int
	}
	Simulation  *struct{ Walks int64 }
	Diagnostics []struct{ Severity, Detail string }
}

// result has the findings for a manifest with one bound that is one larger.
type result struct {
	manifest, bound string
	value           int    // the larger one; 0 if the manifest has no variable of that name
	file            string // where the result of check is kept; that of the walks has another end
	check, walks    *document
	made            time.Time
	long            bool // walks take longer
}

type asked struct {
	keep, out, only, commit string
	engine                  jobs.Engine
	workers                 int
	time, walks, long       time.Duration
	write, missing, short   bool
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results")
	flag.StringVar(&a.out, "out", "docs/results/larger-bounds.md", "the file that is written")
	flag.StringVar(&a.only, "only", "", "run only manifests whose paths have this part")
	flag.StringVar(&a.commit, "commit", "", "the commit whose specification was checked, for the table")
	a.engine.Flags(flag.CommandLine)
	flag.IntVar(&a.workers, "workers", 1, "explore with this many workers in each job; 0 is one for each processor")
	flag.DurationVar(&a.time, "time", 2*time.Minute, "the time of each search")
	flag.DurationVar(&a.walks, "walks", defaultWalks, "the time of walks after a search that did not end")
	flag.DurationVar(&a.long, "long", defaultLong, "the time of walks for the manifests that most documents stand on")
	flag.BoolVar(&a.missing, "missing", false, "run only cells that the document says nothing about")
	flag.BoolVar(&a.short, "short", false, "run only the walks of cells whose walks were shorter than the defaults")
	flag.BoolVar(&a.write, "only-kept", false, "write the table from what the folder has, and run nothing")
	flag.Parse()
	return a.run()
}

func (a *asked) run() error {
	if a.keep == "" {
		return errors.New("name a folder for results with -keep")
	}
	if err := os.MkdirAll(a.keep, 0o755); err != nil {
		return err
	}
	all, err := a.results()
	if err != nil {
		return err
	}
	written, err := os.ReadFile(a.out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	before := cellsOf(string(written))
	if !a.write {
		if err := a.runAll(all, before); err != nil {
			return err
		}
	}
	for _, r := range all {
		if err := r.read(); err != nil {
			return err
		}
	}
	return os.WriteFile(a.out, []byte(text(all, a.commit, before, causesOf(causes))), 0o644)
}

// results returns a result without findings for each bound of each manifest that holds.
func (a *asked) results() (all []*result, err error) {
	rows, err := os.ReadFile(snapshot)
	if err != nil {
		return nil, fmt.Errorf("%w: run the command in the folder of the checkout", err)
	}
	sources, err := kept.Sources("zab/*.go")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(rows)) {
		f := strings.Split(line, "\t")
		if len(f) < 3 || f[2] != "holds" || !strings.HasPrefix(f[0], folder) {
			continue
		}
		m, diags := configs.Load(f[0], configs.Options{})
		if diags.HasErrors() {
			return nil, diags
		}
		if !strings.HasSuffix(m.System.Source.Value, "/zab") {
			continue
		}
		for _, bound := range bounds {
			r := &result{manifest: f[0], bound: bound, long: isLong(m)}
			if err := r.choose(m, a.keep, sources); err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// choose sets the larger value, if the manifest has a variable for the bound, and the file.
func (r *result) choose(m *configs.Manifest, keep string, sources []byte) error {
	set, _ := m.Bounds.Get(r.bound)
	n, ok := set.Int()
	if !ok || !variesWith(m, r.bound) {
		return nil
	}
	r.value = n + 1
	lines, err := kept.Manifest(r.manifest)
	if err != nil {
		return err
	}
	h := sha256.New()
	h.Write(sources)
	fmt.Fprintln(h, strings.Join(lines, "\n"))
	name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(r.manifest, folder), ".hcl"), "/", "-")
	r.file = filepath.Join(keep, fmt.Sprintf("%s-%s-%d-%x.json", name, r.bound, r.value, h.Sum(nil)[:8]))
	return nil
}

// variesWith reports whether a bound follows the variable of its name: the next larger value of
// the variable is that of the bound.
func variesWith(m *configs.Manifest, bound string) bool {
	set, _ := m.Bounds.Get(bound)
	n, _ := set.Int()
	with := configs.Options{Assignments: []configs.Assignment{{Var: fmt.Sprintf("%s=%d", bound, n+1)}}}
	larger, diags := configs.Load(m.Path, with)
	if diags.HasErrors() {
		return false
	}
	x, _ := larger.Bounds.Get(bound)
	have, ok := x.Int()
	return ok && have == n+1
}

// walksFile is where the result of the walks is kept.
func (r *result) walksFile() string { return strings.TrimSuffix(r.file, ".json") + ".walks.json" }

// runAll runs the searches and walks that the folder lacks. It builds the command first.
func (a *asked) runAll(all []*result, before map[string]cells) error {
	program := filepath.Join(a.keep, "multigrain")
	if err := kept.Command(program); err != nil {
		return err
	}
	var of []*result
	for _, r := range all {
		if r.value == 0 || !strings.Contains(r.manifest, a.only) || a.missing && r.isKnown(before) {
			continue
		}
		if a.short && shortWalks(r.long, before[r.manifest][r.bound]) == "" {
			continue
		}
		of = append(of, r)
	}
	return a.runFleet(program, of)
}

// isKnown reports whether the document has a whole cell for the bound. One that was not run, or
// whose search did not end and has no walks, is none.
func (r *result) isKnown(before map[string]cells) bool {
	cell := before[r.manifest][r.bound]
	return strings.HasPrefix(cell, fmt.Sprintf("%d: ", r.value)) && !strings.HasSuffix(cell, notRun) && !strings.Contains(cell, noWalks)
}

// next returns the verb that the folder lacks for r, and the file of its document. That is a
// search, or walks after one that did not end. It returns "" if there is none. With short there
// are walks only.
func (r *result) next(short bool) (verb, file string) {
	switch {
	case r.check == nil && !short:
		return "check", r.file
	case r.walks == nil && (r.check == nil || r.check.Verdict == "undecided"):
		return "simulate", r.walksFile()
	}
	return "", ""
}

// flags returns the flags of a search or of walks; long is of result.
func (a *asked) flags(verb string, long bool) []string {
	flags := []string{"-mem=6GiB", "-workers=" + strconv.Itoa(a.workers)}
	if verb == "check" {
		return append(flags, "-strict=false", "-timeout="+a.time.String()) // as check is
	}
	limit := a.walks
	if long {
		limit = a.long
	}
	return append(flags, "-timeout="+limit.String(), "-number=0", "-strategy=auto")
}

// read reads the results that the folder has.
func (r *result) read() error {
	if r.value == 0 {
		return nil
	}
	for file, to := range map[string]**document{r.file: &r.check, r.walksFile(): &r.walks} {
		out, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var d document
		if err == nil {
			err = json.Unmarshal(out, &d)
		}
		info, statErr := os.Stat(file)
		if err := errors.Join(err, statErr); err != nil {
			return fmt.Errorf("%s: %w; remove it", file, err)
		}
		*to = &d
		if t := info.ModTime(); t.After(r.made) {
			r.made = t
		}
	}
	return nil
}
