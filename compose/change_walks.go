package compose

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. The compositions in which changed code is walked: touched modules at the finest
// grain that models what changed, and the others as the composition at hand has them.
//
// Why it is right. Nothing says that a coarse grain keeps every behaviour that the code depends on,
// and an adapter drives few of them. So a module that is not touched keeps its grain. Another one
// stands for it only if a touched grain requires that, or if the caller finds that the adapter
// cannot follow it. A bound of walks that leaves an action of a touched module without a step is
// raised.
//
// What it costs. As Alternatives, and one reading of the specification's package.
//
// Example. A change touches membership, which etcd.hcl does not have. Its walks allow no change of
// the configuration:
//
//	membership/baseline, and the rest as in etcd.hcl    changes = 4, learners = 4

// Walked returns the compositions in which a change is walked, best first: see Alternatives. Equal
// ones have the same number Fine. Bounds and options of c are those of walks: see ForWalks.
//
// With switched, options that the touched grains offer and that have their default are switched on.
// With loose, grains are allowed, too, whose options and bounds can be set. The result is empty if
// there is no such option and no such grain.
func (c *Composition) Walked(touched map[string][]string, switched, loose bool) ([]Alternative, []Lacking) {
	all, lacking := c.alternatives(&chooser{c: c, touched: touched, keep: true, loose: loose})
	names := c.names()
	if switched {
		all = c.switchedOn(all)
	}
	for k := range all {
		c.allow(&all[k], names)
	}
	if switched {
		all = slices.DeleteFunc(all, func(a Alternative) bool { return !a.settles(c) })
		slices.SortStableFunc(all, func(a, b Alternative) int { return cmp.Compare(a.Fine, b.Fine) })
	}
	return all, lacking
}

// fewSteps is the value to which a bound of 0 is raised, so that an action of a touched module has
// a budget.
const fewSteps = 4

// settable reports whether the options and bounds of a grain can be set. They cannot where the
// manifest sets an option of the grain otherwise, or to a value that the grain does not model.
func (c *Composition) settable(g *grains.GrainDecl) bool {
	if excluded, _ := c.excludes(g); excluded != nil {
		return false
	}
	return !slices.ContainsFunc(g.Sets, func(s grains.Setting) bool {
		m := c.manifestSetting(s.Name)
		return m != nil && m.value != s.Value
	})
}

// settle adds the options and bounds that a grain needs and the composition does not have.
func (a *Alternative) settle(c *Composition, g *grains.GrainDecl, loose bool) {
	if !loose {
		return
	}
	for _, need := range g.Needs {
		s := grains.Setting{Name: need.Option, Value: need.Value}
		at := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == need.Option })
		if at >= 0 && !slices.Contains(g.Sets, s) && c.Constants[c.Catalog.Options[at].Const] != constant(&c.Catalog.Options[at], need.Value) {
			a.Options = append(a.Options, s)
		}
	}
	for _, need := range g.NeedsBounds {
		if n, ok := c.Choice.Budgets[need.Bound]; ok && n < need.Least {
			a.raise(c, need.Bound, max(need.Least, fewSteps))
		}
	}
}

// raise adds a bound with a value, or the largest one that the catalog allows.
func (a *Alternative) raise(c *Composition, name string, value int) {
	k := slices.IndexFunc(c.Catalog.Bounds, func(b grains.Bound) bool { return b.Name == name })
	if k < 0 || slices.ContainsFunc(a.Bounds, func(s grains.Setting) bool { return s.Name == name }) {
		return
	}
	a.Bounds = append(a.Bounds, grains.Setting{Name: name, Value: strconv.Itoa(min(value, c.Catalog.Bounds[k].Max))})
}

// settles reports whether an alternative has an option or a touched grain that the composition at
// hand does without: what its options and bounds do not allow there.
func (a *Alternative) settles(c *Composition) bool {
	if len(a.Options) > 0 {
		return true
	}
	return slices.ContainsFunc(a.Touched, func(r grains.Ref) bool {
		g := c.grain(r)
		_, bound := c.lacks(g)
		return bound != nil || c.differs(g) != nil
	})
}

// allow raises the bounds of 0 that keep an action of a touched module from being taken: its
// budget, or a bound whose constant its guard mentions.
func (c *Composition) allow(a *Alternative, names *assemble.Names) {
	for _, r := range a.Touched {
		g := c.grain(r)
		for _, b := range g.Budgets {
			if n, ok := c.Choice.Budgets[b.Bound]; ok && n == 0 {
				a.raise(c, b.Bound, fewSteps)
			}
		}
		for _, action := range c.Catalog.Actions {
			if names == nil || !slices.Contains(g.Actions, action.Name) {
				continue
			}
			mentions := names.Mentions(action.Guard)
			for _, b := range c.Catalog.Bounds {
				if n, ok := c.Choice.Budgets[b.Name]; ok && n == 0 && b.Const != "" && mentions[b.Const] {
					a.raise(c, b.Name, fewSteps)
				}
			}
		}
	}
}

// Grown returns an alternative with the budgets of touched modules doubled, as far as the catalog
// allows. Bounds of a are those of walks. It reports false if no budget can grow.
func (c *Composition) Grown(a Alternative) (Alternative, bool) {
	out := a
	out.Bounds = slices.Clone(a.Bounds)
	grew := false
	for _, r := range a.Touched {
		for _, b := range c.grain(r).Budgets {
			k := slices.IndexFunc(c.Catalog.Bounds, func(x grains.Bound) bool { return x.Name == b.Bound })
			at := slices.IndexFunc(out.Bounds, func(s grains.Setting) bool { return s.Name == b.Bound })
			n, limited := c.Choice.Budgets[b.Bound]
			if at >= 0 {
				n, _ = strconv.Atoi(out.Bounds[at].Value)
			}
			if k < 0 || !limited || n <= 0 || n >= c.Catalog.Bounds[k].Max {
				continue
			}
			grew = true
			if value := strconv.Itoa(min(2*n, c.Catalog.Bounds[k].Max)); at >= 0 {
				out.Bounds[at].Value = value
			} else {
				out.Bounds = append(out.Bounds, grains.Setting{Name: b.Bound, Value: value})
			}
		}
	}
	return out, grew
}

// nodes are the numbers of nodes with which changed code is walked. A quorum of two is all, one of
// three can lose a node, and one of five two. See package growth.
var nodes = []int{5, 2, 3}

// Sized returns an alternative with other values of bounds, those that say most first. They are the
// sizes of its touched grains, and other numbers of nodes that the catalog allows. Those that it
// has are left out. With the sizes of a grain, other modules are as the composition has them: an
// adapter may not follow all that is touched at once with these.
func (c *Composition) Sized(a Alternative) (out []Alternative) {
	add := func(a Alternative, sizes []grains.Setting) {
		x, other := a, false
		x.Bounds = slices.Clone(a.Bounds)
		for _, s := range sizes {
			k := slices.IndexFunc(x.Bounds, func(b grains.Setting) bool { return b.Name == s.Name })
			n, limited := c.Choice.Budgets[s.Name]
			other = other || k >= 0 && x.Bounds[k] != s || k < 0 && (!limited || strconv.Itoa(n) != s.Value)
			x.Bounds = append(slices.DeleteFunc(x.Bounds, func(b grains.Setting) bool { return b.Name == s.Name }), s)
		}
		if other {
			out = append(out, x)
		}
	}
	for _, r := range a.Touched {
		for _, s := range c.grain(r).Sizes {
			add(c.alone(a, r), s.Bounds)
		}
	}
	for k := range c.Catalog.Bounds {
		if b := &c.Catalog.Bounds[k]; c.Catalog.CountsNodes(b) {
			for _, n := range nodes {
				if n >= b.Min && n <= b.Max {
					add(a, []grains.Setting{{Name: b.Name, Value: strconv.Itoa(n)}})
				}
			}
		}
	}
	return out
}

// alone returns the composition in which a grain of an alternative is the only one that is touched;
// the alternative itself if there is none.
func (c *Composition) alone(a Alternative, r grains.Ref) Alternative {
	if len(a.Touched) > 1 {
		if all, _ := c.Walked(map[string][]string{r.Module: {r.Grain}}, false, false); len(all) > 0 {
			return all[0]
		}
	}
	return a
}

// Roomier returns the composition with larger bounds for some actions: those of their budgets, and
// those whose constants their guards mention, except numbers of nodes. Each is raised by one. It
// returns nil if none can be raised.
func (c *Composition) Roomier(actions []string) *Composition {
	names := c.names()
	var raised configs.Settings
	for _, b := range c.Catalog.Bounds {
		n, limited := c.Choice.Budgets[b.Name]
		if !limited || n < 0 || n >= b.Max || c.Catalog.CountsNodes(&b) || !c.limits(&b, actions, names) {
			continue
		}
		s := configs.Setting{Name: b.Name}
		s.Value = ctyInt(n + 1)
		raised = append(raised, s)
	}
	if raised == nil {
		return nil
	}
	out, diags := c.within(raised)
	if diags.HasErrors() {
		return nil
	}
	return out
}

// limits reports whether a bound is that of a budget of one of the actions, or is mentioned by the
// guard of one.
func (c *Composition) limits(b *grains.Bound, actions []string, names *assemble.Names) bool {
	for _, g := range c.Chosen() {
		if slices.ContainsFunc(g.Budgets, func(x grains.BudgetDecl) bool {
			return x.Bound == b.Name && slices.ContainsFunc(x.Actions, func(a string) bool { return slices.Contains(actions, a) })
		}) {
			return true
		}
	}
	return names != nil && b.Const != "" && slices.ContainsFunc(c.Catalog.Actions, func(a grains.ActionDecl) bool {
		return slices.Contains(actions, a.Name) && names.Mentions(a.Guard)[b.Const]
	})
}

// Steps returns a function that takes the name of a function as branches have it: Name, Type.Name,
// or an action with its part after a comma. It reports whether guards and effects of the given
// actions use that function. It reports false if the specification cannot be read.
func (c *Composition) Steps(actions []string) func(function string) bool {
	names := c.names()
	if names == nil {
		return func(string) bool { return false }
	}
	x := names.Usage()
	for _, a := range c.Catalog.Actions {
		if slices.Contains(actions, a.Name) {
			x.Function(a.Guard)
			x.Function(&a.Effect)
		}
	}
	return func(function string) bool {
		if action, _, part := strings.Cut(function, ", "); part {
			return slices.Contains(actions, action)
		}
		return x.Has(function[strings.LastIndexByte(function, '.')+1:])
	}
}

// names returns the declarations of the specification's package; nil where it cannot be read.
func (c *Composition) names() *assemble.Names {
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return nil
	}
	return plain.Names(c.Catalog.State, c.Catalog.Var)
}

// switchedOn adds the options that the touched grains have steps for, and that have their default
// in the composition at hand. An option with several such values leads to as many alternatives.
func (c *Composition) switchedOn(all []Alternative) (out []Alternative) {
	for _, a := range all {
		offers := c.offers(&a)
		most := 1
		for _, values := range offers {
			most = max(most, len(values))
		}
		for k := range most {
			x := a
			x.Options, x.Bounds = slices.Clone(a.Options), slices.Clone(a.Bounds)
			for _, values := range offers {
				x.Options = append(x.Options, values[min(k, len(values)-1)])
			}
			out = append(out, x)
		}
	}
	return out
}

// offers returns the values of each option that switchedOn sets, by option.
func (c *Composition) offers(a *Alternative) (out [][]grains.Setting) {
	for _, r := range a.Touched {
		for _, offer := range c.grain(r).Offers {
			s := grains.Setting{Name: offer.Option, Value: offer.Value}
			k := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == s.Name })
			asked := slices.ContainsFunc(a.Options, func(x grains.Setting) bool { return x.Name == s.Name })
			if o := &c.Catalog.Options[k]; asked || c.Constants[o.Const] != constant(o, o.Default) || o.Default == s.Value {
				continue
			}
			at := slices.IndexFunc(out, func(values []grains.Setting) bool { return values[0].Name == s.Name })
			if at < 0 {
				at, out = len(out), append(out, nil)
			}
			if !slices.Contains(out[at], s) {
				out[at] = append(out[at], s)
			}
		}
	}
	return out
}

// writeSettings writes the options of an alternative, and its bounds: those of the manifest, which
// a grain may need, and those of walks on its implementation.
func (c *Composition) writeSettings(body *hclwrite.Body, a Alternative) {
	if options := slices.Concat(a.Options, c.switchesOf(a.Grains)); len(options) > 0 {
		body.AppendNewline()
		b := body.AppendNewBlock("options", nil).Body()
		for _, s := range options {
			b.SetAttributeValue(s.Name, c.valueOfOption(s))
		}
	}
	if len(a.Bounds) == 0 {
		return
	}
	write := func(body *hclwrite.Body) {
		body.AppendNewline()
		b := body.AppendNewBlock("bounds", nil).Body()
		for _, s := range a.Bounds {
			n, _ := strconv.Atoi(s.Value)
			b.SetAttributeValue(s.Name, ctyInt(n))
		}
	}
	write(body)
	body.AppendNewline()
	write(body.AppendNewBlock("implementation", []string{a.Implementation}).Body())
}

// ImplementationNamed returns the implementation block of the manifest with a name; nil without
// one.
func (c *Composition) ImplementationNamed(name string) *configs.Implementation {
	for _, x := range c.Manifest.Implementations {
		if x.Name == name {
			return x
		}
	}
	return nil
}
