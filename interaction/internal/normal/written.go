package normal

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// The value of a package variable is that of its initialiser, unless something else writes it. A
// step must not (speclint), but initialisation may: a function init, or what the initialiser of
// another variable calls. So a variable that is reached brings what may write it.
//
// What may write is found by syntax. An assignment, a pointer to the variable or to a part of it,
// and a slice or a map that is passed on may. A copy of plain values or of a function may not.

// run is code that initialisation runs: a function init, or the initialiser of a variable.
type run struct {
	object types.Object
	effect *effect
}

// effect holds the functions that a piece of code refers to, and the package variables that it may
// write.
type effect struct {
	mentions []types.Object
	writes   map[*types.Var]bool
}

// writers returns what else than its own initialiser may write a package variable.
func (x *Index) writers(v *types.Var) (out []types.Object) {
	if isCatalog(v.Type()) {
		return nil // MG405 and others refuse it
	}
	if x.runs == nil {
		x.collectRuns()
	}
	for _, r := range x.runs {
		if r.object != v && x.mayWrite(r.effect, v, map[types.Object]bool{}) {
			out = append(out, r.object)
		}
	}
	return out
}

func (x *Index) mayWrite(e *effect, v *types.Var, seen map[types.Object]bool) bool {
	if e.writes[v] {
		return true
	}
	for _, o := range e.mentions {
		d := x.decls[o]
		if seen[o] || d == nil || d.fn == nil || d.fn.Body == nil {
			continue
		}
		seen[o] = true
		if x.effects[o] == nil {
			x.effects[o] = x.effectOf(d.pkg, d.fn.Body)
		}
		if x.mayWrite(x.effects[o], v, seen) {
			return true
		}
	}
	return false
}

func (x *Index) collectRuns() {
	x.runs = []*run{}
	for o, d := range x.decls {
		if x.byTypes[o.Pkg()].Whole != "" {
			continue
		}
		switch {
		case d.fn != nil && d.fn.Recv == nil && d.fn.Name.Name == "init":
			x.runs = append(x.runs, &run{o, x.effectOf(d.pkg, d.fn.Body)})
		case d.value != nil && len(d.value.Values) > 0:
			if _, ok := o.(*types.Var); ok {
				all := &effect{writes: map[*types.Var]bool{}}
				for _, e := range d.value.Values {
					one := x.effectOf(d.pkg, e)
					all.mentions = append(all.mentions, one.mentions...)
					for v := range one.writes {
						all.writes[v] = true
					}
				}
				x.runs = append(x.runs, &run{o, all})
			}
		}
	}
	slices.SortFunc(x.runs, func(a, b *run) int {
		p, at := x.position(a.object)
		q, bt := x.position(b.object)
		return cmp.Or(cmp.Compare(p, q), cmp.Compare(at, bt))
	})
}

// effectOf finds what a part of the syntax mentions and may write.
func (x *Index) effectOf(p *Package, n ast.Node) *effect {
	e := &effect{writes: map[*types.Var]bool{}}
	if n == nil {
		return e
	}
	var stack []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := p.Info.Uses[id].(type) {
		case *types.Func:
			e.mentions = append(e.mentions, o.Origin())
		case *types.Var:
			if !o.IsField() && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && !readsOnly(p, stack) {
				e.writes[o] = true
			}
		}
		return true
	})
	return e
}

// readsOnly reports whether the identifier at the end of a path through the syntax, which denotes a
// package variable, is only read there.
func readsOnly(p *Package, path []ast.Node) bool {
	k := len(path) - 1
	for k > 0 && extends(p, path[k-1], path[k]) {
		k--
	}
	e := path[k].(ast.Expr)
	if k == 0 {
		return isPlain(p.Info.TypeOf(e))
	}
	switch up := path[k-1].(type) {
	case *ast.AssignStmt:
		if slices.Contains(up.Lhs, e) {
			return false
		}
	case *ast.IncDecStmt, *ast.SliceExpr:
		return false
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			return meets(p, path[:k-1])
		}
	case *ast.RangeStmt:
		return up.X == e && isPlain(elementOf(p.Info.TypeOf(e)))
	case *ast.SelectorExpr: // a method
		s := p.Info.Selections[up]
		f, ok := s.Obj().(*types.Func)
		if !ok {
			return false
		}
		_, pointer := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
		return !pointer && isPlain(p.Info.TypeOf(e))
	case *ast.CallExpr:
		if up.Fun == e {
			return true
		}
		if id, ok := up.Fun.(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") {
			if _, ok := p.Info.Uses[id].(*types.Builtin); ok {
				return true
			}
		}
	}
	return isPlain(p.Info.TypeOf(e))
}

// meets reports whether the syntax at the end of a path is a field of a grains.Meeting. The
// pointers in it are only compared, so the catalog does not write the quorums that it lists.
func meets(p *Package, path []ast.Node) bool {
	k := len(path) - 1
	if k > 0 {
		if _, ok := path[k].(*ast.KeyValueExpr); ok {
			k--
		}
	}
	if k < 0 {
		return false
	}
	lit, ok := path[k].(*ast.CompositeLit)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Info.TypeOf(lit)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && slices.Contains(catalogPaths, n.Obj().Pkg().Path()) && n.Obj().Name() == "Meeting"
}

// extends reports whether up is a part of the variable that n is, or n itself in parentheses.
func extends(p *Package, up, n ast.Node) bool {
	switch up := up.(type) {
	case *ast.ParenExpr:
		return true
	case *ast.IndexExpr:
		return up.X == n
	case *ast.SelectorExpr:
		if up.Sel == n {
			return p.Info.Selections[up] == nil
		}
		s := p.Info.Selections[up]
		return s != nil && s.Kind() == types.FieldVal
	}
	return false
}

// elementOf returns the type of the elements of an array, a slice or a map, else t.
func elementOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return t
}

// isPlain reports whether who has a copy of a value of type t cannot change the value. A copy of a
// function calls it, and what a call writes has been found where the function stands.
func isPlain(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return isPlain(u.Elem())
	case *types.Struct:
		for k := range u.NumFields() {
			if !isPlain(u.Field(k).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// catalogPaths are the packages whose types make catalogs.
var catalogPaths = []string{initial.Vocabulary, initial.Grains}

// isCatalog reports whether a variable is a part of the catalog: nothing may change it.
func isCatalog(t types.Type) bool {
	if s, ok := types.Unalias(t).(*types.Slice); ok {
		t = s.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && slices.Contains(catalogPaths, n.Obj().Pkg().Path()) &&
		slices.Contains([]string{"Action", "Rule", "Invariant", "Budget", "Liveness", "Runtime", "Grain", "System"}, n.Obj().Name())
}
