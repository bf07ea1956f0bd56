package assemble

import (
	"go/ast"
	"go/token"
	"slices"
)

// Shrinkable returns the constants of the package that give State fields their capacity and do
// nothing else, with the fields. A composition that touches none of these fields does without the
// capacity. A constant that the manifest sets is not among them.
func (r *Rewriting) Shrinkable(state string, set map[string]string) map[string][]string {
	d := r.declarations()
	fields := map[string][]string{}
	inTypes := map[*ast.Ident]bool{}
	if st, ok := d.types[state].(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			for name := range d.constantsOf(f.Type, inTypes, map[string]bool{}) {
				for _, id := range f.Names {
					fields[name] = append(fields[name], id.Name)
				}
			}
		}
	}
	for name := range fields {
		if _, ok := set[name]; ok || d.usedOutside(name, inTypes) {
			delete(fields, name)
		}
	}
	return fields
}

// declarations are the package's types and constants by name, and every identifier in its files.
type declarations struct {
	types  map[string]ast.Expr
	consts map[string]*ast.Ident
	idents []*ast.Ident
}

func (r *Rewriting) declarations() *declarations {
	d := &declarations{types: map[string]ast.Expr{}, consts: map[string]*ast.Ident{}}
	for _, f := range r.files {
		for _, decl := range f.tree.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					d.types[spec.Name.Name] = spec.Type
				case *ast.ValueSpec:
					if g.Tok == token.CONST && len(spec.Values) == len(spec.Names) {
						for _, id := range spec.Names {
							d.consts[id.Name] = id
						}
					}
				}
			}
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				d.idents = append(d.idents, id)
			}
			return true
		})
	}
	return d
}

// constantsOf returns the names of the constants that a type expression mentions, through the
// package's named types; where they stand is noted in seen.
func (d *declarations) constantsOf(t ast.Expr, seen map[*ast.Ident]bool, visited map[string]bool) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(t, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		switch {
		case !ok:
		case d.consts[id.Name] != nil:
			seen[id] = true
			out[id.Name] = true
		case d.types[id.Name] != nil && !visited[id.Name]:
			visited[id.Name] = true
			for name := range d.constantsOf(d.types[id.Name], seen, visited) {
				out[name] = true
			}
			delete(visited, id.Name)
		}
		return true
	})
	return out
}

// usedOutside reports whether a constant is mentioned anywhere but in its declaration and in types
// of State fields.
func (d *declarations) usedOutside(name string, inTypes map[*ast.Ident]bool) bool {
	return slices.ContainsFunc(d.idents, func(id *ast.Ident) bool {
		return id.Name == name && !inTypes[id] && id != d.consts[name]
	})
}
