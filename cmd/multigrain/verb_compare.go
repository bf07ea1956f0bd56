package main

import (
	"flag"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

var compareVerb = verb{
	name: "compare", args: "MANIFEST...", summary: "check several compositions under one budget, side by side", least: 1, most: -1,
	about: `Each manifest is checked like with check, one after the other, each with the same limits, such as -timeout. The table says
what each took and found, so that one sees what a choice of grains buys. Counterexamples are written only with -traces or -report.

The exit code is that of an error, or else that of the first violation, or else 20 where one is undecided, or else 0.
`,
	options: func() options { return new(compareOptions) },
}

// compareOptions are the options of compare.
type compareOptions struct {
	explored
	allowBroken bool
}

func (o *compareOptions) flags(fs *flag.FlagSet) {
	o.declare(fs, "they are not written")
	o.stopFlag(fs, "each", "what each manifest says")
	fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore compositions that are not preserved, with warnings")
}

func (o *compareOptions) run(c *call) int {
	in := shell.Catch()
	defer in.Release()
	var all []*session.Run
	for _, path := range c.args {
		if in.Soft.Err() != nil {
			break
		}
		c.note("%s", path)
		r := c.env(in).Resolve(path, c.vars)
		r.Check(o.Limits, o.exploring(""), o.allowBroken)
		all = append(all, r)
		d := result.Compared{Manifest: path, Result: new(result.Document)}
		d.Result.Start("check")
		r.Describe(d.Result)
		d.Result.Diagnostics = session.DiagnosticsOf(r.Diagnostics, r.Manifest.Sources)
		c.doc.Compared = append(c.doc.Compared, d)
	}
	c.print(text.Compared(c.doc.Compared, c.painter(c.outWidth)))
	for _, x := range c.doc.Compared {
		c.showBelow(x.Manifest, x.Result.Diagnostics)
	}
	codes := []int{exitOfAll(all)}
	if len(all) < len(c.args) {
		c.doc.Skipped = c.args[len(all):]
		c.print("Interrupted: not all manifests were compared.\n")
		codes = append(codes, shell.Undecided)
	}
	if o.report != "" && !c.writeReport(o.report, "compare", text.Compared(c.doc.Compared, text.Painter(false))) {
		codes = append(codes, shell.System)
	}
	return shell.FirstBad(codes)
}

// exitOfAll is the exit code of several outcomes: errors before violations, of which the first counts, before what is undecided.
func exitOfAll(all []*session.Run) int {
	failed, violated, undecided := shell.OK, shell.OK, shell.OK
	for _, r := range all {
		switch code := exitCode(r); {
		case code == shell.Undecided:
			undecided = code
		case r.Report != nil && len(r.Report.Violations) > 0:
			if violated == shell.OK {
				violated = code
			}
		default:
			failed = max(failed, code)
		}
	}
	return shell.FirstBad([]int{failed, violated, undecided})
}
