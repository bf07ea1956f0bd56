package effects

import (
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

// mostFrames bounds how deep calls are distinguished.
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
// contexts are not distinguished.
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
