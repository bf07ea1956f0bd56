package conditions

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Free reports whether an expression of a function neither panics nor has an effect. What it reads
// may change. A pointer counts as not nil only if it is the function's receiver, and the function
// does not compare the receiver with nil.
func Free(info *types.Info, in *ast.FuncDecl, e ast.Expr) bool {
	f := freedom{info: info}
	if in != nil && in.Recv != nil && len(in.Recv.List) == 1 && len(in.Recv.List[0].Names) == 1 {
		if r := info.Defs[in.Recv.List[0].Names[0]]; r != nil && !f.compared(in, r) {
			f.receiver = r
		}
	}
	return f.free(e)
}

// Total reports whether values of a type are less, equal or greater: those of whole numbers and
// texts. A floating-point number may be none of these.
func Total(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// freedom judges expressions.
type freedom struct {
	info     *types.Info
	receiver types.Object // which is not nil; nil for none
}

// compared reports whether a function compares a variable with nil, or writes it.
func (f *freedom) compared(in *ast.FuncDecl, v types.Object) (found bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && f.info.Uses[id] == v
	}
	null := func(e ast.Expr) bool { return f.info.Types[e].IsNil() }
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || is(n.X) && null(n.Y) || null(n.X) && is(n.Y)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || is(l)
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
		return !found
	})
	return found
}

func (f *freedom) free(e ast.Expr) bool {
	if tv, ok := f.info.Types[e]; ok && (tv.Value != nil || tv.IsNil()) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		_, ok := f.info.Uses[e].(*types.Var)
		return ok
	case *ast.ParenExpr:
		return f.free(e.X)
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD || e.Op == token.XOR || e.Op == token.NOT) && f.free(e.X)
	case *ast.BinaryExpr:
		return f.free(e.X) && f.free(e.Y) && f.binary(e)
	case *ast.StarExpr:
		return f.notNil(e.X)
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.CallExpr:
		return f.call(e)
	}
	return false
}

// binary reports whether an operator cannot panic.
func (f *freedom) binary(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.QUO, token.REM:
		c := f.info.Types[e.Y].Value
		return c != nil && constant.Sign(c) != 0
	case token.SHL, token.SHR:
		b, ok := f.info.TypeOf(e.Y).Underlying().(*types.Basic)
		return f.info.Types[e.Y].Value != nil || ok && b.Info()&types.IsUnsigned != 0
	case token.EQL, token.NEQ:
		return f.info.Types[e.X].IsNil() || f.info.Types[e.Y].IsNil() || plain(f.info.TypeOf(e.X)) && plain(f.info.TypeOf(e.Y))
	}
	return true
}

// plain reports whether values of a type can be compared without a panic, which one of an interface
// may end in.
func plain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return plain(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// notNil reports whether a pointer is the receiver.
func (f *freedom) notNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && f.receiver != nil && f.info.Uses[id] == f.receiver
}

func (f *freedom) selector(e *ast.SelectorExpr) bool {
	s := f.info.Selections[e]
	if s == nil { // of a package
		_, ok := f.info.Uses[e.Sel].(*types.Var)
		return ok
	}
	if s.Kind() != types.FieldVal {
		return false
	}
	if s.Indirect() {
		return len(s.Index()) == 1 && f.notNil(e.X)
	}
	return f.free(e.X)
}

// call reports whether a call is a conversion of a basic type, or counts what a value holds.
func (f *freedom) call(e *ast.CallExpr) bool {
	for _, arg := range e.Args {
		if !f.free(arg) {
			return false
		}
	}
	tv := f.info.Types[e.Fun]
	switch {
	case tv.IsType():
		_, to := tv.Type.Underlying().(*types.Basic)
		_, from := f.info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
		return to && from
	case tv.IsBuiltin():
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		return ok && (id.Name == "len" || id.Name == "cap" || id.Name == "min" || id.Name == "max")
	}
	return false
}
