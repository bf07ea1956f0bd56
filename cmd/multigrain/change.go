package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/plan"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var changeVerb = command.Verb{
	Name: "change", Args: "MANIFEST", Summary: "run changed code under the specification of the modules that it touches", Least: 1, Most: 1,
	About: `The manifest's implementation block states where the code is: packages for Go, and lines for a table of methods and lines of
other languages. Its block models lists the functions that modules model, if they are not those that the catalog names.

Changed declarations lead, along calls in Go, to functions that grains model. The modules of these are put under test at their
finest such grain. The others get the coarsest grain that is preserved at level L0 or, with -plan, the finest ones with which a
check is predicted to end in time. A result of L1 or L2 counts if the file
multigrain.lock next to the manifest has one for the composition. As with check, results that only this machine has decide
nothing. The composition is printed with the reasons of every choice, and written with -out.

Then the changed code is built and does walks of the manifest's composition step by step, as with conform. A Go module is
replaced by a copy of the changed code in the cache; the folder of -repo stays as it is. Java code is compiled by the
command in build of the implementation block, else the changed files over the release's jars. With -classes or -jar it is
compiled already. A driver runs the changed sources of the packages that the block names, in the place of the library.
The walks note which changed lines
ran. A difference is done again on the code before the change. After a difference the implementation is the model, and
invariants that read observed variables only are judged. -budget limits the walks. Where no adapter connects the code, the
composition alone is checked, which does not decide whether the change is right.

-diff names a unified diff with the change. Without -repo it is a change of the module that the adapter requires. Without it the folder of -repo is compared with the revision of -base, by default
the last commit. A diff may have headers of hunks only; then code that is not Go needs no folder.

The specification stays that of the implementation's version. Options of the manifest, or the specification, must describe
what the change does differently. Changed code that did not run is named, and if nothing differs, the result is undecided. So
is that of a change without a file.
`,
	Code:    "With -n it reads the specification and the changed code and runs no code of them. Without -n it compiles and runs the specification, the adapter and the changed code, and what they import. It runs the build command of the manifest in a copy of the code, and servers and drivers with the changed code.",
	Options: func() command.Options { return new(changeOptions) },
}

// changeOptions are the options of change.
type changeOptions struct {
	command.Explored
	changes.Source
	out           string // file for the composed manifest
	only, verbose bool
	budget        time.Duration // of the walks with the changed code; 0: the default
	plan          time.Duration // that the check of the composition may take; 0: it is the coarsest
	accept        bool          // changed code that did not run
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
	fs.Func("budget", "take walks with the changed code for a `duration`, such as 90s, which begins after the builds (default: "+changes.DefaultBudget.String()+", and "+changes.CodedBudget.String()+" for code of other languages)", func(s string) (err error) {
		if o.budget, err = time.ParseDuration(s); err != nil || o.budget <= 0 {
			return errors.New("a positive duration with a unit is required, such as 90s or 10m")
		}
		return nil
	})
	fs.Func("plan", "put untouched modules at the finest grains with which a check is predicted to take at most a `duration`, such as 10m (default: the coarsest grains)", func(s string) (err error) {
		if o.plan, err = time.ParseDuration(s); err != nil || o.plan <= 0 {
			return errors.New("a positive duration with a unit is required, such as 90s or 10m")
		}
		return nil
	})
	fs.BoolVar(&o.accept, "accept-uncovered", false, "let changed lines that did not run, and operands that were not both true and false, not make the result undecided; they are counted and listed")
	fs.StringVar(&o.Classes, "classes", "", "run the compiled code of the change in the folder `DIR`")
	fs.StringVar(&o.Jar, "jar", "", "run the compiled code of the change in `FILE`")
	fs.BoolVar(&o.only, "n", false, "compose, and run nothing")
	fs.BoolVar(&o.verbose, "v", false, "show all ways to modelled functions, all actions and the states at each depth")
}

// Places returns the files and folders that flags name.
func (o *changeOptions) Places() []shell.Place {
	return append(o.Written.Places(), shell.Place{Path: o.out, Flag: "-out", Summary: "Manifest cannot be written"})
}

func (o *changeOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	c.UseCache()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	if r.Composition == nil {
		c.Report(r.Diagnostics, r.Manifest.Sources)
		return c.Exit()
	}
	if o.plan > 0 && o.only {
		r.Add(configs.Errorf(codes.FlagValue, "Flags exclude each other", hcl.Range{}, "-plan runs the specification, and -n runs nothing. Leave one of them out."))
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
	c.Doc.Change, c.Doc.Looked.Changed = x.Change, int64(x.Change.Files)
	if !o.only {
		x.Inert(r, o.walks(x))
	}
	x.Choose(r, o.out, o.planning(c))
	c.Print(text.Change(x.Change, c.Painter(c.OutWidth), o.verbose))
	if x.Outcome == nil && !o.only && x.Runnable() && x.Alone() {
		return o.observe(c, x, r)
	}
	if x.Outcome == nil {
		session.CompositionOf(&c.Doc, r.Composition)
		return o.selectsNothing(c, x, r)
	}
	if code := o.writeComposed(c, x); code != shell.OK {
		return code
	}
	return o.check(c, x, r)
}

// planning says how untouched modules get their grains; nil: the coarsest ones.
func (o *changeOptions) planning(c *command.Call) *changes.Planning {
	if o.plan == 0 {
		return nil
	}
	return &changes.Planning{Probing: plan.Probing{Budget: o.plan, Workers: o.Workers, Memory: o.Memory}, Note: c.Note}
}

// selectsNothing ends a change that leads to no module, or to none that can be composed.
func (o *changeOptions) selectsNothing(c *command.Call, x *changes.Changed, r *session.Run) int {
	c.Report(r.Diagnostics, r.Manifest.Sources)
	open(c, x)
	return o.reported(c, x, r)
}

// reported writes the report of a change, if one is asked for, and returns the exit code.
func (o *changeOptions) reported(c *command.Call, x *changes.Changed, r *session.Run) int {
	if o.Report == "" {
		return c.Exit()
	}
	x.Show()
	whole := text.Change(x.Change, c.Painter(0), true)
	if x.Observed != nil {
		whole += text.Observed{Verbose: true}.Text(x.Observed)
	} else if c.Doc.Exploration != nil {
		whole += "\n" + text.Undecided("change", c.Doc.Reason, c.Painter(0))
	}
	return c.Written(r, o.Report, whole)
}

// open says why nothing is decided about a change that is not checked, if a part of it is not
// modelled, or if the change is empty.
func open(c *command.Call, x *changes.Changed) {
	if reason := changes.Open(x.Change); reason != "" {
		c.Doc.Exploration = result.Unexplored(reason)
	}
	if c.Doc.Settle(); c.Doc.Exploration != nil {
		c.Print(text.Undecided("change", c.Doc.Reason, c.Painter(c.OutWidth)))
	}
}

// check runs the changed code or, where nothing connects it, checks the composition. That the
// composition holds decides nothing about code that did not run.
func (o *changeOptions) check(c *command.Call, x *changes.Changed, base *session.Run) int {
	r := x.Outcome
	if o.only {
		r.Describe(&c.Doc)
		c.Report(r.Diagnostics, r.Manifest.Sources)
		if c.Doc.Exploration == nil {
			o.undecided(c, "not run, since -n asked for the composition only")
		}
		return o.reported(c, x, r)
	}
	if x.Runnable() {
		return o.observe(c, x, base)
	}
	how := o.Exploring(session.NextToManifest)
	how.Nearest = o.verbose
	r, known := o.explored(x, base, how)
	if r.Report != nil && r.Report.Verdict == verdicts.Holds {
		r.Report.Verdict, r.Report.Reason = verdicts.Undecided, "the composition holds, and the changed code was not run: the implementation block has no adapter for it"
		if len(known) > 0 {
			r.Report.Reason = changes.KnownText(known) + "; apart from that " + r.Report.Reason
		}
		if reason := changes.Open(x.Change); reason != "" {
			r.Report.Reason += "; " + reason
		}
	}
	c.Show(r, o.verbose)
	if o.Report != "" {
		x.Show()
	}
	return c.Finished(r, o.Report)
}

// explored checks the compositions for a change that are equally fine, until one is violated. It
// returns the last one, and the invariants that the version before the change violates, too.
func (o *changeOptions) explored(x *changes.Changed, base *session.Run, how session.Exploring) (*session.Run, []string) {
	all := append([]*session.Run{x.Outcome}, x.ComposeEqual(base, o.out)...)
	limits := o.Limits
	limits.Timeout /= time.Duration(len(all))
	var e changes.Explored
	for k, of := range all {
		one := changes.Explore(base, of, limits, how)
		if open := one.Report == nil || one.Report.Verdict != verdicts.Holds; k == 0 || open {
			e = one
		}
		if e.Report != nil && len(e.Report.Violations) > 0 && !e.IsKnown() {
			break
		}
	}
	return e.Run, e.Known
}

// observe runs the changed code, under the composition of the manifest where no other one was
// composed.
func (o *changeOptions) observe(c *command.Call, x *changes.Changed, base *session.Run) int {
	of := cmp.Or(x.Outcome, base)
	session.CompositionOf(&c.Doc, of.Composition)
	r := x.Observe(base, o.walks(x))
	limits := o.Limits
	if limits.Timeout == 0 {
		limits.Timeout = max(x.Left(), o.plan)
	}
	x.Verify(base, limits, o.Exploring(session.NextToManifest))
	if x.Observed != nil {
		c.Doc.Looked.Steps = x.Observed.Steps
		for k := range x.Observed.Places {
			if p := &x.Observed.Places[k]; p.True || p.False || p.Same {
				c.Doc.Looked.Ran++
			}
		}
		c.Doc.Settle()
		c.Print(text.Observed{Paint: c.Painter(c.OutWidth), Verbose: o.verbose}.Text(x.Observed))
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return o.reported(c, x, of)
}

// walks says how the changed code is run.
func (o *changeOptions) walks(x *changes.Changed) changes.Walking {
	return changes.Walking{Budget: o.walking(x), Limit: o.Timeout, Classes: cmp.Or(o.Classes, o.Jar), Seed: o.Seed, Workers: o.Workers,
		Traces: o.Kept(session.NextToManifest), Accept: o.accept}
}

// walking returns the time for walks: the budget, or the time limit if that is shorter.
func (o *changeOptions) walking(x *changes.Changed) time.Duration {
	budget := cmp.Or(o.budget, x.DefaultBudgetOf())
	if o.Timeout > 0 {
		return min(budget, o.Timeout)
	}
	return budget
}

// undecided ends a change about which nothing is decided.
func (o *changeOptions) undecided(c *command.Call, reason string) {
	c.Doc.Exploration = result.Unexplored(reason)
	c.Print(text.Undecided("change", reason, c.Painter(c.OutWidth)))
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
