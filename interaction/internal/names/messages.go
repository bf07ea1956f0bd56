package names

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// Messages returns the fields that messages of each kind carry, by the name of the kind's constant:
// those that a literal of that kind sets. An assignment to a field of a variable counts for the
// kind of the literal with which the variable is declared. A literal whose kind is no constant, and
// any other assignment to a field, count for all kinds of that type of messages. The path is that
// of the package whose Net, Bag and Channel hold messages.
func Messages(sources []Source, path string) map[string][]string {
	x := &messages{fields: map[*types.Struct]map[string]map[string]bool{}, declared: map[types.Object]*types.Const{}}
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
				if a, ok := n.(*ast.AssignStmt); ok {
					x.declares(s, a, of)
				}
				return true
			})
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
	carried := map[string]map[string]bool{}
	for _, kinds := range x.fields {
		for kind, fields := range kinds {
			if kind == everyKind {
				continue
			}
			if carried[kind] == nil {
				carried[kind] = map[string]bool{}
			}
			maps.Copy(carried[kind], fields)
			maps.Copy(carried[kind], kinds[everyKind])
		}
	}
	out := map[string][]string{}
	for kind, fields := range carried {
		out[kind] = slices.AppendSeq([]string{}, maps.Keys(fields)) // none are [] in JSON
		slices.Sort(out[kind])
	}
	return out
}

// everyKind stands for all kinds of a type of messages. It is no name of a constant.
const everyKind = ""

type messages struct {
	fields map[*types.Struct]map[string]map[string]bool // by type of messages and kind
	// the kinds of variables that are declared with a literal; nil if another message is assigned
	declared map[types.Object]*types.Const
}

// declares notes the kind of a variable that a literal declares.
func (x *messages) declares(s Source, a *ast.AssignStmt, of map[*types.Struct]bool) {
	for k, e := range a.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok {
			continue
		}
		if v := s.Info.Uses[id]; v != nil { // assigned once more
			x.declared[v] = nil
			continue
		}
		v := s.Info.Defs[id]
		if v == nil || len(a.Rhs) != len(a.Lhs) {
			continue
		}
		value := ast.Unparen(a.Rhs[k])
		if p, ok := value.(*ast.UnaryExpr); ok {
			value = p.X
		}
		lit, ok := value.(*ast.CompositeLit)
		if !ok {
			continue
		}
		if t, ok := s.Info.TypeOf(lit).Underlying().(*types.Struct); ok && of[t] {
			if _, again := x.declared[v]; !again {
				x.declared[v], _ = x.read(s, lit, t)
			}
		}
	}
}

// literal notes the fields that a literal sets.
func (x *messages) literal(s Source, lit *ast.CompositeLit, t *types.Struct) {
	kind, set := x.read(s, lit, t)
	into := x.of(t, kind)
	for _, f := range set {
		into[f] = true
	}
}

// of returns the fields of a kind of messages, or of all kinds if it is nil.
func (x *messages) of(t *types.Struct, kind *types.Const) map[string]bool {
	name := everyKind
	if kind != nil {
		name = kind.Name()
	}
	if x.fields[t] == nil {
		x.fields[t] = map[string]map[string]bool{}
	}
	if x.fields[t][name] == nil {
		x.fields[t][name] = map[string]bool{}
	}
	return x.fields[t][name]
}

// read returns the kind of a literal, nil if it is no constant, and the other fields that it sets.
func (x *messages) read(s Source, lit *ast.CompositeLit, t *types.Struct) (kind *types.Const, set []string) {
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
	return kind, set
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
		var kind *types.Const
		if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
			kind = x.declared[s.Info.Uses[id]]
		}
		x.of(m, kind)[sel.Sel.Name] = true
	}
}
