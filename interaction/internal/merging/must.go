package merging

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Fact is a condition on one element of the state: it has the value, or it has another one.
type Fact struct {
	Variable string
	Index    string // the terms in brackets, as [p.I]; "" for a variable without indices
	Value    string // exact text of a constant
	Differs  bool
}

// Required returns facts without which a guard is false. It reads conjunctions, negations and
// comparisons with constants, of fields and elements of the State whose indices are parameters or
// constants. What it does not know it leaves out, so each fact is certain.
func Required(guard *ssa.Function) []Fact {
	if guard == nil || len(guard.Blocks) == 0 || len(guard.Params) == 0 {
		return nil
	}
	r := &required{fn: guard}
	for _, b := range guard.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 1 || isFalse(ret.Results[0]) {
			continue
		}
		if r.returns++; r.returns > 1 {
			return nil // what both require is not computed
		}
		r.path(b)
		r.holds(ret.Results[0], true)
	}
	return r.facts
}

type required struct {
	fn      *ssa.Function
	returns int
	facts   []Fact
}

func isFalse(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)
}

// path adds the conditions of the branches that lead to a block and to no other.
func (r *required) path(b *ssa.BasicBlock) {
	for x := b; x != nil; x = x.Idom() {
		above := x.Idom()
		if above == nil || len(x.Preds) != 1 {
			continue
		}
		if branch, ok := above.Instrs[len(above.Instrs)-1].(*ssa.If); ok && x.Preds[0] == above && above.Succs[0] != above.Succs[1] {
			r.holds(branch.Cond, above.Succs[0] == x)
		}
	}
}

// holds adds what follows from a condition that is true, or false.
func (r *required) holds(v ssa.Value, want bool) {
	switch v := v.(type) {
	case *ssa.Phi:
		r.choice(v, want)
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			r.holds(v.X, !want)
		case token.MUL:
			r.element(v, constant.MakeBool(want), false)
		}
	case *ssa.BinOp:
		if v.Op != token.EQL && v.Op != token.NEQ {
			return
		}
		x, y := v.X, v.Y
		if _, ok := x.(*ssa.Const); ok {
			x, y = y, x
		}
		if c, ok := y.(*ssa.Const); ok && c.Value != nil {
			r.element(x, c.Value, (v.Op == token.NEQ) == want)
		}
	}
}

// choice adds what follows from a && b: in SSA form a phi of false and b.
func (r *required) choice(v *ssa.Phi, want bool) {
	if !want {
		return
	}
	only := -1
	for k, e := range v.Edges {
		if isFalse(e) {
			continue
		}
		if only >= 0 {
			return
		}
		only = k
	}
	if only >= 0 {
		r.path(v.Block().Preds[only])
		r.holds(v.Edges[only], true)
	}
}

func (r *required) element(v ssa.Value, value constant.Value, differs bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return
	}
	name, index, ok := r.place(load.X)
	if ok {
		r.facts = append(r.facts, Fact{name, index, value.ExactString(), differs})
	}
}

// place names the element that an address of the State points to.
func (r *required) place(addr ssa.Value) (name, index string, ok bool) {
	var fields, terms []string
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			s := a.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			fields = append([]string{s.Field(a.Field).Name()}, fields...)
			addr = a.X
			continue
		case *ssa.IndexAddr:
			t, known := r.term(a.Index)
			if !known {
				return "", "", false
			}
			terms = append([]string{"[" + t + "]"}, terms...)
			addr = a.X
			continue
		case *ssa.Parameter:
			return strings.Join(fields, "."), strings.Join(terms, ""), a == r.fn.Params[0] && len(fields) > 0
		}
		return "", "", false
	}
}

// term names an index: a constant, or a field of the action's parameter.
func (r *required) term(v ssa.Value) (string, bool) {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil {
			return v.Value.ExactString(), true
		}
	case *ssa.Convert:
		return r.term(v.X)
	case *ssa.Field:
		if p, ok := v.X.(*ssa.Parameter); ok {
			return "p." + p.Type().Underlying().(*types.Struct).Field(v.Field).Name(), true
		}
	case *ssa.UnOp:
		f, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			break
		}
		if a, ok := f.X.(*ssa.Alloc); ok && r.spilled(a) {
			return "p." + a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(f.Field).Name(), true
		}
	}
	return "", false
}

// spilled reports whether a local variable holds a parameter and nothing else: the only store to it
// is that of the parameter, and its fields are only read.
func (r *required) spilled(a *ssa.Alloc) bool {
	stores := 0
	for _, ref := range *a.Referrers() {
		switch x := ref.(type) {
		case *ssa.Store:
			if _, ok := x.Val.(*ssa.Parameter); !ok || x.Addr != a {
				return false
			}
			stores++
		case *ssa.FieldAddr:
			for _, use := range *x.Referrers() {
				if load, ok := use.(*ssa.UnOp); !ok || load.Op != token.MUL {
					return false
				}
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return stores == 1
}
