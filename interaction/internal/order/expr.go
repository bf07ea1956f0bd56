package order

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// value returns the value of a constant expression.
func (w *walk) value(e ast.Expr) constant.Value { return w.info.Types[e].Value }

// truth returns the value of a constant condition.
func (w *walk) truth(e ast.Expr) (is, known bool) {
	if v := w.value(e); v != nil && v.Kind() == constant.Bool {
		return constant.BoolVal(v), true
	}
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		for _, x := range []ast.Expr{b.X, b.Y} {
			if is, known := w.truth(x); known && is == (b.Op == token.LOR) {
				return is, true
			}
		}
	}
	return false, false
}

func (w *walk) isServerType(t types.Type) bool {
	return t != nil && types.Identical(types.Unalias(t), w.Type)
}

// isServer reports whether an expression is a node, or a number that runs over nodes.
func (w *walk) isServer(e ast.Expr) bool {
	e = ast.Unparen(e)
	if w.isServerType(w.info.TypeOf(e)) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return w.runs(e)
	case *ast.CallExpr: // a conversion
		return len(e.Args) == 1 && w.info.Types[e.Fun].IsType() && w.isServer(e.Args[0])
	}
	return false
}

// runs reports whether a variable runs over nodes.
func (w *walk) runs(id *ast.Ident) bool {
	_, yes := w.loops[w.object(id)]
	return yes
}

// fixed reports whether an expression is known to be a node outside the role.
func (w *walk) fixed(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		over, yes := w.loops[w.object(e)]
		return yes && (over.End() <= w.First || w.End() <= over.First)
	case *ast.CallExpr: // a conversion
		return len(e.Args) == 1 && w.info.Types[e.Fun].IsType() && w.fixed(e.Args[0])
	}
	return false
}

func (w *walk) object(id *ast.Ident) types.Object {
	if x := w.info.Uses[id]; x != nil {
		return x
	}
	return w.info.Defs[id]
}

// isSet reports whether an expression is a set of nodes.
func (w *walk) isSet(e ast.Expr) bool {
	n := named(types.Unalias(w.typeOf(e)), initial.Vocabulary, "Set")
	return n != nil && n.TypeArgs().Len() == 1 && w.isServerType(n.TypeArgs().At(0))
}

func (w *walk) typeOf(e ast.Expr) types.Type {
	if t := w.info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// constant judges a constant expression: none may be a node of the role.
func (w *walk) constant(e ast.Expr, v constant.Value) {
	if !w.isServerType(w.info.TypeOf(e)) || v.Kind() != constant.Int {
		return
	}
	x, ok := constant.Int64Val(v)
	if !ok || !w.is(x) {
		return
	}
	if loop, ok := w.parent().(*ast.RangeStmt); ok && ast.Unparen(loop.X) == ast.Unparen(e) && x == int64(w.First) {
		return // a loop over all nodes before the role
	}
	for k := len(w.stack) - 1; k >= max(0, len(w.stack)-2); k-- { // where a loop begins
		if loop, ok := w.stack[k].(*ast.ForStmt); ok && loop.Init != nil && loop.Init.Pos() <= e.Pos() && e.End() <= loop.Init.End() && x == int64(w.First) {
			return
		}
	}
	if b, ok := w.parent().(*ast.BinaryExpr); ok && ordered(b.Op) {
		return // judged there
	}
	w.refuse(e, "names %s %d", w.Name, int(x)-w.First+w.Number)
}

func ordered(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

func (w *walk) binary(n *ast.BinaryExpr) bool {
	switch n.Op {
	case token.LAND, token.LOR:
		if is, known := w.truth(n.X); known && is == (n.Op == token.LOR) {
			return false
		}
		return true
	case token.EQL, token.NEQ:
		return true
	}
	servers := w.isServer(n.X) || w.isServer(n.Y)
	sets := w.isSet(n.X) || w.isSet(n.Y)
	switch {
	case servers && ordered(n.Op):
		if !w.fixed(n.X) && !w.fixed(n.Y) && !w.testsRole(n) {
			w.refuse(n, "orders %ss", w.Name)
		}
	case servers:
		w.refuse(n, "computes with a %s", w.Name)
	case sets && n.Op != token.AND && n.Op != token.OR && n.Op != token.AND_NOT && n.Op != token.XOR:
		w.refuse(n, "computes with a set of %ss", w.Name)
	}
	return true
}

// testsRole reports whether a comparison only tells nodes of the role from others or from none.
func (w *walk) testsRole(n *ast.BinaryExpr) bool {
	op, v := n.Op, w.value(n.Y)
	if v == nil {
		if v = w.value(n.X); v == nil {
			return false
		}
		op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}[op]
	}
	x, ok := constant.Int64Val(constant.ToInt(v))
	if op == token.LEQ || op == token.GTR { // x <= 1 is x < 2
		x++
	}
	return ok && (x <= int64(w.First) || x >= int64(w.End()))
}

// dimension returns the field that an array is of, and how many indices were applied already.
func (w *walk) dimension(e ast.Expr) (site string, depth int, known bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		s := w.info.Selections[e]
		if s == nil || len(s.Index()) != 1 {
			return "", 0, false
		}
		t := s.Recv()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			if named, ok := types.Unalias(s.Type()).(*types.Named); ok {
				return named.Obj().Name(), 0, true
			}
			return n.Obj().Name() + "." + e.Sel.Name, 0, true
		}
	case *ast.IndexExpr:
		if site, depth, known = w.dimension(e.X); known {
			if named, ok := types.Unalias(w.typeOf(e)).(*types.Named); ok {
				return named.Obj().Name(), 0, true
			}
			return site, depth + 1, true
		}
	}
	return "", 0, false
}
