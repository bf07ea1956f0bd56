package effects

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

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

// What it computes. Whether new fields of a struct type show in nothing but the functions that name
// them.
//
// Why it is right. A field is read or written by its name, or with the whole struct. What copies a
// struct does the same with more fields, until something compares or hashes it, or reads all
// fields, as an encoder does. So no value of the type, or of one that holds it, may be compared, be
// the key of a map, or go to code outside of the packages, except into an atomic value.
//
// What it costs. A pass over all instructions for each such type.
//
// Example. A new field of a configuration, which NewNode reads, shows in NewNode alone. A new field
// of a message that gob encodes shows in the bytes.

// Apart reports whether new fields of a struct type show in functions alone that name them, and the
// adapter names none of them. The type's name has the import path.
func (p *Program) Apart(typeName string, fields []string) bool {
	for _, pkg := range p.pkgs {
		if p.sides[pkg.Types] == code {
			continue
		}
		for _, o := range pkg.TypesInfo.Uses {
			if v, ok := o.(*types.Var); ok && v.IsField() && slices.Contains(fields, v.Name()) {
				return false
			}
		}
	}
	found := false
	for _, pkg := range p.pkgs {
		for _, name := range pkg.Types.Scope().Names() {
			if t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName); ok && pkg.PkgPath+"."+name == typeName {
				if found = !p.taken(t.Type()) && !p.finds(t.Type(), fields); !found {
					return false
				}
			}
		}
	}
	return found
}

// finds reports whether the adapter reads a field of a struct type by its name.
func (p *Program) finds(t types.Type, fields []string) bool {
	for f := range p.observing().fields {
		if st := p.structOf(t); st != nil && slices.Contains(fields, f.Name()) && p.holds(st, f, 0) {
			return true
		}
	}
	return false
}

// taken reports whether an instruction compares values that hold a type, or hands them to code
// outside. An adapter finds fields in memory by their names.
func (p *Program) taken(t types.Type) bool {
	of := func(v ssa.Value) bool { return v != nil && holdsType(v.Type(), t, map[types.Type]bool{}) }
	for _, f := range p.funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.BinOp:
					if _, pointer := i.X.Type().Underlying().(*types.Pointer); (i.Op == token.EQL || i.Op == token.NEQ) && !pointer && of(i.X) {
						return true
					}
				case *ssa.MakeMap:
					if m := i.Type().Underlying().(*types.Map); holdsType(m.Key(), t, map[types.Type]bool{}) {
						return true
					}
				case *ssa.Convert:
					if of(i.X) && !of(i) && p.side(f) == code {
						return true
					}
				case *ssa.MakeInterface:
					if of(i.X) && !p.storedWhole(i) && !p.ofAdapter(i.X.Type()) {
						return true
					}
				case ssa.CallInstruction:
					if p.toOutside(i) && slices.ContainsFunc(i.Common().Args, of) {
						return true
					}
				}
			}
		}
	}
	return false
}

// ofAdapter reports whether the adapter declares a type, as that of its own object.
func (p *Program) ofAdapter(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() != nil && p.sides[n.Obj().Pkg()] == adapter
}

// storedWhole reports whether a value goes into an atomic value, and nowhere else.
func (p *Program) storedWhole(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case ssa.CallInstruction:
			f := r.Common().StaticCallee()
			return f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "sync/atomic"
		}
		return true
	})
}

// toOutside reports whether a call may be one of code outside that is not known. Builtin functions
// are known.
func (p *Program) toOutside(i ssa.CallInstruction) bool {
	call := i.Common()
	if _, known := call.Value.(*ssa.Builtin); known || useOf(call) == silent {
		return false
	}
	callees := p.callees[i]
	return len(callees) == 0 || slices.ContainsFunc(callees, func(f *ssa.Function) bool { return p.side(f) == outside })
}

// holdsType reports whether values of a type have, or lead to, one of another type.
func holdsType(in, t types.Type, seen map[types.Type]bool) bool {
	if types.Identical(in, t) {
		return true
	}
	if seen[in] {
		return false
	}
	seen[in] = true
	switch x := in.Underlying().(type) {
	case *types.Pointer:
		return holdsType(x.Elem(), t, seen)
	case *types.Slice:
		return holdsType(x.Elem(), t, seen)
	case *types.Array:
		return holdsType(x.Elem(), t, seen)
	case *types.Chan:
		return holdsType(x.Elem(), t, seen)
	case *types.Map:
		return holdsType(x.Key(), t, seen) || holdsType(x.Elem(), t, seen)
	case *types.Struct:
		for f := range x.Fields() {
			if holdsType(f.Type(), t, seen) {
				return true
			}
		}
	}
	return false
}

// What it computes. Which conditions depend on a field that nothing sets, and that the manifest
// says the specification has nothing for.
//
// Why it is right. Neither the code nor the adapter stores another value than zero in the field, or
// uses its address otherwise than to read it. No value of its type goes to code outside, which
// could set it. So it is zero in each walk. That a real server may set it is for the manifest to
// say: its code is none that the specification is about.
//
// What it costs. A pass over all instructions for each such field.
//
// Example. "if notify := n.config.Notify; notify != nil { notify <- true }" does nothing where
// nobody sets Notify.

// absent reports whether a field is one that the specification has nothing for, and zero.
func (p *Program) absent(f *types.Var) bool {
	if p.of.Absent == nil || p.sideOfField(f) != code {
		return false
	}
	if known, ok := p.unset[f]; ok {
		return known
	}
	_, name, _ := strings.Cut(p.nameOf(f), ".")
	p.unset[f] = strings.Contains(name, ".") && p.of.Absent(name) && p.neverSet(f)
	return p.unset[f]
}

// neverSet reports whether a field of a declared type is zero in each run of the program.
func (p *Program) neverSet(f *types.Var) bool {
	typeName, _, _ := strings.Cut(strings.TrimPrefix(p.nameOf(f), f.Pkg().Name()+"."), ".")
	owner, ok := f.Pkg().Scope().Lookup(typeName).(*types.TypeName)
	if !ok || p.taken(owner.Type()) {
		return false
	}
	for _, of := range p.funcs {
		for _, b := range of.Blocks {
			for _, i := range b.Instrs {
				a, ok := i.(*ssa.FieldAddr)
				if !ok || fieldAt(a.X.Type(), a.Field) != f {
					continue
				}
				for _, r := range *a.Referrers() {
					switch r := r.(type) {
					case *ssa.DebugRef, *ssa.UnOp:
					case *ssa.Store:
						if c, zero := r.Val.(*ssa.Const); r.Addr != a || !zero || !isZero(c) {
							return false
						}
					default:
						return false
					}
				}
			}
		}
	}
	return true
}

func isZero(c *ssa.Const) bool {
	return c.Value == nil || c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)
}

// decided returns the value of a condition that absent fields decide, and these fields; none if
// they do not.
func (p *Program) decided(v ssa.Value) (holds bool, fields []*types.Var) {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			holds, fields = p.decided(x.X)
			return !holds, fields
		}
	case *ssa.BinOp:
		for _, pair := range [][2]ssa.Value{{x.X, x.Y}, {x.Y, x.X}} {
			c, ok := pair[1].(*ssa.Const)
			if f := p.zero(pair[0], 0); ok && isZero(c) && f != nil && (x.Op == token.EQL || x.Op == token.NEQ) {
				return x.Op == token.EQL, []*types.Var{f}
			}
		}
		return false, nil
	}
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		if f := p.zero(v, 0); f != nil {
			return false, []*types.Var{f}
		}
	}
	return false, nil
}

// zero returns the absent field that a value is read from; nil for others. A variable that is
// written once stands for what it gets.
func (p *Program) zero(v ssa.Value, depth int) *types.Var {
	if depth > 8 {
		return nil
	}
	switch x := v.(type) {
	case *ssa.Field:
		if f := fieldAt(x.X.Type(), x.Field); p.absent(f) {
			return f
		}
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil
		}
		switch a := x.X.(type) {
		case *ssa.FieldAddr:
			if f := fieldAt(a.X.Type(), a.Field); p.absent(f) {
				return f
			}
		case *ssa.Alloc:
			if !single(a) {
				return nil
			}
			for _, r := range *a.Referrers() {
				if s, ok := r.(*ssa.Store); ok && s.Addr == a && s.Block().Dominates(x.Block()) {
					return p.zero(s.Val, depth+1)
				}
			}
		}
	}
	return nil
}

// Rests names the fields that nothing sets, and on which it rests what a function does. The
// function's name has the import path and the type of the receiver.
func (p *Program) Rests(function string) (names []string) {
	for _, f := range p.named(function) {
		for _, b := range f.Blocks {
			if x, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
				_, fields := p.decided(x.Cond)
				for _, f := range fields {
					if name := p.nameOf(f); !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
