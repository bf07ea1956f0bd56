package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
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

// LogsAlone reports whether a module of Go has packages alone that write logs or measure.
func LogsAlone(module string) bool {
	return slices.Contains(loggers, module) || slices.Contains(meters, module)
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

// OnlyReads reports whether a function writes nothing that outlives a call of it, takes nothing
// out of a channel, and calls nothing outside of the packages that may. A method must not have the
// name of one of an interface, since a type with it may be used otherwise than one without.
func (p *Program) OnlyReads(function string) bool {
	all := p.named(function)
	for _, f := range all {
		if len(p.writtenBy(f)) > 0 || p.receives(f, map[*ssa.Function]bool{}) || f.Signature.Recv() != nil && p.abstract(f.Name()) {
			return false
		}
	}
	return len(all) > 0
}

// receives reports whether a function, or one that it calls, takes something out of a channel.
func (p *Program) receives(f *ssa.Function, seen map[*ssa.Function]bool) bool {
	seen[f] = true
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if x, ok := i.(*ssa.UnOp); ok && x.Op == token.ARROW {
				return true
			}
			if _, ok := i.(*ssa.Select); ok {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.reachOf(f).calls, func(g *ssa.Function) bool { return !seen[g] && p.receives(g, seen) })
}

// abstract reports whether an interface that one of the packages declares, or one that they import,
// has a method of a name.
func (p *Program) abstract(name string) bool {
	seen := map[*types.Package]bool{}
	var in func(pkg *types.Package) bool
	in = func(pkg *types.Package) bool {
		if seen[pkg] {
			return false
		}
		seen[pkg] = true
		for _, n := range pkg.Scope().Names() {
			t, ok := pkg.Scope().Lookup(n).(*types.TypeName)
			if !ok {
				continue
			}
			if i, ok := t.Type().Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					if m.Name() == name {
						return true
					}
				}
			}
		}
		return slices.ContainsFunc(pkg.Imports(), in)
	}
	// Errors have these by interfaces without a name.
	return slices.Contains([]string{"Is", "As", "Unwrap"}, name) || slices.ContainsFunc(p.pkgs, func(pkg *packages.Package) bool { return in(pkg.Types) })
}
