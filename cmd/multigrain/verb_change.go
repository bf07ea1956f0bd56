package main

import (
	"flag"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
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
		exploringFlags(fs, o)
		traceFolder(fs, o, "the working folder")
		findingsFile(fs, o)
		junitFile(fs, o)
		fs.StringVar(&o.changing.Repo, "repo", "", "the folder `DIR` with the code")
		fs.StringVar(&o.changing.Diff, "diff", "", "read the change from `FILE`; - is the standard input")
		fs.StringVar(&o.changing.Base, "base", "", "compare with the last common ancestor of `REV` and the checked-out commit")
		fs.StringVar(&o.changing.Impl, "impl", "", "the implementation block `NAME` (default: the one that says where the code is)")
		fs.StringVar(&o.changing.out, "out", "", "write the composed manifest to `FILE`")
		fs.BoolVar(&o.changing.only, "n", false, "compose and do not check")
		fs.BoolVar(&o.verbose, "v", false, "show all ways to modelled functions, all actions and the states at each depth")
	},
	run: runChange,
}

// changeFlags are the flags of change.
type changeFlags struct {
	changes.Source
	out  string
	only bool
}

func runChange(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(in)
	o.Named(&c.doc)
	if o.Composition == nil {
		c.report(o.Diagnostics, o.Manifest.Sources)
		return exitCode(o)
	}
	x, diag := changes.Read(o, c.opt.changing.Source)
	if diag != nil {
		o.Add(diag)
		c.report(o.Diagnostics, o.Manifest.Sources)
		return exitCode(o)
	}
	c.doc.Change = x.Change
	x.Choose(o, c.opt.changing.out)
	c.print(text.Change(x.Change, c.painter(c.outWidth), c.opt.verbose))
	if x.Outcome == nil {
		session.CompositionOf(&c.doc, o.Composition)
		return c.selectsNothing(x, o)
	}
	if code := c.writeComposed(x); code != shell.OK {
		return code
	}
	return c.checkChange(x, in)
}

// selectsNothing ends a change that leads to no module, or to none that can be composed.
func (c *call) selectsNothing(x *changes.Changed, o *session.Run) int {
	c.report(o.Diagnostics, o.Manifest.Sources)
	if reason := changes.Open(x.Change); reason != "" {
		c.doc.Exploration = &result.Exploration{Verdict: "undecided", Reason: reason, Actions: []result.Action{}, Violations: []result.Violation{}}
		c.print(c.painter(c.outWidth).In(text.Yellow, "undecided") + ": " + reason + "\n")
	}
	switch {
	case shell.ExitOf(o.Diagnostics) != shell.OK:
		return shell.ExitOf(o.Diagnostics)
	case changes.Open(x.Change) != "":
		return shell.Undecided
	}
	return shell.OK
}

// checkChange checks the composition. That nothing is violated decides nothing where some of the change is not modelled.
func (c *call) checkChange(x *changes.Changed, in shell.Interrupts) int {
	o, open := x.Outcome, changes.Open(x.Change)
	if c.opt.changing.only {
		o.Describe(&c.doc)
		c.report(o.Diagnostics, o.Manifest.Sources)
		if code := exitCode(o); code != shell.OK || open == "" {
			return code
		}
		return shell.Undecided
	}
	o.Explore(o.Exploration(c.limits(), c.opt.slice), c.exploring())
	if o.Report != nil && o.Report.Verdict == "holds" && open != "" {
		o.Report.Verdict, o.Report.Reason = "undecided", "the composition holds, and "+open
	}
	c.show(o)
	return c.finished(o)
}

// writeComposed writes the composed manifest where -out says.
func (c *call) writeComposed(x *changes.Changed) int {
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
