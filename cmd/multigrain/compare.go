package main

import (
	"flag"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/diagnostics"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

var compareVerb = command.Verb{
	Name: "compare", Args: "MANIFEST...", Summary: "check several compositions under one budget, side by side", Least: 1, Most: -1,
	About: `Each manifest is checked like with check, one after the other, each with the same limits, such as -timeout. The table says
what each took and found, so that one sees what a choice of grains buys. Counterexamples are written only with -traces or -report.

Each composition needs what it needs for check, or it is undecided. The exit code is that of an error, or else that of the first violation, or else 20 where one is undecided, or else 0.
`,
	Code:    command.RunsSpec,
	Options: func() command.Options { return new(compareOptions) },
}

// compareOptions are the options of compare.
type compareOptions struct {
	command.Explored
	allowBroken bool
}

func (o *compareOptions) Flags(fs *flag.FlagSet) {
	o.Declare(fs, "they are not written")
	o.StopFlag(fs, "each", "what each manifest says")
	fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore compositions that are not preserved, with warnings")
}

func (o *compareOptions) Run(c *command.Call) int {
	in := shell.Catch()
	defer in.Release()
	var first *session.Run
	for _, path := range c.Args {
		if in.Soft.Err() != nil {
			break
		}
		c.Note("%s", path)
		r := c.Env(in).Resolve(path, c.Vars)
		r.Check(o.Limits, o.Exploring(session.NoTraces), o.allowBroken)
		if first == nil {
			first = r
		}
		if o.Report != "" {
			r.AddSources(&c.Doc)
		}
		d := result.Compared{Manifest: path, Result: new(result.Document)}
		d.Result.Start("check")
		r.Describe(d.Result)
		d.Result.Diagnostics = diagnostics.All(r.Diagnostics, r.Manifest.Sources)
		c.Doc.Compared = append(c.Doc.Compared, d)
		if d.Result.Exploration != nil {
			c.Doc.Looked.Manifests++
		}
	}
	c.Print(text.Compared(c.Doc.Compared, c.Painter(c.OutWidth)))
	for _, x := range c.Doc.Compared {
		c.ShowBelow(x.Manifest, x.Result.Diagnostics)
	}
	if done := len(c.Doc.Compared); done < len(c.Args) {
		c.Doc.Skipped, c.Doc.Interrupted = c.Args[done:], true
		c.Print("Interrupted: not all manifests were compared.\n")
	}
	if first == nil {
		return c.Exit()
	}
	return c.Reported(first, o.Report)
}
