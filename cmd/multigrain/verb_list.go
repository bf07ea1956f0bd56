package main

import (
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/systems"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

var listVerb = verb{
	name: "list", args: "[SYSTEM]", summary: "the modules, grains, invariants, bounds and options of a system", most: 1,
	about: `SYSTEM is a folder with a specification, an import path, or the name of a system of this module or of multigrain itself.
Without it all of these are listed. Outside of a Go module that requires multigrain they are the shipped ones.
`,
	options: func() options { return plain(runList) },
}

func runList(c *call) int {
	cats, diags := systems.Catalogs(c.composing(), firstOr(c.args, ""))
	c.doc.Systems = cats
	paint := c.painter(c.outWidth)
	for k, cat := range cats {
		if k > 0 {
			c.print("\n")
		}
		c.print(text.Catalog(cat, paint))
	}
	c.report(diags, nil)
	return shell.ExitOf(diags)
}
