package assemble

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// What it computes. The functions of a specification's package that an assembled program cannot
// call. Their bodies become a panic, so that the Go compiler does not compile the actions of all
// grains after each edit. Everything that is not a body stays.
//
// Why it is right. What is reached is decided by names, as in Usage, so it is an
// over-approximation: a mention reaches all functions, methods and variables of that name. There is
// one exception. The catalog mentions all actions as &X in its lists, but the program takes steps
// of the chosen ones only. Such a mention does not reach the guard and the effect of an action that
// is not chosen. Every other mention does: one in the body of a function, one without &, and one in
// a call of any function but those that catalogs are written with (listing). The called expression
// counts as an argument: in T{&X}.run() the method run has X. The roots are the catalog, what the
// generated code calls, functions init, exported methods, which may implement an interface, and
// what the initializers of variables call.
//
// What it costs. One pass over the syntax of each declaration that is reached.
//
// Example. Of two actions only Chosen is in the composition:
//
//	var System = grains.System[State]{... Actions{&Chosen, &Other} ...}   reaches both variables
//	var Other = Action[One]{Params: Each, Guard: ready, Effect: func...}  reaches Each, not ready

// unreached finds out which functions a program cannot call.
type unreached struct {
	*Names
	vars  []ast.Expr      // the initializers of all package-level variables
	other map[string]bool // variables of actions that are not chosen
	// names of imported packages with functions of listing, and their paths
	lists map[string]string
	// functions and variables; with suffix "&" if only catalogs mention it
	reached map[string]bool
	live    map[ast.Node]bool
}

// emptyUnreached replaces the bodies of functions that the program cannot call. With a mapping,
// code of another package may call exported functions.
func (p *Program) emptyUnreached(r *Rewriting, mapping bool) {
	if slices.ContainsFunc(r.files, func(f *goFile) bool { return bytes.Contains(f.text, []byte("//go:linkname")) }) {
		return // other code may call anything by its name
	}
	x := &unreached{Names: r.Names(p.Catalog.State, p.Catalog.Var), other: map[string]bool{}, lists: map[string]string{},
		reached: map[string]bool{}, live: map[ast.Node]bool{}}
	for _, a := range p.Catalog.Actions {
		x.other[a.Var] = !slices.ContainsFunc(p.composable(), func(g *grains.GrainDecl) bool { return slices.Contains(g.Actions, a.Name) })
	}
	x.declarations()
	x.roots(p, mapping)
	r.emptied = map[*ast.BlockStmt]bool{}
	for _, f := range r.files {
		f.empty(r, x.live)
	}
}

// composable returns the grains that the program may be asked to compose.
func (p *Program) composable() []*grains.GrainDecl { return slices.Concat(p.Chosen, p.Others) }

// declarations collects the initializers and the names of imported packages.
func (x *unreached) declarations() {
	for _, f := range x.r.files {
		for _, s := range f.tree.Imports {
			path, _ := strconv.Unquote(s.Path.Value)
			name := path[strings.LastIndex(path, "/")+1:]
			if s.Name != nil {
				name = s.Name.Name
			}
			if before, ok := x.lists[name]; ok && before != path {
				path = "" // two files mean different packages by one name
			}
			x.lists[name] = path
		}
		for _, d := range f.tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					x.vars = append(x.vars, s.(*ast.ValueSpec).Values...)
				}
			}
		}
	}
}

// The packages of this project that catalogs are written with.
const (
	modulesPath = "github.com/multigrain/multigrain/modules"
	grainsPath  = "github.com/multigrain/multigrain/grains"
)

// listing are the functions that catalogs are written with. None of them calls a guard or an
// effect, nor returns a value that does, so what they are given is only listed. Functions such as
// slices.IndexFunc and modules.Bind are not among them.
var listing = map[string][]string{
	modulesPath: {"When", "WhenAny", "After", "AfterAny", "OnStep", "StandsFor", "Spend"},
	grainsPath:  {"Coarsen", "Refine"},
	"slices":    {"Concat", "Clone", "Insert"},
}

// onlyLists reports whether a call is one of a function of listing.
func (x *unreached) onlyLists(call *ast.CallExpr) bool {
	pkg, name := called(call)
	return slices.Contains(listing[x.lists[pkg]], name)
}

// ruleOf returns which argument of a call is the function of a rule, -1 for none. Generated code
// calls those of the rules that are composed, and nothing calls the others.
func (x *unreached) ruleOf(call *ast.CallExpr) int {
	if pkg, name := called(call); x.lists[pkg] == modulesPath {
		switch name {
		case "WhenAny", "AfterAny":
			return 0
		case "When", "After":
			return 1
		}
	}
	return -1
}

func (x *unreached) roots(p *Program, mapping bool) {
	x.name(p.Catalog.Var, false)
	x.name("init", true)
	for _, fns := range x.funcs {
		for _, fn := range fns {
			if (fn.Recv != nil || mapping) && fn.Name.IsExported() {
				x.function(fn)
			}
		}
	}
	for _, v := range x.vars {
		ast.Inspect(v, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				x.node(call, false)
				return false
			}
			_, literal := n.(*ast.FuncLit)
			return !literal
		})
	}
	for _, a := range p.Catalog.Actions {
		if !x.other[a.Var] {
			x.name(a.Var, true)
			x.called(a.Guard)
			x.called(&a.Effect)
		}
	}
	rules := slices.Clone(p.Catalog.Rules)
	for _, g := range p.composable() {
		rules = append(rules, g.Rules...)
	}
	for _, rule := range rules {
		x.called(rule.When)
		x.called(rule.After)
	}
}

// called reaches a function of the catalog that generated code calls.
func (x *unreached) called(fn *grains.Function) {
	switch {
	case fn == nil:
	case fn.Name != "":
		x.name(fn.Name, true)
	default:
		if _, lit := x.r.literal(fn.Place); lit != nil {
			x.node(lit, true)
		}
	}
}

// node reaches what an expression or a statement mentions. Code that runs may do anything with an
// action that it mentions; a catalog lists actions.
func (x *unreached) node(n ast.Node, runs bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !x.live[n] {
				x.live[n] = true
				x.node(n.Type, true)
				x.node(n.Body, true)
			}
			return false
		case *ast.CallExpr:
			runs := runs || !x.onlyLists(n)
			x.node(n.Fun, runs)
			rule := x.ruleOf(n)
			for k, a := range n.Args {
				if runs || k != rule {
					x.node(a, runs)
				}
			}
			return false
		case *ast.UnaryExpr:
			if id, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
				x.name(id.Name, runs)
				return false
			}
		case *ast.SelectorExpr:
			x.node(n.X, runs)
			x.member(n.Sel.Name, runs)
			return false
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				x.member(key.Name, runs)
				x.node(n.Value, runs)
				return false
			}
		case *ast.Ident:
			x.name(n.Name, runs || x.other[n.Name])
		}
		return true
	})
}

// member reaches what x.name and name: mention. Neither mentions the variable of an action: Go lets
// a package not select its own, and a key is no variable whose type has functions.
func (x *unreached) member(name string, runs bool) {
	if !x.other[name] {
		x.name(name, runs)
		return
	}
	for _, fn := range x.funcs[name] {
		if fn.Recv != nil {
			x.function(fn)
		}
	}
}

// called returns the name of the called function and the one before the dot, "" for a function that
// has no such names.
func called(call *ast.CallExpr) (pkg, name string) {
	fn := call.Fun
	switch g := fn.(type) {
	case *ast.IndexExpr:
		fn = g.X
	case *ast.IndexListExpr:
		fn = g.X
	}
	if f, ok := fn.(*ast.SelectorExpr); ok {
		if id, ok := f.X.(*ast.Ident); ok {
			return id.Name, f.Sel.Name
		}
	}
	return "", ""
}

// name reaches all that has a name.
func (x *unreached) name(name string, runs bool) {
	key := name
	if !runs {
		key += "&"
	}
	if x.reached[name] || x.reached[key] {
		return
	}
	x.reached[key] = true
	for _, fn := range x.funcs[name] {
		x.function(fn)
	}
	v := x.values[name]
	if v == nil {
		return
	}
	action, ok := v.(*ast.CompositeLit)
	if !ok || runs || !x.other[name] {
		x.node(v, runs)
		return
	}
	for _, e := range action.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && (isIdent(kv.Key, "Guard") || isIdent(kv.Key, "Effect")) {
			continue
		}
		x.node(e, false)
	}
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// function reaches a declared function.
func (x *unreached) function(fn *ast.FuncDecl) {
	if x.live[fn] {
		return
	}
	x.live[fn] = true
	if fn.Body != nil {
		x.node(fn.Body, true)
	}
}

// empty replaces the bodies of the file's functions and function literals that are not live, and
// the names of imports that only these use. Invariant: the number of lines stays.
func (f *goFile) empty(r *Rewriting, live map[ast.Node]bool) {
	var dead []*ast.BlockStmt
	// packages that what stays refers to, and the rest
	used, lost := map[string]bool{}, map[string]bool{}
	var visit func(n ast.Node, emptied bool)
	visit = func(n ast.Node, emptied bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok && id.Obj == nil {
					used[id.Name] = used[id.Name] || !emptied
					lost[id.Name] = lost[id.Name] || emptied
				}
			}
			if emptied || body == nil || live[n] || f.edited(r.offset(body.Pos()), r.offset(body.End())) {
				return true
			}
			dead = append(dead, body)
			for _, c := range children(n) {
				visit(c, c == body)
			}
			return false
		})
	}
	visit(f.tree, false)
	imports, ok := f.unusedImports(r, used, lost)
	if !ok {
		return
	}
	f.edits = append(f.edits, imports...)
	for _, body := range dead {
		f.edits = append(f.edits, f.emptied(r, body))
		r.emptied[body] = true
	}
}

// children returns the parts of a function.
func children(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil {
			return []ast.Node{n.Recv, n.Type, n.Body}
		}
		return []ast.Node{n.Type, n.Body}
	case *ast.FuncLit:
		return []ast.Node{n.Type, n.Body}
	}
	return nil
}

// edited reports whether an edit touches the bytes from start to end.
func (f *goFile) edited(start, end int) bool {
	return slices.ContainsFunc(f.edits, func(e edit) bool { return e.start < end && start < e.end })
}

// emptied replaces a body by a panic with as many lines.
func (f *goFile) emptied(r *Rewriting, body *ast.BlockStmt) edit {
	start, end := r.offset(body.Lbrace)+1, r.offset(body.Rbrace)
	text := f.text[start:end]
	lines := strings.Repeat("\n", bytes.Count(text, []byte("\n")))
	return edit{start, end, ` panic("multigrain: the composition does not reach this function") ` + lines}
}

// unusedImports returns the edits that keep imports whose uses are lost. It reports whether the
// names of all imports are known.
func (f *goFile) unusedImports(r *Rewriting, used, lost map[string]bool) (edits []edit, ok bool) {
	for _, s := range f.tree.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if s.Name != nil {
			name = s.Name.Name
		}
		version := s.Name == nil && strings.Trim(name, "0123456789") == "v"
		if err != nil || version || name != "_" && !used[name] && !lost[name] {
			return nil, false // the package's name is not the last part of its path
		}
		if name == "_" || used[name] {
			continue
		}
		at := r.offset(s.Pos())
		edits = append(edits, edit{at, r.offset(s.Path.Pos()), "_ "})
	}
	return edits, true
}
