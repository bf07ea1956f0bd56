package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
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
	Name: "show", Args: "TRACE", Summary: "print a trace step by step", Least: 1, Most: 1,
	About: `Each step is shown with its action, its parameters and the variables that it changes. The trace is a file in ITF JSON, as
check writes it for a counterexample, or - for the standard input. Traces of Apalache and Quint can be shown as well, and those
that TLC writes with -dumpTrace json.

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
	steps          string
}

func (o *showOptions) Flags(fs *flag.FlagSet) {
	fs.StringVar(&o.format, "format", "", "show it as `FORMAT`: text, mermaid, svg or html (default: what the name of -out ends in, or text)")
	fs.StringVar(&o.output, "out", "", "write it to a `FILE` instead of the standard output")
	fs.StringVar(&o.steps, "steps", "", "show only the steps `FIRST..LAST` of the file, which are then numbered from 1; needed for more than 10,000 steps")
	fs.BoolVar(&o.full, "full", false, "show whole states, not only what changes")
}

// Former returns the flags that had other names.
func (o *showOptions) Former() map[string]string { return map[string]string{"o": "out"} }

// Places returns the files and folders that flags name.
func (o *showOptions) Places() []shell.Place {
	return []shell.Place{{Path: o.output, Flag: "-out", Summary: "Output cannot be written"}}
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
	meta, trace, selected, diag := readShown(c, &path, o.steps)
	if diag != nil {
		c.Report(hcl.Diagnostics{diag}, nil)
		return shell.ExitOf(hcl.Diagnostics{diag})
	}
	c.Doc.Spec, c.Doc.System = meta.Spec, meta.System
	for _, m := range meta.Modules {
		c.Doc.Modules = append(c.Doc.Modules, result.Module{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	c.Doc.Trace = narrate.TraceOf(path, meta, trace, o.full)
	c.Doc.Trace.Selected = selected
	paint := c.Painter(c.OutWidth)
	if o.output != "" {
		paint = false
	}
	text, err := traceAs(format, c.Doc.Trace, paint, o.full)
	if err == nil && o.output != "" {
		err = files.WriteFile(o.output, []byte(text), 0o644)
	}
	if err != nil {
		c.Report(hcl.Diagnostics{configs.Errorf(codes.Write, "Trace cannot be written", hcl.Range{}, "%v. Name another file with -out.", err)}, nil)
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

// readShown reads the steps that -steps asks for of the trace of a path, or of the standard input
// for -, which it gives a name. Selected says which steps they are; "" for all of them.
func readShown(c *command.Call, path *string, asked string) (meta itf.Meta, t *wire.Trace, selected string, diag *hcl.Diagnostic) {
	first, last, right := 1, mostSteps, true
	if asked != "" {
		first, last, right = stepsOf(asked)
	}
	var in io.Reader
	if *path == "-" {
		in, *path = c.In, "standard input"
	}
	meta, t, states, err := session.ReadTracePart(*path, in, first-1, last)
	all := states - 1
	switch {
	case err != nil:
		return meta, nil, "", configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)
	case asked == "" && all > mostSteps:
		return meta, nil, "", configs.Errorf(codes.Trace, "Trace too long", hcl.Range{},
			"%s has %d steps, and at most %d are shown at once. Select some with -steps, such as -steps 1..%d.", *path, all, mostSteps, mostSteps)
	case asked == "":
		return meta, t, "", nil
	case !right || last > all:
		return meta, nil, "", configs.Errorf(codes.FlagValue, "Wrong value of a flag", hcl.Range{},
			"-steps %q does not select steps of %s, which has %d. Give the first and the last one, as in -steps 1..%d, and at most %d.",
			asked, *path, all, max(1, min(all, mostSteps)), mostSteps)
	}
	if t.Loop != nil {
		if loop := *t.Loop - (first - 1); last < all || loop < 0 {
			t.Loop = nil
		} else {
			t.Loop = &loop
		}
	}
	return meta, t, fmt.Sprintf("steps %d to %d of %d, numbered from 1", first, last, all), nil
}

// mostSteps is the largest number of steps that are shown at once.
const mostSteps = 10_000

// stepsOf reads the value of -steps. Ok is false if it selects no steps of any trace, and then
// first and last select one step.
func stepsOf(asked string) (first, last int, ok bool) {
	from, to, found := strings.Cut(asked, "..")
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if !found || err != nil || err2 != nil || first < 1 || last < first || last-first >= mostSteps {
		return 1, 1, false
	}
	return first, last, true
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
	if t.Selected != "" {
		title += ", " + t.Selected
	}
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
