package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// write follows a write of what an address points to.
func (t *trace) write(addr ssa.Value) {
	type key struct{ addr ssa.Value }
	if !t.once(key{addr}) {
		return
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		f := fieldAt(a.X.Type(), a.Field)
		if root := t.p.rootOf(a.X); root != nil {
			t.local(root, f)
			return
		}
		t.p.field(&t.out, f)
	case *ssa.Global:
		t.out.add(sink{written, t.p.nameOfValue(a), a})
	case *ssa.Alloc:
		t.local(a, nil)
	case *ssa.IndexAddr:
		t.content(a.X)
	default:
		if st := t.p.structOf(elemOf(addr.Type())); st != nil {
			t.p.fieldsOf(&t.out, st, 0)
			return
		}
		t.content(addr)
	}
}

func elemOf(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// content follows a write of what a container holds, or of the memory that a value leads to: to
// where the value comes from.
func (t *trace) content(v ssa.Value) {
	type key struct {
		v       ssa.Value
		content bool
	}
	if v == nil || !t.once(key{v, true}) {
		return
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			t.holder(v.X)
		}
	case *ssa.Field:
		t.p.field(&t.out, fieldAt(v.X.Type(), v.Field))
	case *ssa.FieldAddr, *ssa.IndexAddr:
		t.write(v)
	case *ssa.Global:
		t.out.add(sink{written, t.p.nameOfValue(v), v})
	case *ssa.Alloc:
		t.local(v, nil)
	case *ssa.Phi:
		t.value(v)
		for _, e := range v.Edges {
			t.content(e)
		}
	case *ssa.Slice:
		t.content(v.X)
		t.value(v)
	case *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.SliceToArrayPointer:
		for _, op := range v.(ssa.Instruction).Operands(nil) {
			t.content(*op)
		}
		t.value(v)
	case *ssa.Lookup:
		t.content(v.X)
	case *ssa.Index:
		t.content(v.X)
	case *ssa.Extract:
		t.value(v)
		t.content(v.Tuple)
	case *ssa.Next:
		t.content(v.Iter)
	case *ssa.Range:
		t.content(v.X)
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		t.value(v)
	case *ssa.FreeVar:
		t.bound(v)
	case *ssa.Parameter:
		t.given(v)
	case *ssa.Call:
		t.value(v)
		t.made(v)
	}
}

// holder follows a write of what the value at an address leads to.
func (t *trace) holder(addr ssa.Value) {
	root := t.p.rootOf(addr)
	if root == nil {
		t.write(addr)
		return
	}
	t.local(root, nil)
	for _, r := range *root.Referrers() {
		if s, ok := r.(*ssa.Store); ok {
			t.content(s.Val)
		}
	}
}

// bound follows a variable of a function literal to the function around it.
func (t *trace) bound(v *ssa.FreeVar) {
	fn := v.Parent()
	k := slices.Index(fn.FreeVars, v)
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == fn {
				t.within(nil, func() { t.content(m.Bindings[k]) })
			}
		}
	}
	if container(v.Type()) {
		t.local(v, nil)
	}
}

// given follows a parameter to the arguments.
func (t *trace) given(v *ssa.Parameter) {
	if container(v.Type()) {
		t.local(v, nil)
	}
	fn := v.Parent()
	k := slices.Index(fn.Params, v)
	if t.at != nil && slices.Contains(t.p.callees[t.at.site], fn) {
		site := t.at.site
		t.within(t.at.up, func() { t.content(argument(site, k)) })
		return
	}
	known := 0
	for _, site := range t.p.callers[fn] {
		if arg := argument(site, k); arg != nil && t.p.side(site.Parent()) != outside {
			known++
			if t.p.side(site.Parent()) == code {
				t.within(nil, func() { t.content(arg) })
			} else {
				t.out.add(sink{written, t.p.nameOfValue(v), arg})
			}
		}
	}
	if known == 0 {
		t.out.add(sink{written, t.p.nameOfValue(v), v})
	}
}

// made follows a container that a call returns.
func (t *trace) made(call *ssa.Call) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			t.content(call.Call.Args[0])
		}
		return
	}
	for _, f := range t.p.callees[call] {
		if !t.p.inside(f) {
			continue
		}
		t.within(t.enter(call), func() { t.origins(f) })
	}
}

// origins follows what a function returns to where it comes from.
func (t *trace) origins(f *ssa.Function) {
	for _, b := range f.Blocks {
		if len(b.Instrs) > 0 {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
				for _, v := range r.Results {
					if points(v.Type()) {
						t.content(v)
					}
				}
			}
		}
	}
}
