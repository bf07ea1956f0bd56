package names

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// Messages returns the fields that messages of each kind carry, by the name of the kind's constant:
// those that a literal of that kind sets. A literal whose kind is no constant, and an assignment to
// a field, count for all kinds. The path is that of the package whose Net, Bag and Channel hold
// messages.
func Messages(sources []Source, path string) map[string][]string {
	x := &messages{fields: map[string]map[string]bool{}, all: map[string]bool{}}
	of := map[*types.Struct]bool{}
	for _, s := range sources {
		for _, in := range s.Info.Instances {
			n, ok := types.Unalias(in.Type).(*types.Named)
			if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != path || !slices.Contains([]string{"Net", "Bag", "Channel"}, n.Obj().Name()) {
				continue
			}
			for arg := range in.TypeArgs.Types() {
				if m, ok := arg.Underlying().(*types.Struct); ok {
					of[m] = true
				}
			}
		}
	}
	for _, s := range sources {
		for _, f := range s.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if t, ok := s.Info.TypeOf(n).Underlying().(*types.Struct); ok && of[t] {
						x.literal(s, n, t)
					}
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						x.assigned(s, e, of)
					}
				}
				return true
			})
		}
	}
	out := map[string][]string{}
	for kind, fields := range x.fields {
		maps.Copy(fields, x.all)
		out[kind] = slices.Sorted(maps.Keys(fields))
	}
	return out
}

type messages struct {
	fields map[string]map[string]bool // by kind
	all    map[string]bool            // of all kinds
}

// literal notes the fields that a literal sets.
func (x *messages) literal(s Source, lit *ast.CompositeLit, t *types.Struct) {
	var kind *types.Const
	var set []string
	for k, e := range lit.Elts {
		field, value := "", e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			id, ok := kv.Key.(*ast.Ident)
			if !ok {
				continue
			}
			field, value = id.Name, kv.Value
		} else {
			field = t.Field(k).Name()
		}
		if field != t.Field(0).Name() {
			set = append(set, field)
			continue
		}
		if id, ok := ast.Unparen(value).(*ast.Ident); ok {
			kind, _ = s.Info.Uses[id].(*types.Const)
		} else if sel, ok := ast.Unparen(value).(*ast.SelectorExpr); ok {
			kind, _ = s.Info.Uses[sel.Sel].(*types.Const)
		}
	}
	into := x.all
	if kind != nil {
		if x.fields[kind.Name()] == nil {
			x.fields[kind.Name()] = map[string]bool{}
		}
		into = x.fields[kind.Name()]
	}
	for _, f := range set {
		into[f] = true
	}
}

// assigned notes a field of a message that an assignment sets.
func (x *messages) assigned(s Source, e ast.Expr, of map[*types.Struct]bool) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return
	}
	t := s.Info.TypeOf(sel.X)
	if t == nil { // the name of a package
		return
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if m, ok := t.Underlying().(*types.Struct); ok && of[m] {
		x.all[sel.Sel.Name] = true
	}
}
