package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/configs"
)

var showVerb = verb{
	name: "show", args: "TRACE", summary: "tell a trace step by step", least: 1, most: 1,
	about: `Each step is shown with its action, its parameters and the variables that it changes. The trace is a file in ITF JSON, as
check writes it for a counterexample; traces of Apalache and Quint can be shown as well.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.BoolVar(&o.full, "full", false, "show whole states, not only what changes")
	},
	run: runShow,
}

func runShow(c *call) int {
	path := c.args[0]
	meta, trace, err := readTrace(path)
	if err != nil {
		c.report(hcl.Diagnostics{configs.Errorf(CodeTrace, "Not a trace", hcl.Range{}, "%v.", err)}, nil)
		return exitInvalid
	}
	c.doc.Spec, c.doc.System = meta.Spec, meta.System
	for _, m := range meta.Modules {
		c.doc.Modules = append(c.doc.Modules, moduleDoc{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	c.doc.Trace = traceOf(path, meta, trace, c.opt.full)
	paint := c.painter(c.outWidth)
	c.print(traceHead(path, meta, len(trace.Steps)) + narrator{paint: paint, full: c.opt.full}.text(trace))
	return exitOK
}

// readTrace reads a trace. The error is a sentence without its period.
func readTrace(path string) (itf.Meta, *wire.Trace, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return itf.Meta{}, nil, unread(path, err)
	}
	meta, trace, err := itf.Read(bytes.NewReader(text))
	if err != nil {
		return meta, nil, fmt.Errorf("%s cannot be read as ITF: %w", path, err)
	}
	return meta, trace, nil
}

// traceHead says where a trace comes from.
func traceHead(path string, m itf.Meta, steps int) string {
	var b strings.Builder
	b.WriteString(path + ": " + plural(int64(steps), "step"))
	if m.Spec != "" {
		fmt.Fprintf(&b, " of %s, system %s", m.Spec, m.System)
	}
	b.WriteString("\n")
	if m.Kind != "" {
		what := m.Invariant
		if m.Instance != "" {
			what += "." + m.Instance
		}
		fmt.Fprintf(&b, "%s %s", sentenceStart(kinds[m.Kind], m.Kind), what)
		if m.Doc != "" {
			b.WriteString(": " + m.Doc)
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}
