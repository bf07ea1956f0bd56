package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/finer"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/search"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
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
	explain, allowBroken, finer, verbose bool
	on                                   string
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
	fs.BoolVar(&o.finer, "finer", false, "do a counterexample again with finer grains: violated if they have it, undecided if not")
	fs.BoolVar(&o.Slice, "slice", false, "leave variables out of the state that no guard and no checked property can depend on, as slice in the check block")
	fs.BoolVar(&o.Symmetry, "symmetry", false, "take states for one that differ in which node of a role is which, as symmetry in the check block; refused where the specification tells the nodes apart")
	fs.BoolVar(&o.Por, "por", false, "leave out orders of independent steps, as por in the check block: partial-order reduction; refused with step properties and with symmetry")
	fs.Func("on", "search on several workers: `embedded` starts -workers processes, by default two", func(s string) error {
		if o.on = s; s != search.Embedded {
			return errors.New("embedded is possible: workers of a NATS server do jobs of the verb run, and no part of a search")
		}
		return nil
	})
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
	in := shell.Catch()
	defer in.Release()
	how := o.Exploring(session.NextToManifest)
	how.Reductions, how.Keeping, how.Explain, how.Nearest = o.Reductions, o.Keeping, o.explain, o.verbose
	env := c.Env(in)
	if o.on != "" {
		env.Engine = &search.Engine{Workers: o.Limits.Workers, Lost: func(why string) {
			c.Report(hcl.Diagnostics{configs.Warnf(codes.LostWorker, "Worker was lost", hcl.Range{},
				"%s The search began again with new workers. Its counts are those of the last attempt. If memory is short, start fewer workers.", words.Sentence(why))}, nil)
		}}
	}
	r := env.Resolve(c.Args[0], c.Vars)
	r.Check(o.Limits, how, o.allowBroken)
	if o.finer {
		finer.Examine(r, session.Comparing{Limits: o.Limits}, func() {
			limits := o.Limits
			limits.Stop = new(int)
			r.Diagnostics = nil
			r.Check(limits, how, o.allowBroken)
		})
	}
	c.Show(r, o.verbose)
	return c.Finished(r, o.Report)
}
