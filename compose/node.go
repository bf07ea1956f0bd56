package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// A manifest that was explored also runs next to one node: multigrain monitor. The catalog says in
// what form each grain runs there, see grains.Form. It also says which options and bounds have
// other values there, see grains.NodeSetting. The output names each substitution.

// nodeGrains picks the grain node of every module that has one, if the manifest's system block has
// node = true. What a block of the manifest picks, covers or leaves out is not picked again.
func (r *resolver) nodeGrains() {
	if !r.m.System.Node.Value {
		return
	}
	explicit := slices.Clone(r.chosen)
	found := false
	for _, m := range r.cat.Modules {
		g, _ := r.cat.Named(m.Name, configs.NodeGrain)
		if g == nil {
			continue
		}
		found = true
		covered := slices.ContainsFunc(explicit, func(p pick) bool { return slices.Contains(p.grain.Covers, m.Name) })
		if !covered && r.m.Module(m.Name) == nil && !slices.Contains(r.m.LeftOut, m.Name) {
			r.chosen = append(r.chosen, pick{r.m.System.NodeModule(m.Name), g})
		}
	}
	if !found {
		r.report(r.m.System.Node.Errorf(CodeUnknownGrain, "Unknown grain",
			"No module of system %q has a grain %q, so node = true picks nothing. Remove the line.", r.cat.System, configs.NodeGrain))
	}
}

// renamedGrain returns the warning that a manifest uses a name that a grain had before.
func renamedGrain(a configs.Attr[string], module string, g *grains.GrainDecl) *hcl.Diagnostic {
	return configs.Warnf(CodeRenamed, "Grain has another name", a.ValueRange,
		"Grain %q of module %q is called %q today. The manifest gets that grain. Write the new name.", a.Value, module, g.Name)
}

// Substitution is one difference between a manifest's composition and the one next to a node.
type Substitution struct {
	What    string `json:"what"` // modules, or an option or a bound
	Setting bool   `json:"setting,omitempty"`
	From    string `json:"from"`
	To      string `json:"to"`
	Why     string `json:"why"`
}

// Node returns the composition that runs next to one node, and how it differs from c.
func (c *Composition) Node() (*Composition, []Substitution) {
	b := &Composition{Manifest: c.Manifest, Catalog: c.Catalog, Constants: map[string]string{}, source: c.source, loaded: c.loaded, budgets: c.budgets}
	r := &resolver{c: b, m: c.Manifest, cat: c.Catalog}
	r.bounds()
	r.options()
	chosen, out := c.forms()
	for _, g := range chosen {
		b.Choice.Grains = append(b.Choice.Grains, grains.Ref{Module: g.Covers[0], Grain: g.Name})
		for _, s := range g.Sets {
			b.compileIn(s)
		}
	}
	for _, m := range c.Catalog.Modules {
		for _, g := range chosen {
			if slices.Contains(g.Covers, m.Name) {
				target := slices.ContainsFunc(c.Modules, func(x ModuleChoice) bool { return x.Module == m.Name && x.Target })
				b.Modules = append(b.Modules, ModuleChoice{Module: m.Name, Grain: g.Name, Target: target})
			}
		}
	}
	for _, s := range c.Catalog.Node {
		out = b.nodeSetting(s, out)
	}
	for _, g := range c.Chosen() {
		for _, s := range g.Node.Sets {
			out = b.nodeSetting(s, out)
		}
	}
	return b, out
}

// forms returns the grains that run next to a node, in the order of the modules, and the
// substitutions of grains.
func (c *Composition) forms() (chosen []*grains.GrainDecl, out []Substitution) {
	chosen = c.Chosen()
	for _, g := range c.Chosen() {
		if len(g.Node.As) == 0 {
			continue
		}
		var names []string
		for _, ref := range g.Node.As {
			as := c.grain(ref)
			if slices.Contains(chosen, as) {
				continue
			}
			chosen = slices.DeleteFunc(chosen, func(x *grains.GrainDecl) bool {
				return slices.ContainsFunc(x.Covers, func(m string) bool { return slices.Contains(as.Covers, m) })
			})
			chosen = append(chosen, as)
			name := as.Name
			if len(g.Covers) > 1 || ref.Module != g.Covers[0] {
				name = fmt.Sprintf("%s of %s", as.Name, ref.Module)
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			out = append(out, Substitution{What: strings.Join(g.Covers, ", "), From: g.Name, To: strings.Join(names, " and "), Why: g.Node.Why})
		}
	}
	slices.SortStableFunc(chosen, func(x, y *grains.GrainDecl) int { return c.moduleAt(x) - c.moduleAt(y) })
	return chosen, out
}

// moduleAt returns the position of a grain's first module in the catalog.
func (c *Composition) moduleAt(g *grains.GrainDecl) int {
	return slices.IndexFunc(c.Catalog.Modules, func(m grains.Module) bool { return m.Name == g.Covers[0] })
}

// grain returns a grain of the catalog by its name. The catalog's check has made sure that it
// exists.
func (c *Composition) grain(ref grains.Ref) *grains.GrainDecl {
	k := slices.IndexFunc(c.Catalog.Grains, func(g grains.GrainDecl) bool { return g.Name == ref.Grain && g.Covers[0] == ref.Module })
	return &c.Catalog.Grains[k]
}

// nodeSetting gives an option or a bound the value that it has next to a node.
func (c *Composition) nodeSetting(s grains.NodeSetting, out []Substitution) []Substitution {
	from := c.valueOf(s.Name)
	if have, err := strconv.Atoi(from); err == nil && s.Least {
		if least, err := strconv.Atoi(s.Value); err == nil && have >= least {
			return out
		}
	}
	if from == s.Value {
		return out
	}
	c.compileIn(grains.Setting{Name: s.Name, Value: s.Value})
	return append(out, Substitution{What: s.Name, Setting: true, From: from, To: s.Value, Why: s.Why})
}

// valueOf returns the value of an option or a bound, as a manifest writes it without quotes.
func (c *Composition) valueOf(name string) string {
	for k := range c.Catalog.Options {
		if o := &c.Catalog.Options[k]; o.Name == name {
			v := c.Constants[o.Const]
			if text, err := strconv.Unquote(v); err == nil {
				return text
			}
			return v
		}
	}
	return strconv.Itoa(c.Choice.Budgets[name])
}

// Finer is a composition in which one coarse grain, or several of them, are replaced by the grains
// that they coarsen.
type Finer struct {
	*Composition
	Modules []string     // that the coarse grains cover
	By      []grains.Ref // the grains in their place
}

// Finer returns the compositions with one coarse grain replaced, and last the one with all replaced
// if there are several. It leaves out those that run next to a node as c does.
func (c *Composition) Finer() (out []Finer) {
	var coarse []*grains.GrainDecl
	own, _ := c.Node()
	for _, g := range c.Chosen() {
		if !g.Coarsens {
			continue
		}
		f := c.refined(g)
		if at, _ := f.Node(); slices.Equal(at.Choice.Grains, own.Choice.Grains) {
			continue
		}
		coarse = append(coarse, g)
		out = append(out, f)
	}
	if len(coarse) > 1 {
		out = append(out, c.refined(coarse...))
	}
	return out
}

// refined replaces coarse grains by those that they coarsen.
func (c *Composition) refined(coarse ...*grains.GrainDecl) Finer {
	f := &Composition{Manifest: c.Manifest, Catalog: c.Catalog, Choice: c.Choice, Modules: slices.Clone(c.Modules), Constants: c.Constants,
		source: c.source, loaded: c.loaded, budgets: c.budgets}
	out := Finer{Composition: f}
	f.Choice.Grains = nil
	for _, g := range c.Chosen() {
		refs := []grains.Ref{{Module: g.Covers[0], Grain: g.Name}}
		if slices.Contains(coarse, g) {
			refs = g.From
			out.Modules, out.By = append(out.Modules, g.Covers...), append(out.By, refs...)
			for k := range f.Modules {
				for _, ref := range refs {
					if slices.Contains(c.grain(ref).Covers, f.Modules[k].Module) {
						f.Modules[k].Grain = ref.Grain
					}
				}
			}
		}
		f.Choice.Grains = append(f.Choice.Grains, refs...)
	}
	return out
}
