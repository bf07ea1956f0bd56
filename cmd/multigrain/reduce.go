package main

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// reduce asks for the reductions that the manifest or a flag switches on, where they are sound. What forbids one is an error: a
// result without what was asked for could be taken for one with it.
func (o *outcome) reduce(req *wire.Request, on reductions) {
	if on.symmetry || o.manifest.Check.Symmetry.Or(false) {
		ids, diags := o.comp.Symmetry()
		for _, d := range diags {
			if at := o.manifest.Check.Symmetry; at.Or(false) {
				configs.WithRelated(d, at.Range, "symmetry is switched on here")
			}
		}
		o.add(diags...)
		req.Options.Symmetry = ids
	}
	if on.por || o.manifest.Check.POR.Or(false) {
		actions, seen, diags := o.comp.Footprints()
		o.add(diags...)
		req.Options.POR = &wire.Footprints{Actions: actions, Seen: seen}
	}
	if actions, seen, diags := o.comp.Footprints(); !diags.HasErrors() { // else nothing is spared
		req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	}
}

// asymmetric reports a specification that tells servers apart.
func asymmetric(e *wire.Error) *hcl.Diagnostic {
	return configs.Errorf(codes.Asymmetric, "Servers are not symmetric", hcl.Range{},
		"%s That was found by trying it: loops over servers whose order matters, and unused fields that are zero, which is a server, are not read from the code. Check without symmetry.", words.Sentence(e.Message))
}
