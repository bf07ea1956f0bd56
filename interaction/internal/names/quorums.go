package names

import (
	"go/ast"
	"go/token"

	"github.com/multigrain/multigrain/grains"
)

// Quorum reads the literal of a package-level variable of type modules.Quorum. Constants of set
// stay in its numbers. It reports false where the variable, or its weights, are no literal.
func Quorum(s Source, set map[string]bool, name string) (q grains.QuorumDecl, ok bool) {
	x := &sizes{Source: s, set: set}
	x.declared()
	q = grains.QuorumDecl{Var: name, Members: "0", Least: "0"}
	lit := x.literal(name)
	if lit == nil {
		return q, false
	}
	for k, e := range lit.Elts {
		field, value := []string{"Members", "Weights", "Least"}[min(k, 2)], e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			field, value = kv.Key.(*ast.Ident).Name, kv.Value
		}
		switch field {
		case "Members":
			q.Members = x.text(value, 0)
		case "Least":
			q.Least = x.text(value, 0)
		default:
			if x.Info.Types[value].IsNil() {
				continue
			}
			list, ok := ast.Unparen(value).(*ast.CompositeLit)
			if !ok {
				return q, false
			}
			for _, w := range list.Elts {
				q.Weights = append(q.Weights, x.text(w, 0))
			}
		}
	}
	return q, true
}

// literal returns the composite literal that a package-level variable is declared with, nil where
// it has another value.
func (x *sizes) literal(name string) *ast.CompositeLit {
	for _, f := range x.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for k, id := range spec.Names {
					if id.Name == name && len(spec.Values) == len(spec.Names) {
						lit, _ := ast.Unparen(spec.Values[k]).(*ast.CompositeLit)
						return lit
					}
				}
			}
		}
	}
	return nil
}
