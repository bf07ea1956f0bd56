// Package versions writes docs/results/versions.md: which version of ZooKeeper has which bug. It
// runs multigrain check for each manifest of configs/zab/versions and each version, as jobs of
// multigrain run (see package jobs). In the folder of the checkout:
//
//	go run ./.ci/pages versions -keep DIR
//
// Versions with the same differences are one program, which is run once. Results are kept in the
// folder DIR, and a command that was ended continues there. A result is made again when the code
// of package zab or the manifest has changed. Flags -only and -version choose manifests by a
// part of their names, and one version. If the folder lacks a result of a row, the row stays as
// the document has it.
package versions

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/jobs"
	"github.com/multigrain/multigrain/.ci/pages/kept"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/zab/zookeeper"
)

// folder has the manifests.
const folder = "configs/zab/versions"

// document is the part of a result of multigrain check that the table shows.
type document struct {
	Verdict     string
	Distinct    int
	Depth       int
	Seconds     float64
	Violations  []violation
	Diagnostics []struct{ Severity, Detail string }
}

type violation struct{ Invariant, Instance string }

// name returns the name of what is violated.
func (v violation) name() string {
	if v.Instance == "" {
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}

// result keeps the finding of check for a manifest and a version.
type result struct {
	bug     string
	version *zookeeper.Version
	file    string // where the result is kept
	got     *document
	made    time.Time
}

type asked struct {
	keep, out, only, version string
	commit                   string
	engine                   jobs.Engine
	workers                  int
	timeout                  time.Duration
	write                    bool
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results")
	flag.StringVar(&a.out, "out", "docs/results/versions.md", "the file that is written")
	flag.StringVar(&a.only, "only", "", "run only manifests whose names have this part")
	flag.StringVar(&a.version, "version", "", "run only this version")
	flag.StringVar(&a.commit, "commit", "", "the commit whose specification was checked, for the table")
	a.engine.Flags(flag.CommandLine)
	flag.IntVar(&a.workers, "workers", 1, "explore with this many workers in each job; 0 is one for each processor")
	flag.DurationVar(&a.timeout, "timeout", 0, "leave out what does not end in this time; 0 is no limit")
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
	files, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if err != nil || len(files) == 0 {
		return errors.Join(err, fmt.Errorf("no manifest in %s: run the command in the folder of the checkout", folder))
	}
	sources, err := kept.Sources("zab/*.go")
	if err != nil {
		return err
	}
	var all []*result
	for _, v := range zookeeper.Compared() {
		for _, f := range files {
			r := &result{bug: strings.TrimSuffix(filepath.Base(f), ".hcl"), version: v}
			if r.file, err = r.keptAt(a.keep, sources); err != nil {
				return err
			}
			all = append(all, r)
		}
	}
	if !a.write {
		if err := a.check(all); err != nil {
			return err
		}
	}
	t, err := newTable(a.out, files, all)
	if err != nil {
		return err
	}
	t.commit = a.commit
	return os.WriteFile(a.out, []byte(t.text()), 0o644)
}

// keptAt returns the file of a result. Its name has a digest of all that the result depends on:
// the sources, the manifest with those that it extends, and the differences of the version.
func (r *result) keptAt(keep string, sources []byte) (string, error) {
	h := sha256.New()
	h.Write(sources)
	lines, err := kept.Manifest(filepath.Join(folder, r.bug+".hcl"))
	if err != nil {
		return "", err
	}
	skipped := false // the default version and what is expected change no result
	for _, line := range lines {
		starts := line == "steps = {" || line == "expect {" || line == `variable "version" {`
		skipped = skipped && line != "}" || starts
		if !skipped && strings.Fields(line)[0] != "holds" {
			fmt.Fprintln(h, line)
		}
	}
	fmt.Fprintln(h, r.version.Differences())
	return filepath.Join(keep, fmt.Sprintf("%s-%x.json", r.bug, h.Sum(nil)[:8])), nil
}

// check runs multigrain check for each result without a file, and writes the file. It builds the
// command first. The newest versions come last.
func (a *asked) check(all []*result) error {
	program := filepath.Join(a.keep, "multigrain")
	if err := kept.Command(program); err != nil {
		return err
	}
	lacked := a.lacked(all)
	var list []jobs.Job
	for _, r := range lacked {
		j := jobs.Job{Verb: "check", Manifest: filepath.Join(folder, r.bug+".hcl"), Vars: []jobs.Var{{Name: "version", Value: r.version.Name}}}
		j.Flags = []string{"-strict=false", "-workers=" + strconv.Itoa(a.workers)} // as check is
		if a.timeout > 0 {
			j.Flags = append(j.Flags, "-timeout="+a.timeout.String())
		}
		list = append(list, j)
	}
	return a.engine.Run(program, a.keep, nil, list, func(k int, text []byte, folder string) error {
		r := lacked[k]
		var d document
		if json.Unmarshal(text, &d) != nil || d.Verdict != "holds" && d.Verdict != "violated" {
			fmt.Fprintf(os.Stderr, "%s with %s: %s %v\n", r.bug, r.version.Name, d.Verdict, d.Diagnostics)
			return nil
		}
		if err := jobs.Traces(folder, filepath.Join(a.keep, "traces", r.version.Name)); err != nil {
			return err
		}
		return os.WriteFile(r.file, text, 0o644)
	})
}

// lacked returns the results that the flags ask for and the folder lacks. Versions with the same
// differences have the same file.
func (a *asked) lacked(all []*result) (out []*result) {
	files := map[string]bool{}
	for _, r := range all {
		_, err := os.Stat(r.file)
		if err == nil || files[r.file] || !strings.Contains(r.bug, a.only) || a.version != "" && a.version != r.version.Name {
			continue
		}
		files[r.file] = true
		out = append(out, r)
	}
	return out
}

// read sets got to the finding in the result's file. It stays nil if there is no file. The error
// names a file that cannot be read.
func (r *result) read() error {
	text, err := os.ReadFile(r.file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(r.file)
	if err != nil {
		return err
	}
	r.got, r.made = new(document), info.ModTime()
	if err := json.Unmarshal(text, r.got); err != nil {
		return fmt.Errorf("%s: %w; remove it", r.file, err)
	}
	return nil
}

// boundsOf says the bounds of a manifest in words, whether its servers can join a leader late,
// and how its coarse grains were compared with what they coarsen.
func boundsOf(path string) ([]string, error) {
	m, diags := configs.Load(path, configs.Options{})
	if diags.HasErrors() {
		return nil, diags
	}
	var parts []string
	for _, name := range []string{"servers", "transactions", "requests", "crashes", "partitions", "losses", "epochs", "snapshots", "timeouts"} {
		if s, ok := m.Bounds.Get(name); ok {
			if n, ok := s.Int(); ok {
				parts = append(parts, fmt.Sprintf("%d %s", n, name))
			}
		}
	}
	joins, level := "yes", "L0"
	if e := m.Module("election"); e != nil && e.Grain.Value == "coarse" {
		joins = "no"
	}
	if x := m.Interaction; x != nil {
		if level = x.Level.Or("L0"); len(x.Accept) > 0 {
			level += ", a gap accepted"
		}
	}
	return []string{strings.Join(parts, ", "), joins, level}, nil
}

// withinOf returns the bounds of a manifest that limit clients and faults, by version.
func withinOf(path string) (map[string]string, error) {
	out := map[string]string{}
	for _, v := range zookeeper.Compared() {
		m, diags := configs.Load(path, configs.Options{Assignments: []configs.Assignment{{Var: "version=" + v.Name}}})
		if diags.HasErrors() {
			return nil, diags
		}
		out[v.Name] = m.Bounds.InWords("transactions", "crashes", "partitions")
	}
	return out, nil
}

// confirmed reads what docs/results/confirmed.md says of a bug on a release.
func confirmed(file string) (map[[2]string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[[2]string]string{}
	var head []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		switch {
		case head == nil && cells[0] == "bug":
			head = cells
		case head != nil && strings.TrimSpace(line) == "":
			return out, nil
		case head != nil && len(cells) == len(head) && strings.HasPrefix(cells[0], "["):
			name, _, _ := strings.Cut(strings.TrimPrefix(cells[0], "["), "]")
			for k := 1; k < len(cells); k++ {
				out[[2]string{name, head[k]}] = cells[k]
			}
		}
	}
	return nil, fmt.Errorf("%s has no table of bugs and versions", file)
}

// noViolation begins a cell about a version whose specification has no violation.
var noViolation = regexp.MustCompile(`^no violation(?: within [^;]*)?(?:; )?`)

// onJar returns the outcomes of confirm on the releases of a version; "" where nothing was run.
// That the specification has no violation is in the cell already.
func onJar(seen map[[2]string]string, bug string, v *zookeeper.Version) string {
	var parts []string
	for _, release := range v.Releases {
		if s := noViolation.ReplaceAllString(seen[[2]string{bug, release}], ""); s != "" && s != "not run" {
			parts = append(parts, s)
		}
	}
	return strings.Join(slices.Compact(parts), ", ")
}
