package speclint

import (
	"go/ast"
	"go/token"
	"go/types"
)

// index finds declarations and uses by their objects.
type index struct {
	info   *types.Info
	decls  map[*types.Func]*ast.FuncDecl
	params map[*types.Var]param
	calls  map[*types.Func][]*ast.CallExpr // calls by name
	// valued are the functions that are used other than by calling them: who calls those is not
	// known.
	valued map[*types.Func]bool
	// assigned are the variables that are written after their declaration or whose address is
	// taken.
	assigned map[*types.Var]bool
	// values are the initialisers of package-level variables, where each has its own.
	values map[*types.Var]ast.Expr
	// opened are the calls by their opening parenthesis, where the SSA form has them.
	opened map[token.Pos]*ast.CallExpr
	// written are the identifiers at the root of what is assigned to.
	written map[*ast.Ident]bool
}

// param is the k-th parameter, counted from 0 and without the receiver, of a declared function.
type param struct {
	fn       *types.Func
	k        int
	variadic bool
}

func newIndex(files []*ast.File, info *types.Info) *index {
	x := &index{
		info:  info,
		decls: map[*types.Func]*ast.FuncDecl{}, params: map[*types.Var]param{},
		calls: map[*types.Func][]*ast.CallExpr{}, valued: map[*types.Func]bool{},
		assigned: map[*types.Var]bool{}, values: map[*types.Var]ast.Expr{}, opened: map[token.Pos]*ast.CallExpr{}, written: map[*ast.Ident]bool{},
	}
	for _, f := range files {
		called := map[*ast.Ident]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			x.add(n, called)
			return true
		})
	}
	return x
}

func (x *index) add(n ast.Node, called map[*ast.Ident]bool) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		x.declare(n)
	case *ast.ValueSpec:
		for k, name := range n.Names {
			if v, ok := x.info.Defs[name].(*types.Var); ok && len(n.Values) == len(n.Names) {
				x.values[v] = n.Values[k]
			}
		}
	case *ast.CallExpr:
		x.opened[n.Lparen] = n
		if id := funcName(n.Fun); id != nil {
			if fn, ok := x.info.Uses[id].(*types.Func); ok {
				called[id] = true
				x.calls[fn.Origin()] = append(x.calls[fn.Origin()], n)
			}
		}
	case *ast.Ident:
		if fn, ok := x.info.Uses[n].(*types.Func); ok && !called[n] {
			x.valued[fn.Origin()] = true
		}
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			x.write(e)
		}
	case *ast.IncDecStmt:
		x.write(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			x.write(n.Key)
			x.write(n.Value)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			if v, ok := x.variable(x.root(n.X)); ok {
				x.assigned[v] = true
			}
		}
	}
}

func (x *index) declare(d *ast.FuncDecl) {
	fn, ok := x.info.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	x.decls[fn] = d
	sig := fn.Signature()
	for k := range sig.Params().Len() {
		x.params[sig.Params().At(k)] = param{fn, k, sig.Variadic() && k == sig.Params().Len()-1}
	}
}

func (x *index) write(e ast.Expr) {
	id := x.root(e)
	if v, ok := x.variable(id); ok {
		x.assigned[v] = true
		x.written[id] = true
	}
}

func (x *index) variable(id *ast.Ident) (*types.Var, bool) {
	if id == nil {
		return nil, false
	}
	v, ok := x.info.Uses[id].(*types.Var)
	return v, ok
}

// arguments returns what the calls of p's function pass for p; known is false where there may be
// calls that are not seen.
func (x *index) arguments(p param) (args []ast.Expr, known bool) {
	if x.valued[p.fn] || p.fn.Exported() && len(x.calls[p.fn]) == 0 {
		return nil, false
	}
	for _, c := range x.calls[p.fn] {
		switch {
		case len(c.Args) == 1 && p.fn.Signature().Params().Len() > 1:
			return nil, false // f(g()) with several results
		case p.variadic && c.Ellipsis == token.NoPos:
			if p.k < len(c.Args) {
				args = append(args, c.Args[p.k:]...)
			}
		case p.k < len(c.Args):
			args = append(args, c.Args[p.k])
		}
	}
	return args, true
}

// root returns the variable at the root of an operand, as s in s.Up[i] and in *s, or the variable
// of another package.
func (x *index) root(e ast.Expr) *ast.Ident {
	for {
		switch y := e.(type) {
		case *ast.Ident:
			return y
		case *ast.ParenExpr:
			e = y.X
		case *ast.StarExpr:
			e = y.X
		case *ast.IndexExpr:
			e = y.X
		case *ast.SliceExpr:
			e = y.X
		case *ast.SelectorExpr:
			if id, ok := y.X.(*ast.Ident); ok {
				if _, qualified := x.info.Uses[id].(*types.PkgName); qualified {
					return y.Sel
				}
			}
			e = y.X
		default:
			return nil
		}
	}
}

// funcName returns the identifier of what a call calls by name, instantiated or not; nil for
// function values and literals.
func funcName(fun ast.Expr) *ast.Ident {
	switch e := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return funcName(e.X)
	case *ast.IndexListExpr:
		return funcName(e.X)
	}
	return nil
}
