package change

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
)

// What it computes. Whether a declaration without lines that run shows in other changed lines: a
// type, constant or variable that is added or removed, or a function that is removed.
//
// Why it is right. What is added is used by name, and so was what is removed. If all declarations
// that use it changed themselves, no line that stays as it was means something else. Three things
// would reach it without a name, and are excluded: a value that runs code when the program begins,
// a method of an interface, and an embedded field, through which a name that stays finds another
// method.

// followed reports whether all that uses a declaration of one side is named itself.
func (h *goHolder) followed(p *program, file string, x difference) bool {
	d := x.decl
	function := d.kind == Function || d.kind == Method
	switch {
	case function && x.how != Removed, !function && x.how != Added && x.how != Removed, d.kind == Import || d.kind == Package:
		return false
	case len(d.directives) > 0 || slices.Contains(d.names, "_") || slices.Contains(d.names, "init") || slices.Contains(d.names, "main"):
		return false
	case d.kind == Method && (ast.IsExported(d.names[0]) || h.now.abstract[d.names[0]] || p.abstract[d.names[0]]):
		return false
	}
	if v, ok := d.node.(*ast.ValueSpec); ok && d.kind == Var && slices.ContainsFunc(v.Values, runs) {
		return false
	}
	declared := p.declaredBy(file, d)
	for _, f := range p.order {
		if f.usesOneOf(declared) && !h.differs(f.step.File, f.names) {
			return false
		}
		if f.usesOneOf(declared) && x.how == Removed && h.stillUses(f, d.names) {
			return false
		}
	}
	for _, spec := range p.specs(declared) {
		if !h.differs(spec.file, []string{spec.name}) && !(h.abs(spec.file) == file && slices.Contains(d.names, spec.name)) {
			return false
		}
	}
	return true
}

// declaredBy returns what tells objects of a declaration from others.
func (p *program) declaredBy(file string, d *decl) func(types.Object) bool {
	return func(o types.Object) bool {
		if _, ok := o.(*types.PkgName); ok || !o.Pos().IsValid() {
			return false
		}
		at := p.at(o.Pos())
		return at.Filename == file && at.Line >= d.first && at.Line <= d.last
	}
}

func (f *function) usesOneOf(declared func(types.Object) bool) bool {
	for o := range f.uses {
		if declared(o) {
			return true
		}
	}
	return false
}

// differs reports whether a declaration of a file's folder differs, by one of its names.
func (h *goHolder) differs(file string, names []string) bool {
	return slices.ContainsFunc(h.changed, func(c goChange) bool {
		return path.Dir(c.file.Path()) == path.Dir(file) && slices.ContainsFunc(c.diffs, func(d difference) bool {
			return slices.Contains(names, d.decl.name()) || slices.ContainsFunc(d.decl.names, func(n string) bool { return d.decl.receiver == "" && slices.Contains(names, n) })
		})
	})
}

// stillUses reports whether a function of the old side uses something with one of these names on
// the new side, too. It would be something else.
func (h *goHolder) stillUses(old *function, names []string) bool {
	for _, f := range h.now.order {
		if f.names[0] != old.names[0] {
			continue
		}
		for o := range f.uses {
			if slices.Contains(names, o.Name()) {
				return true
			}
		}
	}
	return false
}

// spec is a declaration outside of functions.
type spec struct{ file, name string }

// specs returns the declarations outside of functions that mention one of these objects.
func (p *program) specs(declared func(types.Object) bool) (out []spec) {
	for _, pkg := range p.pkgs {
		for _, f := range pkg.Syntax {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, x := range specsOf(g) {
					mentions := false
					ast.Inspect(x.node, func(n ast.Node) bool {
						id, ok := n.(*ast.Ident)
						mentions = mentions || ok && pkg.TypesInfo.Uses[id] != nil && declared(origin(pkg.TypesInfo.Uses[id]))
						return !mentions
					})
					if mentions {
						for _, name := range x.names {
							out = append(out, spec{p.relative(p.at(f.Pos()).Filename), name})
						}
					}
				}
			}
		}
	}
	return out
}
