package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var conformVerb = verb{
	name: "conform", args: "MANIFEST", summary: "do random walks on an implementation and compare the states", least: 1, most: 1,
	about: `Random walks of the composition are done again, step by step, on an implementation that an implementation block of the
manifest names:

    implementation "etcd-raft" {
      adapter = "../../raft/etcdraft"    # the Go package that connects it, relative to this file, or its import path
      version = "v3.7.0"                 # that must be built in
      bounds {
        terms = 5                        # in place of the manifest's, for walks
      }
    }

After every step all variables that the adapter observes are compared, messages in flight among them. A walk that ends in a
difference is made as short as possible; its trace and the implementation's log are written, and multigrain replay does it
again. Walks are drawn as simulate draws them, with the weights of the manifest's simulate block, which also says how many
there are and how long and what they start from, where no flag does. Steps that leave the state constraints or exceed a
capacity are not taken. The same seed means the same walks, whatever the number of workers.

The coverage over the walks is that of actions, of their instances, and of branches: each operand of a condition in a guard, an
effect or a rule, and in the functions that they call, has the branches true and false, unless the manifest's constants decide
it. Those that were not taken are listed. -branches=false leaves branches out and is up to twice as fast.

The exit code is 30 where there is a difference, and 0 where all walks that were asked for were done without one, which says nothing
about other behaviours.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		implementationFlags(fs, o)
		fs.Func("traces", "do `N` walks; 0 is as many as fit into the time (default: 10000, or 0 with a time)", func(s string) error {
			n, err := strconv.ParseInt(s, 10, 64)
			if o.walks.Number = &n; err != nil || n < 0 {
				return errors.New("a whole number of at least 0 is wanted")
			}
			return nil
		})
		fs.Func("depth", "steps of a walk, `N` at most (default: 100)", func(s string) (err error) {
			if o.walks.Depth, err = strconv.Atoi(s); err != nil || o.walks.Depth < 1 {
				return errors.New("a whole number of at least 1 is wanted")
			}
			return nil
		})
		fs.Func("time", "end after a `duration`, such as 90s or 10m: undecided if fewer walks than a given number were done by then", func(s string) (err error) {
			if o.timeout, err = time.ParseDuration(s); err != nil || o.timeout <= 0 {
				return errors.New("a positive duration with a unit is wanted, such as 90s or 10m")
			}
			return nil
		})
		start(fs, o, "start of the random choices, `N` (default: 0)")
		weightFlag(fs, &o.walks)
		fs.Func("workers", "walk with `N` workers; 0, the default, is one for each processor", func(s string) (err error) {
			o.workers, err = words.ParseCount(s)
			return err
		})
		fs.Func("stop", "end after `N` differences; 0: never (default: 1)", func(s string) error {
			n, err := words.ParseCount(s)
			o.stop = &n
			return err
		})
		fs.BoolVar(&o.branches, "branches", true, "report which branches of guards and effects are taken and which are not; false: another program is built, which is faster")
		fs.BoolVar(&o.verbose, "v", false, "show the coverage at more points, and all branches that were not taken")
	},
	run: runConform,
}

// implementationFlags declares the flags of the verbs that run an implementation.
func implementationFlags(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.impl, "impl", "", "the implementation block `NAME` (default: the only one)")
	fs.StringVar(&o.traces, "to", "", "write traces and logs of differences into the folder `DIR` (default: the working folder)")
}

func runConform(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(in)
	o.Named(&c.doc)
	impl := o.Connected(c.opt.impl)
	if impl != nil {
		o.Walking(impl)
	}
	if impl != nil && o.Composition != nil {
		req, diags := o.Simulation(c.opt.walks, c.limits(), false)
		o.Add(diags...)
		req.Verb, req.Options.Stop = "conform", 1
		if c.opt.stop != nil {
			req.Options.Stop = *c.opt.stop
		}
		walks := req.Options.Simulate
		req.Options.Conform = &wire.Conform{Depth: walks.Depth, Number: walks.Number, Weights: walks.Weights}
		o.Conform(impl, req, c.opt.branches, c.tracesIn())
	}
	return c.conformed(o, impl)
}

// conformed shows what became of a run and returns the exit code.
func (c *call) conformed(o *session.Run, impl *configs.Implementation) int {
	if o.Composition != nil {
		session.CompositionOf(&c.doc, o.Composition)
	}
	if o.Report != nil && o.Report.Conformance != nil {
		c.doc.Conform = o.Conformance(impl, c.tracesIn())
		c.print(text.Conformance{Paint: c.painter(c.outWidth), Verbose: c.opt.verbose}.Text(&c.doc))
	} else if o.Stopped != "" {
		c.print(fmt.Sprintf("undecided: %s\n", o.Stopped))
	}
	c.report(o.Diagnostics, o.Manifest.Sources)
	switch {
	case o.Report == nil && o.Stopped != "":
		return shell.Undecided
	case o.Report == nil:
		return shell.ExitOf(o.Diagnostics)
	case o.Report.Conformance.Count > 0:
		return shell.Mismatch
	case o.Report.Verdict == "undecided":
		return shell.Undecided
	}
	return shell.ExitOf(o.Diagnostics)
}
