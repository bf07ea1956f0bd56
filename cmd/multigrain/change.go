package main

import (
	"context"
	"flag"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var changeVerb = command.Verb{
	Name: "change", Args: "MANIFEST", Summary: "check the modules that a change of the implementation touches", Least: 1, Most: 1,
	About: `The manifest's implementation block states where the code is: packages for Go, and lines for a table of methods and lines of
other languages. Its block models lists the functions that modules model, if they are not those that the catalog names.

Changed declarations lead, along calls in Go, to functions that grains model. The modules of these are put under test at their
finest such grain. The others get the coarsest grain that is preserved at level L0. A result of L1 or L2 counts if the file
multigrain.lock next to the manifest has one for the composition. As with check, results that only this machine has decide
nothing. The composition is printed with the reasons of every choice, written with -out, and checked.

-diff names a unified diff with the change. Without it the folder of -repo is compared with the revision of -base, by default
the last commit. A diff may have headers of hunks only; then code that is not Go needs no folder.

The specification stays that of the implementation's version. Options of the manifest, or the specification, must describe
what the change does differently. Changed code that no grain models is named, and without a violation the result is undecided.
`,
	Code:    "With -n it reads the specification and the changed code and runs no code of them. Without -n it compiles and runs the specification.",
	Options: func() command.Options { return new(changeOptions) },
}

// changeOptions are the options of change.
type changeOptions struct {
	command.Explored
	changes.Source
	out           string // file for the composed manifest
	only, verbose bool
}

func (o *changeOptions) Flags(fs *flag.FlagSet) {
	o.Declare(fs, command.NextToManifest)
	o.SarifFlag(fs)
	o.JunitFlag(fs)
	fs.StringVar(&o.Repo, "repo", "", "the folder `DIR` with the code")
	fs.StringVar(&o.Diff, "diff", "", "read the change from `FILE`; - is the standard input")
	fs.StringVar(&o.Base, "base", "", "compare with the last common ancestor of `REV` and the checked-out commit")
	fs.StringVar(&o.Impl, "impl", "", "the implementation block `NAME` (default: the one that says where the code is)")
	fs.StringVar(&o.out, "out", "", "write the composed manifest to `FILE`")
	fs.BoolVar(&o.only, "n", false, "compose and do not check")
	fs.BoolVar(&o.verbose, "v", false, "show all ways to modelled functions, all actions and the states at each depth")
}

// Places returns the files and folders that flags name.
func (o *changeOptions) Places() []shell.Place {
	return append(o.Written.Places(), shell.Place{Path: o.out, Flag: "-out", Summary: "Manifest cannot be written"})
}

func (o *changeOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	if r.Composition == nil {
		c.Report(r.Diagnostics, r.Manifest.Sources)
		return c.Exit()
	}
	reading, cancel := r.Env.Reading(o.Timeout, "the change")
	defer cancel()
	x, diag := changes.Read(reading, r, o.Source)
	if diag != nil && reading.Err() != nil {
		reason := context.Cause(reading).Error()
		c.Doc.Exploration = result.Unexplored(reason)
		c.Print(text.Undecided("change", reason, c.Painter(c.OutWidth)))
		return c.Exit()
	}
	if diag != nil {
		r.Add(diag)
		c.Report(r.Diagnostics, r.Manifest.Sources)
		return c.Exit()
	}
	c.Doc.Change = x.Change
	x.Choose(r, o.out)
	c.Print(text.Change(x.Change, c.Painter(c.OutWidth), o.verbose))
	if x.Outcome == nil {
		session.CompositionOf(&c.Doc, r.Composition)
		return selectsNothing(c, x, r)
	}
	if code := o.writeComposed(c, x); code != shell.OK {
		return code
	}
	return o.check(c, x)
}

// selectsNothing ends a change that leads to no module, or to none that can be composed.
func selectsNothing(c *command.Call, x *changes.Changed, r *session.Run) int {
	c.Report(r.Diagnostics, r.Manifest.Sources)
	open(c, x)
	return c.Exit()
}

// open says why nothing is decided about a change that is not checked, if a part of it is not
// modelled.
func open(c *command.Call, x *changes.Changed) {
	if reason := changes.Open(x.Change); reason != "" {
		c.Doc.Exploration = result.Unexplored(reason)
		c.Print(text.Undecided("change", reason, c.Painter(c.OutWidth)))
	}
}

// check checks the composition. That nothing is violated decides nothing where some of the change
// is not modelled.
func (o *changeOptions) check(c *command.Call, x *changes.Changed) int {
	r := x.Outcome
	if o.only {
		r.Describe(&c.Doc)
		c.Report(r.Diagnostics, r.Manifest.Sources)
		if c.Doc.Exploration == nil {
			open(c, x)
		}
		return c.Exit()
	}
	how := o.Exploring(session.NextToManifest)
	how.Nearest = o.verbose
	r.Explore(r.Exploration(o.Limits, false), how)
	if reason := changes.Open(x.Change); r.Report != nil && r.Report.Verdict == verdicts.Holds && reason != "" {
		r.Report.Verdict, r.Report.Reason = verdicts.Undecided, "the composition holds, and "+reason
	}
	c.Show(r, o.verbose)
	return c.Finished(r, o.Report)
}

// writeComposed writes the composed manifest where -out says.
func (o *changeOptions) writeComposed(c *command.Call, x *changes.Changed) int {
	if o.out == "" {
		return shell.OK
	}
	if err := files.WriteFile(o.out, []byte(x.Manifest), 0o644); err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Write, "Manifest cannot be written", hcl.Range{}, "%v. Name another file with -out.", err)}, nil)
		return shell.System
	}
	c.Note("manifest: %s", o.out)
	return shell.OK
}
