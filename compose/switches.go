package compose

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// A grain may have switches: options whose values pick other grains of its module, see grains.Pick.
// A manifest names the grain and sets the option. The composition has the picked grain, with its
// actions and its variables alone.

// switched returns the grain that a block gets by the name of g and the manifest's options: g where
// no switch of it is set. Two switches that are set together need a grain that has both.
func (r *resolver) switched(b *configs.Module, g *grains.GrainDecl) *grains.GrainDecl {
	var set []configs.Setting
	var picked []*grains.GrainDecl
	for _, s := range r.m.Options {
		o, _ := r.cat.OptionNamed(s.Name)
		if o == nil || slices.ContainsFunc(set, func(x configs.Setting) bool { return x.Name == s.Name }) {
			continue
		}
		for _, x := range r.cat.Switched(g) {
			if x.Picked.Option == o.Name && x.Picked.Value == written(o, s) {
				set, picked = append(set, s), append(picked, x)
			}
		}
	}
	switch len(picked) {
	case 0:
		return g
	case 1:
		return picked[0]
	}
	d := b.Grain.Errorf(CodeTwoSwitches, "No steps for two options together",
		"Grain %q of module %q has steps for %s and for %s, and none for both together. Remove one of them.",
		g.Name, b.Name, pickedBy(&picked[0].Picked), pickedBy(&picked[1].Picked))
	for _, s := range set {
		configs.WithRelated(d, s.Range, "set here")
	}
	r.report(d)
	return picked[0]
}

// namedSwitch reports that a block names a grain that a manifest gets by another one and an option
// today. The block still gets it.
func (r *resolver) namedSwitch(b *configs.Module, g *grains.GrainDecl) {
	p := &g.Picked
	if o, _ := r.cat.OptionNamed(p.Option); o != nil {
		if s, ok := r.m.Options.Get(o.Name); ok && written(o, s) != p.Value {
			d := b.Grain.Errorf(CodeRenamed, "Grain and option differ",
				"Grain %q of module %q is grain %q with %s today, and the manifest sets the option to another value. Write grain = %q.",
				b.Grain.Value, b.Name, p.Grain, pickedBy(p), p.Grain)
			r.report(configs.WithRelated(d, s.Range, "the option is set here"))
			return
		}
	}
	r.report(configs.Warnf(CodeRenamed, "Grain has another name", b.Grain.ValueRange,
		"Grain %q of module %q is grain %q with %s today. The manifest gets that grain. Write grain = %[3]q, and %[4]s in the options block.",
		b.Grain.Value, b.Name, p.Grain, pickedBy(p)))
}

// pickedBy returns the option of a switch as a manifest sets it.
func pickedBy(p *grains.Pick) string {
	if p.Value == "true" || p.Value == "false" {
		return p.Option + " = " + p.Value
	}
	return fmt.Sprintf("%s = %q", p.Option, p.Value)
}

// picks reports whether a chosen grain is picked by an option.
func (r *resolver) picks(option string) bool {
	return slices.ContainsFunc(r.chosen, func(p pick) bool { return p.grain.IsPicked() && p.grain.Picked.Option == option })
}

// switchedBy names the grains that an option switches.
func (r *resolver) switchedBy(option string) (out []string) {
	for _, g := range r.cat.Grains {
		if name := fmt.Sprintf("grain %q of %s", g.Picked.Grain, g.Covers[0]); g.IsPicked() && g.Picked.Option == option && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// switchesOf returns the options that a manifest sets so that it gets exactly these grains. They
// are the values that pick a grain, and defaults where the composition at hand has another value.
func (c *Composition) switchesOf(refs []grains.Ref) (out []grains.Setting) {
	for _, ref := range refs {
		g := c.grain(ref)
		base := g
		if g.IsPicked() {
			base = c.grain(grains.Ref{Module: ref.Module, Grain: g.Picked.Grain})
			out = append(out, grains.Setting{Name: g.Picked.Option, Value: g.Picked.Value})
		}
		for _, x := range c.Catalog.Switched(base) {
			o, _ := c.Catalog.OptionNamed(x.Picked.Option)
			has := slices.ContainsFunc(out, func(s grains.Setting) bool { return s.Name == o.Name })
			if !has && c.Constants[o.Const] != constant(o, o.Default) {
				out = append(out, grains.Setting{Name: o.Name, Value: o.Default})
			}
		}
	}
	return out
}

// namedAs returns the grain that a manifest names to get a grain.
func (c *Composition) namedAs(ref grains.Ref) string {
	if g := c.grain(ref); g.IsPicked() {
		return g.Picked.Grain
	}
	return ref.Grain
}

// valueOfOption returns the value of an option as HCL has it.
func (c *Composition) valueOfOption(s grains.Setting) cty.Value {
	if o, _ := c.Catalog.OptionNamed(s.Name); o != nil && len(o.Values) == 0 {
		return cty.BoolVal(s.Value == "true")
	}
	return cty.StringVal(s.Value)
}
