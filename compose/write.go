package compose

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

func ctyInt(n int) cty.Value { return cty.NumberIntVal(int64(n)) }

// Write returns a manifest, for a file in the folder dir, that extends the composition's and
// chooses the alternative. The comment, in whole lines, stands at its top. Variables keep the
// values that they have now. Names in the check block that the alternative's grains do not offer
// are left out and returned.
func (c *Composition) Write(a Alternative, dir, comment string) (manifest []byte, dropped []string) {
	f := hclwrite.NewEmptyFile()
	body := f.Body()
	body.SetAttributeValue("extends", cty.StringVal(relative(dir, c.Manifest.Path)))
	for _, v := range c.Manifest.Variables {
		if v.Given {
			body.AppendNewline()
			body.AppendNewBlock("variable", []string{v.Name}).Body().SetAttributeValue("default", v.Value)
		}
	}
	for _, m := range c.Manifest.Modules {
		if !slices.ContainsFunc(a.Grains, func(r grains.Ref) bool { return r.Module == m.Name }) {
			body.AppendNewline()
			body.AppendNewBlock("module", []string{m.Name}).Body().SetAttributeValue("grain", cty.NullVal(cty.String))
		}
	}
	for _, r := range a.Grains {
		body.AppendNewline()
		b := body.AppendNewBlock("module", []string{r.Module}).Body()
		b.SetAttributeValue("grain", cty.StringVal(c.namedAs(r)))
		if target := slices.Contains(a.Targets, r.Module); target || c.Manifest.Module(r.Module) != nil && c.Manifest.Module(r.Module).Target.Value {
			b.SetAttributeValue("target", cty.BoolVal(target))
		}
	}
	c.writeOverrides(body, a)
	c.writeSettings(body, a)
	dropped = c.writeCheck(body, a)
	return slices.Concat([]byte(comment), hclwrite.Format(f.Bytes())), dropped
}

// relative returns a path as seen from a folder; both may be relative to the working directory.
func relative(dir, path string) string {
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(path)
	if rel, err := filepath.Rel(from, to); err1 == nil && err2 == nil && err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

// writeCheck writes the lists of the check block that hold names which the alternative does not
// know, without these.
func (c *Composition) writeCheck(body *hclwrite.Body, a Alternative) (dropped []string) {
	then := &Composition{Manifest: c.Manifest, Catalog: c.Catalog, Choice: grains.Choice{Grains: a.Grains}}
	invariants, constraints := then.Offered()
	var actions []string
	for _, g := range then.Chosen() {
		actions = append(actions, g.Actions...)
	}
	offers := func(offered []grains.PropertyDecl) func(string) bool {
		return func(name string) bool {
			return name == "*" || slices.ContainsFunc(offered, func(p grains.PropertyDecl) bool { return grains.Selects(name, p.ID, p.Instance) })
		}
	}
	check := c.Manifest.Check
	lists := []struct {
		name  string
		list  configs.Attr[[]configs.Text]
		known func(string) bool
	}{
		{"invariants", check.Invariants, offers(invariants)},
		{"except", check.Except, offers(invariants)},
		{"constraints", check.Constraints, offers(constraints)},
		{"unused", check.Unused, func(name string) bool { return slices.Contains(actions, name) }},
	}
	var block *hclwrite.Body
	for _, l := range lists {
		var kept []cty.Value
		for _, t := range l.list.Value {
			if l.known(t.Value) {
				kept = append(kept, cty.StringVal(t.Value))
			} else {
				dropped = append(dropped, fmt.Sprintf("%s %s", strings.TrimSuffix(l.name, "s"), t.Value))
			}
		}
		if len(kept) == len(l.list.Value) {
			continue
		}
		if block == nil {
			body.AppendNewline()
			block = body.AppendNewBlock("check", nil).Body()
		}
		block.SetAttributeValue(l.name, listOf(kept))
	}
	return dropped
}

func listOf(values []cty.Value) cty.Value {
	if len(values) == 0 {
		return cty.ListValEmpty(cty.String)
	}
	return cty.ListVal(values)
}

// writeOverrides writes what -set replaces, except for what the alternative sets itself. A manifest
// that extends another one reads that one as it is written.
func (c *Composition) writeOverrides(body *hclwrite.Body, a Alternative) {
	blocks := map[string]*hclwrite.Body{}
	set := func(at *hclwrite.Body, place, kind string, label []string, name string, v cty.Value) {
		if blocks[place+kind] == nil {
			at.AppendNewline()
			blocks[place+kind] = at.AppendNewBlock(kind, label).Body()
		}
		if name != "" {
			blocks[place+kind].SetAttributeValue(name, v)
		}
	}
	within := func(kind string, label []string, s configs.Setting) {
		place := strings.Join(append(label, kind), " ")
		set(body, place, kind, label, "", cty.NilVal)
		set(blocks[place+kind], place, "bounds", nil, s.Name, s.Value)
	}
	check := c.Manifest.Check
	for _, o := range c.Manifest.Overrides {
		has := func(list []grains.Setting) bool {
			return slices.ContainsFunc(list, func(s grains.Setting) bool { return s.Name == o.Name })
		}
		if s, ok := c.Manifest.Options.Get(o.Name); ok && !has(a.Options) {
			set(body, "", "options", nil, o.Name, s.Value)
		}
		if s, ok := c.Manifest.Bounds.Get(o.Name); ok && !has(a.Bounds) {
			set(body, "", "bounds", nil, o.Name, s.Value)
			if x := c.Manifest.Interaction; x != nil && x.Bounds.Has(o.Name) {
				within("interaction", nil, s)
			}
			for _, x := range c.Manifest.Implementations {
				if x.Bounds.Has(o.Name) {
					within("implementation", []string{x.Name}, s)
				}
			}
		}
		switch o.Name {
		case "deadlock":
			set(body, "", "check", nil, o.Name, cty.BoolVal(check.Deadlock.Value))
		case "invariants", "except", "constraints", "properties":
			var names []cty.Value
			for _, t := range o.Texts().Value {
				names = append(names, cty.StringVal(t.Value))
			}
			set(body, "", "check", nil, o.Name, listOf(names))
		}
	}
}
