package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// OnlyLogs reports whether a function differs from the other side in what it logs alone. Then each
// step that only one side has writes a log, or makes a value that goes nowhere else. A condition is
// such a step if nothing else depends on it, and a call if the function that it calls does no more
// than that. A value whose making may panic counts as more. The function's name has the import path
// and the type of the receiver. It must be on both sides, with equal literals.
func (p *Program) OnlyLogs(other *Program, function string) bool {
	is, was := p.named(function), other.named(function)
	if len(is) == 0 || len(is) != len(was) {
		return false
	}
	for name, f := range is {
		g := was[name]
		switch {
		case g == nil:
			return false
		case p.quiet(f, nil) && other.quiet(g, nil):
		case !p.logsMore(other, f, g) || !other.logsMore(p, g, f):
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
		if twins.pair[i] != nil || !p.controlOf(f).reachable[i.Block().Index] {
			continue
		}
		if !p.idle(i, nil) {
			return false
		}
		t.start(twins, i)
	}
	return p.nowhere(t) && p.panicsNoMore(twins, f, g) && ends(f)
}

// ends reports whether a function can come to an end from each of its blocks.
func ends(f *ssa.Function) bool {
	return !slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return !slices.ContainsFunc(after(b), func(x *ssa.BasicBlock) bool { return len(x.Succs) == 0 })
	})
}

// after returns a block and those that may run after it. The block is there twice if it may run
// again.
func after(b *ssa.BasicBlock) []*ssa.BasicBlock {
	out := []*ssa.BasicBlock{b}
	seen := map[*ssa.BasicBlock]bool{}
	for k := 0; k < len(out); k++ {
		for _, s := range out[k].Succs {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// nowhere reports whether what was begun reaches no place that outlives the call, or places alone
// that nothing modelled reads. A condition that depends on it decides as little.
func (p *Program) nowhere(t *trace) bool {
	t.run()
	for _, d := range t.derived {
		t.within(d.at, func() { t.controlled(d.b) })
	}
	t.inner = true // so that further conditions are followed, too
	t.run()
	return !slices.ContainsFunc(t.out.list, func(s sink) bool { return !p.unread(s) })
}

// quiet reports whether a function returns nothing and does nothing but write logs. Around are the
// functions that call it here.
func (p *Program) quiet(f *ssa.Function, around []*ssa.Function) bool {
	if f.Blocks == nil || p.side(f) != code || f.Signature.Results().Len() > 0 || slices.Contains(around, f) {
		return false
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if _, end := i.(*ssa.Return); !end && !pure(i) && !p.idle(i, append(around, f)) || p.mayPanic(i) {
				return false
			}
		}
	}
	return ends(f)
}

// panicsNoMore reports whether a function computes nothing that may panic and that another version
// does not compute under the same conditions. Calls count as steps, and so do lookups and
// assertions.
func (p *Program) panicsNoMore(t *twins, f, g *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if t.pair[i] == nil && p.mayPanic(i) && !t.computed(i, g) {
				return false
			}
		}
	}
	return true
}

// computed reports whether another version computes the same as an instruction does, under the same
// conditions.
func (t *twins) computed(i ssa.Instruction, g *ssa.Function) bool {
	for _, b := range g.Blocks {
		for _, other := range b.Instrs {
			if _, ok := other.(ssa.Value); ok && t.made(i, other, 0) && t.conditions(i.Block(), b) {
				return true
			}
		}
	}
	return false
}

// mayPanic reports whether an instruction that is no call may panic: an operator, an index, a part
// of a slice, or what a pointer leads to.
func (p *Program) mayPanic(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		return p.mayBeNil(i, i.X)
	case *ssa.UnOp:
		return i.Op == token.MUL && p.mayBeNil(i, i.X)
	case *ssa.IndexAddr:
		_, fixed := i.Index.(*ssa.Const)
		_, pointer := i.X.Type().Underlying().(*types.Pointer) // to an array, whose length is known
		return !fixed || !pointer || p.mayBeNil(i, i.X)
	case *ssa.Slice:
		if i.Low != nil || i.High != nil || i.Max != nil {
			return true
		}
		_, pointer := i.X.Type().Underlying().(*types.Pointer)
		return pointer && p.mayBeNil(i, i.X)
	case *ssa.BinOp:
		c, fixed := i.Y.(*ssa.Const)
		kind, _ := i.Y.Type().Underlying().(*types.Basic)
		switch i.Op {
		case token.QUO, token.REM: // the compiler refuses a constant 0
			return kind != nil && kind.Info()&types.IsInteger != 0 && !fixed
		case token.SHL, token.SHR:
			return kind != nil && kind.Info()&types.IsUnsigned == 0 && !fixed
		case token.EQL, token.NEQ: // of values that cannot be compared
			return kind == nil && !(fixed && c.IsNil()) && !pointers(i.Y.Type())
		}
	}
	return false
}

// pointers reports whether values of a type are pointers or channels, which can be compared.
func pointers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	}
	return false
}

// mayBeNil reports whether an instruction may be the first that follows a pointer. A receiver
// counts as not nil, and so does the address of something.
func (p *Program) mayBeNil(at ssa.Instruction, x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		return false
	case *ssa.Parameter:
		if f := x.Parent(); f.Signature.Recv() != nil && x == f.Params[0] && !comparedWithNil(x) {
			return false
		}
	}
	for _, b := range at.Parent().Blocks {
		if !b.Dominates(at.Block()) {
			continue
		}
		for _, i := range b.Instrs {
			if i == at {
				break
			}
			if y := followed(i); y != nil && p.samePlace(x, y) {
				return false
			}
		}
	}
	return true
}

func comparedWithNil(x ssa.Value) bool {
	return slices.ContainsFunc(*x.Referrers(), func(i ssa.Instruction) bool {
		b, ok := i.(*ssa.BinOp)
		return ok && (b.Op == token.EQL || b.Op == token.NEQ)
	})
}

// followed returns the pointer that an instruction follows, or nil.
func followed(i ssa.Instruction) ssa.Value {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		return i.X
	case *ssa.UnOp:
		if i.Op == token.MUL {
			return i.X
		}
	case *ssa.Store:
		return i.Addr
	}
	return nil
}

// samePlace reports whether two pointers are one, or are read from the same field. Neither the
// function nor what it calls writes the field then.
func (p *Program) samePlace(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	a, ok1 := x.(*ssa.UnOp)
	b, ok2 := y.(*ssa.UnOp)
	if !ok1 || !ok2 || a.Op != token.MUL || b.Op != token.MUL {
		return false
	}
	from, ok1 := a.X.(*ssa.FieldAddr)
	to, ok2 := b.X.(*ssa.FieldAddr)
	if !ok1 || !ok2 || from.Field != to.Field || !p.samePlace(from.X, to.X) {
		return false
	}
	field := fieldAt(from.X.Type(), from.Field).Origin()
	return !slices.ContainsFunc(p.writtenBy(a.Parent()), func(s sink) bool { return s.of == any(field) })
}

// LogsAlone reports whether a module of Go has packages alone that write logs or measure.
func LogsAlone(module string) bool {
	return slices.Contains(loggers, module) || slices.Contains(meters, module)
}

// idle reports whether a step writes a log, touches memory alone that the function made, or decides
// once, so that what it decides shows elsewhere. Around are as for quiet.
func (p *Program) idle(i ssa.Instruction, around []*ssa.Function) bool {
	switch i := i.(type) {
	case *ssa.Call:
		use, f := useOf(&i.Call), i.Call.StaticCallee()
		return use == silent || use == memory && len(changed(&i.Call)) == 0 || f != nil && p.quiet(f, around)
	case *ssa.Defer:
		return useOf(&i.Call) == silent
	case *ssa.UnOp:
		return i.Op == token.MUL
	case *ssa.Alloc, *ssa.Phi:
		return true
	case *ssa.If:
		return !p.controlOf(i.Parent()).region(i.Block())[i.Block()] // it decides no loop
	case *ssa.Store:
		return p.rootOf(i.Addr) != nil || p.unread(sink{kind: written, of: p.placeOf(i.Addr)})
	}
	return false
}

// placeOf returns the field or the package variable that an address is of; nil for another place.
func (p *Program) placeOf(addr ssa.Value) any {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return fieldAt(a.X.Type(), a.Field)
	case *ssa.Global:
		return a
	}
	return nil
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

// Lacks reports whether nothing here can miss a function that is gone: the adapter mentions no such
// name, and for a method no interface has it. Code that mentions the function itself does not
// compile.
func (p *Program) Lacks(name string, method bool) bool {
	if method && p.abstract(name) {
		return false
	}
	return !slices.ContainsFunc(p.pkgs, func(pkg *packages.Package) bool {
		if p.sides[pkg.Types] != adapter {
			return false
		}
		for _, o := range pkg.TypesInfo.Uses {
			if o.Name() == name {
				return true
			}
		}
		return false
	})
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
