package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// states finds the parameters that point to a State. An effect has the state before first. Of the
// parameters of other functions the one that is written is the state after.
func (o *operators) states() {
	var read, written []string
	for k, v := range o.pointers(o.recv, o.typ) {
		switch {
		case v == nil || v.Name() == "_" || v.Name() == "":
		case o.step && k == 0 || !o.step && !o.writes(o.body, v, nil):
			read = append(read, v.Name())
		default:
			written = append(written, v.Name())
		}
	}
	if len(read) > 0 {
		o.old = read[0]
	}
	if len(written) == 1 {
		o.next = written[0]
	}
}

// pointers returns the parameters of a function that point to a State, the receiver first. One
// without a name is nil.
func (x *finder) pointers(recv *ast.FieldList, typ *ast.FuncType) (out []*types.Var) {
	for _, list := range []*ast.FieldList{recv, typ.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			if !x.isState(x.p.Info.TypeOf(f.Type)) {
				continue
			}
			for _, id := range f.Names {
				v, _ := x.p.Info.Defs[id].(*types.Var)
				out = append(out, v)
			}
			if len(f.Names) == 0 {
				out = append(out, nil)
			}
		}
	}
	return out
}

// writes reports whether code changes the State that a parameter points to, itself or by what it
// calls. Busy are the functions that are being asked.
func (x *finder) writes(body ast.Node, v *types.Var, busy []*ast.FuncDecl) (found bool) {
	root := func(e ast.Expr) bool {
		for {
			switch y := e.(type) {
			case *ast.SelectorExpr:
				e = y.X
			case *ast.IndexExpr:
				e = y.X
			case *ast.StarExpr:
				e = y.X
			case *ast.Ident:
				return x.p.Info.Uses[y] == v
			default:
				return false
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if _, local := l.(*ast.Ident); !local && root(l) {
					found = true
				}
			}
		case *ast.IncDecStmt:
			found = found || root(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && root(n.X)
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && x.mayWrite(sel) && root(sel.X) {
				if id, whole := sel.X.(*ast.Ident); !whole || id == nil {
					found = true
				}
			}
			found = found || x.calleeWrites(n, v, busy)
		}
		return !found
	})
	return found
}

// calleeWrites reports whether a function of the package writes the State that it is given.
func (x *finder) calleeWrites(call *ast.CallExpr, v *types.Var, busy []*ast.FuncDecl) bool {
	var args []ast.Expr
	var id *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id, args = f.Sel, []ast.Expr{f.X}
	}
	fn, ok := x.p.Info.Uses[id].(*types.Func)
	if !ok {
		return false
	}
	d := x.funcs[fn.Origin()]
	if d == nil || slices.Contains(busy, d) {
		return false
	}
	if d.Recv == nil {
		args = nil
	}
	states := x.pointers(d.Recv, d.Type)
	k := 0
	for _, a := range append(args, call.Args...) {
		if !x.isState(x.p.Info.TypeOf(a)) || k >= len(states) {
			continue
		}
		if id, ok := a.(*ast.Ident); ok && x.p.Info.Uses[id] == v && states[k] != nil && x.writes(d.Body, states[k], append(busy, d)) {
			return true
		}
		k++
	}
	return false
}

func (x *finder) isState(t types.Type) bool {
	ptr, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := ptr.Elem().(*types.Named)
	return ok && named.Obj().Name() == x.p.State && named.Obj().Pkg() == x.p.Types
}

// mayWrite reports whether a called method has a pointer to its receiver. Called on an old value it
// would change the state before the step.
func (x *finder) mayWrite(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := x.p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return false
	}
	f, ok := s.Obj().(*types.Func)
	if !ok {
		return false
	}
	_, pointer := f.Signature().Recv().Type().(*types.Pointer)
	return pointer
}
