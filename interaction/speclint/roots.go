package speclint

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// root is a function through which a checker enters the specification.
type root struct {
	what string   // for messages: "the guard of Crash"
	expr ast.Expr // where it is given
	// *ast.FuncLit or *ast.FuncDecl; several where parameters of a constructor stand between
	fns  []ast.Node
	step bool  // it runs at every step, and not only at the start
	keep []int // the parameters, counted from 0, through which it must not write
	rule Rule  // what it breaks if it does
}

// ruleFunctions are the functions of package modules that take one: where it stands and through
// which parameters it only reads.
var ruleFunctions = map[string]struct {
	what string
	arg  int
	keep []int
	rule Rule
}{
	"When":     {"the When rule", 1, []int{0}, readerWrites},
	"WhenAny":  {"the WhenAny rule", 0, []int{0}, readerWrites},
	"After":    {"the After rule", 1, []int{0}, effectWritesBefore},
	"AfterAny": {"the AfterAny rule", 0, []int{0}, effectWritesBefore},
	"OnStep":   {"the step property", 1, []int{0, 1}, readerWrites},
}

// roots returns the entries of the specification. A function that cannot be found is reported.
func (l *linter) roots(actions []*action, systems []*ast.CompositeLit) (out []*root) {
	add := func(r *root) {
		if r.expr == nil || l.TypesInfo.Types[r.expr].IsNil() {
			return
		}
		fns, known := l.resolve(r.expr, map[types.Object]bool{})
		if !known && r.step {
			l.report(r.expr, functionUnknown, "%s is given as %s, which is no function of this package", r.what, types.ExprString(r.expr))
		}
		r.fns = fns
		out = append(out, r)
	}
	l.declared = map[types.Object]*action{}
	for _, a := range actions {
		if a.declared != nil {
			l.declared[l.TypesInfo.Defs[a.declared]] = a
		}
	}
	for _, a := range actions {
		name := strings.TrimPrefix(a.title(), "action ")
		add(&root{what: "the guard of " + name, expr: a.field["Guard"], step: true, keep: []int{0}, rule: readerWrites})
		add(&root{what: "the effect of " + name, expr: a.field["Effect"], step: true, keep: []int{0}, rule: effectWritesBefore})
		if e := a.field["Params"]; e != nil {
			out = append(out, &root{what: "the domain of " + name, expr: e, fns: []ast.Node{e}})
		}
	}
	for _, c := range l.literals(func(t types.Type) bool { _, ok := vocabularyType(t, "Invariant"); return ok }) {
		field := l.fieldsOf(c)
		what := "invariant" + l.constant(field["ID"]) + l.constant(field["Instance"])
		add(&root{what: what, expr: field["State"], step: true, keep: []int{0}, rule: readerWrites})
		add(&root{what: what, expr: field["Step"], step: true, keep: []int{0, 1}, rule: readerWrites})
	}
	for _, c := range l.literals(func(t types.Type) bool { _, ok := vocabularyType(t, "Liveness"); return ok }) {
		field := l.fieldsOf(c)
		what := "liveness property" + l.constant(field["ID"])
		for _, way := range []string{"From", "To"} {
			add(&root{what: what, expr: field[way], step: true, keep: []int{0}, rule: readerWrites})
		}
	}
	for fn, calls := range l.index.calls {
		if fn.Name() == "LeadsTo" && pathOf(fn) == modulesPath && fn.Signature().Recv() == nil {
			for _, c := range calls {
				for _, arg := range c.Args[1:] {
					add(&root{what: "the liveness property", expr: arg, step: true, keep: []int{0}, rule: readerWrites})
				}
			}
		}
		at, ok := ruleFunctions[fn.Name()]
		if !ok || pathOf(fn) != modulesPath || fn.Signature().Recv() != nil {
			continue
		}
		for _, c := range calls {
			if at.arg < len(c.Args) {
				add(&root{what: at.what, expr: c.Args[at.arg], step: true, keep: at.keep, rule: at.rule})
			}
		}
	}
	for _, c := range systems {
		if e := l.fieldsOf(c)["Init"]; e != nil {
			out = append(out, &root{what: "Init", expr: e, fns: []ast.Node{e}})
		}
	}
	// The calls come out of a map.
	slices.SortStableFunc(out, func(a, b *root) int { return int(a.expr.Pos() - b.expr.Pos()) })
	return out
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
	case *types.Var:
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
