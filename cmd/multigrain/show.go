package main

import (
	"cmp"
	"flag"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var showVerb = command.Verb{
	Name: "show", Args: "TRACE", Summary: "tell a trace step by step", Least: 1, Most: 1,
	About: `Each step is shown with its action, its parameters and the variables that it changes. The trace is a file in ITF JSON, as
check writes it for a counterexample; traces of Apalache and Quint can be shown as well.

As a sequence diagram (svg, mermaid) servers are lanes, messages are arrows, and crashes and partitions are marked. The page
(html) holds the diagram, steps forth and back, filters by server and variable, and searches; it needs no network.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return new(showOptions) },
}

// showOptions are the options of show.
type showOptions struct {
	format, output string
	full           bool
}

func (o *showOptions) Flags(fs *flag.FlagSet) {
	fs.StringVar(&o.format, "format", "", "show it as `FORMAT`: text, mermaid, svg or html (default: what the name of -o ends in, or text)")
	fs.StringVar(&o.output, "o", "", "write it to a `file` instead of the standard output")
	fs.BoolVar(&o.full, "full", false, "show whole states, not only what changes")
}

// Places returns the files and folders that flags name.
func (o *showOptions) Places() []shell.Place {
	return []shell.Place{{Path: o.output, Flag: "-o", Summary: "Output cannot be written"}}
}

func (o *showOptions) Run(c *command.Call) int {
	path := c.Args[0]
	format := traceFormat(o.format, o.output)
	if o.format == "" && o.output != "" && format == "text" && !slices.Contains([]string{"", ".txt", ".text"}, strings.ToLower(filepath.Ext(o.output))) {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Unknown format", hcl.Range{},
			"The name of %s does not name a format for the trace. Choose one with -format: %s.", o.output, strings.Join(traceFormats, ", "))}, nil)
		return shell.Usage
	}
	if !slices.Contains(traceFormats, format) {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Unknown format", hcl.Range{},
			"A trace is not shown as %q.%s", format, configs.Hint(format, traceFormats))}, nil)
		return shell.Usage
	}
	meta, trace, err := session.ReadTrace(path)
	if err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
		return shell.Invalid
	}
	c.Doc.Spec, c.Doc.System = meta.Spec, meta.System
	for _, m := range meta.Modules {
		c.Doc.Modules = append(c.Doc.Modules, result.Module{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	c.Doc.Trace = narrate.TraceOf(path, meta, trace, o.full)
	paint := c.Painter(c.OutWidth)
	if o.output != "" {
		paint = false
	}
	text, err := traceAs(format, c.Doc.Trace, paint, o.full)
	if err == nil && o.output != "" {
		err = files.WriteFile(o.output, []byte(text), 0o644)
	}
	if err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Write, "Trace cannot be written", hcl.Range{}, "%v. Name another file with -o.", err)}, nil)
		return shell.System
	}
	if o.output != "" {
		c.Note("%s: %s", format, o.output)
		return shell.OK
	}
	if format == "text" {
		c.Print(text)
	} else {
		c.PrintFile(text)
	}
	return shell.OK
}

var traceFormats = []string{"text", "mermaid", "svg", "html"}

// traceFormat returns the format that is asked for, or that a file's name says.
func traceFormat(asked, file string) string {
	byName := map[string]string{".svg": "svg", ".html": "html", ".htm": "html", ".mmd": "mermaid", ".mermaid": "mermaid"}
	return cmp.Or(asked, byName[strings.ToLower(filepath.Ext(file))], "text")
}

// traceAs returns the trace in a format.
func traceAs(format string, t *result.Trace, paint text.Painter, full bool) (string, error) {
	head := text.TraceHead(t)
	title := cmp.Or(t.Spec, t.File)
	if t.Loop != nil && format != "text" {
		head += "It " + text.LoopText(&t.Behaviour) + ".\n"
	}
	if name := cmp.Or(t.Invariant, t.Kind); name != "" {
		title += ": " + name
	}
	if t.Loop != nil {
		title += " (" + text.LoopText(&t.Behaviour) + ")"
	}
	switch format {
	case "mermaid":
		return diagram.Mermaid(t.Diagram, title), nil
	case "svg":
		return diagram.Svg(t.Diagram, title), nil
	case "html":
		return html.Trace(html.About{Title: title, Lines: strings.Split(strings.TrimSpace(head), "\n"), Why: t.Why}, &t.Behaviour)
	}
	return head + text.WhyText(t.Why) + text.Behaviour{Paint: paint, Full: full}.Text(&t.Behaviour), nil
}
