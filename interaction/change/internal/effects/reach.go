package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// reach holds what a function does by itself.
type reach struct {
	writes sinks
	calls  []*ssa.Function // of the code
	given  []*ssa.Function // that it may call through a parameter
	all    []sink          // with what these do; nil until it is asked for
}

// reachOf returns what a function writes that outlives it, without what it calls.
func (p *Program) reachOf(f *ssa.Function) *reach {
	if r := p.written[f]; r != nil {
		return r
	}
	r := new(reach)
	p.written[f] = r
	c := p.controlOf(f)
	for _, b := range f.Blocks {
		if !c.reachable[b.Index] {
			continue
		}
		for _, i := range b.Instrs {
			p.direct(r, i)
		}
	}
	return r
}

// direct adds what an instruction does.
func (p *Program) direct(r *reach, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		p.stored(&r.writes, i.Addr)
	case *ssa.MapUpdate:
		p.held(&r.writes, i.Map, 0)
	case *ssa.Send:
		p.held(&r.writes, i.Chan, 0)
	case *ssa.Panic:
		r.writes.add(sink{kind: raised, name: "a panic"})
	case *ssa.MakeClosure:
		r.calls = append(r.calls, i.Fn.(*ssa.Function))
	case ssa.CallInstruction:
		p.directCall(r, i)
	}
}

func (p *Program) directCall(r *reach, i ssa.CallInstruction) {
	call := i.Common()
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "copy", "delete", "clear", "close":
			p.held(&r.writes, call.Args[0], 0)
		}
		return
	}
	if useOf(call) == silent {
		return
	}
	if endsRun(call) {
		r.writes.add(sink{kind: raised, name: "a panic"})
		return
	}
	if _, ok := call.Value.(*ssa.Parameter); ok && !call.IsInvoke() {
		r.given = append(r.given, p.callees[i]...) // who gives it is asked for it
		return
	}
	p.given(r, i)
	known := p.callees[i]
	outside := len(known) == 0
	for _, f := range known {
		switch {
		case p.side(f) == code && f.Blocks != nil:
			r.calls = append(r.calls, f)
		case p.side(f) == adapter && !isLog(f.Name(), f.Signature):
			r.writes.add(sink{passed, "the arguments of " + functionName(f), f})
		case p.side(f) != adapter:
			outside = true
		}
	}
	if !outside {
		return
	}
	switch useOf(call) {
	case swaps:
		p.stored(&r.writes, call.Args[0])
	case memory:
		for _, arg := range changed(call) {
			p.held(&r.writes, arg, 0)
		}
	case keeps:
		r.writes.add(sink{passed, "the arguments of " + nameOfCall(call), i})
	}
}

// given adds the functions that a call hands on. What they are is known, or all count that the
// called function may call so.
func (p *Program) given(r *reach, i ssa.CallInstruction) {
	for _, arg := range i.Common().Args {
		if _, ok := arg.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		switch g := literal(arg); {
		case g != nil && p.side(g) == code && g.Blocks != nil:
			r.calls = append(r.calls, g)
		case g == nil:
			for _, f := range p.callees[i] {
				if p.side(f) == code && f.Blocks != nil {
					for _, g := range p.reachOf(f).given {
						if p.side(g) == code && g.Blocks != nil {
							r.calls = append(r.calls, g)
						}
					}
				}
			}
		}
	}
}

// stored adds the place that an address is in; none for a local variable.
func (p *Program) stored(s *sinks, addr ssa.Value) {
	if p.rootOf(addr) != nil {
		return
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		p.field(s, fieldAt(a.X.Type(), a.Field))
	case *ssa.Global:
		s.add(sink{written, p.nameOfValue(a), a})
	case *ssa.IndexAddr:
		p.held(s, a.X, 0)
	default:
		if st := p.structOf(elemOf(addr.Type())); st != nil {
			p.fieldsOf(s, st, 0)
			return
		}
		p.held(s, addr, 0)
	}
}

// held adds the places that hold a container, or lead to the memory of a value, as far as one
// function shows them.
func (p *Program) held(s *sinks, v ssa.Value, depth int) {
	if depth > 8 {
		return
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		p.stored(s, v.X)
	case *ssa.Field:
		p.field(s, fieldAt(v.X.Type(), v.Field))
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global:
		p.stored(s, v)
	case *ssa.Phi:
		for _, e := range v.Edges {
			p.held(s, e, depth+1)
		}
	case *ssa.Slice:
		p.held(s, v.X, depth+1)
	case *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		for _, op := range v.(ssa.Instruction).Operands(nil) {
			p.held(s, *op, depth+1)
		}
	case *ssa.Lookup:
		p.held(s, v.X, depth+1)
	case *ssa.Extract:
		p.held(s, v.Tuple, depth+1)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			p.held(s, v.Call.Args[0], depth+1)
		}
	}
}

// writtenBy returns what a function and all that it calls write that outlives it.
func (p *Program) writtenBy(f *ssa.Function) []sink {
	r := p.reachOf(f)
	if r.all != nil {
		return r.all
	}
	var out sinks
	seen := map[*ssa.Function]bool{f: true}
	for todo := []*ssa.Function{f}; len(todo) > 0; {
		x := p.reachOf(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		for _, s := range x.writes.list {
			out.add(s)
		}
		for _, g := range x.calls {
			if !seen[g] {
				seen[g] = true
				todo = append(todo, g)
			}
		}
	}
	r.all = append([]sink{}, out.list...)
	return r.all
}
