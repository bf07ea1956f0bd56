package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// reduce asks for the reductions that the manifest or a flag switches on, where they are sound. What forbids one is an error: a
// result without what was asked for could be taken for one with it.
func (c *call) reduce(o *outcome, req *wire.Request) {
	if c.opt.symmetry || o.manifest.Check.Symmetry.Or(false) {
		ids, diags := o.comp.Symmetry()
		for _, d := range diags {
			if at := o.manifest.Check.Symmetry; at.Or(false) {
				configs.WithRelated(d, at.Range, "symmetry is switched on here")
			}
		}
		o.add(diags...)
		req.Options.Symmetry = ids
	}
	if c.opt.por || o.manifest.Check.POR.Or(false) {
		actions, seen, diags := o.comp.Footprints()
		o.add(diags...)
		req.Options.POR = &wire.Footprints{Actions: actions, Seen: seen}
	}
	if actions, seen, diags := o.comp.Footprints(); !diags.HasErrors() { // else nothing is spared
		req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	}
}

// reductionsText says which reductions an exploration had, and what was tried to trust them.
func reductionsText(r *exploration) string {
	var b strings.Builder
	if s := r.Symmetry; s != nil {
		fmt.Fprintf(&b, "servers are symmetric: states that differ in which of %d is which are one; tried on %s of states\n",
			s.Servers, words.Plural(int64(s.Pairs), "pair"))
	}
	if p := r.POR; p != nil {
		fmt.Fprintf(&b, "partial-order reduction: %.0f %% of the pairs of instances are independent, tried on %s; %s of %s expanded in part\n",
			100*p.Independent, words.Plural(int64(p.Pairs), "pair"), words.Count(p.Reduced), words.Plural(p.Expanded, "state"))
	}
	return b.String()
}

// asymmetric reports a specification that tells servers apart.
func asymmetric(e *wire.Error) *hcl.Diagnostic {
	return configs.Errorf(codes.Asymmetric, "Servers are not symmetric", hcl.Range{},
		"%s That was found by trying it: loops over servers whose order matters, and unused fields that are zero, which is a server, are not read from the code. Check without symmetry.", words.Sentence(e.Message))
}
