package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/differ"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/finer"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/watch"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var checkVerb = command.Verb{
	Name: "check", Args: "MANIFEST", Summary: "explore all states of a composition", Least: 1, Most: 1,
	About: `The composition is first examined for interaction preservation; one that is not preserved is refused. Then its program is assembled and explored breadth first, so a counterexample is a shortest one. Its
states are written as ITF JSON into .multigrain/MANIFEST-INVARIANT.itf.json next to the manifest. For each variable whose
value is not its default, -NAME=VALUE follows MANIFEST, so the traces of such runs do not overwrite each other. If that file
cannot be written, they go into the cache folder. multigrain show prints it step by step, and multigrain clean removes it.

With -stop, or stop in the check block, the search continues past a violation. Then violations are grouped by invariant and
last action. Each group has the number of its violations and a shortest counterexample. The shortest one of each invariant
is printed, or with -v all of them.

The verdict is holds, violated or undecided. It is about the bounds of the manifest. A run that explored no state beyond the
initial ones, or evaluated no property, is undecided. Ctrl-C ends the exploration and shows
what was found by then; a second one ends it at once.
` + command.AboutCheckpoints,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(checkOptions) },
}

// checkOptions are the options of check.
type checkOptions struct {
	command.Explored
	session.Reductions
	session.Keeping
	explain, allowBroken, finer, verbose, watch bool
	on                                          fleet.Searching
}

func (o *checkOptions) Flags(fs *flag.FlagSet) {
	o.Declare(fs, command.NextToManifest)
	o.SarifFlag(fs)
	o.JunitFlag(fs)
	command.CheckpointFlags(fs, &o.Keeping)
	command.ExplainFlag(fs, &o.explain)
	closureFlag(fs, &o.Limits)
	o.StopFlag(fs, "the search", "what the manifest says")
	fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore a composition that is not preserved, with a warning; undecided if nothing is found")
	fs.BoolVar(&o.finer, "finer", false, "do a counterexample again with finer grains, and search after accepted gaps: violated if they have it, undecided if not")
	fs.BoolVar(&o.Slice, "slice", false, "leave variables out of the state that no guard and no checked property can depend on, as slice in the check block")
	fs.BoolVar(&o.Symmetry, "symmetry", false, "take states for one that differ in which node of a role is which, as symmetry in the check block; refused where the specification tells the nodes apart")
	fs.BoolVar(&o.Por, "por", false, "leave out orders of independent steps, as por in the check block: partial-order reduction; refused with step properties and with symmetry")
	fs.BoolVar(&o.watch, "watch", false, "check again whenever a file of the manifest or of the specification is saved, and show what that changed; Ctrl-C ends with the exit code of the last result")
	o.on.Flags(fs)
	fs.BoolVar(&o.verbose, "v", false, "show all actions and the states at each depth, however many")
}

// Places returns the files and folders that flags name.
func (o *checkOptions) Places() []shell.Place {
	return append(o.Written.Places(), shell.Place{Path: o.Spill, Flag: "-spill", Summary: "States cannot be spilled", Folder: true})
}

// Ready reports what a run needs and does not find: the checkpoint that it starts from.
func (o *checkOptions) Ready() hcl.Diagnostics {
	if o.Resume == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(o.Resume, checkpointFile)); err != nil {
		return hcl.Diagnostics{configs.Errorf(codes.Checkpoint, "Checkpoint cannot be used", hcl.Range{},
			"The folder %s holds no checkpoint. Name the folder that the earlier run printed.", o.Resume)}
	}
	return nil
}

// checkpointFile is the checkpoint in its folder, as checker/explore names it.
const checkpointFile = "checkpoint"

func (o *checkOptions) Run(c *command.Call) int {
	if o.watch {
		return o.watched(c)
	}
	in := shell.Catch()
	defer in.Release()
	env, end, diags := o.env(c, in)
	defer end()
	if diags.HasErrors() {
		c.Report(diags, nil)
		return c.Exit()
	}
	r := env.Resolve(c.Args[0], c.Vars)
	o.check(r)
	c.Show(r, o.verbose)
	return c.Finished(r, o.Report)
}

// env returns the surroundings of a run of the verb: with -on they have an engine of workers. Call
// end when the run has ended.
func (o *checkOptions) env(c *command.Call, in shell.Interrupts) (env *session.Env, end func(), diags hcl.Diagnostics) {
	env, end = c.Env(in), func() {}
	if !o.on.Asked() {
		return env, end, nil
	}
	var flags []string
	for _, f := range []struct {
		name string
		on   bool
	}{{"-allow-broken", o.allowBroken}, {"-slice", o.Slice}, {"-symmetry", o.Symmetry}} {
		if f.on {
			flags = append(flags, f.name)
		}
	}
	env.Engine, end, diags = o.on.Engine(c, o.Limits.Workers, flags, func(why string) {
		c.Report(hcl.Diagnostics{configs.Warnf(codes.LostWorker, "Worker was lost", hcl.Range{},
			"%s The search began again with new workers. Its counts are those of the last attempt. If memory is short, start fewer workers.", words.Sentence(why))}, nil)
	})
	return env, end, diags
}

// check explores the composition of a manifest.
func (o *checkOptions) check(r *session.Run) {
	how := o.Exploring(session.NextToManifest)
	how.Reductions, how.Keeping, how.Explain, how.Nearest = o.Reductions, o.Keeping, o.explain, o.verbose
	r.Check(o.Limits, how, o.allowBroken)
	if o.finer {
		finer.Examine(r, session.Comparing{Limits: o.Limits}, o.Kept(session.NextToManifest), func() {
			limits := o.Limits
			limits.Stop = new(int)
			r.Diagnostics = nil
			r.Check(limits, how, o.allowBroken)
		})
	}
}

// watched checks again whenever a file of the manifest or of the specification is saved, and shows
// what that changed. It returns the exit code of the last result once an interrupt comes. A save
// during a run ends that run, whose result nobody waits for.
func (o *checkOptions) watched(c *command.Call) int {
	if c.Json || o.Resume != "" || o.Checkpoint != "" {
		return c.Usage(&shell.UsageError{Code: codes.FlagValue, Summary: "Flags contradict each other", Detail: "-watch has a result after each save. So it excludes -json, which is one document, and -checkpoint and -resume, which continue one run. Leave one of them out."})
	}
	in := shell.Catch()
	defer in.Release()
	var last *result.Document
	known, set := []string{c.Args[0]}, c.Doc.Set
	for {
		c.Doc.Start("check")
		c.Doc.Set = set
		round, end := context.WithCancel(in.Soft)
		env, leave, diags := o.env(c, in)
		if diags.HasErrors() {
			end()
			c.Report(diags, nil)
			return c.Exit()
		}
		r := env.Resolve(c.Args[0], c.Vars)
		known = append(known, filesOf(r)...)
		files := watch.Look(known)
		r.Env.Until(round, in.Hard)
		saved := files.Until(round, end)
		o.check(r)
		changed := saved()
		end()
		leave()
		if len(changed) > 0 && in.Soft.Err() == nil {
			c.Note("%s: the run ends, and another begins", names(changed))
			continue
		}
		c.Show(r, o.verbose)
		code := c.Finished(r, o.Report)
		now := c.Doc
		if last != nil {
			c.Print("\n" + sinceLast(last, &now, c.Painter(c.OutWidth)))
		}
		last = &now
		c.Note("%s of source watched; Ctrl-C ends", words.Plural(int64(len(files.Names())), "file"))
		changed = files.Wait(in.Soft)
		if in.Soft.Err() != nil {
			return code
		}
		c.Note("\n%s", names(changed))
	}
}

// filesOf returns the files and folders that a result depends on. Of a manifest that cannot be
// resolved these are its own files.
func filesOf(r *session.Run) []string {
	out := slices.Clone(r.Manifest.Files)
	out = append(out, filepath.Join(filepath.Dir(r.Manifest.Path), "multigrain.lock"))
	if r.Composition != nil {
		out = append(out, r.Composition.Folders()...)
	}
	return out
}

// sinceLast shows in what a result differs from the one before. Times are left out: they differ
// each time.
func sinceLast(before, now *result.Document, paint text.Painter) string {
	d := differ.Compare(before, now)
	d.A, d.B = "the run before", "this one"
	d.Lines = slices.DeleteFunc(d.Lines, func(l result.DiffLine) bool { return l.Group == "time" })
	return text.Diff(d, paint)
}

// names lists saved files in a line.
func names(changed []string) string {
	short := make([]string, len(changed))
	for k, path := range changed {
		short[k] = words.ShortPath(path)
	}
	return "saved: " + strings.Join(short, ", ")
}
