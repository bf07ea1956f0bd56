package compose

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// implementationVar is what a package that connects an implementation calls its conform.Implementation.
const implementationVar = "Implementation"

// AssembleWith builds the composition's program together with an implementation and its adapter, or finds it in the cache, and returns
// its path. Only such a program answers "conform"; the one of Assemble contains no implementation.
func (c *Composition) AssembleWith(ctx context.Context, impl *configs.Implementation) (string, hcl.Diagnostics) {
	return c.assembleWith(ctx, impl, false)
}

// AssembleCovering is AssembleWith for a program that notes which branches of guards, effects and rules are taken. It runs the table of
// actions.
func (c *Composition) AssembleCovering(ctx context.Context, impl *configs.Implementation) (string, hcl.Diagnostics) {
	return c.assembleWith(ctx, impl, true)
}

func (c *Composition) assembleWith(ctx context.Context, impl *configs.Implementation, covering bool) (string, hcl.Diagnostics) {
	if !impl.Adapter.IsSet() {
		return "", hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Implementation without adapter", impl.DeclRange,
			"Implementation %q says where its code is and not how it is connected. Give it an adapter, the Go package that declares %s.",
			impl.Name, implementationVar)}
	}
	a, diags := open(impl.Dir, impl.Adapter.Value, impl.Adapter.Range, c.source.env)
	if diags.HasErrors() {
		return "", diags
	}
	if !a.declaresVar(implementationVar) {
		return "", append(diags, impl.Adapter.Errorf(CodeNoPackage, "Package is no adapter",
			"%s does not declare var %s, a conform.Implementation of the specification's State.", a.path, implementationVar))
	}
	plain, more := c.source.rewrite()
	if diags = append(diags, more...); more.HasErrors() {
		return "", diags
	}
	zero := c.capacities(plain)
	with := *c
	with.adapter, with.covering = a.path, covering
	with.source = c.source.with(a)
	program, more := with.assemble(ctx, zero, "implementation", covering, a.path, c.Constants, zero, c.Choice.Grains)
	return program, append(diags, more...)
}

// ForWalks is the composition with the bounds of the implementation block: those under which walks are done on the implementation.
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
	b := &Composition{Manifest: &m, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source}
	r := &resolver{c: b, m: &m, cat: c.Catalog}
	r.resolve()
	return b, r.diags
}

// with is the source with the packages that another one needs among those that a program depends on.
func (s *source) with(other *source) *source {
	both := *s
	both.deps, both.sum = slices.Clone(s.deps), nil
	for _, p := range other.deps {
		if !slices.ContainsFunc(s.deps, func(have *goPackage) bool { return have.ImportPath == p.ImportPath }) {
			both.deps = append(both.deps, p)
		}
	}
	return &both
}

// declaresVar reports whether the package declares a variable of that name.
func (s *source) declaresVar(name string) bool {
	for _, path := range s.files() {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the go command will say so
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				if slices.ContainsFunc(spec.(*ast.ValueSpec).Names, func(id *ast.Ident) bool { return id.Name == name }) {
					return true
				}
			}
		}
	}
	return false
}
