package compose

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/assemble"
	"github.com/multigrain/multigrain/compose/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

// fitSets chooses the size of sets from the number of identities that the composition's constants
// give: see assemble.Identities.
func (r *resolver) fitSets() {
	var p assemble.Program
	r.c.describe(&p)
	n, diags := p.Identities()
	if r.diags = append(r.diags, diags...); diags.HasErrors() {
		return
	}
	if n > modules.LargestSet {
		r.report(configs.Errorf(CodeBoundRange, "Too many identities", r.m.System.Source.Range,
			"With the manifest's bounds a set would have to distinguish %d identities. %d is the most. Lower the bounds that set their number.", n, modules.LargestSet))
		return
	}
	wide, diag := r.c.source.ForIdentities(n)
	if diag != nil {
		r.report(diag)
	} else if wide != r.c.source {
		r.c.source, r.c.loaded = wide, &lastLoad{listing: new(interaction.Listing)}
	}
}

// adapter opens the package that connects an implementation, with sets as the composition has them.
func (c *Composition) adapter(impl *configs.Implementation, env Env) (*gocmd.Source, hcl.Diagnostics) {
	a, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, env)
	if diags.HasErrors() {
		return nil, diags
	}
	a, diag := a.Like(c.source)
	if diag != nil {
		diags = append(diags, diag)
	}
	return a, diags
}
