package main

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var conformVerb = command.Verb{
	Name: "conform", Args: "MANIFEST", Summary: "do random walks on an implementation and compare the states", Least: 1, Most: 1,
	About: `Random walks of the composition are done again, step by step, on an implementation that an implementation block of the
manifest names:

    implementation "etcd-raft" {
      adapter = "../../raft/etcdraft"  # its Go package: a folder from here, or an import path
      version = "v3.7.0"                 # that must be built in
      bounds {
        terms = 5                        # instead of the manifest's, for walks
      }
    }

Instead of an adapter it may name a driver, the command of a process in any language, which runs in the folder of the
manifest. docs/how-to/drivers.md has the steps to one. -setup makes what it requires; conform itself installs nothing.

After every step all variables that the adapter observes are compared, messages in flight among them. A walk that ends in a
difference is made as short as possible. Its trace and the implementation's log are written, and multigrain replay repeats it.
Walks are drawn as simulate draws them. The manifest's simulate block has the weights and, where no flag has them, the number,
the length and the seed of the walks. Steps that leave the state constraints or exceed a
capacity are not taken. The same seed means the same walks, whatever the number of workers.

The coverage over the walks counts actions, their instances, and branches. Each operand of a condition in a guard, an effect,
a rule or a function that they call has the branches true and false, unless the manifest's constants decide it. Branches that
were not taken are listed. -branches=false leaves branches out and is up to twice as fast.

The implementation block may also have a block walks, which stands for the simulate block, and blocks
difference "name" { action variable variables when ticket deviation versions }. A walk ends in such a known difference and is counted. One
that does not occur in the stated walks is an error. Steps that the adapter cannot drive are left out of walks, and counted.

With -strategy, something else than weights draws the steps, as in simulate. Strategy guided keeps walks that reach new
coverage of the specification and changes them.

With -cover, walks are not random. The graph of all states and steps is explored, which requires small bounds in the implementation
block. Then few walks are done that together take every edge, or every pair of edges in a row. A walk has any length, or at most
that of -depth. Weights count only where they are 0.

If the implementation ends the process, as by a panic in a goroutine of its own or an exit, the walk is done again in a process of
its own. If that ends, too, it is a difference, with the walk and the last words. If not, the result is undecided.

The exit code is 30 where there is a difference, 20 where no step was compared. It is 0 where all walks that
were asked for were done without one, which says nothing about other behaviours.
`,
	Code:    command.RunsAdapter,
	Options: func() command.Options { return new(conformOptions) },
}

// implemented are the options of verbs that run an implementation.
type implemented struct {
	command.Bounded
	command.Written
	impl string // name of its block, and its version after an @
	jars string // a folder with ZooKeeper's jars
	// transcript is a file for the lines of a driver
	transcript string
	// settled is called with the result before it is shown; it may be nil
	settled func(*result.Conformance)
}

// declare declares the flags of the verbs that run an implementation.
func (o *implemented) declare(fs *flag.FlagSet) {
	o.ReportFlag(fs)
	fs.StringVar(&o.jars, "zookeeper", "", "run the servers with the jars in the folder `DIR`: a release of ZooKeeper (default: Debian's packages, then the local Maven repository)")
	fs.StringVar(&o.transcript, "transcript", "", "add all lines to and from a driver to `FILE`, with the number of its process")
}

// declareImpl declares the flag of verbs that run a single implementation.
func (o *implemented) declareImpl(fs *flag.FlagSet) {
	fs.StringVar(&o.impl, "impl", "", "the implementation block `NAME` (default: the only one), or NAME@VERSION for another version than it pins")
}

// tracesUsage says what -traces does for verbs that run an implementation.
const tracesUsage = "write traces and logs of differences into the folder `DIR` (default: " + command.NextToManifest + ")"

// tracesFlag declares -traces.
func (o *implemented) tracesFlag(fs *flag.FlagSet) {
	fs.StringVar(&o.Traces, "traces", "", tracesUsage)
}

// Former returns the flags that had other names.
func (o *implemented) Former() map[string]string { return map[string]string{"to": "traces"} }

// connected returns the implementation block with what the flags say about it; nil, with a
// diagnostic, where there is none.
func (o *implemented) connected(r *session.Run) *configs.Implementation {
	impl := r.Connected(o.impl)
	if o.transcript != "" {
		r.Transcript, _ = filepath.Abs(o.transcript) // where that fails nothing else works either
	}
	if impl == nil || o.jars == "" {
		return impl
	}
	dir, err := filepath.Abs(o.jars)
	if err != nil {
		dir = o.jars // the adapter reports that it is not there
	}
	with := *impl
	with.Settings = slices.DeleteFunc(slices.Clone(impl.Settings), func(s configs.Setting) bool { return s.Name == "zookeeper" })
	with.Settings = append(with.Settings, configs.Setting{Name: "zookeeper", Attr: configs.Attr[cty.Value]{Value: cty.StringVal(dir)}})
	return &with
}

// Places returns the files and folders that flags name.
func (o *implemented) Places() []shell.Place {
	return append(o.Written.Places(), shell.Place{Path: o.transcript, Flag: "-transcript", Summary: "Transcript cannot be written"})
}

// conformOptions are the options of conform.
type conformOptions struct {
	implemented
	session.Walks
	cover                    string
	second                   string // an implementation that is walked on next to it; "": none
	seeds                    int    // as of simulateOptions
	branches, verbose, setup bool
}

func (o *conformOptions) Flags(fs *flag.FlagSet) {
	o.implemented.declare(fs)
	fs.Func("impl", "the implementation block `NAME` (default: the only one), or NAME@VERSION for another version than it pins. Given twice, both are walked on side by side, and a difference between them counts, too; both need drivers", func(s string) error {
		switch {
		case o.impl == "":
			o.impl = s
		case o.second == "":
			o.second = s
		default:
			return errors.New("two implementations at most are walked on side by side")
		}
		return nil
	})
	number := func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if o.Number = &n; err != nil || n < 0 {
			return errors.New("a whole number of at least 0 is required")
		}
		return nil
	}
	fs.Func("walks", "do `N` walks; 0 is as many as fit into the timeout (default: 10000, or 0 with a timeout)", number)
	fs.Func("traces", tracesUsage+". A whole number is one of walks, as in earlier versions", func(s string) error {
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return number(s)
		}
		o.Traces = s
		return nil
	})
	fs.Func("cover", "instead of random walks, do few walks that together take all `edges|pairs` of the graph of states and steps", func(s string) error {
		if o.cover = s; s != "edges" && s != "pairs" {
			return errors.New("edges and pairs are possible")
		}
		return nil
	})
	o.StatesFlag(fs, "with -cover, end undecided if the graph has more than `N` states (default: 200000)")
	strategyFlag(fs, &o.Walks)
	depthFlag(fs, &o.Walks)
	o.TimeFlag(fs, "timeout", "end after a `duration`, such as 90s or 10m: undecided if fewer walks than a given number were done by then")
	o.ProcessorFlag(fs, "end when the program with the adapter has used a `duration` of processor time, its start included; otherwise as -timeout. Processes that the adapter starts do not count, and it is not for drivers")
	o.SeedFlag(fs, "start of the random choices, `N` (default: 0)")
	seedsFlag(fs, &o.seeds)
	weightFlag(fs, &o.Walks)
	o.WorkersFlag(fs, "walk with `N` workers; 0, the default, is one for each processor")
	fs.Func("stop", "end after the first difference, never, or after N of them: `first|never|N` (default: first)", func(s string) error {
		n, err := words.ParseCount(map[string]string{"first": "1", "never": "0"}[s] + strings.TrimPrefix(strings.TrimPrefix(s, "first"), "never"))
		o.Stop = &n
		return err
	})
	fs.BoolVar(&o.branches, "branches", true, "report which branches of guards and effects are taken and which are not; false: another program is built, which is faster")
	fs.BoolVar(&o.setup, "setup", false, "make in the cache what the driver requires, and do no walk: Python packages are installed, and its build command is run")
	fs.BoolVar(&o.verbose, "v", false, "show the coverage at more points, and all branches that were not taken")
}

// Former returns the flags that had other names.
func (o *conformOptions) Former() map[string]string {
	return map[string]string{"to": "traces", "time": "timeout"}
}

// Ready reports flags that contradict each other.
func (o *conformOptions) Ready() hcl.Diagnostics {
	contradict := func(detail string) hcl.Diagnostics {
		return hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Flags contradict each other", hcl.Range{}, "%s", detail)}
	}
	switch {
	case slices.ContainsFunc(o.From, func(f session.From) bool { return f.Each }):
		return contradict("-from TRACE:each is for simulate. Give the number of a step instead.")
	case o.cover != "" && (o.Number != nil || o.Seed != nil || o.seeds > 0):
		return contradict("-cover finds as many walks as are needed, without random choices. Remove -walks, -seed and -seeds.")
	case o.cover != "" && (o.Strategy != nil || o.Learned || len(o.From) > 0):
		return contradict("-cover plans walks, and -strategy and -from draw them. Remove one of the two.")
	case o.Learned:
		return contradict("conform does not learn weights. Choose another strategy.")
	}
	return nil
}

func (o *conformOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	impl := o.connected(r)
	if impl != nil && o.setup {
		return prepared(c, r, impl, in)
	}
	if impl != nil && impl.Driver.IsSet() && o.Processor > 0 {
		r.Add(configs.Errorf(codes.FlagValue, "Processor time of a driver", impl.DeclRange,
			"%s runs in processes of a driver, whose processor time -processor-time does not limit. Use -timeout.", impl.Name))
		return o.conformed(c, r, impl, o.verbose)
	}
	if impl != nil {
		r.Walking(impl)
	}
	if impl != nil && r.Composition != nil {
		r.AsWritten = len(c.Vars) == 0 && len(o.Walks.Weights) == 0 && o.seeds == 0
		r.Manifest.Simulate = impl.Walks.Or(r.Manifest.Simulate)
		o.Walks.Weighted = o.cover != ""
		req, diags := r.Simulation(o.Walks, o.Limits, false)
		r.Add(diags...)
		if req.Options.Simulate.Learned {
			r.Add(configs.Errorf(codes.Strategy, "Strategy does not fit the verb", r.Manifest.Simulate.Strategy.NameRange,
				"conform does not learn weights. Choose another strategy with -strategy."))
		}
		req.Verb, req.Options.Stop = "conform", 1
		if o.Stop != nil {
			req.Options.Stop = *o.Stop
		}
		walks := req.Options.Simulate
		req.Options.Conform = &wire.Conform{Depth: walks.Depth, Number: walks.Number, Weights: walks.Weights, Strategy: walks.Strategy, From: walks.From}
		if o.second != "" && !o.sideBySide(r, impl, &req) {
			return o.conformed(c, r, impl, o.verbose)
		}
		if o.cover != "" {
			req.Options.Conform.Cover, req.Options.Conform.Depth, req.Options.Conform.Number = o.cover, o.Depth, 0
			r.AsWritten = false
		}
		seeds := r.Conform(impl, req, max(1, o.seeds), o.branches, o.Kept(session.NextToManifest))
		if o.seeds > 0 {
			c.Doc.Seeds = seeds
		}
	}
	return o.conformed(c, r, impl, o.verbose)
}

// sideBySide adds the second implementation to a request. It reports false if there is none.
func (o *conformOptions) sideBySide(r *session.Run, impl *configs.Implementation, req *wire.Request) bool {
	second := r.Connected(o.second)
	if second == nil {
		return false
	}
	if !impl.Driver.IsSet() || !second.Driver.IsSet() {
		r.Add(configs.Errorf(codes.FlagValue, "Implementation without a driver", second.DeclRange,
			"Two implementations are walked on side by side if both have drivers: an adapter in Go is built for one of them. Give -impl once."))
		return false
	}
	return r.SideBySide(second, req)
}

// prepared makes what a driver requires, and returns the exit code.
func prepared(c *command.Call, r *session.Run, impl *configs.Implementation, in shell.Interrupts) int {
	lines := []string{impl.Name + " has a Go adapter, which requires nothing"}
	if impl.Driver.IsSet() {
		done, diags := drivers.Prepare(in.Soft, impl, r.Manifest.Path, c.Cache())
		r.Add(diags...)
		lines = append(done, "the driver of "+impl.Name+" has what it requires")
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	code := c.Exit()
	if code == shell.OK {
		c.Print(strings.Join(lines, "\n") + "\n")
	}
	return code
}

// conformed shows what became of a run and returns the exit code.
func (o *implemented) conformed(c *command.Call, r *session.Run, impl *configs.Implementation, verbose bool) int {
	if r.Composition != nil {
		session.CompositionOf(&c.Doc, r.Composition)
	}
	if r.Report != nil && r.Report.Conformance != nil {
		c.Doc.Conform = r.Conformance(impl, o.Kept(session.NextToManifest))
		c.Doc.Looked.Walks = c.Doc.Conform.Traces
		if len(c.Doc.Conform.Observed) > 0 {
			c.Doc.Looked.Steps = c.Doc.Conform.Steps
		}
		if o.settled != nil {
			o.settled(c.Doc.Conform)
		}
		c.Doc.Settle()
		c.Print(text.Conformance{Paint: c.Painter(c.OutWidth), Verbose: verbose}.Text(&c.Doc))
	} else if r.Stopped != "" {
		c.Doc.Conform = session.NotConformed(impl, r.Stopped)
		c.Print(text.Undecided(c.Doc.Verb, r.Stopped, c.Painter(c.OutWidth)))
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return c.Reported(r, o.Report)
}
