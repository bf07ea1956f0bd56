// Package refine is the verb refine: whether a composition refines another one of another system.
package refine

import (
	"errors"
	"flag"
	"strconv"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// Verb is the verb refine.
var Verb = command.Verb{
	Name: "refine", Args: "CONCRETE ABSTRACT", Summary: "check that a composition refines an abstract one", Least: 2, Most: 2,
	About: `Both arguments are manifests. The concrete one has a block refines "SYSTEM" for the abstract one's system, with a mapping:

    refines "register" {
      map = "../raft/register.OfRaft"    # func(s *raft.State, a *register.State)
      actions { Propose = "Write" }      # observed, too; may be absent
    }

The mapping gives each concrete state the values of abstract variables. Instead of a function, { VARIABLE = formula, ... } is
possible. Abstract variables that are not mapped are hidden. A step that changes no mapped variable is silent, unless its
action is observed. What is observed of the concrete composition must be possible in the abstract one, which may take silent
steps of its own. Each concrete step is matched by at most one abstract step that can be observed. All concrete states within
the bounds are explored. Bounds that both systems have by one name get the concrete one's value in both. The flags -var and
-set are about the concrete manifest.

If a limit comes first, random walks go past it: a difference that they find is one, and nothing follows if they find none.
They have the weights of the simulate block of the concrete manifest, and try to meet its waypoints one after the other. Only walks that meet all waypoints are compared.

Only safety is compared. An abstract composition that must make progress is no reason to refuse a concrete one that stops.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(options) },
}

// options are the options of refine.
type options struct {
	command.Bounded
	command.Written
	walks   int64
	depth   int
	verbose bool
}

func (o *options) Flags(fs *flag.FlagSet) {
	o.TimeFlag(fs, "timeout", "end undecided after a `duration`, such as 90s or 10m; the exploration takes at most half of it (default: no limit)")
	o.StatesFlag(fs, "explore at most `N` states of each composition (default: 4000000)")
	o.MemoryFlag(fs, "end undecided before both compositions take more than a `size` of memory, such as 4GiB or 500M")
	fs.Func("walks", "take at most `N` random walks if a limit comes first, whatever -max-states is (default: 20000 with at most as many steps as states)", func(s string) (err error) {
		if o.walks, err = strconv.ParseInt(s, 10, 64); err != nil || o.walks < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
	fs.Func("depth", "take at most `N` steps of each walk (default: 400)", func(s string) (err error) {
		if o.depth, err = strconv.Atoi(s); err != nil || o.depth < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
	o.SeedFlag(fs, "take the random walks with `N` (default: 0)")
	o.TracesFlag(fs, "the folder .multigrain next to the concrete manifest")
	fs.BoolVar(&o.verbose, "v", false, "print the whole states of both behaviours")
}

func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	x := &comparer{options: o, concrete: r, abstract: c.Env(in).Resolve(c.Args[1], nil)}
	if x.run(&c.Doc) {
		c.Doc.Settle()
		c.Print(x.text(&c.Doc, c.Painter(c.OutWidth)))
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	c.Report(x.abstract.Diagnostics, x.abstract.Manifest.Sources)
	return c.Exit()
}

// traces says where the behaviours of a difference go.
func (o *options) traces() session.Traces { return o.Kept(session.NextToManifest) }
