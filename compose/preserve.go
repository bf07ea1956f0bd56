package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// Comparison is a composition with coarse grains next to the fine one, in which they are replaced
// by what they coarsen: levels L1 and L2. Both have the bounds that the manifest's interaction
// block sets for it.
type Comparison struct {
	Mixed, Fine *Composition
	Views       *interaction.Views
}

// comparisonBounds checks the bounds of the interaction block.
func (r *resolver) comparisonBounds() {
	if r.m.Interaction == nil {
		return
	}
	byName := map[string]*grains.Bound{}
	for k := range r.cat.Bounds {
		byName[r.cat.Bounds[k].Name] = &r.cat.Bounds[k]
	}
	for _, s := range r.m.Interaction.Bounds {
		r.bound(s, byName)
	}
}

// Compare prepares the comparison of a composition with its fine one, within the bounds of the
// interaction block. It is nil where no coarse grain is chosen, or with errors.
func (c *Composition) Compare() (*Comparison, hcl.Diagnostics) {
	return c.CompareWithin(c.comparisonSettings())
}

// CompareWithin is Compare with other bounds than those of the interaction block. Bounds that are
// not among them are those of the manifest.
func (c *Composition) CompareWithin(bounds configs.Settings) (*Comparison, hcl.Diagnostics) {
	if !slices.ContainsFunc(c.Chosen(), func(g *grains.GrainDecl) bool { return g.Coarsens }) {
		return nil, nil
	}
	if diags := c.checkCompared(); diags.HasErrors() {
		return nil, diags
	}
	mixed, diags := c.within(bounds)
	if diags.HasErrors() {
		return nil, diags
	}
	x, diags := mixed.nextToFine(c, diags)
	if diags.HasErrors() {
		return nil, diags
	}
	sides, more := x.Mixed.differing(x.Fine)
	if diags = append(diags, more...); diags.HasErrors() || len(sides) == 0 {
		return x, diags
	}
	// What observers read depends on the code of both sides.
	varying := *mixed
	varying.sides = sides
	if x, diags = varying.nextToFine(c, diags); !diags.HasErrors() {
		x.Fine.Constants = maps.Clone(x.Fine.Constants)
		for name, values := range sides {
			x.Fine.Constants[name] = values[0]
		}
	}
	return x, diags
}

// Comparing returns the composition with other grains in its fine one than those that the
// interaction block names. The coarse grains that cover the modules unchanged stay, and those of
// against stand for others.
func (c *Composition) Comparing(unchanged []string, against []grains.Ref) *Composition {
	out, m, x := *c, *c.Manifest, configs.Interaction{}
	if m.Interaction != nil {
		x = *m.Interaction
	}
	x.Unchanged, x.Against = configs.Attr[[]configs.Text]{}, nil
	for _, name := range unchanged {
		x.Unchanged.Value = append(x.Unchanged.Value, configs.Text{Value: name})
	}
	for _, g := range against {
		x.Against = append(x.Against, configs.Setting{Name: g.Module, Attr: configs.Attr[cty.Value]{Value: cty.StringVal(g.Grain)}})
	}
	m.Interaction, out.Manifest = &x, &m
	return &out
}

// Further returns the comparison of the fine composition, in which some coarse grains are left,
// with a finer one, within the same bounds: see Comparing. The modules without a coarse grain are
// observed, as if all of them were under test. Room is that of channels that the coarse grains do
// not use: see Composition.Room. It is nil if no coarse grain is left, or with errors.
func (x *Comparison) Further(unchanged []string, against []grains.Ref, room int) (*Comparison, hcl.Diagnostics) {
	c := x.Fine.Comparing(unchanged, against)
	if room > 1 {
		c.Constants, c.Choice.Budgets = maps.Clone(c.Constants), maps.Clone(c.Choice.Budgets)
		larger := c.Room(room)
		for k := range c.Catalog.Bounds {
			if n, ok := larger[c.Catalog.Bounds[k].Name]; ok {
				c.set(&c.Catalog.Bounds[k], n)
			}
		}
	}
	c.Modules = nil
	for _, g := range c.Chosen() {
		for _, m := range g.Covers {
			c.Modules = append(c.Modules, ModuleChoice{Module: m, Grain: g.Name, Target: !g.Coarsens})
		}
	}
	return c.CompareWithin(nil)
}

// Between returns the grains of single modules that stand between a coarse grain and the finest
// ones: those with the fewest actions, and with no fewer than the coarse grain. It is nil if there
// are none.
func (c *Composition) Between(g *grains.GrainDecl) (out []grains.Ref) {
	fewest := 0
	var choose func(k int, so []*grains.GrainDecl)
	choose = func(k int, so []*grains.GrainDecl) {
		if k < len(g.From) {
			for h := range c.Catalog.Grains {
				if x := &c.Catalog.Grains[h]; len(x.Covers) == 1 && len(x.Requires) == 0 && x.Covers[0] == g.From[k].Module && x.Name != g.Name &&
					(x.Name == g.From[k].Grain || x.Coarsens && slices.Contains(x.From, g.From[k])) {
					choose(k+1, append(so[:len(so):len(so)], x))
				}
			}
			return
		}
		actions, coarse := 0, 0
		for _, x := range so {
			if actions += len(x.Actions); x.Coarsens {
				coarse++
			}
		}
		if coarse == 0 || coarse == len(so) && len(so) > 1 || len(so) != len(g.Covers) || actions < len(g.Actions) || out != nil && actions >= fewest {
			return
		}
		out, fewest = nil, actions
		for _, x := range so {
			out = append(out, grains.Ref{Module: x.Covers[0], Grain: x.Name})
		}
	}
	choose(0, nil)
	return out
}

// nextToFine returns the composition mixed next to its fine one. C is the composition of the
// manifest.
func (mixed *Composition) nextToFine(c *Composition, diags hcl.Diagnostics) (*Comparison, hcl.Diagnostics) {
	views, more := mixed.views()
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	fine := &Composition{Manifest: mixed.Manifest, Catalog: c.Catalog, Constants: mixed.Constants, source: c.source, loaded: c.loaded, sides: mixed.sides}
	fine.Choice = mixed.Choice
	fine.Choice.Grains, fine.Choice.Invariants, fine.Choice.Except = views.Fine, []string{"*"}, nil
	for _, g := range fine.Chosen() {
		for _, m := range g.Covers {
			fine.Modules = append(fine.Modules, ModuleChoice{Module: m, Grain: g.Name, Target: slices.Contains(c.Targets(), m)})
		}
	}
	fine.budgets = len(assemble.BudgetsOf(mixed.Chosen()))
	fine.Choice.Replaced = mixed.constraining(fine.Choice.Grains)
	return &Comparison{Mixed: mixed, Fine: fine, Views: views}, diags
}

// constraining returns the grains of a composition, or that it replaces itself, whose constraints
// the manifest chooses, and that are not among those of the fine composition.
func (c *Composition) constraining(fine []grains.Ref) (out []grains.Ref) {
	for _, r := range slices.Concat(c.Choice.Grains, c.Choice.Replaced) {
		g, _ := c.Catalog.Named(r.Module, r.Grain)
		if g != nil && !slices.Contains(fine, r) && len(c.chosenConstraints(g)) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// chosenConstraints returns the IDs of the constraints of a grain that the manifest chooses.
func (c *Composition) chosenConstraints(g *grains.GrainDecl) (ids []string) {
	for _, p := range g.Constraints {
		if slices.ContainsFunc(c.Choice.Constraints, func(s string) bool { return grains.Selects(s, p.ID, p.Instance) }) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// Borrowed returns the constraints of replaced grains that the fine composition is explored within,
// as module/grain: ID. The fine composition itself offers none of them.
func (x *Comparison) Borrowed() (out []string) {
	for _, r := range x.Fine.Choice.Replaced {
		g, _ := x.Fine.Catalog.Named(r.Module, r.Grain)
		for _, id := range x.Fine.chosenConstraints(g) {
			out = append(out, fmt.Sprintf("%s of %s/%s", id, r.Module, r.Grain))
		}
	}
	return out
}

// Unborrowed returns the comparison with a fine composition that is explored without the
// constraints of replaced grains.
func (x *Comparison) Unborrowed() *Comparison {
	out, fine := *x, *x.Fine
	fine.Choice.Replaced = nil
	_, offered := fine.Offered()
	fine.Choice.Constraints = slices.DeleteFunc(slices.Clone(fine.Choice.Constraints), func(s string) bool {
		return !slices.ContainsFunc(offered, func(p grains.PropertyDecl) bool { return grains.Selects(s, p.ID, p.Instance) })
	})
	out.Fine = &fine
	return &out
}

// Unchanged returns the coarse grains, as module/grain, that stand in both compositions, as the
// manifest's interaction block says.
func (c *Composition) Unchanged() (out []string) {
	for _, g := range c.unchangedGrains() {
		out = append(out, g.Covers[0]+"/"+g.Name)
	}
	return out
}

func (c *Composition) unchangedGrains() (out []*grains.GrainDecl) {
	for _, g := range c.Chosen() {
		if g.Coarsens && slices.ContainsFunc(g.Covers, func(m string) bool { return slices.Contains(c.unchanged(), m) }) {
			out = append(out, g)
		}
	}
	return out
}

// unchanged returns the names of the modules whose coarse grains stand in both compositions.
func (c *Composition) unchanged() (out []string) {
	if c.Manifest.Interaction != nil {
		for _, t := range c.Manifest.Interaction.Unchanged.Value {
			out = append(out, t.Value)
		}
	}
	return out
}

// Against returns the grains that the interaction block puts in the place of coarse ones, in the
// finer composition. Without such, coarse grains are replaced by the finest ones.
func (c *Composition) Against() (out []grains.Ref) {
	if c.Manifest.Interaction != nil {
		for _, s := range c.Manifest.Interaction.Against {
			ref := grains.Ref{Module: s.Name, Grain: s.Value.AsString()}
			if g, _ := c.Catalog.Named(ref.Module, ref.Grain); g != nil {
				ref.Grain = g.Name // the manifest may have a name of before
			}
			out = append(out, ref)
		}
	}
	return out
}

// compared returns the grains with which coarse ones are compared, where these are not the finest:
// those of Against, and themselves where they stay unchanged.
func (c *Composition) compared() []grains.Ref {
	out := c.Against()
	for _, g := range c.unchangedGrains() {
		out = append(out, grains.Ref{Module: g.Covers[0], Grain: g.Name})
	}
	return out
}

// checkCompared reports names of modules that no coarse grain covers, grains that cannot stand for
// one, and that nothing is left to compare.
func (c *Composition) checkCompared() (diags hcl.Diagnostics) {
	var coarse []string
	number := 0
	for _, g := range c.Chosen() {
		if g.Coarsens {
			coarse = append(coarse, g.Covers...)
			number++
		}
	}
	names := c.unchanged()
	for k, name := range names {
		if !slices.Contains(coarse, name) {
			diags = append(diags, configs.Errorf(CodeUnknownModule, "Unknown module", c.Manifest.Interaction.Unchanged.Value[k].Range,
				"No chosen grain of module %q is coarse, so there is nothing to leave unchanged.%s", name, configs.Hint(name, coarse)))
		}
	}
	if number > 0 && len(c.Unchanged()) == number && !diags.HasErrors() {
		diags = append(diags, c.Manifest.Interaction.Unchanged.Errorf(CodeUnknownModule, "Nothing to compare",
			"All coarse grains stay unchanged, so nothing is left to compare. Leave out the module that must be compared."))
	}
	return append(diags, c.checkAgainst(coarse)...)
}

// checkAgainst reports grains of the block "against" that cannot stand for the coarse ones of some
// modules.
func (c *Composition) checkAgainst(coarse []string) (diags hcl.Diagnostics) {
	if c.Manifest.Interaction == nil {
		return nil
	}
	stands := map[string]bool{} // modules that the grains of the block cover
	var of []*grains.GrainDecl  // coarse grains that they stand for
	for _, s := range c.Manifest.Interaction.Against {
		var offered []string
		for k := range c.Catalog.Grains {
			if g := &c.Catalog.Grains[k]; g.Covers[0] == s.Name {
				offered = append(offered, g.Name)
			}
		}
		x, renamed := c.Catalog.Named(s.Name, s.Value.AsString())
		if renamed {
			diags = append(diags, renamedGrain(configs.Attr[string]{Value: s.Value.AsString(), ValueRange: s.Range}, s.Name, x))
		}
		var g *grains.GrainDecl
		for _, chosen := range c.Chosen() {
			if chosen.Coarsens && slices.Contains(chosen.Covers, s.Name) {
				g = chosen
			}
		}
		switch {
		case g == nil:
			diags = append(diags, unknown(s, CodeUnknownModule, "Unknown module",
				"No chosen grain of module %q is coarse, so there is nothing to compare.%s", s.Name, configs.Hint(s.Name, coarse)))
		case x == nil:
			diags = append(diags, s.Errorf(CodeUnknownGrain, "Unknown grain", "Module %q has no grain %q.%s",
				s.Name, s.Value.AsString(), configs.Hint(s.Value.AsString(), offered)))
		case x == g:
			diags = append(diags, s.Errorf(CodeUnknownGrain, "Grain against itself",
				"This composition has grain %q of module %q. To have it on both sides, name the module in \"unchanged\".", x.Name, s.Name))
		case slices.ContainsFunc(g.Covers, func(m string) bool { return slices.Contains(c.unchanged(), m) }):
			diags = append(diags, s.Errorf(CodeUnknownModule, "Module named twice",
				"The list \"unchanged\" has module %q, or one that its grain covers, too. Take it out of there or here.", s.Name))
		default:
			for _, m := range x.Covers {
				if !slices.Contains(g.Covers, m) || stands[m] {
					diags = append(diags, s.Errorf(CodeUnknownGrain, "Grain of other modules",
						"Grain %q covers %s, and the coarse grain %q covers %s. Name grains that cover the same modules, each once.",
						x.Name, strings.Join(x.Covers, " and "), g.Name, strings.Join(g.Covers, " and ")))
				}
				stands[m] = true
			}
			if !slices.Contains(of, g) {
				of = append(of, g)
			}
		}
	}
	for _, g := range of {
		for _, m := range g.Covers {
			if !stands[m] && !diags.HasErrors() {
				diags = append(diags, configs.Errorf(CodeUnknownModule, "Module without a grain", c.Manifest.Interaction.Against[0].Range,
					"Grain %q covers module %q, too. Name the grain of that module that it is compared with.", g.Name, m))
			}
		}
	}
	return diags
}

// comparisonSettings returns the bounds of the interaction block.
func (c *Composition) comparisonSettings() configs.Settings {
	if c.Manifest.Interaction == nil {
		return nil
	}
	return c.Manifest.Interaction.Bounds
}

// within returns the composition with other values of some bounds.
func (c *Composition) within(bounds configs.Settings) (*Composition, hcl.Diagnostics) {
	if len(bounds) == 0 {
		return c, nil
	}
	m := *c.Manifest
	m.Bounds = slices.DeleteFunc(slices.Clone(m.Bounds), func(s configs.Setting) bool {
		_, set := bounds.Get(s.Name)
		return set
	})
	m.Bounds = append(m.Bounds, bounds...)
	b := &Composition{Manifest: &m, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source, loaded: c.loaded}
	r := &resolver{c: b, m: &m, cat: c.Catalog}
	r.resolve()
	return b, r.diags
}

// views computes what the observers read, on the sources as they are assembled, or finds it in the
// cache.
func (c *Composition) views() (*interaction.Views, hcl.Diagnostics) {
	key, err := c.source.Key("views", c.Constants, c.Choice.Grains, c.Choice.Invariants, c.Choice.Except, c.Targets(), c.compared(), c.sides)
	if err != nil {
		return nil, hcl.Diagnostics{c.source.Env.CacheError(err)}
	}
	return gocmd.Cached(c.source.Env, "views", key, func() (*interaction.Views, hcl.Diagnostics) {
		p, diags := c.load()
		if diags.HasErrors() {
			return nil, diags
		}
		v, findings := p.Views(c.Choice, c.Targets(), c.compared()...)
		return v, append(diags, diagnosticsOf(c.source, findings)...)
	})
}

// Assemble builds the program that runs both compositions, or finds it in the cache, and returns
// its path. A capacity is left out only where neither of them needs it.
func (x *Comparison) Assemble(ctx context.Context) (string, hcl.Diagnostics) {
	return x.assembleWith(ctx, assemble.Program{}, "")
}

// assembleWith is Assemble for a program with other contents of the sources, which have a digest.
func (x *Comparison) assembleWith(ctx context.Context, p assemble.Program, contents string) (string, hcl.Diagnostics) {
	plain, diags := assemble.Read(x.Fine.source)
	if diags.HasErrors() {
		return "", diags
	}
	zero := x.Fine.capacities(plain)
	mixed := x.Mixed.capacities(plain)
	for name := range zero {
		if _, ok := mixed[name]; !ok {
			delete(zero, name)
		}
	}
	p.Verbs, p.Capacities, p.Others = []assemble.Verb{assemble.Compare}, zero, x.Mixed.Chosen()
	return x.Fine.assemble(ctx, p, "comparison", x.Fine.budgets, x.Mixed.Choice.Grains, contents)
}

// preservations is the folder of the cache for results of comparisons.
const preservations = "preservations"

// stored returns the key of the composition's comparison: sources, constants, choice and bounds.
// Found says how bounds were found, and is "" where they are stated.
func (c *Composition) stored(found string) (string, error) {
	b, diags := c.within(c.comparisonSettings())
	if diags.HasErrors() {
		return "", diags
	}
	return c.source.Key("preservation", b.Constants, b.Choice, b.Targets(), c.compared(), found)
}

// Stored returns the result that Store kept last of the same comparison; nil where there is none.
// Found says how its bounds were found, in words of the caller, and is "" where they are stated.
func (c *Composition) Stored(found string) json.RawMessage {
	key, err := c.stored(found)
	if err != nil {
		return nil
	}
	return c.source.Env.Load(preservations, key)
}

// Store keeps the result of the composition's comparison. A cache that cannot be written costs time
// and nothing else.
func (c *Composition) Store(found string, result json.RawMessage) {
	if key, err := c.stored(found); err == nil {
		c.source.Env.Save(preservations, key, result)
	}
}

// Diagnostics returns findings of levels L1 and L2 as the manifest's user sees them. The choice of
// the grain is related.
func (x *Comparison) Diagnostics(findings []interaction.Finding) hcl.Diagnostics {
	diags := diagnosticsOf(x.Mixed.source, findings)
	for k, d := range diags {
		for _, m := range x.Mixed.Manifest.Modules {
			if slices.ContainsFunc(x.Mixed.Chosen(), func(g *grains.GrainDecl) bool {
				name := g.Covers[0] + "/" + g.Name
				return g.Coarsens && g.Covers[0] == m.Name && (findings[k].Grain == "" || findings[k].Grain == name)
			}) {
				configs.WithRelated(d, m.Grain.Range, "the grain is chosen here")
			}
		}
	}
	return diags
}
