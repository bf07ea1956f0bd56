package jobs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// Request holds the arguments and flags of a command line.
type Request struct {
	Args        []string // job files, manifests and folders
	Verb, Seeds string   // of manifests and folders; job files have their own. "" where not given
	Each        []string // as -each gives them, for all jobs
	Vars        []configs.Assignment
	Environ     []string // NAME=value
	Root        string   // of the sources; manifests outside of it are refused
	// Manifests returns the manifests that arguments mean, and the files below folders that are no
	// manifests of their own, as the verb test does.
	Manifests func(args []string) (found, skipped []string, diags hcl.Diagnostics)
}

// block is a job in a job file.
type block struct {
	Name      string         `hcl:"name,label"`
	Verb      string         `hcl:"verb,optional"`
	Manifests hcl.Expression `hcl:"manifests"`
	Vars      hcl.Expression `hcl:"vars,optional"`
	Each      hcl.Expression `hcl:"each,optional"`
	Flags     []string       `hcl:"flags,optional"`
	Seeds     string         `hcl:"seeds,optional"`
	Range     hcl.Range      `hcl:",def_range"`
}

// file is a job file.
type file struct {
	Jobs []block `hcl:"job,block"`
}

// reader is the state of one call of Read.
type reader struct {
	Request
	sources map[string]*hcl.File
	each    []axis
	vars    []string
	sets    []string
	list    []Job
	skipped []string
	diags   hcl.Diagnostics
}

// Read returns the jobs of a command line, and the files that are no manifests of their own.
// Sources are the job files, for diagnostics.
func (r Request) Read() (list []Job, skipped []string, sources map[string]*hcl.File, diags hcl.Diagnostics) {
	x := &reader{Request: r, sources: map[string]*hcl.File{}}
	for _, text := range r.Each {
		a, err := parseAxis(text)
		x.report(hcl.Range{}, err)
		x.each = append(x.each, a)
	}
	for _, v := range r.Vars {
		switch {
		case v.File != "":
			x.report(hcl.Range{}, errors.New("-var-file does not reach workers. Use -var, or vars in a job file"))
		case v.Set != "":
			x.sets = append(x.sets, v.Set)
		default:
			x.vars = append(x.vars, v.Var)
		}
	}
	for _, arg := range r.Args {
		if !x.diags.HasErrors() {
			x.read(arg)
		}
	}
	if !x.diags.HasErrors() {
		x.distinct()
	}
	return x.list, x.skipped, x.sources, x.diags
}

// report adds an error, if it is one.
func (x *reader) report(at hcl.Range, err error) {
	if err != nil {
		x.diags = append(x.diags, configs.Errorf(codes.Jobs, "Jobs invalid", at, "%s.", strings.TrimSuffix(err.Error(), ".")))
	}
}

// read adds the jobs of an argument.
func (x *reader) read(arg string) {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		text, err := host.ReadFile(arg)
		if err != nil {
			x.report(hcl.Range{}, err)
			return
		}
		x.sources[arg] = &hcl.File{Bytes: text}
		f, diags := configs.Parse(arg, text)
		if diags.HasErrors() {
			x.diags = append(x.diags, configs.WithCode(configs.CodeSyntax, diags)...)
			return
		}
		content, _, _ := f.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "job", LabelNames: []string{"name"}}}})
		if content != nil && len(content.Blocks) > 0 {
			x.blocks(arg, f)
			return
		}
	}
	verb := x.Verb
	if verb == "" {
		verb = "check"
	}
	g := group{job: Job{Name: verb, Verb: verb}}
	found, err := x.found([]string{arg}, "")
	x.report(hcl.Range{}, err)
	g.manifests = found
	if x.Seeds != "" {
		g.seeds, err = parseSeeds(x.Seeds)
		x.report(hcl.Range{}, err)
	}
	x.add(g, hcl.Range{})
}

// found returns the manifests that arguments mean, relative to the root. A pattern keeps those that
// match it.
func (x *reader) found(args []string, pattern string) (out []string, err error) {
	found, skipped, diags := x.Manifests(args)
	if diags.HasErrors() {
		if pattern == "" {
			x.diags = append(x.diags, diags...)
		}
		return nil, nil
	}
	for _, path := range found {
		if pattern != "" {
			if ok, err := doublestar.PathMatch(pattern, path); err != nil || !ok {
				continue
			}
		}
		rel, err := x.relative(path)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	if pattern == "" {
		x.skipped = append(x.skipped, skipped...)
	}
	return out, nil
}

// add expands a group.
func (x *reader) add(g group, at hcl.Range) {
	if x.diags.HasErrors() {
		return
	}
	g.each = append(g.each, x.each...)
	g.job.Vars = append(g.job.Vars, x.vars...)
	g.job.Sets = x.sets
	more, err := g.expand(x.complete)
	x.report(at, err)
	x.list = append(x.list, more...)
}

// distinct refuses a run without jobs, and two jobs that are the same.
func (x *reader) distinct() {
	if len(x.list) == 0 {
		x.diags = append(x.diags, configs.Errorf(codes.NoManifest, "No job found", hcl.Range{}, "There is no manifest in %s that a job could use.", strings.Join(x.Args, ", ")))
	}
	seen := map[string]bool{}
	for _, j := range x.list {
		title := j.Title()
		if seen[title] {
			x.report(hcl.Range{}, fmt.Errorf("two jobs are the same: %s. Remove one, or give blocks different names", title))
			return
		}
		seen[title] = true
	}
}

// blocks adds the jobs of a job file. Its manifests are relative to its folder.
func (x *reader) blocks(path string, f *hcl.File) {
	if x.Verb != "" || x.Seeds != "" {
		x.report(hcl.Range{Filename: path}, errors.New("-verb and -seeds are for manifests and folders. Write verb and seeds into the blocks of the job file"))
		return
	}
	var jobs file
	if more := gohcl.DecodeBody(f.Body, nil, &jobs); more.HasErrors() {
		for _, d := range more {
			at := hcl.Range{Filename: path}
			if d.Subject != nil {
				at = *d.Subject
			}
			x.report(at, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
		return
	}
	for _, b := range jobs.Jobs {
		g, err := x.group(filepath.Dir(path), b)
		if err != nil {
			x.report(b.Range, fmt.Errorf("job %q: %w", b.Name, err))
			continue
		}
		x.add(g, b.Range)
	}
}

// group returns the group of a block.
func (x *reader) group(folder string, b block) (g group, err error) {
	g = group{job: Job{Name: b.Name, Verb: b.Verb, Flags: b.Flags}}
	if g.job.Verb == "" {
		g.job.Verb = "check"
	}
	globs, err := texts(b.Manifests)
	if err != nil {
		return g, fmt.Errorf("manifests: %w", err)
	}
	for _, glob := range globs {
		more, err := x.glob(folder, glob)
		if err != nil {
			return g, err
		}
		for _, m := range more {
			if !slices.Contains(g.manifests, m) {
				g.manifests = append(g.manifests, m)
			}
		}
	}
	vars, err := named(b.Vars)
	if err != nil {
		return g, fmt.Errorf("vars: %w", err)
	}
	for _, a := range vars {
		if len(a.values) != 1 {
			return g, fmt.Errorf("vars: %s has several values. Put them into each", a.name)
		}
		g.job.Vars = append(g.job.Vars, a.name+"="+a.values[0])
	}
	if g.each, err = named(b.Each); err != nil {
		return g, fmt.Errorf("each: %w", err)
	}
	if b.Seeds != "" {
		g.seeds, err = parseSeeds(b.Seeds)
	}
	return g, err
}

// glob returns the manifests that match a pattern, which is relative to a folder. A pattern without
// special characters is a manifest or a folder.
func (x *reader) glob(folder, pattern string) (out []string, err error) {
	path := filepath.Join(folder, filepath.FromSlash(pattern))
	base, rest := doublestar.SplitPattern(filepath.ToSlash(path))
	if !strings.ContainsAny(rest, "*?[{") {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("no manifest matches %q", pattern)
		}
		return x.found([]string{path}, "")
	}
	if !doublestar.ValidatePattern(rest) {
		return nil, fmt.Errorf("%q is no pattern of paths", pattern)
	}
	if out, err = x.found([]string{filepath.FromSlash(base)}, path); err == nil && len(out) == 0 {
		err = fmt.Errorf("no manifest matches %q", pattern)
	}
	return out, err
}

// texts returns the elements of a list of values as texts.
func texts(x hcl.Expression) ([]string, error) {
	v, diags := x.Value(nil)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%s", diags[0].Detail)
	}
	return listed(v)
}

func listed(v cty.Value) (out []string, err error) {
	if v.IsNull() || !v.IsWhollyKnown() {
		return nil, errors.New("a value is missing")
	}
	if !v.CanIterateElements() {
		text, err := convert.Convert(v, cty.String)
		if err != nil || text.IsNull() {
			return nil, errors.New("a text, a number or a truth value is required")
		}
		return []string{text.AsString()}, nil
	}
	if v.LengthInt() == 0 {
		return nil, errors.New("a list is empty")
	}
	for _, x := range v.AsValueSlice() {
		if x.CanIterateElements() {
			return nil, errors.New("a list of texts, numbers or truth values is required")
		}
		more, err := listed(x)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// named returns the attributes of an object, by their names. A text such as 1..3 is a range.
func named(x hcl.Expression) (out []axis, err error) {
	v, diags := x.Value(nil)
	switch {
	case diags.HasErrors():
		return nil, fmt.Errorf("%s", diags[0].Detail)
	case v.IsNull():
		return nil, nil
	case !v.Type().IsObjectType():
		return nil, errors.New("an object is required, such as { servers = 3 }")
	}
	for it := v.ElementIterator(); it.Next(); {
		name, value := it.Element()
		values, err := listed(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name.AsString(), err)
		}
		if len(values) == 1 && strings.Contains(values[0], "..") {
			if values, err = parseValues(values[0]); err != nil {
				return nil, err
			}
		}
		out = append(out, axis{name.AsString(), values})
	}
	return out, nil
}

// relative returns the path of a manifest below the root, with slashes.
func (x *reader) relative(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(x.Root, whole)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is outside of %s, whose sources all workers must have. Run the command in the module of the manifests", path, x.Root)
	}
	return filepath.ToSlash(rel), nil
}

// complete fills in what the manifest of a job expects, and the values that its variables have from
// the environment.
func (x *reader) complete(j *Job) error {
	opt := configs.Options{Environ: x.Environ}
	for _, v := range j.Vars {
		opt.Assignments = append(opt.Assignments, configs.Assignment{Var: v})
	}
	for _, s := range j.Sets {
		opt.Assignments = append(opt.Assignments, configs.Assignment{Set: s})
	}
	m, diags := configs.Load(filepath.Join(x.Root, filepath.FromSlash(j.Manifest)), opt)
	for _, d := range diags {
		// What is wrong with the manifest itself is its result, and what is wrong with the
		// values that jobs give it is a mistake in the jobs.
		if d.Severity == hcl.DiagError && (configs.CodeOf(d) == configs.CodeAssignment || len(j.Vars)+len(j.Sets) > 0) {
			return fmt.Errorf("%s: %s: %s", j.Manifest, d.Summary, d.Detail)
		}
	}
	for _, v := range m.Variables {
		for _, e := range x.Environ {
			if strings.HasPrefix(e, EnvironPrefix+v.Name+"=") {
				j.Environ = append(j.Environ, e)
			}
		}
	}
	e := m.Expect
	if e == nil {
		return nil
	}
	j.Expects = Expects{Verdict: e.Verdict.Value, Invariant: e.Invariant.Value, Interaction: e.Interaction.Value, Level: e.Level.Value, Block: true}
	if j.Expects.Verdict == "" && (j.Expects.Invariant != "" || e.Instance.Value != "" || e.Kind.Value != "" || e.DistinctAt.IsSet()) {
		j.Expects.Verdict = verdicts.Violated
	}
	return nil
}
