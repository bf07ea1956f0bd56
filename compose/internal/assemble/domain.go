package assemble

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math/bits"
	"strconv"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// domain returns the parameters of an action as the fields of composite literals, in the order of
// the domain: "I: 0, J: 1". It is known where the action takes one of the domains of package
// modules with sizes that are constants of the specification; ok is false for every other.
func (r *Rewriting) domain(action string) (params []string, ok bool) {
	lit, f := r.variable(action)
	value, ok := lit.(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	for _, e := range value.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Params" {
				return r.domainOf(kv.Value, f, 0)
			}
		}
	}
	return nil, false
}

// aliases is how many names a domain or a constant may have for another.
const aliases = 8

// domainOf evaluates an expression of file f.
func (r *Rewriting) domainOf(e ast.Expr, f *goFile, depth int) ([]string, bool) {
	if depth > aliases {
		return nil, false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.domainOf(e.X, f, depth+1)
	case *ast.Ident:
		value, in := r.variable(e.Name)
		if value == nil {
			return nil, false
		}
		return r.domainOf(value, in, depth+1)
	case *ast.SelectorExpr:
		if f.ofModules(e) == "Once" {
			return []string{""}, true
		}
	case *ast.CallExpr:
		fun := e.Fun
		if x, ok := fun.(*ast.IndexExpr); ok {
			fun = x.X
		}
		var sizes []int
		for _, arg := range e.Args {
			n, ok := r.size(arg, 0)
			if !ok {
				return nil, false
			}
			sizes = append(sizes, n)
		}
		if sel, ok := fun.(*ast.SelectorExpr); ok {
			name := f.ofModules(sel)
			if r.wide && (name == "Subsets" || name == "Quorums") {
				return nil, false
			}
			return enumerate(name, sizes)
		}
	}
	return nil, false
}

// enumerate returns what the domains of package modules yield.
func enumerate(domain string, sizes []int) (params []string, ok bool) {
	put := func(format string, args ...any) { params = append(params, fmt.Sprintf(format, args...)) }
	if len(sizes) == 0 {
		return nil, false
	}
	n := sizes[0]
	pairs := func(yield func(i, j int)) {
		for i := range n {
			for j := range n {
				if i != j {
					yield(i, j)
				}
			}
		}
	}
	switch {
	case n < 0 || n > 8 || len(sizes) != 1 && domain != "Positions":
		return nil, false
	case domain == "Each":
		for i := range n {
			put("I: %d", i)
		}
	case domain == "EachPair":
		pairs(func(i, j int) { put("I: %d, J: %d", i, j) })
	case domain == "Links":
		for j := range n {
			for i := range j {
				put("I: %d, J: %d", i, j)
			}
		}
	case domain == "Subsets" || domain == "Quorums":
		for i := range n {
			for s := range uint(1) << n {
				if s>>i&1 == 1 && (domain == "Subsets" || bits.OnesCount(s)*2 > n) {
					put("I: %d, S: %d", i, s)
				}
			}
		}
	case domain == "Positions" && len(sizes) == 2 && sizes[1] <= maxInstances:
		pairs(func(i, j int) {
			for k := range sizes[1] {
				put("I: %d, J: %d, K: %d", i, j, k+1)
			}
		})
	default:
		return nil, false
	}
	return params, true
}

// ofModules returns the name that a selector selects from package modules, "" where it selects from
// another.
func (f *goFile) ofModules(sel *ast.SelectorExpr) string {
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, imp := range f.tree.Imports {
		if path, _ := strconv.Unquote(imp.Path.Value); path != gocmd.Framework+"/modules" {
			continue
		}
		name := "modules"
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if name == pkg.Name {
			return sel.Sel.Name
		}
	}
	return ""
}

// variable returns the value that a package-level variable is declared with, nil where there is
// none.
func (r *Rewriting) variable(name string) (ast.Expr, *goFile) { return r.declared(token.VAR, name) }

// declared returns the value of a package-level declaration.
func (r *Rewriting) declared(tok token.Token, name string) (ast.Expr, *goFile) {
	for _, f := range r.files {
		for _, d := range f.tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != tok {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for k, id := range v.Names {
					if id.Name == name && k < len(v.Values) && len(v.Values) == len(v.Names) {
						return v.Values[k], f
					}
				}
			}
		}
	}
	return nil, nil
}

// size returns the value of a constant expression of whole numbers, with the manifest's constants.
func (r *Rewriting) size(e ast.Expr, depth int) (int, bool) {
	if depth > aliases {
		return 0, false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.size(e.X, depth+1)
	case *ast.BasicLit:
		n, err := strconv.Atoi(e.Value)
		return n, err == nil
	case *ast.Ident:
		if value, ok := r.set[e.Name]; ok {
			n, err := strconv.Atoi(value)
			return n, err == nil
		}
		if value, _ := r.declared(token.CONST, e.Name); value != nil {
			return r.size(value, depth+1)
		}
	case *ast.BinaryExpr:
		x, ok := r.size(e.X, depth+1)
		y, also := r.size(e.Y, depth+1)
		switch e.Op {
		case token.ADD:
			return x + y, ok && also
		case token.SUB:
			return x - y, ok && also
		case token.MUL:
			return x * y, ok && also
		}
	}
	return 0, false
}

// enumsOf returns the enumerations of a catalog with its sized constants, whose values follow from
// constants that have the given values. Bounds that are not given have their defaults.
func enumsOf(c *grains.Catalog, set map[string]string) map[string]map[int64]string {
	out := map[string]map[int64]string{}
	for t, constants := range c.Enums {
		out[t] = maps.Clone(constants)
	}
	scope := scopeOf(c, set)
	for _, x := range c.Sized {
		n, ok := number(scope, x.Value)
		if !ok {
			continue
		}
		if out[x.Type] == nil {
			out[x.Type] = map[int64]string{}
		}
		if _, taken := out[x.Type][n]; !taken {
			out[x.Type][n] = x.Name
		}
	}
	return out
}

// scopeOf returns a package with the constants that bounds and options set. Bounds that are not
// given have their defaults.
func scopeOf(c *grains.Catalog, set map[string]string) *types.Package {
	scope := types.NewPackage("sizes", "sizes")
	for _, b := range c.Bounds {
		if v := cmp.Or(set[b.Const], strconv.Itoa(b.Default)); b.Const != "" {
			declare(scope, b.Const, v)
		}
	}
	for _, o := range c.Options {
		if set[o.Const] != "" {
			declare(scope, o.Const, set[o.Const])
		}
	}
	return scope
}

// number evaluates an expression over the constants of a package.
func number(scope *types.Package, expr string) (int64, bool) {
	v, err := types.Eval(token.NewFileSet(), scope, token.NoPos, expr)
	if err != nil || v.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v.Value))
}

// QuorumOf returns a quorum of a catalog with the constants that a manifest sets. It reports false
// where a number of it cannot be evaluated, is negative or is larger than any set needs.
func QuorumOf(c *grains.Catalog, d *grains.QuorumDecl, set map[string]string) (q modules.Quorum, ok bool) {
	scope, ok := scopeOf(c, set), true
	value := func(expr string, most int64) int {
		n, known := number(scope, expr)
		ok = ok && known && n >= 0 && n <= most
		return int(n)
	}
	const most = 1 << 20
	q.Members = value(d.Members, modules.LargestSet)
	q.Least = value(d.Least, most)
	for _, w := range d.Weights {
		q.Weights = append(q.Weights, value(w, most/modules.LargestSet))
	}
	return q, ok
}

// declare adds a constant with a value to a package, or nothing where the value is no constant.
func declare(in *types.Package, name, value string) {
	if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, value); err == nil && v.Value != nil {
		in.Scope().Insert(types.NewConst(token.NoPos, in, name, v.Type, v.Value))
	}
}
