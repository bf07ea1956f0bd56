package effects

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// done follows what a call does: everything that its callees write.
func (t *trace) done(i ssa.CallInstruction) {
	call := i.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "copy", "delete", "clear", "close":
			t.content(call.Args[0])
		}
		return
	}
	if t.logs(call) {
		return
	}
	known := t.known(i)
	for _, f := range known {
		if t.p.side(f) == code && f.Blocks != nil {
			for _, s := range t.p.writtenBy(f) {
				t.out.add(s)
			}
			for _, arg := range call.Args {
				if g := literal(arg); g != nil && t.p.side(g) == code && g.Blocks != nil {
					for _, s := range t.p.writtenBy(g) {
						t.out.add(s)
					}
				} else if t.p.writesArgument(f) {
					t.filled(arg)
				}
			}
			continue
		}
		t.foreign(i, f, nil)
	}
	if len(known) == 0 {
		t.foreign(i, nil, nil)
	}
}

// known returns the functions that a call may call. For one that a function got as a parameter it
// is what the call gave that the value came through, as far as that is known.
func (t *trace) known(i ssa.CallInstruction) []*ssa.Function {
	p, ok := i.Common().Value.(*ssa.Parameter)
	if !ok || t.at == nil || i.Common().IsInvoke() || !slices.Contains(t.p.callees[t.at.site], p.Parent()) {
		return t.p.callees[i]
	}
	if f := literal(argument(t.at.site, slices.Index(p.Parent().Params, p))); f != nil && f.Blocks != nil {
		return []*ssa.Function{f}
	}
	return t.p.callees[i]
}

// logs reports whether a call writes a log. One that ends the run, as Panicf does, shows by that.
func (t *trace) logs(call *ssa.CallCommon) bool {
	switch {
	case useOf(call) == silent:
		return true
	case endsRun(call):
		t.out.add(sink{kind: raised, name: "a panic"})
		return true
	}
	return false
}

// literal returns the function that a value is; nil for one that is not known.
func literal(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.ChangeType:
		return literal(v.X)
	}
	return nil
}

// filled follows memory that the function made by itself and that a call may write.
func (t *trace) filled(arg ssa.Value) {
	switch x := arg.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice:
		t.value(arg)
	case *ssa.Slice:
		t.filled(x.X)
	default:
		if root := t.p.rootOf(arg); root != nil {
			t.local(root, nil)
		}
	}
}

// container reports whether values of a type hold elements.
func container(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Chan:
		return true
	}
	return false
}

// writesArgument reports whether a function may write what its arguments point to.
func (p *Program) writesArgument(f *ssa.Function) bool { return len(p.reachOf(f).writes.list) > 0 }

// call follows a value that is an argument of a call, or what is called.
func (t *trace) call(i ssa.CallInstruction, v ssa.Value) {
	call := i.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if b.Name() == "copy" || b.Name() == "delete" || b.Name() == "clear" || b.Name() == "close" {
			t.content(call.Args[0])
		}
		t.value(i.Value())
		return
	}
	if t.logs(call) {
		return
	}
	if v == call.Value { // another function is called, or a method of another value
		t.done(i)
		t.value(i.Value())
	}
	known := t.known(i)
	for _, f := range known {
		if !t.p.inside(f) || t.p.side(f) == adapter {
			t.foreign(i, f, v)
			continue
		}
		t.within(t.enter(i), func() {
			for k, param := range f.Params {
				if argument(i, k) == v {
					t.value(param)
				}
			}
		})
	}
	if len(known) == 0 {
		t.foreign(i, nil, v)
	}
}

// foreign follows a call of code whose body is not known, or of the adapter. Without a value it is
// the call itself that differs.
func (t *trace) foreign(i ssa.CallInstruction, f *ssa.Function, v ssa.Value) {
	call := i.Common()
	if f != nil && t.p.side(f) == adapter && !isLog(f.Name(), f.Signature) {
		t.out.add(sink{passed, "the arguments of " + functionName(f), f})
		t.value(i.Value())
		return
	}
	switch useOf(call) {
	case silent:
		return
	case locks:
		if v == nil {
			t.out.add(sink{passed, "the arguments of " + nameOfCall(call), i})
		}
	case swaps:
		t.write(call.Args[0])
	case memory:
		for _, arg := range changed(call) {
			t.content(arg)
		}
	default:
		t.out.add(sink{passed, "the arguments of " + nameOfCall(call), i})
	}
	t.value(i.Value())
}

// nameOfCall returns what is called.
func nameOfCall(call *ssa.CallCommon) string {
	switch f := call.StaticCallee(); {
	case call.IsInvoke():
		if n := namedOf(call.Value.Type()); n != nil {
			return n.Obj().Name() + "." + call.Method.Name()
		}
		return call.Method.Name()
	case f != nil:
		return functionName(f)
	}
	return "a function value"
}

// resultKey is the k-th result of a function.
type resultKey struct {
	f *ssa.Function
	k int
}

// result follows a function's result to those that call it. One that no known code calls goes to
// the program, if the function can be called from there.
func (t *trace) result(f *ssa.Function, k int) {
	if !t.once(resultKey{f, k}) {
		return
	}
	if t.at != nil && slices.Contains(t.p.callees[t.at.site], f) {
		site := t.at.site
		t.within(t.at.up, func() {
			if t.p.side(site.Parent()) == code {
				for _, v := range resultsOf(site, k) {
					t.value(v)
				}
			}
		})
		return
	}
	known := 0
	for _, site := range t.p.callers[f] {
		of := t.p.side(site.Parent())
		if of == outside {
			continue
		}
		known++
		if of == adapter {
			t.out.add(sink{returned, "the result of " + functionName(f), resultKey{f, k}})
			continue
		}
		t.within(nil, func() {
			for _, v := range resultsOf(site, k) {
				t.value(v)
			}
		})
	}
	if calls, otherwise := t.p.handedOn(f); known == 0 && !otherwise {
		for _, call := range calls {
			t.foreign(call, nil, f)
		}
		return
	}
	if known == 0 && f.Synthetic == "" && (f.Object() != nil && f.Object().Exported() || f.Signature.Recv() != nil || f.Parent() != nil) {
		t.out.add(sink{returned, "the result of " + functionName(f), resultKey{f, k}})
	}
}

// resultsOf returns the values that the k-th result of a call becomes.
func resultsOf(site ssa.CallInstruction, k int) (out []ssa.Value) {
	v := site.Value()
	if v == nil {
		return nil
	}
	if _, tuple := v.Type().(*types.Tuple); !tuple {
		return []ssa.Value{v}
	}
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.Extract:
			if x.Index == k {
				out = append(out, x)
			}
		case *ssa.Return: // return f()
			out = append(out, v)
		}
	}
	return out
}

// handed follows memory that a call gets.
func (t *trace) handed(i ssa.CallInstruction, ptr ssa.Value, f *types.Var) {
	call := i.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if i.Value() != nil {
			t.value(i.Value())
		}
		if b.Name() == "copy" && len(call.Args) == 2 && call.Args[1] == ptr {
			t.content(call.Args[0])
		}
		return
	}
	if t.logs(call) {
		return
	}
	known := t.p.callees[i]
	for _, g := range known {
		if !t.p.inside(g) || t.p.side(g) == adapter {
			t.foreign(i, g, ptr)
			continue
		}
		t.within(t.enter(i), func() {
			for k, param := range g.Params {
				if argument(i, k) == ptr {
					t.local(param, f)
				}
			}
		})
	}
	if len(known) == 0 {
		t.foreign(i, nil, ptr)
	}
}

// argument returns what a call gives for a parameter; nil for none.
func argument(site ssa.CallInstruction, k int) ssa.Value {
	call := site.Common()
	if call.IsInvoke() {
		if k == 0 {
			return call.Value
		}
		k--
	}
	if k < len(call.Args) {
		return call.Args[k]
	}
	return nil
}

// exposed reports whether code outside of the packages may call a function.
func (p *Program) exposed(f *ssa.Function) bool {
	for _, site := range p.callers[f] {
		if p.side(site.Parent()) != code {
			return true
		}
	}
	return len(p.callers[f]) == 0
}
