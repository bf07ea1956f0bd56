package effects

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// OnlyLogs reports whether a function differs from the other side in what it logs alone. Then each
// step that only one side has writes a log, or makes a value that goes nowhere else. The function's
// name has the import path and the type of the receiver. It must be on both sides, with equal
// literals.
func (p *Program) OnlyLogs(other *Program, function string) bool {
	is, was := p.named(function), other.named(function)
	if len(is) == 0 || len(is) != len(was) {
		return false
	}
	for name, f := range is {
		g := was[name]
		if g == nil || !p.logsMore(other, f, g) || !other.logsMore(p, g, f) {
			return false
		}
	}
	return true
}

// named returns the functions of a name: the declared one, and the literals in it.
func (p *Program) named(function string) map[string]*ssa.Function {
	out := map[string]*ssa.Function{}
	for _, f := range p.funcs {
		if f.Syntax() != nil && pathName(f) == function {
			out[f.String()] = f
		}
	}
	return out
}

// logsMore reports whether a function does no more than another version, logs aside.
func (p *Program) logsMore(other *Program, f, g *ssa.Function) bool {
	twins := twinsOf(other, p, g, f)
	t := newTrace(p)
	for _, i := range steps(f) {
		if twins.pair[i] != nil {
			continue
		}
		if !p.idle(i) {
			return false
		}
		t.start(twins, i)
	}
	t.run()
	return len(t.out.list) == 0 && len(t.derived) == 0
}

// idle reports whether a step writes a log, or touches memory alone that the function made.
func (p *Program) idle(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Call:
		use := useOf(&i.Call)
		return use == silent || use == memory && len(changed(&i.Call)) == 0
	case *ssa.Defer:
		return useOf(&i.Call) == silent
	case *ssa.UnOp:
		return i.Op == token.MUL
	case *ssa.Alloc:
		return true
	case *ssa.Store:
		return p.rootOf(i.Addr) != nil
	}
	return false
}
