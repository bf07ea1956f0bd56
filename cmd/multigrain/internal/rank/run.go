package rank

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// asked says what is ranked and how.
type asked struct {
	session.Limits // Timeout is for the walks of all configurations together
	grid           []axis
	depth          int    // 0: that of the manifest's simulate block, or 100
	number         *int64 // walks in each configuration; nil: not stated
	folder         string // for manifests; "": none are written
}

// defaultNumber is how many walks are taken in each configuration where neither a number nor a
// time is stated.
const defaultNumber = 1000

// ranker ranks the configurations of one manifest.
type ranker struct {
	asked
	base     *session.Run
	axes     []result.Axis
	programs map[string]string // paths of programs, by the constants that they are built with
	note     func(format string, args ...any)
	d        *result.Ranking
}

// candidate is a configuration as it is walked.
type candidate struct {
	result.Configuration
	run *session.Run
}

// rank takes walks of each configuration, orders the configurations by their coverage, and writes
// the manifests if a folder is given. The result is nil if errors among the diagnostics of base say
// why.
func (x *ranker) rank() *result.Ranking {
	all := x.candidates()
	if x.base.Diagnostics.HasErrors() {
		return nil
	}
	number := int64(defaultNumber)
	if x.Timeout > 0 {
		number = 0
	}
	if x.number != nil {
		number = *x.number
	}
	x.d = &result.Ranking{Verdict: verdicts.Ranked, Grid: x.axes, Number: number}
	share := x.Timeout / time.Duration(len(all))
	if x.Timeout > 0 {
		share = max(share, 1) // 0 is no limit
	}
	for k := range all {
		if why := x.walk(&all[k], number, share); x.base.Diagnostics.HasErrors() {
			return nil
		} else if why != "" && x.d.Reason == "" {
			x.d.Verdict = verdicts.Undecided
			x.d.Reason = fmt.Sprintf("configuration %s: %s", x.named(&all[k]), why)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return compare(&a.Configuration, &b.Configuration) })
	for k := range all {
		if all[k].Rank > 0 {
			all[k].Rank = k + 1
		}
	}
	if x.folder != "" && x.d.Verdict == verdicts.Ranked {
		x.write(all)
	}
	for k := range all {
		x.d.Configurations = append(x.d.Configurations, all[k].Configuration)
	}
	return x.d
}

// looked counts what the walks of all configurations looked at.
func (x *ranker) looked() (l verdicts.Looked) {
	for _, c := range x.d.Configurations {
		l.Walks, l.Steps = l.Walks+c.Walks, l.Steps+c.Steps
		if c.Rank > 0 {
			l.Configurations++
		}
	}
	return l
}

// compare returns the order of algorithm 1, with configurations last that have no rank.
func compare(a, b *result.Configuration) int {
	return cmp.Or(
		cmp.Compare(b.Rank, a.Rank), // 1 where all walks were taken, or else 0
		cmp.Compare(b.Branches.Taken, a.Branches.Taken),
		cmp.Compare(b.Events.Actions, a.Events.Actions),
		cmp.Compare(a.Depth, b.Depth))
}

// candidates resolves the manifests of all configurations. It reports all mistakes of the first
// one that has any.
func (x *ranker) candidates() (all []candidate) {
	r := x.base
	var err error
	if x.axes, err = resolved(r, x.grid); err != nil {
		x.wrong("%s", words.Sentence(err.Error()))
		return nil
	}
	for _, a := range x.axes {
		if name := "MULTIGRAIN_VAR_" + a.Name; a.Kind == variable && slices.ContainsFunc(r.Env.Environ, func(s string) bool { return strings.HasPrefix(s, name+"=") }) {
			x.wrong("The environment variable %s gives variable %s a value, and so does the grid. Unset it.", name, a.Name)
			return nil
		}
	}
	known := map[string][]string{}
	for _, values := range points(x.grid) {
		c := candidate{Configuration: result.Configuration{Values: values}}
		var diags hcl.Diagnostics
		if c.run, diags = x.load(values); diags.HasErrors() {
			for _, d := range diags {
				if d.Severity == hcl.DiagError {
					d.Detail = fmt.Sprintf("Configuration %s: %s", x.named(&c), d.Detail)
				}
			}
			r.Add(diags...)
			return nil
		}
		key := encoded(c.run.Composition.Constants, c.run.Composition.Choice)
		if same, ok := known[key]; ok {
			x.wrong("Configurations %s and %s are the same composition: a name of the grid has no effect. Vary the bound that the manifest sets, or another variable.",
				x.pairs(same), x.pairs(values))
			return nil
		}
		known[key] = values
		all = append(all, c)
	}
	return all
}

// wrong reports a mistake in the grid.
func (x *ranker) wrong(format string, args ...any) {
	x.base.Add(configs.Errorf(codes.FlagValue, "Grid does not fit the manifest", hcl.Range{}, format, args...))
}

// load resolves the manifest of a configuration without its properties.
func (x *ranker) load(values []string) (*session.Run, hcl.Diagnostics) {
	r := x.base
	folder := filepath.Dir(r.Manifest.Path)
	path := filepath.Join(folder, "configuration.hcl")
	text := manifestText(r, seenFrom(folder, r.Manifest.Path), "", x.axes, values)
	m, diags := configs.Load(path, configs.Options{Environ: r.Env.Environ, ReadFile: func(name string) ([]byte, error) {
		if name == path {
			return []byte(text), nil
		}
		return host.ReadFile(name)
	}})
	if diags.HasErrors() {
		return nil, diags
	}
	comp, diags := r.Composition.Under(m)
	if diags.HasErrors() {
		return nil, diags
	}
	comp.Choice.Invariants, comp.Choice.Except = nil, nil // they are check's
	return &session.Run{Env: r.Env, Manifest: m, Composition: comp}, nil
}

// encoded returns a text that two values share only if they are equal.
func encoded(values ...any) string {
	b, err := json.Marshal(values)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b)
}

// walk takes the walks of a configuration. It returns why not all were taken, or "". Errors go
// to the diagnostics of base.
func (x *ranker) walk(c *candidate, number int64, share time.Duration) (why string) {
	r := c.run
	if r.Env.Soft.Err() != nil {
		return "interrupted before its walks"
	}
	x.note("%s", x.named(c))
	limits := x.Limits
	limits.Timeout = share
	req, diags := r.Simulation(session.Walks{Depth: x.depth, Number: &number, Weighted: true}, limits, false)
	if diags.HasErrors() {
		x.base.Add(diags...)
		return ""
	}
	req.Options.Timeout, req.Options.Stop, req.Options.Deadlock = share, 0, false
	x.d.Depth, x.d.Seed = req.Options.Simulate.Depth, req.Options.Seed
	program, why := x.program(r.Composition)
	if program == "" {
		return why
	}
	ran, err := r.Env.Explore(program, req, false)
	if err != nil {
		r.Failed(err, session.NoTraces)
		x.base.Add(r.Diagnostics...)
		return r.Stopped
	}
	return x.take(c, ran.Report, number)
}

// take notes what walks covered.
func (x *ranker) take(c *candidate, rep *wire.Report, number int64) (why string) {
	s := rep.Simulation
	x.d.Workers, x.d.Seconds = rep.Workers, x.d.Seconds+rep.Seconds
	c.Walks, c.Steps, c.Distinct, c.Depth, c.Seconds, c.Ends = s.Walks, s.Steps, rep.Distinct, rep.Depth, rep.Seconds, s.Ends
	if rep.Branches != nil {
		c.Branches = result.BranchCount{Taken: rep.Branches.Taken, Of: rep.Branches.Of}
	}
	for k := range rep.Actions {
		if s.Instances[k].Fired > 0 {
			c.Events.Actions++
		}
		c.Events.Instances += s.Instances[k].Fired
	}
	switch {
	case rep.Verdict == verdicts.Undecided || s.Walks < number:
		return cmp.Or(rep.Reason, "not all walks were taken")
	case s.Walks == 0:
		return "its share of the time is too short for a walk"
	}
	c.Rank = 1
	return ""
}

// program returns the path of the program that walks; "" with why where there is none.
func (x *ranker) program(comp *compose.Composition) (path, why string) {
	key := encoded(comp.Constants)
	if path = x.programs[key]; path != "" {
		return path, ""
	}
	path, interrupted, diags := x.base.Env.Assemble(comp.AssembleWalking)
	if interrupted {
		return "", session.InterruptedBuild
	}
	x.base.Add(diags...)
	if path != "" {
		x.programs[key] = path
	}
	return path, ""
}

// named names a configuration.
func (x *ranker) named(c *candidate) string { return x.pairs(c.Values) }

// pairs returns a configuration as NAME=VALUE,..., given the values of the grid's axes in their
// order.
func (x *ranker) pairs(values []string) string {
	var parts []string
	for k, a := range x.grid {
		parts = append(parts, a.name+"="+values[k])
	}
	return strings.Join(parts, ",")
}

// mark begins the manifests that rank writes, so that it replaces no others.
const mark = "# Written by multigrain rank: "

// manifest returns the manifest of a ranked configuration with its path. Names begin with the
// rank, so that a folder lists the manifests in the order in which to search them.
func (x *ranker) manifest(c *candidate, of int) (path, text string) {
	header := fmt.Sprintf("%srank %d of %d.\n# Walks took %d of %d branches, %s and at most %s.\n", mark, c.Rank, of, c.Branches.Taken, c.Branches.Of,
		words.Plural(int64(c.Events.Actions), "action"), words.Plural(int64(c.Depth), "step"))
	name := fmt.Sprintf("%0*d-%s.hcl", len(fmt.Sprint(of)), c.Rank, words.FileName(strings.NewReplacer("=", "-", ",", "-").Replace(x.named(c))))
	return filepath.Join(x.folder, name), manifestText(x.base, seenFrom(x.folder, x.base.Manifest.Path), header, x.axes, c.Values)
}

// earlier returns the manifests of an earlier ranking in a folder. Any other manifest there is an
// error: the folder would not be the list that was ranked.
func earlier(folder string) (old []string, diags hcl.Diagnostics) {
	old, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	for _, path := range old {
		text, failed := files.Read(path)
		if failed == nil && !strings.HasPrefix(string(text), mark) {
			failed = fmt.Errorf("%s was not written by rank", path)
		}
		err = cmp.Or(err, failed)
	}
	if err != nil {
		return nil, unwritten(err)
	}
	return old, nil
}

// unwritten says that manifests cannot be written.
func unwritten(err error) hcl.Diagnostics {
	return hcl.Diagnostics{configs.Errorf(codes.Write, "Manifests cannot be written", hcl.Range{}, "%v. Name another folder with -to.", err)}
}

// write writes the manifests of a complete ranking and removes those of an earlier one.
func (x *ranker) write(all []candidate) {
	old, diags := earlier(x.folder)
	for _, path := range old {
		if err := host.Remove(path); err != nil {
			diags = append(diags, unwritten(err)...)
		}
	}
	for k := 0; k < len(all) && !diags.HasErrors(); k++ {
		path, text := x.manifest(&all[k], len(all))
		if err := files.WriteFile(path, []byte(text), 0o644); err != nil {
			diags = append(diags, unwritten(err)...)
		}
		all[k].Manifest = path
	}
	x.base.Add(diags...)
}
