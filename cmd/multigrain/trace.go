package main

import (
	"flag"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

var traceVerb = command.Verb{
	Name: "trace", Args: "MANIFEST LOG...", Summary: "compare logs of a running system with a composition", Least: 2, Most: -1,
	About: `Several files are read one after the other as one log of the events of all nodes. Scripts of format ccf-scenario are
validated one by one. The verdict is that of the worst, and each is listed with its own. The trace block of the manifest says what
events stand for: which actions with which parameters, and what must hold in the states before and after them. A behaviour that
matches all events is searched depth first. - is the standard input, at most 1 GiB. The formats are etcd-raft, ccf-raft, ccf-scenario, ccf-consistency and ndjson; docs/how-to/trace-validation.md has an example of each.

The verdict is holds where some behaviour matches, violated where none does (exit code 30), and undecided where a limit came first.
If no behaviour matches, the result shows the longest matched prefix, the next event and the states that are reached there. For
each action that the event could have been, it shows the first condition that refused it, with its place in the specification or
the manifest.
A match that breaks an invariant of the composition ends with the exit code of the invariant. A log without events, or whose events stand for
no action, is no match. With -strict a condition that no event decides is an error.

With -windows the events after a mismatch are judged, too. An event is refused, passes, or is not judged since the state before it is
not known. After a refused event the variables have the values that the conditions of its block state. The verdict and the exit code
stay those of the whole log.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(traceOptions) },
}

// traceOptions are the options of trace.
type traceOptions struct {
	command.Bounded
	command.Written
	strict, verbose, windows bool
}

func (o *traceOptions) Flags(fs *flag.FlagSet) {
	o.ReportFlag(fs)
	o.StatesFlag(fs, "end undecided after `N` pairs of a position in the log and a state")
	o.TimeFlag(fs, "timeout", "end undecided after a `duration` of reading and searching, such as 90s or 10m")
	fs.BoolVar(&o.strict, "strict", false, "treat conditions that no event decides as errors")
	fs.BoolVar(&o.windows, "windows", false, "judge each event whose state before it is known, also after a mismatch, and print a pass rate for each action")
	fs.BoolVar(&o.verbose, "v", false, "show all states and candidates, however many, and how often each action was taken")
}

func (o *traceOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	if r.Composition != nil {
		r.Preserve(true) // what the log does is judged, not the composition
		r.ValidateLogs(c.Args[1:], o.Limits, o.strict, o.windows)
	}
	r.DescribeValidation(&c.Doc)
	switch {
	case r.Report != nil:
		c.Print(text.Validation{Paint: c.Painter(c.OutWidth), Verbose: o.verbose}.Text(&c.Doc))
	case r.Stopped != "":
		c.Print(text.Undecided("trace", r.Stopped, c.Painter(c.OutWidth)))
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	return c.Reported(r, o.Report)
}
