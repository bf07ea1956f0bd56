package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/systems"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

var listVerb = command.Verb{
	Name: "list", Args: "[SYSTEM]", Summary: "the modules, grains, invariants, bounds and options of a system", Most: 1,
	About: `SYSTEM is a folder with a specification, an import path, or the name of a system of this module or of multigrain itself.
Without it all of these are listed. Outside of a Go module that requires multigrain they are the shipped ones.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return command.Plain(runList) },
}

func runList(c *command.Call) int {
	cats, diags := systems.Catalogs(c.Composing(), command.FirstOr(c.Args, ""))
	c.Doc.Systems = cats
	paint := c.Painter(c.OutWidth)
	for k, cat := range cats {
		if k > 0 {
			c.Print("\n")
		}
		c.Print(text.Catalog(cat, paint))
	}
	c.Report(diags, nil)
	return shell.ExitOf(diags)
}
