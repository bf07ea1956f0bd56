// Package differ compares two readings of a catalog: with the constants of the source and with
// those of a manifest.
package differ

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// Difference is a part of a catalog that two readings do not have alike.
type Difference struct {
	Part string // as `grain "coarse" of module "election"`
	How  string // the rest of the sentence: "differs"
	At   grains.Place
}

// Between returns the parts that make up steps, and what is checked of them, and that differ.
// Documentation, models and the counts of roles may differ.
func Between(was, is *grains.Catalog) (out []Difference) {
	before, after := partsOf(was), partsOf(is)
	named := func(list []part, name string) int {
		return slices.IndexFunc(list, func(x part) bool { return x.name == name })
	}
	for _, x := range before {
		switch k := named(after, x.name); {
		case k < 0:
			out = append(out, Difference{x.name, "is not declared", x.place})
		case after[k].text != x.text:
			out = append(out, Difference{x.name, "differs", x.place})
		}
	}
	for _, x := range after {
		if named(before, x.name) < 0 {
			out = append(out, Difference{x.name, "is declared in addition", x.place})
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
