package compose

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/assemble"
)

// Assemble builds the composition's program, or finds it in the cache, and returns its path.
func (c *Composition) Assemble(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return "", diags
	}
	return c.assemble(ctx, assemble.Program{Capacities: c.capacities(plain)}, "program")
}

// AssembleInstrumented builds the composition's program with every condition of the
// specification's package noted as it is evaluated, or finds it in the cache, and returns its
// path. It validates traces and explains; what it runs is the table of actions. Capacities are
// not shrunk: a trace may be about any variable.
func (c *Composition) AssembleInstrumented(ctx context.Context) (string, hcl.Diagnostics) {
	return c.assemble(ctx, assemble.Program{Notes: assemble.Conditions}, "instrumented")
}

// AssembleExplaining is AssembleInstrumented with the capacities of Assemble, so that it has the
// same states.
func (c *Composition) AssembleExplaining(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return "", diags
	}
	return c.assemble(ctx, assemble.Program{Notes: assemble.Conditions, Capacities: c.capacities(plain)}, "instrumented")
}

// AssembleWalking builds the composition's program with every branch of guards, effects and
// rules noted, or finds it in the cache, and returns its path. It has the states of Assemble's
// program and runs the table of actions. It is made for walks: it is slower, and reports the
// branches of steps instead of those of invariants.
func (c *Composition) AssembleWalking(ctx context.Context) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return "", diags
	}
	return c.assemble(ctx, assemble.Program{Notes: assemble.Branches, Capacities: c.capacities(plain)}, "walking")
}

// assemble builds a program of the composition, or finds it in the cache. The program p says what
// is special about it, and content what it depends on apart from the sources, the constants, the
// capacities and the grains.
func (c *Composition) assemble(ctx context.Context, p assemble.Program, kind string, content ...any) (string, hcl.Diagnostics) {
	c.describe(&p)
	c.forget()
	s := p.Source
	key, err := s.Key(kind, content, c.Constants, p.Capacities, c.Choice.Grains, c.Choice.Invariants, c.Choice.Except, c.sides)
	if err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	return s.Env.Program(key, func(work string) (string, hcl.Diagnostics) {
		files, diags := p.Files()
		if diags.HasErrors() {
			return "", diags
		}
		built, more := s.Build(ctx, work, files)
		return built, append(diags, more...)
	})
}

// describe fills in what a program of the composition has from the composition, except a source
// that is given.
func (c *Composition) describe(p *assemble.Program) {
	if p.Source == nil {
		p.Source = c.source
	}
	p.Catalog, p.Chosen, p.Constants, p.LeastBudgets = c.Catalog, c.Chosen(), c.Constants, c.budgets
	p.Invariants = c.Selected()
	if p.Started == nil {
		p.Sides = c.sides
	}
}

// overlay returns the specification's package with the manifest's constants.
func (c *Composition) overlay() (map[string][]byte, hcl.Diagnostics) {
	var p assemble.Program
	c.describe(&p)
	return p.Overlay()
}
