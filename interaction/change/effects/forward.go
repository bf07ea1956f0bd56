package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// trace follows what a change makes different to the places that outlive a call.
type trace struct {
	p     *Program
	out   sinks
	seen  map[visit]bool
	todo  []located
	inner bool // derived conditions are followed at once
	// derived are the conditions that depend on a changed value and did not change themselves.
	derived []decision
	at      *frame // of what is followed now
	frames  map[frame]*frame
}

// frame is a call through which a value came into a function: what the function returns goes back
// there. It is nil for the function with the change, whose results go to all that call it.
type frame struct {
	site  ssa.CallInstruction
	up    *frame
	depth int
}

// mostFrames bounds how deep calls are told apart.
const mostFrames = 6

// located is a value in the context of a call.
type located struct {
	v  ssa.Value
	at *frame
}

// decision is a condition in the context of a call.
type decision struct {
	b  *ssa.BasicBlock
	at *frame
}

// visit is what was followed, in the context of a call.
type visit struct {
	key any
	at  *frame
}

func newTrace(p *Program) *trace {
	return &trace{p: p, seen: map[visit]bool{}, frames: map[frame]*frame{}}
}

// once reports whether a key is new.
func (t *trace) once(key any) bool {
	k := visit{key, t.at}
	if t.seen[k] {
		return false
	}
	t.seen[k] = true
	return true
}

// within does something in another context.
func (t *trace) within(at *frame, do func()) {
	was := t.at
	t.at = at
	do()
	t.at = was
}

// enter returns the context of a call's callee. Of calls that nest too deep, or in themselves, the
// contexts are not told apart.
func (t *trace) enter(site ssa.CallInstruction) *frame {
	f := frame{site, t.at, 1}
	for x := t.at; x != nil; x = x.up {
		if f.depth++; x.site == site {
			return x
		}
	}
	if f.depth > mostFrames {
		return nil
	}
	if known := t.frames[f]; known != nil {
		return known
	}
	t.frames[f] = &f
	return &f
}

// value adds a value that differs.
func (t *trace) value(v ssa.Value) {
	if c, ok := v.(*ssa.Call); ok && c == nil {
		return // of a go or defer statement
	}
	if _, ok := v.(*ssa.Const); ok {
		return // see constant
	}
	if v != nil && t.once(v) {
		t.todo = append(t.todo, located{v, t.at})
	}
}

// run follows all values.
func (t *trace) run() {
	for len(t.todo) > 0 && !(t.inner && t.witnessed()) {
		x := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		t.at = x.at
		if refs := x.v.Referrers(); refs != nil {
			for _, use := range *refs {
				if t.p.controlOf(use.Parent()).reachable[use.Block().Index] {
					t.use(use, x.v)
				}
			}
		}
	}
}

// constant follows a constant that a statement of a function has as it is.
func (t *trace) constant(f *ssa.Function, c *ssa.Const) {
	for _, use := range t.p.usesOf(f)[c] {
		t.use(use, c)
	}
}

// usesOf returns which instructions of a function use which constants.
func (p *Program) usesOf(f *ssa.Function) map[*ssa.Const][]ssa.Instruction {
	if p.consts[f] != nil {
		return p.consts[f]
	}
	uses := map[*ssa.Const][]ssa.Instruction{}
	p.consts[f] = uses
	var ops []*ssa.Value
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.DebugRef); ok {
				continue
			}
			for _, op := range i.Operands(ops[:0]) {
				if c, ok := (*op).(*ssa.Const); ok {
					uses[c] = append(uses[c], i)
				}
			}
		}
	}
	return uses
}

// use follows a value into an instruction that uses it.
func (t *trace) use(i ssa.Instruction, v ssa.Value) {
	switch i := i.(type) {
	case *ssa.Store:
		if st := t.p.structOf(v.Type()); st != nil && i.Val == v && t.p.rootOf(i.Addr) != i.Addr {
			t.p.fieldsOf(&t.out, st, 0) // an element
		}
		t.write(i.Addr)
	case *ssa.MapUpdate:
		t.content(i.Map)
	case *ssa.Send:
		t.content(i.Chan)
	case ssa.CallInstruction:
		t.call(i, v)
	case *ssa.Return:
		for k, r := range i.Results {
			if r == v {
				t.result(i.Parent(), k)
			}
		}
	case *ssa.If:
		t.condition(i.Block())
	case *ssa.Panic:
		t.out.add(sink{kind: raised, name: "a panic"})
	case *ssa.MakeClosure:
		for k, b := range i.Bindings {
			if b == v {
				t.within(nil, func() { t.value(i.Fn.(*ssa.Function).FreeVars[k]) })
			}
		}
	case *ssa.DebugRef:
	case ssa.Value:
		t.value(i)
	}
}

// condition notes a condition that depends on a changed value.
func (t *trace) condition(b *ssa.BasicBlock) {
	if t.inner {
		t.controlled(b)
	} else if d := (decision{b, t.at}); !slices.Contains(t.derived, d) {
		t.derived = append(t.derived, d)
	}
}

// controlled follows all that a block's condition decides: what is done or not, and which of
// several values is taken.
func (t *trace) controlled(b *ssa.BasicBlock) {
	type key struct{ b *ssa.BasicBlock }
	if !t.once(key{b}) {
		return
	}
	region := t.p.controlOf(b.Parent()).region(b)
	for _, x := range b.Parent().Blocks {
		if region[x] {
			for _, i := range x.Instrs {
				t.effect(i)
			}
		}
		for _, i := range x.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			if slices.ContainsFunc(x.Preds, func(q *ssa.BasicBlock) bool { return region[q] || q == b }) {
				t.value(phi)
			}
		}
	}
}

// effect follows what an instruction does when it runs.
func (t *trace) effect(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		t.write(i.Addr)
	case *ssa.MapUpdate:
		t.content(i.Map)
	case *ssa.Send:
		t.content(i.Chan)
	case *ssa.Return:
		for k := range i.Results {
			t.result(i.Parent(), k)
		}
	case *ssa.Panic:
		t.out.add(sink{kind: raised, name: "a panic"})
	case ssa.CallInstruction:
		t.done(i)
	}
}

// done follows what a call does: everything that is written on its way.
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
	known := t.p.callees[i]
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
	known := t.p.callees[i]
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

// partialArgument follows a struct of which one field differs into a call.
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

// partial follows a struct of which one field differs.
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

// exposed reports whether code outside of the packages may call a function.
func (p *Program) exposed(f *ssa.Function) bool {
	for _, site := range p.callers[f] {
		if p.side(site.Parent()) != code {
			return true
		}
	}
	return len(p.callers[f]) == 0
}
