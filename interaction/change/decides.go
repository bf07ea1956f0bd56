package change

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"

	"github.com/multigrain/multigrain/interaction/change/internal/conditions"
)

// What it computes. Changed functions that differ only in how their conditions are written: see
// package conditions. A new function may have a part of a condition. Then it is no change either,
// if all that uses it are such functions.
//
// Why it is right. Their syntax trees are the same except for conditions that are equal. Names must
// be the same, or stand for the old ones. A call of a new function stands for the condition that it
// returns, with its arguments in the place of its parameters. Arguments are variables of the same
// type. Other names that the new function uses are none of the caller's own.
//
// What it costs. A comparison of the trees of changed functions.

// deciders are the changed functions whose conditions are equal, and the new ones that they call,
// by folder and key.
type deciders map[string]bool

// deciding finds the functions that decide as before.
func (h *goHolder) deciding() deciders {
	out := deciders{}
	calls := map[string][]string{} // new functions, by those that decide with them
	for _, c := range h.changed {
		if c.file.Old == "" || c.file.New == "" {
			continue
		}
		before, err := parseGo(c.file.Old, c.texts.before)
		if err != nil {
			continue
		}
		for _, d := range c.diffs {
			k := slices.IndexFunc(before.decls, func(x *decl) bool { return x.key() == d.decl.key() })
			if d.how != Changed || k < 0 {
				continue
			}
			x := h.decider(c.file.Path(), d.decl)
			if x != nil && x.same(before.decls[k]) {
				key := path.Dir(c.file.Path()) + " " + d.decl.key()
				out[key], calls[key] = true, x.used
			}
		}
	}
	h.decidingNew(out)
	// A function that decides with a new one that others use in another way changed, too.
	for key, used := range calls {
		if slices.ContainsFunc(used, func(name string) bool { return !out[name] }) {
			delete(out, key)
		}
	}
	return out
}

// decidingNew adds the new functions that only functions use which decide as before.
func (h *goHolder) decidingNew(out deciders) {
	for _, c := range h.changed {
		for _, d := range c.diffs {
			if d.how != Added || d.decl.kind != Function && d.decl.kind != Method || condition(d.decl.node) == nil {
				continue
			}
			fn := h.now.find(h.abs(c.file.Path()), d.decl)
			if fn == nil || len(fn.callers) == 0 || fn.unseen(h.now) != "" || ast.IsExported(fn.obj.Name()) {
				continue
			}
			dir := path.Dir(c.file.Path())
			if !slices.ContainsFunc(fn.callers, func(f *function) bool { return !out[dir+" "+keyOf(f.obj)] }) {
				out[dir+" "+d.decl.key()] = true
			}
		}
	}
}

// keyOf returns the key of a function's declaration.
func keyOf(f *types.Func) string {
	d := &decl{kind: Function, names: []string{f.Name()}}
	if r := f.Signature().Recv(); r != nil {
		d.kind = Method
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok {
			d.receiver = n.Obj().Name()
		}
	}
	return d.key()
}

// decider compares a changed function with what it was.
type decider struct {
	h    *goHolder
	info *types.Info
	dir  string
	decl *decl
	node *ast.FuncDecl // with types
	used []string      // new functions that conditions call
}

// decider returns what compares a changed function; nil if it has no body with types.
func (h *goHolder) decider(file string, d *decl) *decider {
	fn := h.now.find(h.abs(file), d)
	if fn == nil {
		return nil
	}
	pkg := h.now.packageOf(fn.obj)
	if n := funcDecl(pkg.Syntax, fn.obj.Pos()); n != nil && n.Body != nil {
		return &decider{h: h, info: pkg.TypesInfo, dir: path.Dir(file), decl: d, node: n}
	}
	return nil
}

// funcDecl returns the declaration whose name is at a position.
func funcDecl(files []*ast.File, at token.Pos) *ast.FuncDecl {
	for _, f := range files {
		for _, d := range f.Decls {
			if n, ok := d.(*ast.FuncDecl); ok && n.Name.Pos() == at {
				return n
			}
		}
	}
	return nil
}

func (x *decider) same(was *decl) bool {
	if !slices.Equal(was.directives, x.decl.directives) {
		return false
	}
	return x.comparer(nil).same(reflect.ValueOf(was.node), reflect.ValueOf(ast.Node(x.node)))
}

// comparer returns a comparer of trees. Args stand for names of the new side.
func (x *decider) comparer(args map[types.Object]*ast.Ident) treeComparer {
	var c treeComparer
	c.ident = func(a, b *ast.Ident) bool {
		for args[x.info.Uses[b]] != nil {
			b = args[x.info.Uses[b]]
		}
		return a.Name == b.Name || x.h.exchanged[x.dir][a.Name] == b.Name
	}
	c.conditions = func(a, b ast.Expr) (equal, are bool) {
		if !conditions.Formula(a) && !conditions.Formula(b) && x.within(b) == nil {
			return false, false
		}
		return conditions.Equal(a, b, x.operands(args)), true
	}
	c.opposite = func(a, b ast.Expr) bool { return conditions.Opposite(a, b, x.operands(args)) }
	return c
}

// operands says what is known of the operands of conditions. Args are as of comparer.
func (x *decider) operands(args map[types.Object]*ast.Ident) conditions.Operands {
	all := map[types.Object]*ast.Ident{}
	for p, arg := range args {
		all[p] = arg
	}
	return conditions.Operands{
		Same: func(a, b ast.Expr) bool {
			plain := x.comparer(all)
			plain.top = true
			return plain.same(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
		},
		Free:  func(e ast.Expr) bool { return conditions.Free(x.info, x.node, e) || x.freeIn(e, all) },
		Total: func(e ast.Expr) bool { return conditions.Total(x.info.TypeOf(e)) },
		Within: func(e ast.Expr) ast.Expr {
			in := x.within(e)
			if in == nil {
				return nil
			}
			for p := range in.args {
				if all[p] != nil { // it is called twice, or by itself
					return nil
				}
			}
			for p, arg := range in.args {
				all[p] = arg
			}
			x.used = append(x.used, x.dir+" "+in.key)
			return in.condition
		},
	}
}

// freeIn reports whether an operand of a new function is free where it is called.
func (x *decider) freeIn(e ast.Expr, args map[types.Object]*ast.Ident) bool {
	var receiver *ast.Ident
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && receiver == nil && args[x.info.Uses[id]] != nil {
			receiver = id
		}
		return true
	})
	if receiver == nil {
		return false
	}
	fn := x.around(x.info.Uses[receiver])
	if fn == nil || fn.Recv == nil || x.node.Recv == nil || !conditions.Free(x.info, fn, e) {
		return false
	}
	// The receiver of the new function is that of the caller, which is not nil.
	own, callers := fn.Recv.List[0].Names, x.node.Recv.List[0].Names
	if len(own) != 1 || len(callers) != 1 {
		return false
	}
	arg := args[x.info.Defs[own[0]]]
	return arg != nil && x.info.Uses[arg] == x.info.Defs[callers[0]]
}

// around returns the new function whose parameter an object is.
func (x *decider) around(p types.Object) *ast.FuncDecl {
	for _, pkg := range x.h.now.pkgs {
		if pkg.TypesInfo != x.info {
			continue
		}
		for _, f := range pkg.Syntax {
			for _, d := range f.Decls {
				if n, ok := d.(*ast.FuncDecl); ok && p.Pos() >= n.Pos() && p.Pos() < n.End() {
					return n
				}
			}
		}
	}
	return nil
}

// inlined is the condition of a new function that a call stands for.
type inlined struct {
	key       string
	condition ast.Expr
	args      map[types.Object]*ast.Ident // by parameters
}

// within returns the condition that a call of a new function returns; nil for another expression.
func (x *decider) within(e ast.Expr) *inlined {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() {
		return nil
	}
	args, id := call.Args, (*ast.Ident)(nil)
	switch f := call.Fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		if s := x.info.Selections[f]; s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
			id, args = f.Sel, append([]ast.Expr{f.X}, args...)
		}
	}
	if id == nil {
		return nil
	}
	fn, ok := x.info.Uses[id].(*types.Func)
	if !ok || !x.h.isNew(x.dir, keyOf(fn)) {
		return nil
	}
	d := x.around(fn)
	if d == nil || condition(d) == nil || !x.apart(d) {
		return nil
	}
	out := &inlined{keyOf(fn), condition(d), map[types.Object]*ast.Ident{}}
	params := params(d)
	if len(params) != len(args) || len(params) == 0 {
		return nil
	}
	for k, name := range params {
		arg, ok := ast.Unparen(args[k]).(*ast.Ident)
		p := x.info.Defs[name]
		if !ok || p == nil || !types.Identical(p.Type(), x.info.TypeOf(arg)) {
			return nil
		}
		if v, ok := x.info.Uses[arg].(*types.Var); !ok || v.Parent() == v.Pkg().Scope() {
			return nil
		}
		out.args[p] = arg
	}
	return out
}

// params returns the names of a function's receiver and parameters; nil if one has none.
func params(d *ast.FuncDecl) (out []*ast.Ident) {
	var all []*ast.Field
	if d.Recv != nil {
		all = append(all, d.Recv.List...)
	}
	for _, f := range append(all, d.Type.Params.List...) {
		if _, dots := f.Type.(*ast.Ellipsis); dots {
			return nil
		}
		out = append(out, f.Names...)
	}
	return out
}

// condition returns what a function returns that has nothing but a condition; nil for another one.
func condition(n ast.Node) ast.Expr {
	d, ok := n.(*ast.FuncDecl)
	if !ok || d.Body == nil || len(d.Body.List) != 1 || d.Type.TypeParams != nil {
		return nil
	}
	r, ok := d.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 || d.Type.Results == nil || len(d.Type.Results.List) != 1 {
		return nil
	}
	if t, ok := d.Type.Results.List[0].Type.(*ast.Ident); !ok || t.Name != "bool" {
		return nil
	}
	return r.Results[0]
}

// apart reports whether names that a new function uses are none of the caller's own, and the caller
// has no function that could write its variables meanwhile.
func (x *decider) apart(d *ast.FuncDecl) bool {
	own := map[string]bool{}
	ok := true
	ast.Inspect(x.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.AND
		case *ast.Ident:
			if o := x.info.Defs[n]; o != nil && o.Parent() != nil && o.Parent() != o.Pkg().Scope() {
				own[n.Name] = true
			}
		}
		return ok
	})
	ast.Inspect(condition(d), func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			_, literal := n.(*ast.FuncLit)
			ok = ok && !literal
			return ok
		}
		if o := x.info.Uses[id]; o != nil && o.Parent() != nil && (o.Pkg() == nil || o.Parent() == o.Pkg().Scope()) && own[id.Name] {
			ok = false
		}
		return ok
	})
	return ok
}

// isNew reports whether a function is added by the change.
func (h *goHolder) isNew(dir, key string) bool {
	for _, c := range h.changed {
		if path.Dir(c.file.Path()) != dir {
			continue
		}
		if slices.ContainsFunc(c.diffs, func(d difference) bool { return d.how == Added && d.decl.key() == key }) {
			return true
		}
	}
	return false
}
