// Package names reads from a specification's code what people call its values: the constants of
// enumerations, and the fields that messages of a kind carry.
//
// It imports package grains.
package names

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// Source is a package whose constants and messages are read.
type Source struct {
	Syntax []*ast.File
	Info   *types.Info
	Types  *types.Package
	Prefix string // of the names of its types: "" for the package of the catalog
}

// Enums lists the constants of named integer types. Where two constants have one value, the first
// in the source stands. Constants whose values follow from those in set, which bounds and options
// set, are listed apart, in the order of the source.
func Enums(sources []Source, set map[string]bool) (fixed map[string]map[int64]string, sized []grains.SizedConst) {
	fixed = map[string]map[int64]string{}
	for _, s := range sources {
		x := &sizes{Source: s}
		if s.Prefix == "" {
			x.set = set
		}
		x.declared()
		for _, c := range x.constants() {
			t := s.Prefix + types.Unalias(c.Type()).(*types.Named).Obj().Name()
			if e := x.values[c]; e != nil && x.depends(e, 0) {
				sized = append(sized, grains.SizedConst{Type: t, Name: c.Name(), Value: x.text(e, 0)})
				continue
			}
			v, ok := constant.Int64Val(constant.ToInt(c.Val()))
			if !ok {
				continue
			}
			if fixed[t] == nil {
				fixed[t] = map[int64]string{}
			}
			if _, dup := fixed[t][v]; !dup {
				fixed[t][v] = c.Name()
			}
		}
	}
	return fixed, sized
}

// sizes knows how the constants of a package are declared.
type sizes struct {
	Source
	set    map[string]bool
	values map[types.Object]ast.Expr // of constants that are declared with a value of their own
}

func (x *sizes) declared() {
	x.values = map[types.Object]ast.Expr{}
	for _, f := range x.Syntax {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for k, name := range spec.Names {
					if k < len(spec.Values) {
						x.values[x.Info.Defs[name]] = spec.Values[k]
					}
				}
			}
		}
	}
}

// constants returns the constants of the package's own integer types, in the order of the source.
func (x *sizes) constants() (out []*types.Const) {
	scope := x.Types.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || name == "_" || constant.ToInt(c.Val()).Kind() != constant.Int {
			continue
		}
		if t, ok := types.Unalias(c.Type()).(*types.Named); ok && t.Obj().Pkg() == x.Types {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *types.Const) int { return int(a.Pos()) - int(b.Pos()) })
	return out
}

// deepest bounds how far definitions of constants are followed.
const deepest = 50

// depends reports whether the value of an expression follows from a constant of set.
func (x *sizes) depends(e ast.Expr, depth int) (found bool) {
	if depth > deepest {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			c, ok := x.Info.Uses[id].(*types.Const)
			found = found || ok && c.Parent() == x.Types.Scope() &&
				(x.set[c.Name()] || x.values[c] != nil && x.depends(x.values[c], depth+1))
		}
		return !found
	})
	return found
}

// text writes an expression with numbers and constants of set alone. Conversions are left out.
func (x *sizes) text(e ast.Expr, depth int) string {
	if !x.depends(e, depth) {
		if v := x.Info.Types[e].Value; v != nil {
			return v.ExactString()
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.text(e.X, depth)
	case *ast.UnaryExpr:
		return "(" + e.Op.String() + x.text(e.X, depth) + ")"
	case *ast.BinaryExpr:
		return "(" + x.text(e.X, depth) + " " + e.Op.String() + " " + x.text(e.Y, depth) + ")"
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 {
			return x.text(e.Args[0], depth)
		}
	case *ast.Ident:
		if c, ok := x.Info.Uses[e].(*types.Const); ok && !x.set[c.Name()] && x.values[c] != nil {
			return x.text(x.values[c], depth+1)
		}
		return e.Name
	}
	return types.ExprString(e)
}
