package effects

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What it computes. Fields and package variables that nothing modelled reads, such as those of
// metrics: what is written there cannot matter.
//
// Why it is right. They are not exported, so that only the loaded code can read them. Code that the
// adapter or a modelled function reaches does nothing with what it reads there but logs, and writes
// of the same place. Other code may return it as well, as a getter of metrics does. It
// writes nothing else with it, and hands it to no code outside of the packages. No struct that has
// the field is copied, compared or handed on, and its address goes to atomic operations alone.
// What the adapter finds by name is read.
//
// What it costs. For each such place, following what is read there.
//
// Example. "n.resets++" and "func (n *Node) Resets() int { return n.resets }", which the adapter
// does not call, make no difference. With "if n.resets > 3 { n.lead = 0 }" the field matters.

// unread reports whether nothing modelled reads a place that is written.
func (p *Program) unread(s sink) bool {
	if s.kind != written || p.of.Adapter == "" { // what one reads by other means is not known
		return false
	}
	if known, ok := p.idles[s.of]; ok {
		return known
	}
	p.idles[s.of] = p.notRead(s.of)
	return p.idles[s.of]
}

func (p *Program) notRead(of any) bool {
	switch of := of.(type) {
	case *types.Var:
		if of.Exported() || of.Embedded() || p.sideOfField(of) != code || p.observing().fields[of] || p.structOf(of.Type()) != nil {
			return false
		}
	case *ssa.Global:
		if ast.IsExported(of.Name()) || p.sides[of.Pkg.Pkg] != code || p.observing().needs[of] {
			return false
		}
	default:
		return false
	}
	for _, f := range p.funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if !p.passes(i, of) {
					return false
				}
			}
		}
	}
	return true
}

// passes reports whether an instruction does not read a place, or what it reads cannot matter.
func (p *Program) passes(i ssa.Instruction, of any) bool {
	f, field := of.(*types.Var)
	if !field {
		for _, op := range i.Operands(nil) {
			if *op == of && !p.harmless(i, *op, of) {
				return false
			}
		}
		return true
	}
	switch i := i.(type) {
	case *ssa.Field:
		return fieldAt(i.X.Type(), i.Field) != f
	case *ssa.FieldAddr:
		if fieldAt(i.X.Type(), i.Field) != f {
			return true
		}
		for _, r := range *i.Referrers() {
			if !p.harmless(r, i, of) {
				return false
			}
		}
	case *ssa.UnOp:
		if st := p.structOf(i.Type()); st != nil && len(*i.Referrers()) > 0 {
			return !p.holds(st, f, 0)
		}
	case *ssa.MakeInterface:
		if st := p.structOf(i.X.Type()); st != nil {
			return !p.holds(st, f, 0)
		}
	}
	return true
}

// holds reports whether a struct has a field, or a struct in it does.
func (p *Program) holds(st *types.Struct, f *types.Var, depth int) bool {
	for x := range st.Fields() {
		if x.Origin() == f {
			return true
		}
		if inner := p.structOf(x.Type()); inner != nil && depth < 8 && p.holds(inner, f, depth+1) {
			return true
		}
	}
	return false
}

// harmless reports whether an instruction that has the address of a place writes there, or reads
// what cannot matter.
func (p *Program) harmless(r ssa.Instruction, addr ssa.Value, of any) bool {
	var read ssa.Value
	switch r := r.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		return r.Val != addr
	case *ssa.UnOp:
		read = r
	case ssa.CallInstruction:
		f := r.Common().StaticCallee()
		if f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "sync/atomic" || !slices.Contains(r.Common().Args[:1], addr) {
			return false
		}
		if r.Value() == nil {
			return true
		}
		read = r.Value()
	default:
		return false
	}
	t := newTrace(p)
	t.inner = true
	t.value(read)
	t.run()
	return !slices.ContainsFunc(t.out.list, func(s sink) bool {
		key, result := s.of.(resultKey)
		return s.of != of && !(result && s.kind == returned && !p.modelled()[r.Parent()] && !p.modelled()[key.f])
	})
}

// modelled returns the functions that the adapter or a modelled function reaches by calls.
func (p *Program) modelled() map[*ssa.Function]bool {
	if p.reached != nil {
		return p.reached
	}
	p.reached = map[*ssa.Function]bool{}
	var todo []*ssa.Function
	add := func(f *ssa.Function) {
		if !p.reached[f] {
			p.reached[f] = true
			todo = append(todo, f)
		}
	}
	for _, f := range p.funcs {
		if p.side(f) == adapter || p.of.Modelled != nil && p.of.Modelled(pathName(f)) {
			add(f)
		}
	}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok {
					for _, g := range p.callees[call] {
						add(g)
					}
				}
				for _, op := range i.Operands(nil) {
					if g := literal(*op); g != nil { // it may be called later
						add(g)
					}
				}
			}
		}
	}
	return p.reached
}
