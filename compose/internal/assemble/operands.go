package assemble

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// maxOperands bounds how many values are noted of one condition.
const maxOperands = 12

// reads returns the parts of a condition whose values say why it is true or false. These are
// variables and parameters with the fields and elements that it takes of them, as
// s.CurrentEpoch[i], their indices, and calls that are compared. The latter are evaluated once more
// where an explanation is asked for, which is about guards and properties: these have no effects.
// Names of skip are left out: they are noted anyway.
func (in *instrumenter) reads(e ast.Expr, skip []string) []string {
	r := reading{in: in, skip: skip}
	r.expr(e)
	return r.out
}

// reading collects the operands of one condition.
type reading struct {
	in   *instrumenter
	skip []string
	out  []string
}

func (r *reading) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.expr(e.X)
	case *ast.UnaryExpr:
		r.expr(e.X)
	case *ast.BinaryExpr:
		compares := slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, e.Op)
		for _, x := range []ast.Expr{e.X, e.Y} {
			if c, ok := x.(*ast.CallExpr); ok && compares && r.answers(c) {
				r.note(c)
			}
			r.expr(x)
		}
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok {
			r.expr(f.X)
		}
		for _, a := range e.Args {
			r.expr(a)
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		if r.path(e) {
			r.note(e)
			r.indices(e)
			return
		}
		if x, ok := e.(*ast.SelectorExpr); ok { // a field of what a call returns
			r.expr(x.X)
		}
	}
}

func (r *reading) note(e ast.Expr) {
	if text := r.in.text(e); len(r.out) < maxOperands && !slices.Contains(r.out, text) && !slices.Contains(r.skip, text) {
		r.out = append(r.out, text)
	}
}

// answers reports whether a call is worth its value: it is not a conversion to a predeclared type
// and has no function of its own.
func (r *reading) answers(c *ast.CallExpr) bool {
	if id, ok := c.Fun.(*ast.Ident); ok {
		if _, conversion := types.Universe.Lookup(id.Name).(*types.TypeName); conversion {
			return false
		}
	}
	own := false
	ast.Inspect(c, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		own = own || is
		return !own
	})
	return !own
}

// indices notes what the elements of a path are taken by.
func (r *reading) indices(e ast.Expr) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		r.indices(e.X)
	case *ast.StarExpr:
		r.indices(e.X)
	case *ast.IndexExpr:
		r.indices(e.X)
		r.expr(e.Index)
	}
}

// path reports whether an expression is a variable of a function, or fields and elements of one,
// and calls nothing.
func (r *reading) path(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Obj != nil && e.Obj.Kind == ast.Var && r.in.f.tree.Scope.Lookup(e.Name) != e.Obj && !strings.HasPrefix(e.Name, "_")
	case *ast.SelectorExpr:
		return r.path(e.X)
	case *ast.StarExpr:
		return r.path(e.X)
	case *ast.IndexExpr:
		return r.path(e.X) && r.plain(e.Index)
	}
	return false
}

// plain reports whether an index calls nothing.
func (r *reading) plain(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.FuncLit, *ast.CompositeLit:
			found = true
		}
		return !found
	})
	return !found
}
