package compose

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/assemble"
	"github.com/multigrain/multigrain/compose/gocmd"
	"github.com/multigrain/multigrain/configs"
)

// AssembleWith builds the composition's program together with an implementation and its adapter, or
// finds it in the cache, and returns its path. Only such a program answers "conform"; the one of
// Assemble contains no implementation.
func (c *Composition) AssembleWith(ctx context.Context, impl *configs.Implementation) (string, hcl.Diagnostics) {
	return c.assembleWith(ctx, impl, false)
}

// AssembleCovering is AssembleWith for a program that notes which branches of guards, effects and
// rules are taken. It runs the table of actions.
func (c *Composition) AssembleCovering(ctx context.Context, impl *configs.Implementation) (string, hcl.Diagnostics) {
	return c.assembleWith(ctx, impl, true)
}

func (c *Composition) assembleWith(ctx context.Context, impl *configs.Implementation, covering bool) (string, hcl.Diagnostics) {
	if !impl.Adapter.IsSet() {
		return "", hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Implementation without adapter", impl.DeclRange,
			"Implementation %q says where its code is and not how it is connected. Give it an adapter, the Go package that declares %s.",
			impl.Name, assemble.ImplementationVar)}
	}
	a, diags := gocmd.Open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, c.source.Env)
	if diags.HasErrors() {
		return "", diags
	}
	if !a.DeclaresVar(assemble.ImplementationVar) {
		return "", append(diags, impl.Adapter.Errorf(CodeNoPackage, "Package is no adapter",
			"%s does not declare var %s, a conform.Implementation of the specification's State.", a.Path, assemble.ImplementationVar))
	}
	plain, more := assemble.Read(c.source)
	if diags = append(diags, more...); more.HasErrors() {
		return "", diags
	}
	zero := c.capacities(plain)
	p := assemble.Program{Source: c.source.With(a), Adapter: a.Path, Capacities: zero}
	if covering {
		p.Notes = assemble.Branches
	}
	program, more := c.assemble(ctx, p, "implementation", covering, a.Path)
	return program, append(diags, a.Unsupported("adapter", more)...)
}

// ForWalks returns the composition with the bounds of the implementation block: those under which
// walks are done on the implementation.
func (c *Composition) ForWalks(impl *configs.Implementation) (*Composition, hcl.Diagnostics) {
	if len(impl.Bounds) == 0 {
		return c, nil
	}
	m := *c.Manifest
	m.Bounds = slices.DeleteFunc(slices.Clone(m.Bounds), func(s configs.Setting) bool {
		_, set := impl.Bounds.Get(s.Name)
		return set
	})
	m.Bounds = append(m.Bounds, impl.Bounds...)
	b := &Composition{Manifest: &m, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source, loaded: c.loaded}
	r := &resolver{c: b, m: &m, cat: c.Catalog}
	r.resolve()
	return b, r.diags
}
