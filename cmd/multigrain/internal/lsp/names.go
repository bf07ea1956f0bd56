package lsp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// Kinds of completion items of the protocol.
const (
	kindModule     = 9
	kindProperty   = 10
	kindValue      = 12
	kindEnumMember = 20
)

// name is something that may stand at a position.
type name struct {
	text, detail string
	doc          string // Markdown
	insert       string // where it is not the text
	kind         int
	place        grains.Place // in Go; zero for none
	variable     string       // the Go variable or constant that stands for it; "" for none
	folder       string       // of the package
}

// namesAt returns the names that may stand at a position. The catalog is nil where it is not known.
func namesAt(c *cursor, cat *grains.Catalog) []name {
	if cat == nil {
		cat = &grains.Catalog{}
	}
	kind := c.block().kind
	switch {
	case c.value:
		return valuesOf(c, cat)
	case c.nested:
		return nil
	case c.quoted || c.first != "":
		return labelsOf(c.first, cat)
	}
	out := inSection(c.path())
	switch kind {
	case "bounds":
		out = append(out, boundsOf(cat)...)
	case "options":
		out = append(out, optionsOf(cat)...)
	case "weights", "roles":
		out = append(out, actionsOf(cat)...)
	case "models", "against":
		out = append(out, modulesOf(cat)...)
	}
	return out
}

func labelsOf(block string, cat *grains.Catalog) []name {
	switch block {
	case "module":
		return modulesOf(cat)
	case "unlogged":
		return actionsOf(cat)
	case "system":
		if cat.System != "" {
			return []name{{text: cat.System, detail: "system", doc: cat.Doc, kind: kindValue}}
		}
	}
	return nil
}

// valuesOf returns the names that the value of an attribute may have.
func valuesOf(c *cursor, cat *grains.Catalog) []name {
	b := c.block()
	switch b.kind {
	case "against":
		return grainsOf(cat, c.first)
	case "options":
		return choicesOf(cat, c.first)
	}
	switch c.first {
	case "grain":
		if len(b.labels) > 0 {
			return grainsOf(cat, b.labels[0])
		}
	case "invariants", "except", "invariant":
		return propertiesOf("invariant", cat.Invariants, cat)
	case "constraints":
		return propertiesOf("constraint", cat.Constraints, cat)
	case "properties":
		return livenessOf(cat)
	case "unused", "action":
		return actionsOf(cat)
	case "unchanged":
		return modulesOf(cat)
	case "level":
		return words("level", "L0", "L1", "L2", "L3")
	case "verdict", "interaction":
		return words("verdict", quotedIn(c.path(), c.first)...)
	case "kind":
		return words("kind", "state", "step", "assert", "deadlock", "liveness")
	case "policy":
		return words("policy", "ignore", "report", "fail")
	case "format":
		return words("format", "ndjson", "etcd-raft", "ccf-raft", "ccf-scenario", "ccf-consistency")
	case "order":
		return words("order", "log", "nodes", "clocks")
	case "target", "deadlock", "strict", "slice", "por", "symmetry", "equal_bounds":
		return []name{{text: "true", kind: kindValue}, {text: "false", kind: kindValue}}
	}
	return nil
}

func words(detail string, all ...string) (out []name) {
	for _, w := range all {
		out = append(out, name{text: w, detail: detail, kind: kindEnumMember})
	}
	return out
}

func modulesOf(cat *grains.Catalog) (out []name) {
	for _, m := range cat.Modules {
		n := name{text: m.Name, detail: "module", doc: m.Doc, kind: kindModule}
		for _, g := range cat.Grains {
			if slices.Contains(g.Covers, m.Name) && !g.IsPicked() {
				n.doc += "\n- `" + g.Name + "`: " + g.Doc
				if n.place == (grains.Place{}) {
					n.place = g.Place
				}
			}
		}
		out = append(out, n)
	}
	return out
}

// grainsOf returns the grains of a module.
func grainsOf(cat *grains.Catalog, module string) (out []name) {
	for _, g := range cat.Grains {
		if !slices.Contains(g.Covers, module) || g.IsPicked() {
			continue
		}
		doc := g.Doc
		for _, x := range cat.Switched(&g) {
			doc += "\n- with `" + x.Picked.Option + " = " + x.Picked.Value + "`: " + x.Doc
		}
		if len(g.Covers) > 1 {
			doc += "\n\nIt covers " + strings.Join(g.Covers, ", ") + "."
		}
		if len(g.Actions) > 0 {
			doc += "\n\nActions: " + strings.Join(g.Actions, ", ") + "."
		}
		out = append(out, name{text: g.Name, detail: "grain of " + module, doc: doc, kind: kindValue, place: g.Place})
	}
	return out
}

func boundsOf(cat *grains.Catalog) (out []name) {
	for _, b := range cat.Bounds {
		out = append(out, name{text: b.Name, detail: fmt.Sprintf("bound, default %v", b.Default), doc: b.Doc, kind: kindProperty, insert: b.Name + " = ", variable: b.Const, folder: folderOf(cat)})
	}
	return out
}

func optionsOf(cat *grains.Catalog) (out []name) {
	for _, o := range cat.Options {
		out = append(out, name{text: o.Name, detail: "option, default " + o.Default, doc: o.Doc, kind: kindProperty, insert: o.Name + " = ", variable: o.Const, folder: folderOf(cat)})
	}
	return out
}

// folderOf returns the folder of the package that has a catalog.
func folderOf(cat *grains.Catalog) string { return filepath.Dir(cat.Init.Place.File) }

// choicesOf returns the values of an option.
func choicesOf(cat *grains.Catalog, option string) (out []name) {
	for _, o := range cat.Options {
		if o.Name != option {
			continue
		}
		for _, v := range o.Values {
			out = append(out, name{text: v, detail: "value of " + option, doc: o.Doc, kind: kindEnumMember, folder: folderOf(cat)})
		}
	}
	return out
}

func actionsOf(cat *grains.Catalog) (out []name) {
	for _, a := range cat.Actions {
		n := name{text: a.Name, detail: "action", kind: kindValue, place: a.Place, variable: a.Var}
		for _, g := range cat.Grains {
			if slices.Contains(g.Actions, a.Name) {
				n.doc += "\n- grain `" + g.Name + "` of " + strings.Join(g.Covers, ", ")
			}
		}
		out = append(out, n)
	}
	return out
}

// propertiesOf returns properties of the catalog and of its grains.
func propertiesOf(detail string, all []grains.PropertyDecl, cat *grains.Catalog) (out []name) {
	for _, g := range cat.Grains {
		if detail == "invariant" {
			all = append(slices.Clip(all), g.Invariants...)
		} else {
			all = append(slices.Clip(all), g.Constraints...)
		}
	}
	for _, p := range all {
		for _, id := range []string{p.ID, cmp.Or(p.Instance, p.ID)} {
			if id != p.ID {
				id = p.ID + "." + id
			}
			if !slices.ContainsFunc(out, func(n name) bool { return n.text == id }) {
				out = append(out, name{text: id, detail: cmp.Or(p.Kind, detail), doc: p.Doc, kind: kindValue, place: p.Place})
			}
		}
	}
	return out
}

func livenessOf(cat *grains.Catalog) (out []name) {
	for _, p := range cat.Liveness {
		out = append(out, name{text: p.ID, detail: "liveness property", doc: p.Doc, kind: kindValue, place: p.Place})
	}
	return out
}
