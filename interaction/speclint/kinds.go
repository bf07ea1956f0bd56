package speclint

import (
	"go/ast"
	"go/types"
)

// checkKinds requires the kinds of messages as constants wherever specification code names them:
// where a channel is asked for kinds, where a message is made, where its kind is set. A kind may
// come through a parameter if every call gives a constant.
func (l *linter) checkKinds() {
	for _, n := range append(l.reach.steps, l.reach.starts...) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				l.checkKindArguments(n)
			case *ast.CompositeLit:
				if kind := l.messages[types.Unalias(l.TypesInfo.TypeOf(n))]; kind != nil {
					l.checkMessageKind(n)
				}
			case *ast.AssignStmt:
				for k, e := range n.Lhs {
					if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && l.isKindField(s) {
						l.checkKind(n.Rhs[min(k, len(n.Rhs)-1)], "the kind of a message is set to")
					}
				}
			}
			return true
		})
	}
}

// checkKindArguments checks the variadic arguments of Is, Peek and Recv.
func (l *linter) checkKindArguments(c *ast.CallExpr) {
	id := funcName(c.Fun)
	if id == nil {
		return
	}
	fn, ok := l.TypesInfo.Uses[id].(*types.Func)
	if !ok || pathOf(fn) != modulesPath || !fn.Signature().Variadic() {
		return
	}
	if typ, _ := receiver(fn); typ != "Net" && typ != "Bag" {
		return
	}
	first := fn.Signature().Params().Len() - 1
	if len(c.Args) == first {
		l.report(c, kindNotConstant, "%s is asked for no kind", fn.Name())
	}
	for _, e := range c.Args[min(first, len(c.Args)):] {
		l.checkKind(e, fn.Name()+" is asked for")
	}
}

func (l *linter) checkMessageKind(c *ast.CompositeLit) {
	s := l.TypesInfo.TypeOf(c).Underlying().(*types.Struct)
	if e := l.fieldsOf(c)[s.Field(0).Name()]; e != nil {
		l.checkKind(e, "a message is made with kind")
	}
}

// isKindField reports whether s selects the kind of a message.
func (l *linter) isKindField(s *ast.SelectorExpr) bool {
	sel := l.TypesInfo.Selections[s]
	if sel == nil || sel.Kind() != types.FieldVal {
		return false
	}
	for msg := range l.messages {
		if u, ok := msg.Underlying().(*types.Struct); ok && sel.Obj() == u.Field(0) {
			return true
		}
	}
	return false
}

func (l *linter) checkKind(e ast.Expr, what string) {
	if !l.constantKind(e, map[*types.Var]bool{}) {
		l.report(e, kindNotConstant, "%s %s", what, types.ExprString(e))
	}
}

// constantKind reports whether e is a constant, or a parameter for which all calls give one.
func (l *linter) constantKind(e ast.Expr, seen map[*types.Var]bool) bool {
	e = ast.Unparen(e)
	if l.TypesInfo.Types[e].Value != nil {
		return true
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := l.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return false
	}
	p, ok := l.index.params[v]
	if !ok || l.index.assigned[v] {
		return false
	}
	if seen[v] {
		return true
	}
	seen[v] = true
	args, known := l.index.arguments(p)
	for _, a := range args {
		known = known && l.constantKind(a, seen)
	}
	return known
}
