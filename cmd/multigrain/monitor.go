package main

import (
	"flag"
	"io"
	"log/slog"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/monitor"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var monitorVerb = command.Verb{
	Name: "monitor", Args: "MANIFEST", Summary: "check a running node's messages against a composition", Least: 1, Most: 1,
	About: `A tap next to one node writes what the node receives and sends into a file or a socket. docs/reference/stream.md describes
the format.
For every message that the node sends there must be an order of what it has received, of time-outs and of internal steps in which the
composition sends that message. If there is none, that is an alarm: it names the message, the events before it and what would
have been allowed. If the tap has lost something, or a limit ended a search, the result is undecided and gives the reason.

    multigrain monitor configs/raft/monitor.hcl --node 0 --source node0.ndjson
    multigrain monitor configs/raft/monitor.hcl --node 0 --source unix:/run/node0.tap \
      --listen 127.0.0.1:9470 --alarms alarms.ndjson

A manifest runs next to a node as it stands. The specification declares in what form each grain runs there, and
the output names what differs from the manifest's composition. With -explain-composition the monitor reads no
stream: it prints these substitutions, what becomes of each action, and what exists only for running.

A file and the standard input (-source -) are read to their end or the first alarm, a socket until
the first interrupt. After an interrupt the monitor takes what the tap has written to the socket so
far, and ends within a second. If it did not reach the end of that, it is undecided and says how many
events are checked. If a restart lacks what a message says is on disk, such as a vote, that is an alarm
which names both events. The exit code is 30 after an alarm, 20 where anything is undecided, and 0 where
every message was explained.

Flags can also stand in a file (-config FILE, YAML, TOML or JSON) and in the environment. This excludes -report and those that
all verbs have. In the environment -node is called MULTIGRAIN_MONITOR_NODE. A flag counts more than the environment, and that
more than the file.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(monitorOptions) },
}

// monitorOptions are the options of monitor.
type monitorOptions struct {
	monitor.Given
	written command.Written
	explain bool
}

func (o *monitorOptions) Flags(fs *flag.FlagSet) {
	o.Declare(fs)
	o.written.ReportFlag(fs)
	fs.BoolVar(&o.explain, "explain-composition", false, "print how the composition runs next to a node, and what exists only for that, and end")
}

// Places returns the files and folders that flags name.
func (o *monitorOptions) Places() []shell.Place { return o.written.Places() }

func (o *monitorOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	r := c.Resolve(in)
	r.Named(&c.Doc)
	if r.Composition != nil {
		session.CompositionOf(&c.Doc, r.Composition)
		v, err := o.Settings(c.Environ)
		var opt monitor.Options
		switch {
		case err != nil:
		case o.explain:
			opt, err = monitor.ReadExplained(v)
		default:
			opt, err = monitor.ReadOptions(v)
		}
		if err != nil {
			text := strings.TrimRight(err.Error(), ".")
			if !strings.HasSuffix(text, "?") {
				text += "."
			}
			c.Report(hcl.Diagnostics{configs.Errorf(codes.MonitorSettings, "Invalid settings", hcl.Range{}, "%s", text)}, nil)
			return shell.Usage
		}
		switch {
		case o.explain:
			c.Doc.NodePlan = monitor.Explain(r, opt.Node)
		case opt.Selftest != nil:
			c.Doc.Selftest = monitor.Selftest(r, &opt, c.Err, c.Quiet)
		default:
			c.Doc.Monitor = monitor.NextTo(r, &opt, newLogger(c.Err, opt.Log, c.Quiet))
		}
	}
	lookedOf(&c.Doc)
	c.Doc.Settle()
	c.Report(r.Diagnostics, r.Manifest.Sources)
	if c.Doc.NodePlan != nil {
		c.Print(text.NodePlan(c.Doc.NodePlan))
	}
	if c.Doc.Monitor != nil {
		c.Print(text.Monitor(c.Doc.Monitor, c.Painter(c.OutWidth)))
	}
	if c.Doc.Selftest != nil {
		c.Print(text.Selftest(c.Doc.Selftest, c.Painter(c.OutWidth)))
	}
	return c.Reported(r, o.written.Report)
}

// lookedOf counts what a monitor or its self-test judged.
func lookedOf(d *result.Document) {
	if d.Monitor != nil {
		d.Looked.Messages = d.Monitor.Stats.Decided
	}
	if d.Selftest != nil {
		d.Looked.Behaviours, d.Looked.Messages = d.Selftest.Tried.Behaviours, d.Selftest.Tried.Decided
	}
}

func newLogger(to io.Writer, format string, quiet bool) *slog.Logger {
	switch {
	case format == "off" || quiet:
		return slog.New(slog.DiscardHandler)
	case format == "json":
		return slog.New(slog.NewJSONHandler(to, nil))
	}
	return slog.New(slog.NewTextHandler(to, nil))
}
