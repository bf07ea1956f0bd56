package main

import (
	"flag"
	"fmt"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

var validateVerb = verb{
	name: "validate", args: "MANIFEST", summary: "check a manifest against the catalog of its system", least: 1, most: 1,
	about:   "Names, types, coverage, bounds and options are checked, and every mistake is reported in one pass.\n",
	options: func() options { return new(validateOptions) },
}

// validateOptions are the options of validate.
type validateOptions struct {
	written
}

func (o *validateOptions) flags(fs *flag.FlagSet) {
	o.sarifFlag(fs)
}

func (o *validateOptions) run(c *call) int {
	r := c.resolve(shell.Uncaught())
	r.Named(&c.doc)
	valid := !r.Diagnostics.HasErrors()
	c.doc.Valid = &valid
	c.report(r.Diagnostics, r.Manifest.Sources)
	if r.Composition != nil {
		session.CompositionOf(&c.doc, r.Composition)
		c.print(fmt.Sprintf("%s is valid: %d modules of system %s%s.\n", c.args[0], len(r.Composition.Modules), r.Composition.Catalog.System,
			warnings(c.doc.Diagnostics)))
	}
	return shell.ExitOf(r.Diagnostics)
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
