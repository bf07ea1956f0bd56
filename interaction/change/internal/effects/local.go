package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// local follows what is written into memory that a value points to and that was made in the same
// function: loads of it, of one field if f is set.
func (t *trace) local(ptr ssa.Value, f *types.Var) {
	type key struct {
		ptr ssa.Value
		f   *types.Var
	}
	if ptr == nil || !t.once(key{ptr, f}) || ptr.Referrers() == nil {
		return
	}
	for _, r := range *ptr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op == token.MUL && f != nil && ptr == t.p.rootOf(ptr) {
				t.partial(r, f)
			} else if r.Op == token.MUL {
				t.value(r)
			}
		case *ssa.FieldAddr:
			if f == nil || fieldAt(r.X.Type(), r.Field) == f {
				t.local(r, nil)
			}
		case *ssa.IndexAddr:
			t.local(r, nil)
		case *ssa.Store:
			if r.Val == ptr { // what is written can be reached from there
				t.escapes(r.Addr, f, ptr)
			}
		case *ssa.MapUpdate:
			t.kept(f, r.Map)
		case *ssa.Send:
			t.kept(f, r.Chan)
		case *ssa.Return:
			for k, x := range r.Results {
				if x == ptr {
					t.returnedMemory(r.Parent(), k, f)
				}
			}
			if t.at == nil && t.p.exposed(r.Parent()) {
				t.kept(f, nil)
			}
		case *ssa.MakeClosure:
			for k, b := range r.Bindings {
				if b == ptr {
					t.within(nil, func() { t.local(r.Fn.(*ssa.Function).FreeVars[k], f) })
				}
			}
		case ssa.CallInstruction:
			t.handed(r, ptr, f)
		case *ssa.DebugRef:
		case *ssa.Slice, *ssa.Phi, *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
			t.local(r.(ssa.Value), f)
		case *ssa.Lookup, *ssa.Range, *ssa.Index, *ssa.Field:
			t.value(r.(ssa.Value))
		}
	}
}

// partialArgument follows a struct with one field that differs into a call.
func (t *trace) partialArgument(i ssa.CallInstruction, v ssa.Value, f *types.Var) {
	known := t.p.callees[i]
	if len(known) == 0 || slices.ContainsFunc(known, func(g *ssa.Function) bool { return !t.p.inside(g) || t.p.side(g) == adapter }) {
		t.call(i, v)
		return
	}
	for _, g := range known {
		t.within(t.enter(i), func() {
			for k, param := range g.Params {
				if argument(i, k) == v {
					t.partial(param, f)
				}
			}
		})
	}
}

// returnedMemory follows memory that a function returns.
func (t *trace) returnedMemory(fn *ssa.Function, k int, f *types.Var) {
	back := func(site ssa.CallInstruction, at *frame) {
		if t.p.side(site.Parent()) == code {
			t.within(at, func() {
				for _, v := range resultsOf(site, k) {
					t.local(v, f)
				}
			})
		}
	}
	if t.at != nil && slices.Contains(t.p.callees[t.at.site], fn) {
		back(t.at.site, t.at.up)
		return
	}
	for _, site := range t.p.callers[fn] {
		back(site, nil)
	}
}

// partial follows a struct with one field that differs.
func (t *trace) partial(v ssa.Value, f *types.Var) {
	type key struct {
		v       ssa.Value
		f       *types.Var
		partial bool
	}
	if !t.once(key{v, f, true}) {
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Field:
			if fieldAt(r.X.Type(), r.Field) == f {
				t.value(r)
			}
		case *ssa.Store:
			if root := t.p.rootOf(r.Addr); root == r.Addr {
				t.local(root, f)
			} else {
				t.p.field(&t.out, f)
				if root != nil { // an element of what is local
					t.write(r.Addr)
				}
			}
		case ssa.CallInstruction:
			t.partialArgument(r, v, f)
		default:
			t.use(r, v)
		}
	}
}

// escapes follows a pointer that is stored: into a local variable, or to where it outlives the
// call.
func (t *trace) escapes(to ssa.Value, f *types.Var, ptr ssa.Value) {
	if root := t.p.rootOf(to); root != nil {
		if root != ptr {
			t.contents(root, f)
		}
		return
	}
	if f == nil {
		t.write(to)
		return
	}
	t.kept(f, nil)
}

// contents follows pointers that a local variable holds.
func (t *trace) contents(root ssa.Value, f *types.Var) {
	type key struct {
		root ssa.Value
		f    *types.Var
		held bool
	}
	if !t.once(key{root, f, true}) || root.Referrers() == nil {
		return
	}
	for _, r := range *root.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op == token.MUL {
				t.local(r, f)
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			t.contents(r.(ssa.Value), f)
		case *ssa.Slice:
			t.held(r, f)
		case *ssa.Store, *ssa.DebugRef:
		default:
			t.kept(f, nil)
		}
	}
}

// held follows a slice of pointers.
func (t *trace) held(s *ssa.Slice, f *types.Var) {
	for _, r := range *s.Referrers() {
		if call, ok := r.(ssa.CallInstruction); ok {
			if b, ok := call.Common().Value.(*ssa.Builtin); ok && b.Name() == "append" && f == nil {
				t.value(call.Value())
				continue
			}
			if useOf(call.Common()) == silent {
				continue
			}
		}
		if _, ok := r.(*ssa.DebugRef); !ok {
			t.kept(f, nil)
		}
	}
}

// kept adds a field of memory that outlives the call, or what holds it.
func (t *trace) kept(f *types.Var, in ssa.Value) {
	switch {
	case f != nil:
		t.p.field(&t.out, f)
	case in != nil:
		t.content(in)
	}
}

// rootOf returns the local variable that an address is in; nil for other memory.
func (p *Program) rootOf(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			if _, ok := a.X.Type().Underlying().(*types.Pointer); !ok {
				return nil
			}
			addr = a.X
		case *ssa.Alloc:
			return a
		default:
			return nil
		}
	}
}
