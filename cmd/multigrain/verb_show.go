package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var showVerb = verb{
	name: "show", args: "TRACE", summary: "tell a trace step by step", least: 1, most: 1,
	about: `Each step is shown with its action, its parameters and the variables that it changes. The trace is a file in ITF JSON, as
check writes it for a counterexample; traces of Apalache and Quint can be shown as well.

As a sequence diagram (svg, mermaid) servers are lanes, messages are arrows, and crashes and partitions are marked. The page
(html) holds the diagram, steps forth and back, filters by server and variable, and searches; it needs no network.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.format, "format", "", "show it as `FORMAT`: text, mermaid, svg or html (default: what the name of -o ends in, or text)")
		fs.StringVar(&o.output, "o", "", "write it to a `file` instead of the standard output")
		fs.BoolVar(&o.full, "full", false, "show whole states, not only what changes")
	},
	run: runShow,
}

func runShow(c *call) int {
	path := c.args[0]
	format := traceFormat(c.opt.format, c.opt.output)
	if c.opt.format == "" && c.opt.output != "" && format == "text" && !slices.Contains([]string{"", ".txt", ".text"}, strings.ToLower(filepath.Ext(c.opt.output))) {
		c.report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Unknown format", hcl.Range{},
			"The name of %s does not say in which format a trace is to be written. Choose one with -format: %s.", c.opt.output, strings.Join(traceFormats, ", "))}, nil)
		return shell.Usage
	}
	if !slices.Contains(traceFormats, format) {
		c.report(hcl.Diagnostics{configs.Errorf(codes.FlagValue, "Unknown format", hcl.Range{},
			"A trace is not shown as %q.%s", format, configs.Hint(format, traceFormats))}, nil)
		return shell.Usage
	}
	meta, trace, err := readTrace(path)
	if err != nil {
		c.report(hcl.Diagnostics{configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
		return shell.Invalid
	}
	c.doc.Spec, c.doc.System = meta.Spec, meta.System
	for _, m := range meta.Modules {
		c.doc.Modules = append(c.doc.Modules, moduleDoc{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	c.doc.Trace = traceOf(path, meta, trace, c.opt.full)
	paint := c.painter(c.outWidth)
	if c.opt.output != "" {
		paint = false
	}
	text, err := c.traceAs(format, c.doc.Trace, paint)
	if err == nil && c.opt.output != "" {
		err = shell.WriteFile(c.opt.output, []byte(text), 0o644)
	}
	if err != nil {
		c.report(hcl.Diagnostics{configs.Errorf(codes.Write, "Trace cannot be written", hcl.Range{}, "%v. Name another file with -o.", err)}, nil)
		return shell.System
	}
	if c.opt.output != "" {
		c.note("%s: %s", format, c.opt.output)
		return shell.OK
	}
	c.print(text)
	return shell.OK
}

var traceFormats = []string{"text", "mermaid", "svg", "html"}

// traceFormat is the format that is asked for, or that a file's name says.
func traceFormat(asked, file string) string {
	byName := map[string]string{".svg": "svg", ".html": "html", ".htm": "html", ".mmd": "mermaid", ".mermaid": "mermaid"}
	return cmp.Or(asked, byName[strings.ToLower(filepath.Ext(file))], "text")
}

// traceAs is the trace in a format.
func (c *call) traceAs(format string, t *traceDoc, paint painter) (string, error) {
	head := traceHead(t)
	title := cmp.Or(t.Spec, t.File)
	if t.Loop != nil && format != "text" {
		head += "It " + loopText(&t.behaviourDoc) + ".\n"
	}
	if name := cmp.Or(t.Invariant, t.Kind); name != "" {
		title += ": " + name
	}
	if t.Loop != nil {
		title += " (" + loopText(&t.behaviourDoc) + ")"
	}
	switch format {
	case "mermaid":
		return mermaid(t.Diagram, title), nil
	case "svg":
		return svg(t.Diagram, title), nil
	case "html":
		return traceHTML(title, strings.Split(strings.TrimSpace(head), "\n"), t.Why, &t.behaviourDoc)
	}
	return head + whyText(t.Why) + narrator{paint: paint, full: c.opt.full}.text(&t.behaviourDoc), nil
}

// whyText is why the property was false at the end, where that was asked for when the trace was written.
func whyText(why []wire.Reason) string {
	if len(why) == 0 {
		return ""
	}
	return reasonText(why, "  ") + "\n"
}

// readTrace reads a trace. The error is a sentence without its period.
func readTrace(path string) (itf.Meta, *wire.Trace, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return itf.Meta{}, nil, shell.Unread(path, err)
	}
	meta, trace, err := itf.Read(bytes.NewReader(text))
	if err != nil {
		return meta, nil, fmt.Errorf("%s cannot be read as ITF: %w", path, err)
	}
	return meta, trace, nil
}

// traceHead says where a trace comes from.
func traceHead(m *traceDoc) string {
	var b strings.Builder
	b.WriteString(m.File + ": " + words.Plural(int64(len(m.Steps)), "step"))
	if m.Spec != "" {
		fmt.Fprintf(&b, " of %s, system %s", m.Spec, m.System)
	}
	b.WriteString("\n")
	if m.Kind != "" {
		what := m.Invariant
		if m.Instance != "" {
			what += "." + m.Instance
		}
		fmt.Fprintf(&b, "%s %s", words.SentenceStart(kinds[m.Kind], m.Kind), what)
		if m.Doc != "" {
			b.WriteString(": " + m.Doc)
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}
