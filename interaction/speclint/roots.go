package speclint

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// root is a function through which a checker or a monitor enters the specification.
type root struct {
	entry
	expr ast.Expr // where it is given
	// *ast.FuncLit or *ast.FuncDecl; several where parameters of a constructor stand between. What
	// runs at the start has its expression before them.
	fns   []ast.Node
	known bool // there are no more functions than fns
}

// roots returns the entries of the specification. A function of a step that cannot be found is
// reported.
func (l *linter) roots(actions []*action) (out []*root) {
	l.declared, l.allowed = map[types.Object]*action{}, map[*ast.Ident]bool{}
	title := map[ast.Expr]string{}
	for _, a := range actions {
		if a.declared != nil {
			l.declared[l.TypesInfo.Defs[a.declared]] = a
		}
		title[a.at] = " " + strings.TrimPrefix(a.title(), "action ")
	}
	l.given(func(e entry, expr ast.Expr, in *ast.CompositeLit) {
		if l.TypesInfo.Types[expr].IsNil() {
			return
		}
		if in != nil {
			field := l.fieldsOf(in)
			e.what += title[in] + l.constant(field["ID"]) + l.constant(field["Instance"])
		}
		r := &root{entry: e, expr: expr}
		if r.fns, r.known = l.resolve(expr, map[types.Object]bool{}); e.start {
			r.fns = append([]ast.Node{expr}, r.fns...)
		} else if !r.known {
			l.reportUnknown(r)
		}
		if e.memory {
			l.allowMemory(r.fns)
		}
		out = append(out, r)
	})
	// Fields come out of a map.
	slices.SortStableFunc(out, func(a, b *root) int { return int(a.expr.Pos() - b.expr.Pos()) })
	return out
}

func (l *linter) reportUnknown(r *root) {
	l.report(r.expr, functionUnknown, "%s is given as %s, which is no function of this package", r.what, types.ExprString(r.expr))
}

// checkStarts reports functions of the start that cannot be found, where nothing else was found.
func (l *linter) checkStarts(roots []*root) {
	for _, r := range roots {
		reported := false
		for f := range l.found {
			reported = reported || r.expr.Pos() <= f.pos && f.pos < r.expr.End()
		}
		if r.start && !r.known && !reported {
			l.reportUnknown(r)
		}
	}
}

// allowMemory notes the types of parameters, which package modules asks for.
func (l *linter) allowMemory(fns []ast.Node) {
	for _, fn := range fns {
		var typ *ast.FuncType
		switch fn := fn.(type) {
		case *ast.FuncLit:
			typ = fn.Type
		case *ast.FuncDecl:
			typ = fn.Type
		default:
			continue
		}
		ast.Inspect(typ, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				l.allowed[id] = true
			}
			return true
		})
	}
}

// constant returns a space and the constant text e, "" where there is none.
func (l *linter) constant(e ast.Expr) string {
	if e == nil || l.TypesInfo.Types[e].Value == nil {
		return ""
	}
	return " " + constant.StringVal(l.TypesInfo.Types[e].Value)
}

// resolve finds the functions that e may be: literals, declared functions, what a constructor of
// this package is given or returns. known is false where it may be more than those.
func (l *linter) resolve(e ast.Expr, seen map[types.Object]bool) (fns []ast.Node, known bool) {
	e = ast.Unparen(e)
	if l.TypesInfo.Types[e].IsNil() {
		return nil, true
	}
	switch x := e.(type) {
	case *ast.FuncLit:
		return []ast.Node{x}, true
	case *ast.CallExpr:
		return l.resolveCall(x, seen)
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		if sel := l.TypesInfo.Selections[s]; sel != nil && sel.Kind() != types.MethodExpr {
			return l.resolveField(s, seen) // or a bound method
		}
	}
	id := funcName(e)
	if id == nil {
		return nil, false
	}
	switch o := l.TypesInfo.Uses[id].(type) {
	case *types.Func:
		if d := l.index.decls[o.Origin()]; d != nil && d.Body != nil {
			return []ast.Node{d}, true
		}
		return nil, pathOf(o) == modulesPath // as modules.Once
	case *types.Var:
		if value := l.index.values[o]; value != nil && isDomain(o.Type()) && !l.index.assigned[o] && !seen[o] {
			seen[o] = true
			return l.resolve(value, seen)
		}
		p, ok := l.index.params[o]
		if !ok || l.index.assigned[o] {
			return nil, false
		}
		if seen[o] {
			return nil, true
		}
		seen[o] = true
		args, known := l.index.arguments(p)
		for _, a := range args {
			more, ok := l.resolve(a, seen)
			fns, known = append(fns, more...), known && ok
		}
		return fns, known
	}
	return nil, false
}

// resolveField finds the function that a field of a declared action has: the guard of one action
// may be that of another.
func (l *linter) resolveField(s *ast.SelectorExpr, seen map[types.Object]bool) (fns []ast.Node, known bool) {
	id, ok := ast.Unparen(s.X).(*ast.Ident)
	if !ok {
		return nil, false
	}
	of := l.TypesInfo.Uses[id]
	a := l.declared[of]
	if a == nil || a.field[s.Sel.Name] == nil || seen[of] {
		return nil, false
	}
	seen[of] = true
	return l.resolve(a.field[s.Sel.Name], seen)
}

// ofDeclared returns the functions of Guard, Effect or Params of a declared action, where s selects
// one that is known, and the name of the action. A declaration is no variable: nothing changes it.
func (l *linter) ofDeclared(s *ast.SelectorExpr) ([]ast.Node, *ast.Ident) {
	id, ok := ast.Unparen(s.X).(*ast.Ident)
	if _, is := fields[field{"Action", s.Sel.Name}]; !ok || !is {
		return nil, nil
	}
	fns, known := l.resolveField(s, map[types.Object]bool{})
	if !known {
		return nil, nil
	}
	return fns, id
}

// resolveCall finds the functions that a conversion or a call of a function of this package gives.
func (l *linter) resolveCall(c *ast.CallExpr, seen map[types.Object]bool) (fns []ast.Node, known bool) {
	if l.TypesInfo.Types[c.Fun].IsType() {
		return l.resolve(c.Args[0], seen)
	}
	id := funcName(c.Fun)
	if id == nil {
		return nil, false
	}
	fn, ok := l.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return nil, false
	}
	d := l.index.decls[fn.Origin()]
	if d == nil && pathOf(fn) == modulesPath {
		return nil, true // a domain
	}
	if d == nil || d.Body == nil || fn.Signature().Results().Len() != 1 {
		return nil, false
	}
	if seen[fn] {
		return nil, true
	}
	seen[fn] = true
	known = true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) != 1 {
				known = false
				return true
			}
			more, ok := l.resolve(n.Results[0], seen)
			fns, known = append(fns, more...), known && ok
		}
		return true
	})
	return fns, known
}
