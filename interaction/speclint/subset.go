package speclint

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// checkSubset compares specification code with the subset of Go, syntactically.
func (l *linter) checkSubset() {
	for _, n := range l.reach.steps {
		ast.Inspect(n, func(n ast.Node) bool { return l.checkNode(n, true) })
	}
	for _, n := range l.reach.starts {
		ast.Inspect(n, func(n ast.Node) bool { return l.checkNode(n, false) })
	}
}

// checkNode checks one node of code that runs at every step, or at the start only; it reports
// whether to continue within it.
func (l *linter) checkNode(n ast.Node, step bool) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		l.report(n, concurrency, "a goroutine is started")
	case *ast.SelectStmt:
		l.report(n, concurrency, "select waits for channels")
		return false
	case *ast.SendStmt:
		l.report(n, concurrency, "something is sent to a channel")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			l.report(n, concurrency, "something is received from a channel")
		}
	case *ast.DeferStmt:
		l.report(n, unwinding, "a call is deferred")
	case *ast.RangeStmt:
		l.checkRange(n, step)
	case *ast.CompositeLit:
		l.checkMap(n, l.TypesInfo.TypeOf(n), "is made")
	case *ast.IndexExpr:
		l.checkMap(n, l.TypesInfo.TypeOf(n.X), "is used")
	case *ast.TypeAssertExpr:
		l.report(n, dynamicDispatch, "the type of %s decides at run time", types.ExprString(n.X))
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			l.checkBuiltin(n, l.builtin(id))
		}
	case *ast.SelectorExpr:
		l.checkSelector(n)
	case *ast.Ident:
		l.checkIdent(n, step)
	}
	if e, ok := n.(ast.Expr); ok {
		return l.checkNumber(e)
	}
	return true
}

func (l *linter) checkRange(n *ast.RangeStmt, step bool) {
	t := l.TypesInfo.TypeOf(n.X)
	switch t.Underlying().(type) {
	case *types.Map:
		l.report(n, mapUsed, "%s is a map and iterated over", types.ExprString(n.X))
	case *types.Chan:
		l.report(n, concurrency, "the loop receives from a channel")
	case *types.Signature:
		if step {
			l.report(n, rangeOverFunc, "the loop ranges over the function %s", types.ExprString(n.X))
		}
	}
}

func (l *linter) checkMap(at analysis.Range, t types.Type, what string) {
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Map); ok {
		l.report(at, mapUsed, "a value of type %s %s", l.typeString(t), what)
	}
}

func (l *linter) checkBuiltin(c *ast.CallExpr, name string) {
	switch name {
	case "panic", "recover":
		l.report(c, unwinding, "%s is called", name)
	case "print", "println":
		l.report(c, foreignCall, "%s writes to the terminal", name)
	case "close":
		l.report(c, concurrency, "a channel is closed")
	case "make":
		t := l.TypesInfo.TypeOf(c)
		l.checkMap(c, t, "is made")
		if _, ok := t.Underlying().(*types.Chan); ok {
			l.report(c, concurrency, "a channel is made")
		}
	case "delete":
		l.checkMap(c, l.TypesInfo.TypeOf(c.Args[0]), "is used")
	}
}

// checkSelector reports methods that are chosen at run time. A method of a type parameter is one:
// the function that has the parameter is analysed once, for all types.
func (l *linter) checkSelector(n *ast.SelectorExpr) {
	sel := l.TypesInfo.Selections[n]
	if sel != nil && sel.Kind() != types.FieldVal && types.IsInterface(sel.Recv()) {
		l.report(n, dynamicDispatch, "%s is a method of the interface %s", n.Sel.Name, l.typeString(sel.Recv()))
	}
}

func (l *linter) checkIdent(id *ast.Ident, step bool) {
	switch o := l.TypesInfo.Uses[id].(type) {
	case *types.Var:
		l.checkPackageVar(id, o, step)
	case *types.Func:
		recv := o.Signature().Recv()
		if o.Pkg() == l.Pkg && (recv == nil || !types.IsInterface(recv.Type())) {
			if d := l.index.decls[o.Origin()]; d == nil || d.Body == nil {
				l.report(id, foreignCall, "%s has no body in Go", o.Name())
			}
		} else if !(recv != nil && types.IsInterface(recv.Type())) && !l.callable(o) && !l.follows(o) {
			l.report(id, foreignCall, "%s is not known to the analysis", o.FullName())
		}
	case *types.TypeName:
		if pathOf(o) == "unsafe" && !l.allowed[id] {
			l.report(id, foreignCall, "unsafe.%s goes around the types", o.Name())
		}
	case *types.Builtin:
		if pathOf(o) == "unsafe" && !layout[o.Name()] {
			l.report(id, foreignCall, "unsafe.%s goes around the types", o.Name())
		}
	}
}

// follows reports whether a call breaks a rule only because a field of the State, or of a message,
// is not flat. The error is reported at that field and not at its uses.
func (l *linter) follows(o *types.Func) bool {
	return l.unflat && pathOf(o) == modulesPath && plainSignature(o.Origin().Signature())
}

// layout are the functions of package unsafe that are constants.
var layout = map[string]bool{"Sizeof": true, "Alignof": true, "Offsetof": true}

// checkPackageVar reports the use of a variable of any package. At the start, domains of the
// package may stand in variables. A quorum stands in a variable, which nothing assigns to: see
// catalogTypes.
func (l *linter) checkPackageVar(id *ast.Ident, v *types.Var, step bool) {
	if v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || l.allowed[id] {
		return
	}
	switch {
	case l.index.written[id]:
		l.report(id, packageVarWritten, "%s is a package variable and written", v.Name())
	case isQuorum(v.Type()) && l.index.values[v] != nil:
	case step || !isDomain(v.Type()) || l.index.values[v] == nil:
		l.report(id, packageVarRead, "%s is a package variable", v.Name())
	}
}

// checkNumber reports the outermost expression of floating-point type; constants are exact.
func (l *linter) checkNumber(e ast.Expr) bool {
	tv, ok := l.TypesInfo.Types[e]
	if id, isIdent := e.(*ast.Ident); isIdent && !ok {
		if v, isVar := l.TypesInfo.Defs[id].(*types.Var); isVar {
			tv, ok = types.TypeAndValue{Type: v.Type()}, true
		}
	}
	if !ok || tv.Value != nil || tv.IsType() || tv.Type == nil {
		return true
	}
	if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&(types.IsFloat|types.IsComplex) != 0 {
		l.report(e, floatingPoint, "%s has type %s", types.ExprString(e), l.typeString(tv.Type))
		return false
	}
	return true
}
