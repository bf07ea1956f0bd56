package main

import (
	"fmt"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

var validateVerb = verb{
	name: "validate", args: "MANIFEST", summary: "check a manifest against the catalog of its system", least: 1, most: 1,
	about: "Names, types, coverage, bounds and options are checked, and every mistake is reported in one pass.\n",
	flags: findingsFile,
	run:   runValidate,
}

func runValidate(c *call) int {
	o := c.resolve(shell.Uncaught())
	o.Named(&c.doc)
	valid := !o.Diagnostics.HasErrors()
	c.doc.Valid = &valid
	c.report(o.Diagnostics, o.Manifest.Sources)
	if o.Composition != nil {
		session.CompositionOf(&c.doc, o.Composition)
		c.print(fmt.Sprintf("%s is valid: %d modules of system %s%s.\n", c.args[0], len(o.Composition.Modules), o.Composition.Catalog.System,
			warnings(c.doc.Diagnostics)))
	}
	return shell.ExitOf(o.Diagnostics)
}

// warnings says how many warnings there are, if any.
func warnings(diags []result.Diagnostic) string {
	n := int64(0)
	for _, d := range diags {
		if d.Severity == "warning" {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", with " + words.Plural(n, "warning")
}
