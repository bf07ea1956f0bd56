package interaction

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

const eql = token.EQL

// order looks for code that tells servers apart: that compares them by more than equality, computes with them, makes numbers of them or
// them of numbers, or names one. Loops over all servers are allowed, and variables of other types that run over them count as servers.
// That the order of such a loop does not matter is not seen here: reduce.Symmetry.Equivariant tests it.
//
// It reads the syntax of everything that roots use, without branches that constants rule out.
type order struct {
	p       *Program
	out     *Symmetry
	server  *types.Named
	servers *types.Const
	count   int
	derived map[types.Object]bool // constants that follow from servers and have its value
	arrays  map[string]bool       // as modules.Identities has them

	decls map[types.Object]ast.Node // functions, and initial values of variables
	done  map[ast.Node]bool
	what  string // what is read, for findings
	loops map[types.Object]bool
	stack []ast.Node
}

// declare finds what can be used by name.
func (o *order) declare() {
	o.decls, o.loops = map[types.Object]ast.Node{}, map[types.Object]bool{}
	for _, s := range o.p.sources {
		for _, f := range s.syntax {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					o.decls[s.info.Defs[d.Name]] = d
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
							for k, name := range v.Names {
								if k < len(v.Values) && !o.isAction(s.info.Defs[name]) {
									o.decls[s.info.Defs[name]] = v.Values[k]
								}
							}
						}
					}
				}
			}
		}
	}
}

// isAction reports whether a variable is an action or the catalog: what is chosen of them is a root itself.
func (o *order) isAction(v types.Object) bool {
	return isNamed(v.Type(), modulesPath, "Action") != nil || isNamed(v.Type(), grainsPath, "System") != nil
}

func (o *order) info(at token.Pos) *types.Info {
	for _, s := range o.p.sources {
		for _, f := range s.syntax {
			if f.FileStart <= at && at < f.FileEnd {
				return s.info
			}
		}
	}
	return o.p.main.info
}

// walk reads a function or an initial value, once.
func (o *order) walk(n ast.Node) {
	if o.done[n] {
		return
	}
	o.done[n] = true
	outer := o.stack
	v := &orderWalk{order: o, info: o.info(n.Pos())}
	o.stack = nil
	v.visit(n)
	o.stack = outer
}

// orderWalk is the reading of one function.
type orderWalk struct {
	*order
	info *types.Info
}

func (w *orderWalk) visit(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		if !w.node(n) {
			return false
		}
		w.stack = append(w.stack, n)
		return true
	})
}

// parent is the node around the one in hand, but for parentheses.
func (w *orderWalk) parent() ast.Node {
	for k := len(w.stack) - 1; k >= 0; k-- {
		if _, ok := w.stack[k].(*ast.ParenExpr); !ok {
			return w.stack[k]
		}
	}
	return nil
}

func (w *orderWalk) refuse(n ast.Node, format string, args ...any) {
	f := finding(Asymmetric, placeOf(w.p.fset.Position(n.Pos())), w.what+" "+format, args...)
	for _, have := range w.out.Findings {
		if have.Place == f.Place {
			return
		}
	}
	w.out.Findings = append(w.out.Findings, f.remedy("symmetry needs servers that are told apart by equality alone: check without it, or change the specification"))
}

// node judges a node and reports whether its parts are to be read.
func (w *orderWalk) node(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok {
		if v := w.value(e); v != nil {
			w.constant(e, v)
			if id, ok := n.(*ast.Ident); !ok || !w.loops[w.object(id)] {
				return false
			}
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		return w.ifStmt(n)
	case *ast.BlockStmt:
		w.stack = append(w.stack, n)
		for _, s := range n.List {
			if w.visit(s); w.returns(s) {
				break // constants rule out what is behind
			}
		}
		w.stack = w.stack[:len(w.stack)-1]
		return false
	case *ast.BinaryExpr:
		return w.binary(n)
	case *ast.RangeStmt:
		w.rangeOver(n)
	case *ast.ForStmt:
		w.forLoop(n)
	case *ast.UnaryExpr:
		if w.isServer(n.X) && n.Op != token.AND {
			w.refuse(n, "computes with a server")
		}
	case *ast.IncDecStmt:
		if loop, ok := w.parent().(*ast.ForStmt); w.isServer(n.X) && !(ok && loop.Post == ast.Stmt(n)) {
			w.refuse(n, "computes with a server")
		}
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && w.isServer(n.Lhs[0]) {
			w.refuse(n, "computes with a server")
		}
	case *ast.CallExpr:
		w.call(n)
	case *ast.IndexExpr:
		w.index(n)
	case *ast.Ident:
		w.ident(n)
	case *ast.SwitchStmt:
		if n.Tag != nil && w.isServer(n.Tag) {
			break // cases are constants, which are judged as such
		}
	}
	return true
}

func (w *orderWalk) ifStmt(n *ast.IfStmt) bool {
	is, known := w.truth(n.Cond)
	if !known {
		return true
	}
	parts := []ast.Node{}
	if n.Init != nil {
		parts = append(parts, n.Init)
	}
	if is {
		parts = append(parts, n.Body)
	} else if n.Else != nil {
		parts = append(parts, n.Else)
	}
	for _, p := range parts {
		w.visit(p)
	}
	return false
}

// returns reports whether a statement returns always.
func (w *orderWalk) returns(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		return len(s.List) > 0 && w.returns(s.List[len(s.List)-1])
	case *ast.IfStmt:
		is, known := w.truth(s.Cond)
		return known && (is && w.returns(s.Body) || !is && s.Else != nil && w.returns(s.Else))
	}
	return false
}

// rangeOver notes variables that run over the servers.
func (w *orderWalk) rangeOver(n *ast.RangeStmt) {
	key, ok := n.Key.(*ast.Ident)
	if !ok {
		return
	}
	t := types.Unalias(w.typeOf(n.X)).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Array:
		if site, depth, known := w.dimension(n.X); known && !w.arrays[site+"/"+string(rune('0'+depth))] || int(t.Len()) != w.count {
			return
		}
	case *types.Basic:
		if v := w.value(n.X); v == nil || !w.mentions(n.X) || !w.isCountOf(v) {
			return
		}
	default:
		return
	}
	if x := w.object(key); x != nil {
		w.loops[x] = true
	}
}

// forLoop notes the variable of a loop from 0 to the number of servers.
func (w *orderWalk) forLoop(n *ast.ForStmt) {
	c, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || c.Op != token.LSS || !w.mentions(c.Y) {
		return
	}
	if v := w.value(c.Y); v == nil || !w.isCountOf(v) {
		return
	}
	if id, ok := c.X.(*ast.Ident); ok && w.object(id) != nil {
		w.loops[w.object(id)] = true
	}
}

// index judges an index: of an array of servers it must be a server.
func (w *orderWalk) index(n *ast.IndexExpr) {
	site, depth, known := w.dimension(n.X)
	if known && w.arrays[site+"/"+string(rune('0'+depth))] && !w.isServer(n.Index) {
		w.refuse(n.Index, "chooses an element of %s by a number that is no server", strings.TrimPrefix(site, "State."))
	}
}

// ident reads what a name stands for, and judges the uses of numbers that run over servers.
func (w *orderWalk) ident(id *ast.Ident) {
	x := w.info.Uses[id]
	if f, ok := x.(*types.Func); ok {
		x = f.Origin()
	}
	if d := w.decls[x]; d != nil {
		w.walk(d)
	}
	if x == nil || !w.loops[x] || w.isServerType(x.Type()) {
		return
	}
	switch p := w.parent().(type) {
	case *ast.IndexExpr:
		if ast.Unparen(p.Index) == ast.Expr(id) {
			return
		}
	case *ast.BinaryExpr, *ast.IncDecStmt: // judged there
		return
	case *ast.RangeStmt:
		return
	case *ast.CallExpr:
		if w.info.Types[p.Fun].IsType() {
			return // judged there
		}
	}
	w.refuse(id, "uses the number of a server")
}

// call judges conversions and functions that order their arguments.
func (w *orderWalk) call(n *ast.CallExpr) {
	if w.info.Types[n.Fun].IsType() && len(n.Args) == 1 {
		w.conversion(n)
		return
	}
	servers := false
	for _, a := range n.Args {
		servers = servers || w.isServer(a)
	}
	if !servers {
		return
	}
	var called types.Object
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		called = w.info.Uses[f]
	case *ast.SelectorExpr:
		called = w.info.Uses[f.Sel]
	}
	switch {
	case called == nil:
	case called.Pkg() == nil && (called.Name() == "min" || called.Name() == "max"), called.Pkg() != nil && called.Pkg().Path() == "cmp":
		w.refuse(n, "orders servers")
	}
}

func (w *orderWalk) conversion(n *ast.CallExpr) {
	from, to := n.Args[0], w.typeOf(n.Fun)
	set := isNamed(types.Unalias(to), modulesPath, "Set")
	basic, isBasic := to.Underlying().(*types.Basic)
	switch {
	case w.isServerType(to):
		if !w.isServer(from) {
			w.refuse(n, "makes a server of a number")
		}
	case set != nil:
		if !w.isSet(from) && w.isServerType(set.TypeArgs().At(0)) {
			w.refuse(n, "makes a set of servers of a number")
		}
	case !isBasic || basic.Info()&types.IsInteger == 0:
	case w.isSet(from):
		w.refuse(n, "makes a number of a set of servers")
	case w.isServer(from):
		switch p := w.parent().(type) {
		case *ast.IndexExpr:
			if ast.Unparen(p.Index) == ast.Expr(n) {
				return
			}
		case *ast.BinaryExpr:
			return // judged there
		case *ast.CallExpr:
			if w.isServerType(w.typeOf(p.Fun)) {
				return
			}
		}
		w.refuse(n, "makes a number of a server")
	}
}
