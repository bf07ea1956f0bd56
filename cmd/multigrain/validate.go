package main

import (
	"flag"
	"fmt"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

var validateVerb = command.Verb{
	Name: "validate", Args: "MANIFEST", Summary: "check a manifest against the catalog of its system", Least: 1, Most: 1,
	About:   "Names, types, coverage, bounds and options are checked, and every mistake is reported in one pass.\n",
	Code:    command.RunsNone,
	Options: func() command.Options { return new(validateOptions) },
}

// validateOptions are the options of validate.
type validateOptions struct {
	command.Written
}

func (o *validateOptions) Flags(fs *flag.FlagSet) {
	o.SarifFlag(fs)
}

func (o *validateOptions) Run(c *command.Call) int {
	r := c.Resolve(shell.Uncaught())
	r.Named(&c.Doc)
	valid := !r.Diagnostics.HasErrors()
	c.Doc.Valid = &valid
	c.Report(r.Diagnostics, r.Manifest.Sources)
	if r.Composition != nil {
		session.CompositionOf(&c.Doc, r.Composition)
		c.Print(fmt.Sprintf("%s is valid: %d modules of system %s%s.\n", c.Args[0], len(r.Composition.Modules), r.Composition.Catalog.System,
			warnings(c.Doc.Diagnostics)))
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
