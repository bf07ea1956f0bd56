package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/likely"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var simulateVerb = command.Verb{
	Name: "simulate", Args: "MANIFEST", Summary: "take random walks through a composition", Least: 1, Most: 1,
	About: `Walks go far into compositions that are too large for check. Each starts in an initial state and takes at most -depth steps.
At each an action is drawn by weight among the enabled ones, and one of its instances uniformly. What breaks an invariant
is shrunk to a short counterexample and written like one of check. The same seed means the same walks, whatever the number of workers.

What is not given as a flag is taken from the simulate block of the manifest:

    simulate {
      depth   = 200      # steps of a walk
      number  = 50000    # walks
      timeout = "10m"    # for all of them
      seed    = 1
      weights {
        LeaderTimeout = 0.1    # 1 for actions that are not named
      }
    }

and then from these defaults: the steps that -depth names, 10000 walks or, with a timeout, as many as fit into it, seed 0. A limit of -processor-time is a timeout, too: it does not
count the time in which other processes have the processors.

With -strategy something else than weights alone draws the steps. Parameters follow the name:

    -strategy rounds:rounds=32,period=8,isolated=4

Strategy rounds takes walks in lock-step rounds in which servers are isolated, pct and delays schedule servers and channels,
and loss loses messages at random. The result prints the parameters and what the strategy guarantees.

With -from TRACE:each, walks are taken from each step of a counterexample, as many as -number says, or 1000. The result is
how many of them meet the violation, with an interval of 95 %, and at which steps that jumps. With -report the trace page has
a plot. A timeout bounds all walks together.

The verdict is nothing-found if all walks that were asked for were taken and broke nothing. That says nothing about
other behaviours: the result says what was covered. Walks without a step, and without a property that they evaluate, are undecided. With -strict, actions that were never enabled and goals that were
not reached are errors. Ctrl-C ends the walks and shows what was found by then; a second one ends them at once.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(simulateOptions) },
}

// simulateOptions are the options of simulate.
type simulateOptions struct {
	command.Explored
	session.Walks
	seeds                         int // how many, from -seed on; 0: one, and no list of seeds
	explain, allowBroken, verbose bool
}

func (o *simulateOptions) Flags(fs *flag.FlagSet) {
	o.LimitFlags(fs)
	o.TracesFlag(fs, command.NextToManifest)
	o.MemoryFlag(fs, "remember distinct states in at most a `size` of memory, such as 1GiB; those beyond are not counted")
	o.TimeFlag(fs, "timeout", "end the walks after a `duration`, such as 90s or 10m: undecided if fewer than a given number were taken by then")
	o.ProcessorFlag(fs, "end the walks when the program has used a `duration` of processor time, its start included; otherwise as -timeout")
	o.SeedFlag(fs, "start of the random choices, `N` (default: 0)")
	seedsFlag(fs, &o.seeds)
	walkFlags(fs, &o.Walks)
	closureFlag(fs, &o.Limits)
	command.ExplainFlag(fs, &o.explain)
	fs.BoolVar(&o.allowBroken, "allow-broken", false, "simulate a composition that is not preserved, with a warning; undecided if nothing is found")
	fs.BoolVar(&o.verbose, "v", false, "show all actions, however many, and the coverage at more points")
}

// Ready reports flags that contradict each other.
func (o *simulateOptions) Ready() hcl.Diagnostics {
	if o.each() != "" && (len(o.From) > 1 || o.Learned) {
		return hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Flags contradict each other", hcl.Range{},
			"-from TRACE:each takes walks from one trace, with weights that stay. Remove -learned and other -from.")}
	}
	if o.each() != "" && o.seeds > 0 {
		return hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Flags contradict each other", hcl.Range{}, "-from TRACE:each has one seed. Remove -seeds.")}
	}
	return nil
}

// each returns the trace of -from TRACE:each; "" for none.
func (o *simulateOptions) each() string {
	if k := slices.IndexFunc(o.From, func(f session.From) bool { return f.Each }); k >= 0 {
		return o.From[k].Path
	}
	return ""
}

func (o *simulateOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	path := o.each()
	if path != "" {
		if o.From = nil; o.Number == nil && o.Timeout == 0 && o.Processor == 0 {
			n := int64(likely.Walks)
			o.Number = &n
		}
	}
	if r.Composition != nil {
		req, diags := r.Simulation(o.Walks, o.Limits, false)
		r.Add(diags...)
		r.Preserve(o.allowBroken)
		if !r.Diagnostics.HasErrors() {
			how := o.Exploring(session.NextToManifest)
			how.Explain, how.Nearest = o.explain, o.verbose
			switch {
			case path != "":
				c.Doc.Likely = likely.Run(r, path, req, how)
			case o.seeds > 0:
				c.Doc.Seeds = r.ExploreSeeds(req, o.seeds, how)
			default:
				r.Explore(req, how)
			}
		}
	}
	c.Show(r, o.verbose)
	return c.Finished(r, o.Report)
}

// seedsFlag declares -seeds.
func seedsFlag(fs *flag.FlagSet, n *int) {
	fs.Func("seeds", "take the walks with each of `N` seeds, from -seed on. Limits are for each. The result lists the seeds, and is that of the first that finds something; or else of the first that is undecided, or of the first", func(s string) (err error) {
		if *n, err = strconv.Atoi(s); err != nil || *n < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
}

// closureFlag declares -closure.
func closureFlag(fs *flag.FlagSet, l *session.Limits) {
	fs.Func("closure", "check communication closure: no message of an older round is used. `VAR=FIELD` pairs the variable that holds a server's round with the message field that holds it, such as Term=Term", l.SetClosure)
}

func walkFlags(fs *flag.FlagSet, w *session.Walks) {
	depthFlag(fs, w)
	fs.Func("number", "take `N` walks; 0 is as many as fit into the timeout (default: 10000, or 0 with a timeout)", func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if w.Number = &n; err != nil || n < 0 {
			return errors.New("a whole number of at least 0 is required")
		}
		return nil
	})
	fs.BoolVar(&w.Learned, "learned", false, "prefer actions that lead to rarely seen sets of enabled actions, as learned during the walks")
	strategyFlag(fs, w)
	weightFlag(fs, w)
}

// strategyFlag declares -strategy.
func strategyFlag(fs *flag.FlagSet, w *session.Walks) {
	fs.Func("strategy", strategyUsage(), w.SetStrategy)
	fs.Func("from", "begin walks with the first STEP steps of a trace, such as a counterexample, `TRACE[:STEP]`; without STEP with any number of them but all; may be repeated. TRACE:each, with simulate, estimates for each step how likely walks from there meet the violation", w.AddFrom)
}

// strategyUsage describes the flag -strategy.
func strategyUsage() string {
	text := "draw the steps by a strategy, `NAME[:parameter=N,...]`: weighted (default), learned (the same as -learned; learned:HASH knows a state by its enabled actions, instances, roles of nodes, or states: actions, instances, roles or states)"
	for _, s := range wire.Strategies {
		text += ", " + s.Name + " (" + s.Doc + ")"
	}
	return text
}

// weightFlag declares -weight.
func weightFlag(fs *flag.FlagSet, w *session.Walks) {
	fs.Func("weight", "draw an action so often relative to others, whose weight is 1: `Action=w`, 0 for never; may be repeated", func(s string) error {
		name, text, ok := strings.Cut(s, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return errors.New("an action and a number are required, such as Crash=0.1")
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x >= 0 && x <= session.MaxWeight) {
			return fmt.Errorf("%q is no number between 0 and %g", text, float64(session.MaxWeight))
		}
		w.Weights = append(w.Weights, session.Weight{Action: name, Value: x, At: hcl.Range{Filename: "-weight " + s}})
		return nil
	})
}

// depthFlag declares -depth.
func depthFlag(fs *flag.FlagSet, w *session.Walks) {
	usage := "steps of a walk, `N` at most (default: 100"
	for _, s := range wire.Strategies {
		if s.Depth > 0 {
			usage += fmt.Sprintf(", or %s with strategy %s", words.Count(int64(s.Depth)), s.Name)
		}
	}
	fs.Func("depth", usage+")", func(s string) (err error) {
		if w.Depth, err = strconv.Atoi(s); err != nil || w.Depth < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
}
