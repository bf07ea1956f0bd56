package main

import (
	"flag"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/confirm"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var confirmVerb = command.Verb{
	Name: "confirm", Args: "MANIFEST", Summary: "see whether an implementation has the bug that a manifest finds", Least: 1, Most: 1,
	About: `The manifest is checked with the variant of the specification that is nearest to the version. Its counterexample is done on
the implementation, step by step, and the states are compared after each step as replay does. After the last step the symptoms
are looked for that the implementation block declares in words of the adapter:

    implementation "zookeeper" {
      symptom "lost-write" {}

      control {                        # the same schedule without its fault
        without = ["PartitionStart(I: 1, J: 2)"]
      }
    }

A control leaves steps of the counterexample out, or puts steps in before one (insert and before). Steps are written as check
prints them. Later steps that are no longer possible are left out. The symptoms must not be seen after it.

A run that does not come to the first step is repeated and counted apart. One run that shows all symptoms confirms the bug.
A run of three servers takes some seconds.
`,
	Code:    command.RunsAdapter,
	Options: func() command.Options { return &confirmOptions{runs: 1, controls: 1} },
}

// confirmOptions are the options of confirm.
type confirmOptions struct {
	implemented
	runs, controls int
	trace, out     string
	verbose        bool
}

func (o *confirmOptions) Flags(fs *flag.FlagSet) {
	o.declare(fs)
	o.declareImpl(fs)
	o.tracesFlag(fs)
	o.WorkersFlag(fs, "explore with `N` workers; 0, the default, is one for each processor")
	o.TimeFlag(fs, "timeout", "end undecided after a `duration` of exploration, such as 90s or 10m")
	count := func(name, usage string, to *int) {
		fs.Func(name, usage, func(s string) (err error) {
			*to, err = words.ParseCount(s)
			return err
		})
	}
	count("runs", "do the counterexample `N` times (default: 1)", &o.runs)
	count("controls", "do the control `N` times, if the manifest has one and the symptoms were seen (default: 1)", &o.controls)
	fs.StringVar(&o.trace, "trace", "", "do the trace in `FILE` instead of a counterexample that check finds")
	fs.StringVar(&o.out, "out", "", "hand a confirmed trace on: write it, the manifest, the symptoms and a README of one command into the folder `DIR`")
	fs.BoolVar(&o.verbose, "v", false, "show all runs, and the counterexample")
}

// Places returns the files and folders that flags name.
func (o *confirmOptions) Places() []shell.Place {
	return append(o.implemented.Places(), shell.Place{Path: o.out, Flag: "-out", Summary: "Confirmed trace cannot be written", Folder: true})
}

func (o *confirmOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	impl := o.connected(r)
	if impl != nil {
		// What else depends on the variable follows the version, too.
		if name, value := r.Composition.VersionVariable(impl); name != "" {
			c.Vars = append(c.Vars, configs.Assignment{Var: name + "=" + value})
			r = c.Resolve(in)
			impl = o.connected(r)
		}
	}
	r.Named(&c.Doc)
	if impl != nil {
		session.CompositionOf(&c.Doc, r.Composition)
		c.Doc.Confirm, c.Doc.Looked = confirm.Run(r, impl, confirm.Asked{Limits: o.Limits, Runs: o.runs, Controls: o.controls, Trace: o.trace, Traces: o.Kept(session.NextToManifest)})
		c.Doc.Settle()
	}
	if d := c.Doc.Confirm; d != nil && d.Verdict == verdicts.Confirmed && o.out != "" {
		confirm.HandOn(r, impl, d, o.out)
	}
	if c.Doc.Confirm != nil {
		c.Print(text.Confirmation{Paint: c.Painter(c.OutWidth), Verbose: o.verbose}.Text(&c.Doc))
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return c.Reported(r, o.Report)
}
