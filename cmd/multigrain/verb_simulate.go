package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

// What random walks are where neither a flag nor the manifest says so.
const (
	defaultDepth = 100
	defaultWalks = 10_000
	maxWeight    = 1e12
)

var simulateVerb = verb{
	name: "simulate", args: "MANIFEST", summary: "take random walks through a composition", least: 1, most: 1,
	about: `Walks go far into compositions that are too large for check. Each starts in an initial state and takes at most -depth steps.
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

and then from these defaults: 100 steps, 10000 walks or, with a timeout, as many as fit into it, seed 0.

The verdict is holds where all walks that were asked for were taken and broke nothing, which says nothing about other
behaviours: the result says what was covered. With -strict, actions that were never enabled and goals that were not
reached are errors. Ctrl-C ends the walks and shows what was found by then; a second one ends them at once.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		limits(fs, o)
		traceFolder(fs, o, "the working folder")
		memoryLimit(fs, o, "remember distinct states in at most a `size` of memory, such as 1GiB; those beyond are not counted")
		timeLimit(fs, o, "end the walks after a `duration`, such as 90s or 10m: undecided if fewer than a given number were taken by then")
		start(fs, o, "start of the random choices, `N` (default: 0)")
		o.walks.declare(fs)
		explaining(fs, o)
		fs.BoolVar(&o.allowBroken, "allow-broken", false, "simulate a composition that is not preserved, with a warning")
		fs.BoolVar(&o.verbose, "v", false, "show all actions, however many, and the coverage at more points")
	},
	run: runSimulate,
}

// walks are the flags that say which walks are taken.
type walks struct {
	depth   int    // 0 where it is not given
	number  *int64 // nil where it is not given; 0: as many as fit into the timeout
	learned bool
	weights []weight // a later one of the same action counts
}

type weight struct {
	action string
	value  float64
	at     hcl.Range
}

func (w *walks) declare(fs *flag.FlagSet) {
	fs.Func("depth", "steps of a walk, `N` at most (default: 100)", func(s string) (err error) {
		if w.depth, err = strconv.Atoi(s); err != nil || w.depth < 1 {
			return errors.New("a whole number of at least 1 is wanted")
		}
		return nil
	})
	fs.Func("number", "take `N` walks; 0 is as many as fit into the timeout (default: 10000, or 0 with a timeout)", func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if w.number = &n; err != nil || n < 0 {
			return errors.New("a whole number of at least 0 is wanted")
		}
		return nil
	})
	fs.BoolVar(&w.learned, "learned", false, "prefer actions that lead to rarely seen sets of enabled actions, as learned on the way")
	weightFlag(fs, w)
}

// weightFlag declares -weight.
func weightFlag(fs *flag.FlagSet, w *walks) {
	fs.Func("weight", "draw an action so often relative to others, whose weight is 1: `Action=w`, 0 for never; may be repeated", func(s string) error {
		name, text, ok := strings.Cut(s, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return errors.New("an action and a number are wanted, such as Crash=0.1")
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x >= 0 && x <= maxWeight) {
			return fmt.Errorf("%q is no number between 0 and %g", text, float64(maxWeight))
		}
		w.weights = append(w.weights, weight{name, x, hcl.Range{Filename: "-weight " + s}})
		return nil
	})
}

func runSimulate(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(c.args[0])
	if o.comp != nil {
		req, diags := c.simulation(o)
		o.add(diags...)
		c.preserve(o)
		if !o.diags.HasErrors() {
			c.explore(o, req, in)
		}
	}
	c.show(o)
	return c.finished(o)
}

// simulation asks for random walks: flags before the manifest's simulate block before defaults.
func (c *call) simulation(o *outcome) (wire.Request, hcl.Diagnostics) {
	s := o.manifest.Simulate
	if s == nil {
		s = &configs.Simulate{}
	}
	req := c.request(o)
	req.Verb = "simulate"
	opt := &req.Options
	if c.opt.seed == nil {
		opt.Seed = uint64(s.Seed.Value)
	}
	if opt.Timeout == 0 {
		opt.Timeout = s.Timeout.Value
	}
	asked := &wire.Simulate{Depth: s.Depth.Or(defaultDepth), Number: int64(s.Number.Value), Learned: c.opt.walks.learned}
	opt.Simulate = asked
	if c.opt.walks.depth > 0 {
		asked.Depth = c.opt.walks.depth
	}
	var diags hcl.Diagnostics
	switch n := c.opt.walks.number; {
	case n != nil && *n == 0 && opt.Timeout == 0:
		diags = append(diags, configs.Errorf(codes.FlagValue, "Walks without end", hcl.Range{},
			"-number 0 takes as many walks as fit into the timeout, and there is none. Add -timeout, such as -timeout 10m."))
	case n != nil:
		asked.Number = *n
	case asked.Number == 0 && opt.Timeout == 0:
		asked.Number = defaultWalks
	}
	weights, more := o.weights(s.Weights, c.opt.walks.weights)
	asked.Weights = weights
	return req, append(diags, more...)
}

// weights are those of the manifest and of flags, which count more. Those of actions that the composition does not have are
// reported, all in one pass: as errors, or as warnings where another grain of the catalog has the action.
func (o *outcome) weights(written configs.Settings, given []weight) (map[string]float64, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	var all []weight
	for _, w := range written {
		x, _ := w.Value.AsBigFloat().Float64()
		if x > maxWeight {
			diags = append(diags, w.Errorf(codes.Weight, "Weight too large", "The weight of action %s must be at most %g.", w.Name, float64(maxWeight)))
		}
		all = append(all, weight{w.Name, x, w.NameRange})
	}
	has := o.actions()
	out := map[string]float64{}
	for _, w := range append(all, given...) {
		if slices.Contains(has, w.action) {
			out[w.action] = w.value
			continue
		}
		diags = append(diags, o.unknownAction(w, has))
	}
	if len(has) > 0 && !slices.ContainsFunc(has, func(a string) bool { w, ok := out[a]; return !ok || w > 0 }) {
		diags = append(diags, configs.Errorf(codes.Weight, "Every action has weight 0", hcl.Range{},
			"No walk can take a step. Give one of the actions a weight above 0."))
	}
	maps.DeleteFunc(out, func(_ string, w float64) bool { return w == 1 })
	return out, diags
}

// actions are the names of the actions that the composition has.
func (o *outcome) actions() (names []string) {
	for _, g := range o.comp.Chosen() {
		names = append(names, g.Actions...)
	}
	return names
}

func (o *outcome) unknownAction(w weight, has []string) *hcl.Diagnostic {
	const summary = "Unknown action"
	for k := range o.comp.Catalog.Grains {
		if g := &o.comp.Catalog.Grains[k]; slices.Contains(g.Actions, w.action) {
			return configs.Warnf(codes.Weight, "Weight without effect", w.at,
				"This composition does not have action %s, which belongs to grain %q of module %q.", w.action, g.Name, g.Covers[0])
		}
	}
	return configs.Errorf(codes.Weight, summary, w.at, "System %q has no action %q.%s", o.comp.Catalog.System, w.action, configs.Hint(w.action, has))
}
