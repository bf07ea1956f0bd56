package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// from needs what a value comes from.
func (o *observed) from(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Parameter:
		fn := v.Parent()
		k := slices.Index(fn.Params, v)
		for _, site := range o.p.callers[fn] {
			if o.p.side(site.Parent()) == adapter {
				o.need(argument(site, k))
				o.decided(site.Block())
			}
		}
	case *ssa.FreeVar:
		o.captured(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			o.loaded(v.X, v)
		} else {
			o.need(v.X)
		}
	case *ssa.Field:
		o.field(fieldAt(v.X.Type(), v.Field))
		if u, ok := v.X.(*ssa.UnOp); ok {
			o.need(u.X)
			return
		}
		o.need(v.X)
	case *ssa.FieldAddr:
		o.loaded(v, nil)
	case *ssa.Alloc:
		o.memory(v)
	case *ssa.Phi:
		for k, e := range v.Edges {
			o.need(e)
			o.decided(v.Block().Preds[k])
		}
	case *ssa.Call:
		o.called(v, -1)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			o.called(call, v.Index)
			return
		}
		o.need(v.Tuple)
	case *ssa.Function, *ssa.Builtin, *ssa.Const:
	case *ssa.Global:
		o.written(v)
	case ssa.Instruction:
		for _, op := range v.Operands(nil) {
			o.need(*op)
		}
	}
}

// field notes that the adapter reads a field.
func (o *observed) field(f *types.Var) {
	if o.fields[f] {
		return
	}
	o.fields[f] = true
	if o.p.sideOfField(f) == adapter {
		o.written(f)
	}
}

// written needs what is stored into a field or a variable of the adapter.
func (o *observed) written(of any) {
	for _, i := range o.stores[of] {
		switch i := i.(type) {
		case *ssa.Store:
			o.need(i.Val)
		case *ssa.MapUpdate:
			o.need(i.Key)
			o.need(i.Value)
		}
		o.decided(i.Block())
	}
}

// loaded needs what is at an address: by the field or the variable that it is in. By says what was
// loaded; nil where the address itself is needed.
func (o *observed) loaded(addr ssa.Value, by *ssa.UnOp) {
	if by != nil {
		if st := o.p.structOf(by.Type()); st != nil {
			o.whole(st, 0)
		}
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		if f := fieldAt(a.X.Type(), a.Field); o.p.sideOfField(f) != outside {
			o.field(f)
		}
		if root, ok := a.X.(*ssa.Alloc); ok {
			o.part(root, fieldAt(a.X.Type(), a.Field))
			return
		}
		o.need(a.X)
	case *ssa.IndexAddr:
		o.need(a.X)
		o.need(a.Index)
	default:
		o.need(addr)
	}
}

// whole notes that all fields of a struct are read, where one is used as a whole.
func (o *observed) whole(st *types.Struct, depth int) {
	for f := range st.Fields() {
		o.field(f.Origin())
		if inner := o.p.structOf(f.Type()); inner != nil && depth < 8 {
			o.whole(inner, depth+1)
		}
	}
}

// memory needs what is written into a local variable, or what a call that gets its address writes
// there.
func (o *observed) memory(v ssa.Value) {
	if v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				o.need(r.Val)
				o.decided(r.Block())
			}
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
			o.memory(r.(ssa.Value))
		case *ssa.MapUpdate:
			o.need(r.Key)
			o.need(r.Value)
			o.decided(r.Block())
		case *ssa.MakeClosure:
			for k, b := range r.Bindings {
				if b == v {
					o.memory(r.Fn.(*ssa.Function).FreeVars[k])
				}
			}
		case ssa.CallInstruction:
			o.fills(r, v)
		}
	}
}

// part needs one field of a local struct. Where the struct was copied from memory as a whole, only
// that field of it is read.
func (o *observed) part(root *ssa.Alloc, f *types.Var) {
	if o.needs[[2]any{root, f}] {
		return
	}
	o.needs[[2]any{root, f}] = true
	for _, r := range *root.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != root {
				continue
			}
			o.decided(r.Block())
			if u, ok := r.Val.(*ssa.UnOp); ok && u.Op == token.MUL {
				o.need(u.X)
			} else {
				o.need(r.Val)
			}
		case *ssa.FieldAddr:
			if fieldAt(r.X.Type(), r.Field) == f {
				o.memory(r)
			}
		case *ssa.MakeClosure, ssa.CallInstruction:
			o.need(root)
		}
	}
}

// fills needs the other arguments of a call that may write the memory of one.
func (o *observed) fills(i ssa.CallInstruction, v ssa.Value) {
	call := i.Common()
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return
	}
	for _, f := range o.p.callees[i] {
		if o.p.side(f) == code {
			return
		}
		if o.p.side(f) == adapter && o.p.inside(f) {
			for k, p := range f.Params {
				if argument(i, k) == v && !o.needs[[2]any{p, "memory"}] {
					o.needs[[2]any{p, "memory"}] = true
					o.memory(p)
				}
			}
			return
		}
	}
	for _, arg := range call.Args {
		o.need(arg)
	}
	o.decided(i.Block())
}

// captured needs what a function literal has from the function around it.
func (o *observed) captured(v *ssa.FreeVar) {
	fn := v.Parent()
	k := slices.Index(fn.FreeVars, v)
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			if m, ok := i.(*ssa.MakeClosure); ok && m.Fn == fn {
				o.need(m.Bindings[k])
			}
		}
	}
}

// called needs what a call returns; result is the number of the result, -1 for all.
func (o *observed) called(call *ssa.Call, result int) {
	if result >= 0 {
		o.needs[[2]any{call, result}] = true
	}
	known := o.p.callees[call]
	outer := len(known) == 0
	for _, f := range known {
		switch o.p.side(f) {
		case adapter:
			o.returns(f, result)
		case outside:
			outer = true
		}
	}
	if call.Call.IsInvoke() {
		o.need(call.Call.Value)
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok || outer || len(known) > 0 && o.p.side(known[0]) == code {
		_ = b
		for _, arg := range call.Call.Args {
			o.need(arg)
		}
	}
}

// returns needs what a function of the adapter returns.
func (o *observed) returns(f *ssa.Function, result int) {
	for _, b := range f.Blocks {
		if len(b.Instrs) == 0 || !o.p.controlOf(f).reachable[b.Index] {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for k, v := range r.Results {
				if result < 0 || k == result {
					o.need(v)
				}
			}
			o.decided(b)
		}
	}
}
