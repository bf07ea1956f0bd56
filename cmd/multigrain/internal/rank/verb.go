package rank

import (
	"errors"
	"flag"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb rank.
var Verb = command.Verb{
	Name: "rank", Args: "MANIFEST", Summary: "order configurations by what short walks cover in them", Least: 1, Most: 1,
	About: `A grid gives variables of the manifest, bounds or options several values each:

    multigrain rank MANIFEST -grid 'crashes=0..2,mistake=none|stale' -to DIR

A name is that of a variable if the manifest declares one, or else that of a bound or an option of the system. A range
FIRST..LAST stands for whole numbers, and bars separate other values. Every choice of values is a configuration.

Random walks are taken in each configuration. Configurations are sorted by the branches of guards, effects and rules that
walks took, most first. Equal ones are sorted by the actions that were taken, most first, and then by the steps of the
longest walk, fewest first. This is algorithm 1 of SandTable (EuroSys 2024). No property is checked: the order says what to search first.

With -number, N walks are taken in each configuration, and the same seed gives the same order. With -timeout, configurations
have equal shares of that time, and the order may differ from run to run. Programs are built in addition to that time.

With -to, a manifest of each configuration is written into a folder. Its name begins with the rank:

    multigrain check DIR/1-crashes-2-mistake-none.hcl
    multigrain compare DIR/*.hcl -timeout 60s

Options that are not flags come from the simulate block of the manifest: weights, depth and seed.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(options) },
}

// options are the options of rank.
type options struct {
	command.Bounded
	written command.Written
	asked   asked
	grid    string
}

func (o *options) Flags(fs *flag.FlagSet) {
	fs.StringVar(&o.grid, "grid", "", "the names and values to vary, as `NAME=FIRST..LAST,NAME=VALUE|VALUE`")
	fs.Func("number", "take `N` walks in each configuration; 0 is as many as fit into its share of the timeout (default: 1000, or 0 with a timeout)", func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if o.asked.number = &n; err != nil || n < 0 {
			return errors.New("a whole number of at least 0 is required")
		}
		return nil
	})
	fs.Func("depth", "steps of a walk, `N` at most (default: that of the simulate block, or 100)", func(s string) (err error) {
		if o.asked.depth, err = strconv.Atoi(s); err != nil || o.asked.depth < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
	o.TimeFlag(fs, "timeout", "walk for a `duration` in all, such as 90s or 10m, in equal shares")
	o.SeedFlag(fs, "start of the random choices, `N` (default: 0)")
	o.WorkersFlag(fs, "walk with `N` workers; 0, the default, is one for each processor")
	o.MemoryFlag(fs, "remember distinct states in at most a `size` of memory, such as 1GiB; those beyond are not counted")
	o.written.ReportFlag(fs)
	fs.StringVar(&o.asked.folder, "out", "", "write the manifests of the configurations into the folder `DIR` (default: none are written)")
}

// Former returns the flags that had other names.
func (o *options) Former() map[string]string { return map[string]string{"to": "out"} }

// Places returns the files and folders that flags name.
func (o *options) Places() []shell.Place {
	return append(o.written.Places(), shell.Place{Path: o.asked.folder, Flag: "-out", Summary: "Manifests cannot be written", Folder: true})
}

// Ready reports what is wrong with the flags, and manifests in the folder that rank did not write.
func (o *options) Ready() (diags hcl.Diagnostics) {
	wrong := func(detail string) {
		diags = append(diags, configs.Errorf(codes.FlagValue, "Wrong value of a flag", hcl.Range{}, "%s", detail))
	}
	var err error
	switch o.asked.grid, err = parseGrid(o.grid); {
	case o.grid == "":
		wrong("Say what to vary with -grid, as in -grid 'crashes=0..2,partitions=0..2'.")
	case err != nil:
		wrong("-grid: " + err.Error() + ".")
	case o.asked.number != nil && *o.asked.number == 0 && o.Timeout == 0:
		wrong("-number 0 takes as many walks as fit into the timeout, and there is none. Add -timeout, such as -timeout 10m.")
	case o.asked.folder != "":
		_, diags = earlier(o.asked.folder)
	}
	return diags
}

func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	if r.Composition != nil && !r.Diagnostics.HasErrors() {
		session.CompositionOf(&c.Doc, r.Composition)
		o.asked.Limits = o.Limits
		x := &ranker{asked: o.asked, base: r, programs: map[string]string{}, note: c.Note}
		if c.Doc.Ranking = x.rank(); c.Doc.Ranking != nil {
			c.Doc.Looked = x.looked()
			c.Doc.Settle()
			c.Print(text.Ranked(c.Doc.Ranking, c.Painter(c.OutWidth)))
		}
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return c.Reported(r, o.written.Report)
}
