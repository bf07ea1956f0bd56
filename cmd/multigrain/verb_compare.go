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
	flags: func(fs *flag.FlagSet, o *options) {
		exploringFlags(fs, o)
		traceFolder(fs, o, "they are not written")
		stopping(fs, o, "each", "what each manifest says")
		fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore compositions that are not preserved, with warnings")
	},
	run: runCompare,
}

func runCompare(c *call) int {
	in := shell.Catch()
	defer in.Release()
	var all []*session.Run
	for _, path := range c.args {
		if in.Soft.Err() != nil {
			break
		}
		c.note("%s", path)
		o := c.examine(path, in)
		all = append(all, o)
		d := result.Compared{Manifest: path, Result: new(result.Document)}
		d.Result.Start("check")
		o.Describe(d.Result)
		d.Result.Diagnostics = session.DiagnosticsOf(o.Diagnostics, o.Manifest.Sources)
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
	if c.opt.report != "" && !c.writeReport("compare", text.Compared(c.doc.Compared, text.Painter(false))) {
		codes = append(codes, shell.System)
	}
	return shell.FirstBad(codes)
}

// exitOfAll is the exit code of several outcomes: errors before violations, of which the first counts, before what is undecided.
func exitOfAll(all []*session.Run) int {
	failed, violated, undecided := shell.OK, shell.OK, shell.OK
	for _, o := range all {
		switch code := exitCode(o); {
		case code == shell.Undecided:
			undecided = code
		case o.Report != nil && len(o.Report.Violations) > 0:
			if violated == shell.OK {
				violated = code
			}
		default:
			failed = max(failed, code)
		}
	}
	return shell.FirstBad([]int{failed, violated, undecided})
}
