package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change"
)

var changeVerb = verb{
	name: "change", args: "MANIFEST", summary: "check the modules that a change of the implementation touches", least: 1, most: 1,
	about: `The manifest's implementation block says where the code is: packages for Go, lines for a table of methods and lines of other
languages, and models where the functions that modules model are not those that the catalog names. Changed declarations lead,
along calls in Go, to functions that grains model. The modules of these are put under test at their finest such grain, the
others at the coarsest grain that is preserved: level L0 is computed, a stored result of L1 or L2 counts where there is one.
The composition is printed with the reasons of every choice, written with -out, and checked.

The change is what -diff has, a unified diff, or else what the folder of -repo has that the revision of -base has not (by default
the last commit). A diff may have headers of hunks only; then code that is not Go needs no folder.

The specification stays that of the implementation's version: what the change does differently must be said by options of the
manifest, or in the specification. Changed code that no grain models is named, and without a violation the result is undecided.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		exploring(fs, o)
		traceFolder(fs, o, "the working folder")
		findingsFile(fs, o)
		junitFile(fs, o)
		fs.StringVar(&o.changing.repo, "repo", "", "the folder `DIR` with the code")
		fs.StringVar(&o.changing.diff, "diff", "", "read the change from `FILE`; - is the standard input")
		fs.StringVar(&o.changing.base, "base", "", "compare with the last common ancestor of `REV` and the checked-out commit")
		fs.StringVar(&o.changing.impl, "impl", "", "the implementation block `NAME` (default: the one that says where the code is)")
		fs.StringVar(&o.changing.out, "out", "", "write the composed manifest to `FILE`")
		fs.BoolVar(&o.changing.only, "n", false, "compose and do not check")
		fs.BoolVar(&o.verbose, "v", false, "show all ways to modelled functions, all actions and the states at each depth")
	},
	run: runChange,
}

// changing are the flags of change.
type changing struct {
	repo, diff, base, impl, out string
	only                        bool
}

func runChange(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(c.args[0])
	named(&c.doc, o)
	if o.comp == nil {
		c.report(o.diags, o.manifest.Sources)
		return o.exit()
	}
	x, diag := c.readChange(o)
	if diag != nil {
		o.add(diag)
		c.report(o.diags, o.manifest.Sources)
		return o.exit()
	}
	c.doc.Change = x.Change
	x.choose(c, o)
	c.print(text.Change(x.Change, c.painter(c.outWidth), c.opt.verbose))
	if x.outcome == nil {
		compositionOf(&c.doc, o.comp)
		return c.selectsNothing(x, o)
	}
	if code := c.writeComposed(x); code != shell.OK {
		return code
	}
	return c.checkChange(x, in)
}

// selectsNothing ends a change that leads to no module, or to none that can be composed.
func (c *call) selectsNothing(x *changeRun, o *outcome) int {
	c.report(o.diags, o.manifest.Sources)
	if reason := openReason(x.Change); reason != "" {
		c.doc.Exploration = &result.Exploration{Verdict: "undecided", Reason: reason, Actions: []result.Action{}, Violations: []result.Violation{}}
		c.print(c.painter(c.outWidth).In(text.Yellow, "undecided") + ": " + reason + "\n")
	}
	switch {
	case shell.ExitOf(o.diags) != shell.OK:
		return shell.ExitOf(o.diags)
	case openReason(x.Change) != "":
		return shell.Undecided
	}
	return shell.OK
}

// checkChange checks the composition. That nothing is violated decides nothing where some of the change is not modelled.
func (c *call) checkChange(x *changeRun, in shell.Interrupts) int {
	o, open := x.outcome, openReason(x.Change)
	if c.opt.changing.only {
		c.describe(&c.doc, o)
		c.report(o.diags, o.manifest.Sources)
		if code := o.exit(); code != shell.OK || open == "" {
			return code
		}
		return shell.Undecided
	}
	c.explore(o, c.request(o), in)
	if o.report != nil && o.report.Verdict == "holds" && open != "" {
		o.report.Verdict, o.report.Reason = "undecided", "the composition holds, and "+open
	}
	c.show(o)
	return c.finished(o)
}

// writeComposed writes the composed manifest where -out says.
func (c *call) writeComposed(x *changeRun) int {
	if c.opt.changing.out == "" {
		return shell.OK
	}
	if err := files.WriteFile(c.opt.changing.out, []byte(x.Manifest), 0o644); err != nil {
		c.report(hcl.Diagnostics{configs.Errorf(codes.Write, "Manifest cannot be written", hcl.Range{}, "%v. Name another file with -out.", err)}, nil)
		return shell.System
	}
	c.note("manifest: %s", c.opt.changing.out)
	return shell.OK
}

// readChange finds what the change touches.
func (c *call) readChange(o *outcome) (*changeRun, *hcl.Diagnostic) {
	impl, diag := c.implementation(o.manifest)
	if diag != nil {
		return nil, diag
	}
	opt := change.Options{Dir: c.opt.changing.repo, Base: c.opt.changing.base}
	if opt.Table, diag = methodTable(impl); diag != nil {
		return nil, diag
	}
	src := impl.Sources
	for _, t := range src.Packages.Value {
		opt.Packages = append(opt.Packages, t.Value)
	}
	for _, t := range src.Ignore.Value {
		opt.Ignore = append(opt.Ignore, t.Value)
	}
	if opt.Places, diag = placesOf(o.comp.Catalog, src); diag != nil {
		return nil, diag
	}
	if diag := c.diff(&opt); diag != nil {
		return nil, diag
	}
	a, err := change.Analyse(opt)
	if err != nil {
		return nil, configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%s", words.Sentence(err.Error()))
	}
	if len(a.Missing) > 0 {
		d := configs.Warnf(codes.Stale, "Modelled function not found", impl.DeclRange,
			"The code does not have %s, which the specification models: changes there cannot be seen. Bring the names up to date.",
			words.ListFew(a.Missing))
		o.add(d)
	}
	return &changeRun{Change: &result.Change{Implementation: impl.Name, Version: impl.Version.Value, ChangeAnalysis: analysisOf(a),
		Touched: []result.Touched{}, Choices: []result.Choice{}, Rejected: []result.Rejected{}}}, nil
}

// diff reads -diff, or sets the revision to compare with.
func (c *call) diff(opt *change.Options) *hcl.Diagnostic {
	name := c.opt.changing.diff
	switch {
	case name == "" && opt.Dir == "":
		return configs.Errorf(codes.Arguments, "No change given", hcl.Range{}, "Name the folder with the code by -repo, or a diff by -diff.")
	case name == "" && opt.Base == "":
		opt.Base = "HEAD"
		return nil
	case name == "":
		return nil
	case opt.Base != "":
		return configs.Errorf(codes.Arguments, "Two changes given", hcl.Range{}, "Give either -diff or -base: each says what the change is.")
	}
	b, err := []byte(nil), error(nil)
	if name == "-" {
		b, err = io.ReadAll(c.in)
	} else {
		b, err = os.ReadFile(name)
	}
	if err != nil {
		return configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%v.", files.Unread(name, err))
	}
	if opt.Diff = string(b); opt.Diff == "" {
		return configs.Errorf(codes.Change, "Change cannot be read", hcl.Range{}, "%s is empty.", name)
	}
	return nil
}

// implementation is the block that -impl names, or the only one that says where the code is.
func (c *call) implementation(m *configs.Manifest) (*configs.Implementation, *hcl.Diagnostic) {
	var names []string
	var found []*configs.Implementation
	for _, i := range m.Implementations {
		if i.Sources != nil {
			names = append(names, i.Name)
			if c.opt.changing.impl == "" || c.opt.changing.impl == i.Name {
				found = append(found, i)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, configs.Errorf(codes.Impl, "Several implementations", found[1].DeclRange, "Say which one changes, by -impl: %s.", words.ListOr(names, ""))
	case c.opt.changing.impl != "":
		return nil, configs.Errorf(codes.Impl, "Unknown implementation", hcl.Range{},
			"No implementation block %q of the manifest says where the code is.%s", c.opt.changing.impl, configs.Hint(c.opt.changing.impl, names))
	}
	return nil, configs.Errorf(codes.Impl, "No implementation given", hcl.Range{},
		"An implementation block says where the code is: packages = [...] for Go, lines = \"FILE\" for a table of methods and lines of other languages.")
}

// methodTable is the table of methods and lines of an implementation; nil where it names none.
func methodTable(impl *configs.Implementation) (*change.Table, *hcl.Diagnostic) {
	lines := impl.Sources.Lines
	if !lines.IsSet() {
		return nil, nil
	}
	path := filepath.FromSlash(lines.Value)
	if !filepath.IsAbs(path) {
		path = filepath.Join(impl.Sources.LinesDir, path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, lines.Errorf(codes.Lines, "Table of methods unreadable", "%v.", files.Unread(path, err))
	}
	t, err := change.ParseTable(string(b))
	switch {
	case err != nil:
		return nil, lines.Errorf(codes.Lines, "Table of methods unreadable", "%s: %v.", path, err)
	case impl.Version.IsSet() && t.Version != "" && t.Version != impl.Version.Value:
		return nil, lines.Errorf(codes.Lines, "Table is of another version", "%s is of version %s, and the implementation is %s.", path, t.Version, impl.Version.Value)
	}
	return t, nil
}

// placesOf are the modelled functions: those that the manifest names or, without any, those of the catalog.
func placesOf(cat *grains.Catalog, src *configs.ImplementationSources) (*change.Places, *hcl.Diagnostic) {
	var own []change.Modelled
	var names []string
	for _, m := range cat.Modules {
		names = append(names, m.Name)
	}
	for _, m := range src.Models {
		if !slices.Contains(names, m.Module) {
			return nil, configs.Errorf(compose.CodeUnknownModule, "Unknown module", m.Functions.NameRange,
				"System %q has no module %q.%s", cat.System, m.Module, configs.Hint(m.Module, names))
		}
		for _, f := range m.Functions.Value {
			own = append(own, change.Modelled{Module: m.Module, Function: f.Value,
				At: grains.Place{File: f.Range.Filename, Line: f.Range.Start.Line, Column: f.Range.Start.Column}})
		}
	}
	return change.NewPlaces(cat, own), nil
}
