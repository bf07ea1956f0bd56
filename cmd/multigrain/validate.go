package main

import (
	"flag"
	"strconv"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

var validateVerb = command.Verb{
	Name: "validate", Args: "MANIFEST", Summary: "check a manifest against the catalog of its system", Least: 1, Most: 1,
	About: "Names, types, coverage, bounds and options are checked, and every mistake is reported in one pass.\n" +
		"The code of the specification is read, too: what it must not do has the codes of speclint, MG4xx,\n" +
		"and what cannot be analysed in the chosen grains has MG206.\n",
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
	if r.Composition != nil {
		r.Add(r.Composition.Rules()...)
	}
	valid := !r.Diagnostics.HasErrors()
	c.Doc.Valid = &valid
	c.Report(r.Diagnostics, r.Manifest.Sources)
	if valid {
		session.CompositionOf(&c.Doc, r.Composition)
		plain := func(_ verdicts.Tone, head string) string { return head }
		c.Print(verdicts.Find("validate", verdicts.Valid, "").Line(plain, "path", c.Args[0], "modules", strconv.Itoa(len(r.Composition.Modules)),
			"system", r.Composition.Catalog.System, "warnings", warnings(c.Doc.Diagnostics)) + "\n")
	}
	return c.Exit()
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
