package interaction

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// Unlike returns where the catalog of p, which is loaded with the constants of a manifest, is
// another one than cat, which was read with the constants of the source. A composition is resolved
// with the one, and the program has the other. Documentation, models and the counts of roles may
// differ. There are no findings where the catalog of p has errors.
func (p *Program) Unlike(cat *grains.Catalog) (out []Finding) {
	r := p.reading()
	if r.cat == nil || HasErrors(r.findings) {
		return nil
	}
	was, is := partsOf(cat), partsOf(r.cat)
	report := func(x part, what string) {
		out = append(out, finding(BadCatalog, x.place, "%s %s with the bounds and options of the manifest", x.name, what).
			remedy("declare it the same for all of them, and read the constant in a guard, an effect or a rule"))
	}
	for _, x := range was {
		k := slices.IndexFunc(is, func(y part) bool { return y.name == x.name })
		switch {
		case k < 0:
			report(x, "is not declared")
		case is[k].text != x.text:
			report(x, "differs")
		}
	}
	for _, y := range is {
		if !slices.ContainsFunc(was, func(x part) bool { return x.name == y.name }) {
			report(y, "is declared in addition")
		}
	}
	return out
}

// part is a part of a catalog that makes up steps and what is checked of them.
type part struct {
	name  string
	place grains.Place
	text  string // as JSON, without what may differ
}

func partsOf(cat *grains.Catalog) (out []part) {
	add := func(at grains.Place, v any, format string, args ...any) {
		out = append(out, part{fmt.Sprintf(format, args...), at, plain(v)})
	}
	init := cat.Init.Place
	for _, a := range cat.Actions {
		add(a.Place, a, "action %q", a.Name)
	}
	for _, g := range cat.Grains {
		g.Models = nil
		module := ""
		if len(g.Covers) > 0 {
			module = g.Covers[0]
		}
		add(g.Place, g, "grain %q of module %q", g.Name, module)
	}
	add(init, []any{cat.Rules}, "the list of rules of the System")
	add(init, []any{cat.Invariants, cat.Constraints, cat.Goals, cat.Liveness}, "the list of properties of the System")
	add(init, cat.Init, "the function Init of the System")
	return out
}

// plain returns v as JSON without texts for readers and without columns, which another value of a
// constant on the same line moves.
func plain(v any) string {
	text, _ := json.Marshal(v) // values of package grains have a JSON form
	var tree any
	_ = json.Unmarshal(text, &tree)
	text, _ = json.Marshal(without(tree, "doc", "Doc", "Why", "column"))
	return string(text)
}

func without(v any, keys ...string) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			if slices.Contains(keys, k) {
				delete(v, k)
			} else {
				without(v[k], keys...)
			}
		}
	case []any:
		for _, x := range v {
			without(x, keys...)
		}
	}
	return v
}
