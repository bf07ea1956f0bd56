package speclint

import (
	"go/ast"
	"go/types"
)

// reach is the specification code of a package.
type reach struct {
	// steps are the functions that run at every step: *ast.FuncLit or *ast.FuncDecl. Literals
	// within them belong to them.
	steps []ast.Node
	// starts run at the start only: Init, domains and what they alone reach.
	starts []ast.Node
}

// reachable follows the names of functions, called or not, from the roots. What runs at every step
// is followed first, so that the stricter rules apply to what both reach.
func (l *linter) reachable(roots []*root) *reach {
	r := &reach{}
	seen := map[ast.Node]bool{}
	for _, x := range roots {
		if !x.start {
			for _, fn := range x.fns {
				l.follow(fn, seen, &r.steps, false)
			}
		}
	}
	for _, x := range roots {
		if x.start {
			for _, e := range x.fns {
				l.follow(e, seen, &r.starts, true)
			}
		}
	}
	return r
}

func (l *linter) follow(n ast.Node, seen map[ast.Node]bool, out *[]ast.Node, start bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	*out = append(*out, n)
	ast.Inspect(n, func(m ast.Node) bool {
		if s, ok := m.(*ast.SelectorExpr); ok {
			fns, id := l.ofDeclared(s)
			if id != nil {
				l.allowed[id] = true
			}
			for _, fn := range fns {
				l.follow(fn, seen, out, start)
			}
		}
		id, ok := m.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := l.TypesInfo.Uses[id].(type) {
		case *types.Func:
			if d := l.index.decls[o.Origin()]; d != nil && d.Body != nil {
				l.follow(d, seen, out, start)
			}
		case *types.Var:
			if e := l.index.values[o]; e != nil && start && isDomain(o.Type()) {
				l.follow(e, seen, out, start)
			}
		}
		return true
	})
}
