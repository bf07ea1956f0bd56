package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// A grain may set options and bounds: grains.Grain.Sets. Such a setting is part of the grain, so it
// holds wherever the grain is chosen. A manifest that gives another value contradicts its choice of
// the grain, and so do two grains that set the same option to different values.

// manifestSetting is a setting of a manifest, with the value as a grain writes it.
type manifestSetting struct {
	configs.Setting
	what  string // option or bound
	value string
}

// manifestSetting returns what the manifest sets under a name that the catalog declares, else nil.
func (c *Composition) manifestSetting(name string) *manifestSetting {
	for k := range c.Catalog.Options {
		if o := &c.Catalog.Options[k]; o.Name == name {
			if s, ok := c.Manifest.Options.Get(name); ok {
				return &manifestSetting{s, "option", written(o, s)}
			}
		}
	}
	for _, b := range c.Catalog.Bounds {
		if s, ok := c.Manifest.Bounds.Get(name); ok && b.Name == name {
			if n, ok := s.Int(); ok { // what is no number is reported as such
				return &manifestSetting{s, "bound", strconv.Itoa(n)}
			}
		}
	}
	return nil
}

// differs returns a setting of a grain that has another value in this composition; nil if there is
// none. A composition for a change keeps the options and bounds of its manifest.
func (c *Composition) differs(g *grains.GrainDecl) *grains.Setting {
	for k, s := range g.Sets {
		if !c.isSharedAnyway(s) && !setBy(c.Chosen(), s) {
			return &g.Sets[k]
		}
	}
	return nil
}

// grainSettings gives options and bounds the values that the chosen grains set, and reports
// contradictions.
func (r *resolver) grainSettings() {
	first := map[string]pick{}
	for _, p := range r.chosen {
		if p.grain.IsPicked() { // with a name of before, the manifest may leave the option out
			r.c.compileIn(grains.Setting{Name: p.grain.Picked.Option, Value: p.grain.Picked.Value})
		}
		for _, s := range p.grain.Sets {
			if other, ok := first[s.Name]; ok {
				r.compareGrains(s, p, other)
				continue
			}
			first[s.Name] = p
			if m := r.c.manifestSetting(s.Name); m != nil && m.value != s.Value {
				d := m.Errorf(CodeGrainSets, "Grain sets another value",
					"Grain %q of module %q sets the %s %s to %s, and the manifest sets it to %s. Remove the line, or choose another grain.",
					p.grain.Name, p.block.Name, m.what, s.Name, s.Value, m.value)
				configs.WithRelated(d, p.block.Grain.Range, "grain %q is chosen here", p.grain.Name)
				r.report(configs.WithRelated(d, rangeOf(p.grain.Place), "the grain is declared here"))
				continue
			}
			r.c.compileIn(s)
		}
	}
}

// compareGrains reports that a grain sets a value that another chosen grain sets otherwise.
func (r *resolver) compareGrains(s grains.Setting, p, other pick) {
	k := slices.IndexFunc(other.grain.Sets, func(x grains.Setting) bool { return x.Name == s.Name })
	have := other.grain.Sets[k].Value
	if have == s.Value {
		return
	}
	d := p.block.Grain.Errorf(CodeGrainSets, "Grains set different values",
		"Grain %q of module %q sets %s to %s, and grain %q of module %q sets it to %s. Choose another grain for one of the modules.",
		p.grain.Name, p.block.Name, s.Name, s.Value, other.grain.Name, other.block.Name, have)
	r.report(configs.WithRelated(d, other.block.Grain.Range, "grain %q is chosen here", other.grain.Name))
}

// compileIn gives an option or a bound a value that a grain sets. The catalog's check has made sure
// that it is allowed.
func (c *Composition) compileIn(s grains.Setting) {
	for k := range c.Catalog.Options {
		if o := &c.Catalog.Options[k]; o.Name == s.Name {
			c.Constants[o.Const] = constant(o, s.Value)
		}
	}
	for k := range c.Catalog.Bounds {
		if b := &c.Catalog.Bounds[k]; b.Name == s.Name {
			n, _ := strconv.Atoi(s.Value)
			c.set(b, n)
		}
	}
}

// repeated warns of settings of the manifest that a chosen grain has already, and returns their
// names. What an extended manifest sets is not judged, since that manifest may choose another
// grain.
func (r *resolver) repeated() (names []string) {
	for _, p := range r.chosen {
		for _, s := range p.grain.Sets {
			m := r.c.manifestSetting(s.Name)
			if m == nil || m.value != s.Value || m.Range.Filename != r.m.Path {
				continue
			}
			d := configs.Warnf(CodeNoEffect, upper(m.what)+" without effect", m.Range,
				"Grain %q of module %q sets the %s %s to %s itself. Remove the line.", p.grain.Name, p.block.Name, m.what, s.Name, s.Value)
			r.report(configs.WithRelated(d, p.block.Grain.Range, "the grain is chosen here"))
			names = append(names, s.Name)
		}
	}
	return names
}

// differing returns the constants of options that only one side of a comparison sets by a grain.
// Their values are Go expressions, that of the fine side first. C is the side with the coarse
// grains. Both sides are in one program, with a State of one size. So it reports bounds, and
// options without which a constant of the specification has no value.
func (c *Composition) differing(fine *Composition) (values map[string][2]string, diags hcl.Diagnostics) {
	values = map[string][2]string{}
	for of, sides := range [][2]*Composition{{fine, c}, {c, fine}} {
		side, other := sides[0], sides[1]
		for _, g := range side.Chosen() {
			for _, s := range g.Sets {
				if setBy(other.Chosen(), s) || c.isSharedAnyway(s) {
					continue
				}
				name, own, others := c.optionSetBy(s)
				if name == "" {
					diags = append(diags, c.unshared(g, s, "it is a bound"))
				} else if err := c.canVary(name); err != nil {
					diags = append(diags, c.unshared(g, s, err.Error()))
				}
				pair := [2]string{own, others}
				if of == 1 {
					slices.Reverse(pair[:])
				}
				values[name] = pair
			}
		}
	}
	return values, diags
}

// optionSetBy returns the constant of the option that a grain sets. Own is the value of the grain
// and others that without it, as Go expressions. There is no name if the setting is a bound.
func (c *Composition) optionSetBy(s grains.Setting) (name, own, others string) {
	for k := range c.Catalog.Options {
		if o := &c.Catalog.Options[k]; o.Name == s.Name {
			return o.Const, constant(o, s.Value), constant(o, o.Default)
		}
	}
	return "", "", ""
}

// canVary returns why a constant of the specification cannot have two values in one program.
func (c *Composition) canVary(name string) error {
	r, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		return nil // reported where the program is assembled
	}
	return r.CanVary(name)
}

// setBy reports whether one of the grains has the setting.
func setBy(list []*grains.GrainDecl, s grains.Setting) bool {
	return slices.ContainsFunc(list, func(g *grains.GrainDecl) bool { return slices.Contains(g.Sets, s) })
}

// isSharedAnyway reports whether the manifest, or else the catalog's default, has the same value as
// a grain's setting.
func (c *Composition) isSharedAnyway(s grains.Setting) bool {
	if m := c.manifestSetting(s.Name); m != nil {
		return m.value == s.Value
	}
	for _, o := range c.Catalog.Options {
		if o.Name == s.Name {
			return o.Default == s.Value
		}
	}
	for _, b := range c.Catalog.Bounds {
		if b.Name == s.Name {
			return strconv.Itoa(b.Default) == s.Value
		}
	}
	return false
}

// unshared returns the report of one setting that the sides of a comparison cannot share.
// Why says what keeps them from it.
func (c *Composition) unshared(g *grains.GrainDecl, s grains.Setting, why string) *hcl.Diagnostic {
	at := c.Manifest.System.DeclRange
	for _, m := range c.Manifest.Modules {
		if slices.Contains(g.Covers, m.Name) {
			at = m.Grain.Range
		}
	}
	d := configs.Errorf(CodeGrainSets, "Comparison shares every setting", at,
		"Grain %q of module %q sets %s to %s, and the other side of the comparison does not. Both sides must have the same value: %s. "+
			"Name the module in unchanged of the interaction block, or set %[3]s in the manifest, for both sides.",
		g.Name, g.Covers[0], s.Name, s.Value, why)
	return configs.WithRelated(d, rangeOf(g.Place), "the grain is declared here")
}

// overridable are the attributes of the check block that -set can give another value.
var overridable = []string{"invariants", "except", "constraints", "properties", "deadlock"}

// overrides puts the values of -set into the manifest, so that all that reads it afterwards has
// them. A bound replaces that of the interaction block and of an implementation, too, where these
// set it. Doing it twice changes nothing.
func (r *resolver) overrides() {
	for _, o := range r.m.Overrides {
		value := overridden(o.Text)
		bound := slices.ContainsFunc(r.cat.Bounds, func(b grains.Bound) bool { return b.Name == o.Name })
		option, _ := r.cat.OptionNamed(o.Name)
		switch {
		case bound:
			r.overrideBound(configs.Setting{Name: o.Name, Attr: o.Attr(value)})
		case option != nil:
			if len(option.Values) > 0 {
				value = cty.StringVal(strings.Trim(o.Text, `"`))
			}
			r.m.Options = r.m.Options.Replaced(configs.Setting{Name: option.Name, Attr: o.Attr(value)}, false)
		case slices.Contains(overridable, o.Name):
			r.overrideCheck(o, value)
		default:
			r.unknownOverride(o)
		}
	}
}

// overrideBound gives a bound its value wherever the manifest sets it.
func (r *resolver) overrideBound(s configs.Setting) {
	r.m.Bounds = r.m.Bounds.Replaced(s, false)
	if x := r.m.Interaction; x != nil {
		x.Bounds = x.Bounds.Replaced(s, true)
	}
	for _, x := range r.m.Implementations {
		x.Bounds = x.Bounds.Replaced(s, true)
	}
}

// overrideCheck gives an attribute of the check block its value.
func (r *resolver) overrideCheck(o configs.Override, value cty.Value) {
	lists := map[string]*configs.Attr[[]configs.Text]{"invariants": &r.m.Check.Invariants, "except": &r.m.Check.Except,
		"constraints": &r.m.Check.Constraints, "properties": &r.m.Check.Properties}
	if list := lists[o.Name]; list != nil {
		*list = o.Texts()
		return
	}
	if value.Type() != cty.Bool {
		r.report(o.Attr(value).Errorf(CodeOptionValue, "Value not allowed", "%q of the check block is true or false, and not %s.", o.Name, o.Text))
		return
	}
	a := o.Attr(value)
	r.m.Check.Deadlock = configs.Attr[bool]{Value: value.True(), Range: a.Range, NameRange: a.NameRange, ValueRange: a.ValueRange}
}

// unknownOverride reports a name that the system does not have.
func (r *resolver) unknownOverride(o configs.Override) {
	names := slices.Clone(overridable)
	for _, b := range r.cat.Bounds {
		names = append(names, b.Name)
	}
	for _, x := range r.cat.Options {
		names = append(names, x.Name)
	}
	hint := configs.Hint(o.Name, names)
	if slices.ContainsFunc(r.m.Variables, func(v *configs.Variable) bool { return v.Name == o.Name }) {
		hint = fmt.Sprintf(" It is a variable of the manifest: write -var %s=%s.", o.Name, o.Text)
	}
	r.report(o.Attr(cty.DynamicVal).Errorf(CodeOverride, "Unknown setting",
		"System %q has no bound and no option %q, and the check block has no such attribute that -set can replace.%s", r.cat.System, o.Name, hint))
}

// overridden returns the value that a text stands for: a whole number, a truth value, or the text.
func overridden(text string) cty.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return cty.NumberIntVal(n)
	}
	switch text {
	case "true":
		return cty.True
	case "false":
		return cty.False
	}
	return cty.StringVal(strings.Trim(text, `"`))
}
