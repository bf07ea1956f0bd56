// Package order finds code that tells the nodes of a role apart in another way than by asking
// whether two are the same.
package order

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/internal/initial"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. The places of a specification's code that may tell the nodes of a role apart in
// another way than by asking whether two are the same.
//
// Why it is right. If code treats nodes as values without order, exchanging two of them exchanges
// the results. So everything else is refused: comparing nodes by order, computing with them,
// converting them to numbers or numbers to them, and naming one. Loops over all nodes of a role are
// allowed, and variables of other types that run over them count as nodes. A comparison with a node
// that is known to be outside the role is allowed: the answer is the same for all nodes of the
// role. Whether the order of a loop matters is not seen here: reduce.Symmetry tests it.
//
// What it costs. One pass over the syntax of each function and initial value that the roots use,
// without branches that constants rule out.
//
// Example. Of the clients, numbered 1 and 2, next to the server 0:
//
//	if s.Holder == p.I { ... }            allowed: equality
//	for i := Node(1); i < Nodes; i++      allowed: all clients
//	if p.I > s.Holder { ... }             refused: an order of clients
//	if p.I == 0 { ... }                   allowed: 0 is the server, outside the role

// catalogs is the path of the package with the type of catalogs.
const catalogs = "github.com/multigrain/multigrain/grains"

// Source is a package whose code is read.
type Source struct {
	Syntax []*ast.File
	Info   *types.Info
}

// Refusal is a place where code tells servers apart.
type Refusal struct {
	At   token.Position
	Text string
}

// Role is a role of several nodes, which have the numbers of the group. Its name and Number are how
// people call its first node, such as "client" and 1.
type Role struct {
	Number int
	modules.Group
}

// Nodes says how a specification numbers its nodes: role by role, from 0.
type Nodes struct {
	Type *types.Named // whose values are the nodes
	// Ends are the numbers after the last node of each role, in ascending order: the lengths of
	// arrays with an element for each node of the first roles.
	Ends []int
	// Sizes are the constants that say how many nodes roles have.
	Sizes []types.Object
}

// Reader looks for code that tells the nodes of one role apart. Such code compares them by more
// than equality, computes with them, converts them to numbers or numbers to them, or names one.
// Loops over all nodes of a role are allowed, and variables of other types that run over them count
// as nodes. Code may compare a node with one that is known to be outside the role: the answer is
// the same for all nodes of the role. The Reader does not see whether the order of a loop matters:
// reduce.Symmetry tests it.
//
// It reads the syntax of everything that roots use, without branches that constants rule out.
type Reader struct {
	Nodes
	Role
	Refusals []Refusal // of what was read so far, each place once

	fset    *token.FileSet
	main    Source
	sources []Source              // those with functions that can be used, main included
	derived map[types.Object]bool // sizes, and constants that follow from them and are among Ends
	arrays  map[string]bool       // as modules.Identities has them

	decls map[types.Object]ast.Node // functions, and initial values of variables
	done  map[ast.Node]bool
	what  string                         // what is read, for refusals
	loops map[types.Object]modules.Group // variables that run over these nodes
	stack []ast.Node
}

// New returns a Reader of the package main that looks for code that tells the nodes of a role
// apart. Sources are the packages with functions that main can use, main included.
func New(fset *token.FileSet, main Source, sources []Source, nodes Nodes, role Role) *Reader {
	o := &Reader{Nodes: nodes, Role: role, fset: fset, main: main, sources: sources,
		arrays: map[string]bool{}, done: map[ast.Node]bool{}}
	o.findArrays()
	o.declare()
	return o
}

// Arrays returns the fields and named types whose arrays have an element for each node of one or
// more roles, sorted.
func (o *Reader) Arrays() []string { return slices.Sorted(maps.Keys(o.arrays)) }

// is reports whether node k has the role.
func (o *Reader) is(k int64) bool { return int64(o.First) <= k && k < int64(o.End()) }

// declare finds what can be used by name.
func (o *Reader) declare() {
	o.decls, o.loops = map[types.Object]ast.Node{}, map[types.Object]modules.Group{}
	for _, s := range o.sources {
		for _, f := range s.Syntax {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					o.decls[s.Info.Defs[d.Name]] = d
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
							for k, name := range v.Names {
								if k < len(v.Values) && !o.isAction(s.Info.Defs[name]) {
									o.decls[s.Info.Defs[name]] = v.Values[k]
								}
							}
						}
					}
				}
			}
		}
	}
}

// isAction reports whether a variable is an action or the catalog. The chosen actions are roots
// themselves.
func (o *Reader) isAction(v types.Object) bool {
	return named(v.Type(), initial.Vocabulary, "Action") != nil || named(v.Type(), catalogs, "System") != nil
}

// named is t as a named type of that package and name, else nil.
func named(t types.Type, path, name string) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != name || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != path {
		return nil
	}
	return n
}

func (o *Reader) info(at token.Pos) *types.Info {
	for _, s := range o.sources {
		for _, f := range s.Syntax {
			if f.FileStart <= at && at < f.FileEnd {
				return s.Info
			}
		}
	}
	return o.main.Info
}

// walk reads a function or an initial value, once.
func (o *Reader) walk(n ast.Node) {
	if o.done[n] {
		return
	}
	o.done[n] = true
	outer := o.stack
	v := &walk{Reader: o, info: o.info(n.Pos())}
	o.stack = nil
	v.visit(n)
	o.stack = outer
}

// walk is the reading of one function.
type walk struct {
	*Reader
	info *types.Info
}

func (w *walk) visit(root ast.Node) {
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

// parent returns the node around the visited one, parentheses aside.
func (w *walk) parent() ast.Node {
	for k := len(w.stack) - 1; k >= 0; k-- {
		if _, ok := w.stack[k].(*ast.ParenExpr); !ok {
			return w.stack[k]
		}
	}
	return nil
}

func (w *walk) refuse(n ast.Node, format string, args ...any) {
	at := w.fset.Position(n.Pos())
	if slices.ContainsFunc(w.Refusals, func(r Refusal) bool { return r.At == at }) {
		return
	}
	w.Refusals = append(w.Refusals, Refusal{at, w.what + " " + fmt.Sprintf(format, args...)})
}

// node judges a node and reports whether its parts must be read.
func (w *walk) node(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok {
		if v := w.value(e); v != nil {
			w.constant(e, v)
			if id, ok := n.(*ast.Ident); !ok || !w.runs(id) {
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
				break // constants rule out what follows
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
			w.refuse(n, "computes with a %s", w.Name)
		}
	case *ast.IncDecStmt:
		if loop, ok := w.parent().(*ast.ForStmt); w.isServer(n.X) && !(ok && loop.Post == ast.Stmt(n)) {
			w.refuse(n, "computes with a %s", w.Name)
		}
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && w.isServer(n.Lhs[0]) {
			w.refuse(n, "computes with a %s", w.Name)
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

func (w *walk) ifStmt(n *ast.IfStmt) bool {
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
func (w *walk) returns(s ast.Stmt) bool {
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

// rangeOver notes variables that run over all nodes of some roles, from node 0 on.
func (w *walk) rangeOver(n *ast.RangeStmt) {
	key, ok := n.Key.(*ast.Ident)
	if !ok {
		return
	}
	t := types.Unalias(w.typeOf(n.X)).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	var end int64
	switch t := t.(type) {
	case *types.Array:
		if site, depth, known := w.dimension(n.X); known && !w.arrays[site+"/"+string(rune('0'+depth))] || !w.isEnd(t.Len()) {
			return
		}
		end = t.Len()
	case *types.Basic:
		v := w.value(n.X)
		if v == nil || !w.mentions(n.X) || !w.isEndOf(v) {
			return
		}
		end, _ = constant.Int64Val(constant.ToInt(v))
	default:
		return
	}
	if x := w.object(key); x != nil {
		w.loops[x] = modules.Group{Count: int(end)}
	}
}

// forLoop notes the variable of a loop over all nodes of some roles. Its first node follows the
// last one of a role, or is 0.
func (w *walk) forLoop(n *ast.ForStmt) {
	c, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || c.Op != token.LSS || !w.mentions(c.Y) {
		return
	}
	v := w.value(c.Y)
	if v == nil || !w.isEndOf(v) {
		return
	}
	id, ok := c.X.(*ast.Ident)
	if !ok || w.object(id) == nil {
		return
	}
	first := int64(0)
	if init, ok := n.Init.(*ast.AssignStmt); ok && len(init.Rhs) == 1 {
		if v := w.value(init.Rhs[0]); v != nil && v.Kind() == constant.Int {
			first, _ = constant.Int64Val(v)
		}
	}
	end, _ := constant.Int64Val(constant.ToInt(v))
	w.loops[w.object(id)] = modules.Group{First: int(first), Count: int(end - first)}
}

// index judges an index: of an array of nodes it must be a node.
func (w *walk) index(n *ast.IndexExpr) {
	site, depth, known := w.dimension(n.X)
	if known && w.arrays[site+"/"+string(rune('0'+depth))] && !w.isServer(n.Index) {
		w.refuse(n.Index, "chooses an element of %s by a number that is no %s", strings.TrimPrefix(site, "State."), w.Name)
	}
}

// ident reads what a name stands for, and judges the uses of numbers that run over nodes.
func (w *walk) ident(id *ast.Ident) {
	x := w.info.Uses[id]
	if f, ok := x.(*types.Func); ok {
		x = f.Origin()
	}
	if d := w.decls[x]; d != nil {
		w.walk(d)
	}
	if x == nil || !w.runs(id) || w.isServerType(x.Type()) || w.fixed(id) {
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
	w.refuse(id, "uses the number of a %s", w.Name)
}

// call judges conversions and functions that order their arguments.
func (w *walk) call(n *ast.CallExpr) {
	if w.info.Types[n.Fun].IsType() && len(n.Args) == 1 {
		w.conversion(n)
		return
	}
	w.first(n)
	servers := 0
	for _, a := range n.Args {
		if w.isServer(a) && !w.fixed(a) {
			servers++
		}
	}
	if servers == 0 {
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
		w.refuse(n, "orders %ss", w.Name)
	}
}

// first judges modules.Where and others that take the first nodes: those must be all nodes of the
// role, or none.
func (w *walk) first(n *ast.CallExpr) {
	fun := ast.Unparen(n.Fun)
	if of, ok := fun.(*ast.IndexExpr); ok {
		fun = of.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) == 0 {
		return
	}
	f, ok := w.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != initial.Vocabulary || !takesFirst[f.Name()] {
		return
	}
	of := w.info.Instances[sel.Sel].TypeArgs
	if of == nil || of.Len() != 1 || !w.isServerType(of.At(0)) {
		return
	}
	if v := w.value(n.Args[0]); v != nil && v.Kind() == constant.Int {
		if k, exact := constant.Int64Val(v); exact && (k <= int64(w.First) || k >= int64(w.End())) {
			return
		}
	}
	w.refuse(n.Args[0], "takes the first ones of all %ss", w.Name)
}

// takesFirst are the functions of package modules that take the first nodes, by their number.
var takesFirst = map[string]bool{"Below": true, "Where": true, "All": true}

func (w *walk) conversion(n *ast.CallExpr) {
	from, to := n.Args[0], w.typeOf(n.Fun)
	set := named(types.Unalias(to), initial.Vocabulary, "Set")
	basic, isBasic := to.Underlying().(*types.Basic)
	switch {
	case w.isServerType(to):
		if !w.isServer(from) {
			w.refuse(n, "makes a %s of a number", w.Name)
		}
	case set != nil:
		if !w.isSet(from) && w.isServerType(set.TypeArgs().At(0)) {
			w.refuse(n, "makes a set of %ss of a number", w.Name)
		}
	case !isBasic || basic.Info()&types.IsInteger == 0:
	case w.isSet(from):
		w.refuse(n, "makes a number of a set of %ss", w.Name)
	case w.isServer(from) && !w.fixed(from):
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
		w.refuse(n, "makes a number of a %s", w.Name)
	}
}
