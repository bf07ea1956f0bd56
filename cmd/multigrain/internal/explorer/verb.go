package explorer

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/loopback"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

// Verb is the verb explore.
var Verb = command.Verb{
	Name: "explore", Args: "MANIFEST|TRACE", Summary: "look at single states, take steps, and ask why others are not possible", Least: 1, Most: 1,
	About: `The page shows a state by module and node, the steps that are possible with what each would change, and the others with
the condition that refuses each. It takes steps, goes back, and branches. It searches from a state to a formula, to an
action or to a violation, and shows the path as a sequence diagram. It needs no network: the server listens on
loopback. The first line of the standard output is the page's address, before the program is built. Ctrl-C ends it.

With -terminal the same is done by lines of text. Where the standard input is no terminal, the lines are a script, and the
first one that fails ends it with an error:

    do Elect(I: 0, Q: {0, 1})    take a step; a number of the list is possible as well
    why not Elect                say what refuses an action
    find FORMULA                 search from here; find action NAME and find violation as well
    Round[0] > 1                 evaluate a formula in the language of trace blocks

A TRACE is a file that check, simulate or this verb wrote: exploring begins at its end, or after a number of its steps, as in
TRACE:12. The manifest is the one that the trace names. With -from it is another one.

With -beside, the steps are taken in a second composition as well, which may have other grains, as far as they are possible
there. The step at which the two part is shown, with the condition that refuses it. The second one is that of another
manifest. With -beside fine it has the grains that the coarse ones stand for, within the bounds of the interaction block.
For the witness of a finding of level L1 or L2, which interaction -traces writes, the two sides of
that comparison are shown.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(options) },
}

// options are the options of explore.
type options struct {
	command.Bounded
	terminal, open       bool
	listen, from, beside string
	side                 string // of a comparison, where its two sides are shown: fine or coarse
}

func (o *options) Flags(fs *flag.FlagSet) {
	fs.BoolVar(&o.terminal, "terminal", false, "read lines from the standard input instead of serving a page")
	fs.BoolVar(&o.open, "open", false, "open the page in a browser")
	fs.Func("listen", "serve the page on `ADDR` of loopback, such as 127.0.0.1:8080 (default: a free port)", func(s string) (err error) {
		o.listen, err = loopback.Address(s)
		return err
	})
	fs.StringVar(&o.from, "from", "", "begin at the end of a trace, or after some of its steps: `TRACE[:STEP]`")
	fs.StringVar(&o.beside, "beside", "", "take the steps in the composition of another `MANIFEST` as well, or with \"fine\" in that which interaction compares with")
	o.WorkersFlag(fs, "search with `N` workers; 0, the default, is one for each processor")
	o.MemoryFlag(fs, "end a search before it takes more than a `size` of memory, such as 1GiB")
	o.StatesFlag(fs, "end a search after `N` distinct states")
	o.TimeFlag(fs, "timeout", "end a search after a `duration`, such as 90s or 10m")
}

// beginning is a trace with which exploring begins.
type beginning struct {
	path  string
	meta  itf.Meta
	trace *wire.Trace
	steps int // -1: all
}

func (o *options) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r, begin := o.resolve(c, in)
	if r == nil {
		return c.Exit()
	}
	r.Named(&c.Doc)
	r, other := o.sides(c, in, r, begin)
	c.Report(r.Diagnostics, r.Manifest.Sources)
	if other != nil && other.Composition == nil {
		c.Report(other.Diagnostics, other.Manifest.Sources)
		return c.Exit()
	}
	if r.Composition == nil || r.Diagnostics.HasErrors() {
		return c.Exit()
	}
	session.CompositionOf(&c.Doc, r.Composition)
	ctx, end := context.WithCancel(in.Soft)
	defer end()
	r.Env.Until(ctx, in.Hard) // a build ends with the run
	x := &explorer{engine: newEngine(r, o.Limits), ctx: ctx}
	if other != nil {
		other.Env.Until(ctx, in.Hard)
		x.beside = newEngine(other, o.Limits)
		if o.side != "" {
			x.name, x.beside.name = o.side+" composition of "+r.Manifest.Name(), otherSide[o.side]+" composition"
		}
	}
	var err error
	if o.terminal {
		err = o.converse(c, x, begin)
	} else {
		err = o.serve(c, x, begin)
	}
	end()
	x.work.Wait()
	x.end()
	if x.beside != nil {
		x.beside.end()
	}
	if err != nil && in.Soft.Err() == nil {
		o.report(c, r, err)
	}
	return c.Exit()
}

// built is diagnostics as an error: the program of a composition could not be built.
type built struct{ diags hcl.Diagnostics }

func (b *built) Error() string { return b.diags.Error() }

// report reports why exploring ended.
func (o *options) report(c *command.Call, r *session.Run, err error) {
	if b, ok := errors.AsType[*built](err); ok {
		c.Report(b.diags, r.Manifest.Sources)
		return
	}
	if line, ok := errors.AsType[*lineError](err); ok {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.ExploreLine, "Line failed", hcl.Range{}, "Line %d, %s: %s.", line.number, short(line.text), strings.TrimSuffix(line.err.Error(), "."))}, nil)
		return
	}
	if o.terminal {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.ExploreLine, "No line can be answered", hcl.Range{}, "%s.", strings.TrimSuffix(err.Error(), "."))}, nil)
		return
	}
	c.Report(hcl.Diagnostics{configs.Errorf(codes.ExplorePage, "Page cannot be served", hcl.Range{}, "%s. Choose another address with -listen.", strings.TrimSuffix(err.Error(), "."))}, nil)
}

// resolve resolves the manifest, and reads the trace to begin with. The run is nil where that is
// reported as an error.
func (o *options) resolve(c *command.Call, in shell.Interrupts) (*session.Run, *beginning) {
	argument, from := c.Args[0], o.from
	isTrace := !strings.HasSuffix(argument, ".hcl") && strings.Contains(argument, ".json")
	if isTrace {
		from = argument
	}
	var b *beginning
	if from != "" {
		b = &beginning{path: from, steps: -1}
		if at := strings.LastIndexByte(from, ':'); at >= 0 {
			if n, err := strconv.Atoi(from[at+1:]); err == nil && n >= 0 {
				b.path, b.steps = from[:at], n
			}
		}
		var err error
		if b.meta, b.trace, err = session.ReadTrace(b.path); err != nil {
			c.Report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
			return nil, nil
		}
		if b.steps > len(b.trace.Steps) {
			c.Report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Step not in the trace", hcl.Range{},
				"%s has %d steps, so exploring cannot begin after step %d. Name a smaller one.", b.path, len(b.trace.Steps), b.steps)}, nil)
			return nil, nil
		}
	}
	if !isTrace {
		return c.Resolve(in), b
	}
	r, diags := c.Env(in).Replayed(b.meta, b.path, "", c.Vars)
	if diags.HasErrors() {
		c.Report(diags, nil)
		return nil, nil
	}
	return r, b
}

// serve serves the page until the context is done, or the program cannot be built.
func (o *options) serve(c *command.Call, x *explorer, begin *beginning) error {
	l, err := loopback.Listen(o.listen)
	if err != nil {
		return err
	}
	s, err := newServer(x)
	if err != nil {
		return err
	}
	address := s.Address(l)
	if c.Json {
		io.WriteString(c.Err, address+"\n")
	} else {
		c.Print(address + "\n")
	}
	if o.open {
		if err := loopback.Open(address); err != nil {
			c.Note("the page cannot be opened (%v): open its address", err)
		}
	}
	ctx, end := context.WithCancel(x.ctx)
	defer end()
	failed := make(chan error, 1)
	x.work.Go(func() {
		err := x.prepare(ctx, begin)
		if err != nil {
			failed <- err
			x.shown(ctx) // the page shows it as well
			end()
		}
	})
	err = s.Serve(ctx, l)
	select {
	case failure := <-failed:
		return failure
	default:
		return err
	}
}

// prepare builds the programs, and finds where exploring begins.
func (x *explorer) prepare(ctx context.Context, begin *beginning) error {
	defer x.announce()
	if diags := x.buildSteps(ctx); diags.HasErrors() {
		return &built{diags}
	}
	if x.failed != "" {
		return errors.New(x.failed)
	}
	if begin != nil {
		p, err := x.open(begin.meta, begin.trace, begin.steps)
		if err != nil {
			return fmt.Errorf("%s: %w", begin.path, err)
		}
		x.first = p
	}
	x.announce()
	if x.beside != nil {
		defer x.beside.announce()
		if diags := x.beside.buildSteps(ctx); diags.HasErrors() {
			return &built{diags}
		}
		x.beside.announce()
	}
	x.buildReasons(ctx)
	if x.beside != nil {
		x.beside.buildReasons(ctx)
	}
	return nil
}

// shown waits for a moment, so that a page that is open shows a failure.
func (x *explorer) shown(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Second):
	}
}
