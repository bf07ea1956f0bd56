package main

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/systems"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

var listVerb = command.Verb{
	Name: "list", Args: "[SYSTEM [NAME...]]", Summary: "the modules, grains, invariants, bounds and options of a system", Most: -1,
	About: `SYSTEM is a folder with a specification, an import path, or the name of a system of this module or of multigrain itself.
Without it all of these are listed. Outside of a Go module that requires multigrain they are the shipped ones.
Each entry is one line, which the width cuts. With names of entries, such as I-8, election/coarse or crashes, these are
printed whole. -json has all of the system.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return command.Plain(runList) },
}

func runList(c *command.Call) int {
	cats, diags := systems.Catalogs(c.Composing(), command.FirstOr(c.Args, ""))
	c.Doc.Systems = cats
	paint := c.Painter(c.OutWidth)
	for k, cat := range cats {
		if len(c.Args) > 1 {
			entries, missing := text.Entries(cat, c.Args[1:], paint, c.OutWidth)
			for _, name := range missing {
				diags = append(diags, unknownEntry(cat, name))
			}
			c.Print(entries)
			continue
		}
		if k > 0 {
			c.Print("\n")
		}
		c.Print(text.Catalog(cat, paint, c.OutWidth))
	}
	c.Report(diags, nil)
	return shell.ExitOf(diags)
}

// unknownEntry is the error for a name that a system does not have.
func unknownEntry(cat *grains.Catalog, name string) *hcl.Diagnostic {
	hint := ""
	if s := configs.Suggest(name, text.Names(cat)); s != "" {
		hint = fmt.Sprintf(" Did you mean %q?", s)
	}
	return configs.Errorf(codes.UnknownName, "Unknown entry", hcl.Range{}, "System %s has no module, grain, property, bound or option %q.%s", cat.System, name, hint)
}
