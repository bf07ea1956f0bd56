package plan

import (
	"errors"
	"flag"
	"strconv"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb plan.
var Verb = command.Verb{
	Name: "plan", Args: "MANIFEST", Summary: "predict which grains fit into a time", Least: 1, Most: 1,
	About: `The modules under test keep the grains that the manifest gives them. Each other module is put at each of its grains that level
L0 and the lock file allow. A short exploration of each such composition, and random walks, predict how many states it has
and how long check takes. They are listed from fine to coarse:

    multigrain plan MANIFEST -budget 10m

The finest that fits is written as a manifest, which extends this one: into the file of -out, or else to the standard output.
If the finest one does not fit, it is examined with each bound of a budget one smaller, too.

A prediction is a number with a range, in which nine of ten predictions of docs/results/plan.md from such a share of the
states are. The share, and by which factors half and nine of ten of them are off, stand with it. No property is judged: check
explores the manifest that was written.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(options) },
}

// defaultBudget is that of -budget.
const defaultBudget = 10 * time.Minute

// options are the options of plan.
type options struct {
	command.Bounded
	asked asked
}

func (o *options) Flags(fs *flag.FlagSet) {
	o.asked.most, o.Timeout = Most, defaultBudget
	o.TimeFlag(fs, "budget", "the time that exploring all states may take, such as 90s or 2h (default: 10m)")
	fs.Func("target", "put `MODULE` under test, and not what the manifest says; repeat it for several", func(s string) error {
		o.asked.targets = append(o.asked.targets, s)
		return nil
	})
	fs.Func("covers", "examine at most `N` compositions, the coarsest first (default: 12)", func(s string) (err error) {
		if o.asked.most, err = strconv.Atoi(s); err != nil || o.asked.most < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
	fs.Func("probe", "explore each of them for a `duration` (default: a hundredth of the budget, and at least 5s)", func(s string) (err error) {
		if o.asked.Probe, err = time.ParseDuration(s); err != nil || o.asked.Probe <= 0 {
			return errors.New("a duration such as 5s is required")
		}
		return nil
	})
	fs.BoolVar(&o.asked.Others, "estimators", false, "show what other estimators predict, too: Knuth's and Chen's probing, which count behaviours")
	fs.StringVar(&o.asked.out, "out", "", "write the manifest into `FILE` (default: the standard output)")
	o.WorkersFlag(fs, "explore with `N` workers, as check will; 0, the default, is one for each processor")
	o.MemoryFlag(fs, "explore in at most a `size` of memory, such as 8GiB")
}

// Places returns the files and folders that flags name.
func (o *options) Places() []shell.Place {
	return []shell.Place{{Path: o.asked.out, Flag: "-out", Summary: "Manifest cannot be written"}}
}

func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	if r.Composition != nil && !r.Diagnostics.HasErrors() {
		session.CompositionOf(&c.Doc, r.Composition)
		o.asked.Budget, o.asked.Workers, o.asked.Memory = o.Timeout, o.Workers, o.Memory
		x := &planner{asked: o.asked, base: r, note: c.Note}
		if c.Doc.Plan = x.plan(); c.Doc.Plan != nil {
			c.Doc.Looked.Initial = x.init
			c.Doc.Settle()
			o.write(c, r)
			c.Print(text.Planned(c.Doc.Plan, c.Painter(c.OutWidth)))
		}
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return c.Exit()
}

// write writes the manifest of a plan into the file that was named.
func (o *options) write(c *command.Call, r *session.Run) {
	p := c.Doc.Plan
	if o.asked.out == "" || p.Manifest == "" {
		return
	}
	if err := files.WriteFile(o.asked.out, []byte(p.Manifest), 0o644); err != nil {
		r.Add(hcl.Diagnostics{configs.Errorf(codes.Write, "Manifest cannot be written", hcl.Range{}, "%s: %v.", o.asked.out, err)}...)
		return
	}
	p.Written = o.asked.out
}
