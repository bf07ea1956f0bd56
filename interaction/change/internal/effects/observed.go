package effects

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// observed holds what the adapter reads of the implementation, as far as that reaches the compared
// state or an error of the adapter.
type observed struct {
	p      *Program
	state  types.Type // of the specification
	fields map[*types.Var]bool
	// needs are the values of the adapter that reach the state, by whether they run or by what they
	// are.
	needs map[any]bool
	todo  []ssa.Value
	// stores are the stores into fields and package variables of the adapter, by these.
	stores map[any][]ssa.Instruction
	fatal  map[*ssa.Function]bool // functions that end in a panic always
}

// Observes lists the fields of the implementation that the adapter observes, by name, in order.
func (p *Program) Observes() (names []string) {
	for f := range p.observing().fields {
		if p.sideOfField(f) == code {
			names = append(names, p.nameOf(f))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// observing computes what the adapter observes, once.
func (p *Program) observing() *observed {
	if p.seen != nil {
		return p.seen
	}
	o := &observed{p: p, fields: map[*types.Var]bool{}, needs: map[any]bool{}, stores: map[any][]ssa.Instruction{}, fatal: map[*ssa.Function]bool{}}
	p.seen = o
	if o.state = p.stateType(); o.state == nil {
		return o
	}
	var fs []*ssa.Function
	for _, f := range p.funcs {
		if p.side(f) == adapter {
			fs = append(fs, f)
			o.fatal[f] = endsInPanic(f)
			o.each(f, o.store)
		}
	}
	for _, f := range fs {
		o.each(f, o.seed)
	}
	o.run()
	o.byName(fs)
	o.run()
	o.copies()
	return o
}

// each visits the instructions of a function that can run.
func (o *observed) each(f *ssa.Function, visit func(ssa.Instruction)) {
	c := o.p.controlOf(f)
	for _, b := range f.Blocks {
		if c.reachable[b.Index] {
			for _, i := range b.Instrs {
				visit(i)
			}
		}
	}
}

// stateType returns the specification's state: the argument of the type of the adapter's variable
// Implementation.
func (p *Program) stateType() types.Type {
	for _, pkg := range p.pkgs {
		if pkg.PkgPath != p.of.Adapter {
			continue
		}
		if v, ok := pkg.Types.Scope().Lookup("Implementation").(*types.Var); ok {
			if n, ok := types.Unalias(v.Type()).(*types.Named); ok && n.TypeArgs().Len() == 1 {
				return n.TypeArgs().At(0)
			}
		}
	}
	return nil
}

func endsInPanic(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		if len(b.Instrs) > 0 {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != f.Recover {
				return false
			}
		}
	}
	return true
}

// store notes what is written into fields and variables of the adapter.
func (o *observed) store(i ssa.Instruction) {
	note := func(addr ssa.Value) {
		for addr != nil {
			switch a := addr.(type) {
			case *ssa.FieldAddr:
				f := fieldAt(a.X.Type(), a.Field)
				o.stores[f] = append(o.stores[f], i)
				return
			case *ssa.Global:
				o.stores[a] = append(o.stores[a], i)
				return
			case *ssa.IndexAddr:
				addr = a.X
			case *ssa.UnOp:
				addr = a.X
			case *ssa.Slice:
				addr = a.X
			default:
				return
			}
		}
	}
	switch i := i.(type) {
	case *ssa.Store:
		note(i.Addr)
	case *ssa.MapUpdate:
		note(i.Map)
	}
}

// seed begins with what is written into the compared state, and with what decides an error.
func (o *observed) seed(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		if o.inState(i.Addr) {
			o.need(i.Val)
			o.path(i.Addr)
			o.decided(i.Block())
		}
	case *ssa.MapUpdate:
		if o.inState(i.Map) {
			o.need(i.Key)
			o.need(i.Value)
			o.decided(i.Block())
		}
	case *ssa.Panic:
		o.need(i.X)
		o.decided(i.Block())
	case *ssa.Return:
		if f := i.Parent(); (f.Name() == "Perform" || f.Name() == "Observe") && f.Signature.Recv() != nil {
			for _, r := range i.Results {
				o.need(r)
			}
			o.decided(i.Block())
		}
	case ssa.CallInstruction:
		call := i.Common()
		if f := call.StaticCallee(); f != nil && o.fatal[f] {
			o.decided(i.Block())
		}
		if slices.ContainsFunc(call.Args, o.inState) {
			for _, arg := range call.Args {
				if !o.inState(arg) {
					o.need(arg)
				} else {
					o.path(arg)
				}
			}
			o.decided(i.Block())
		}
	}
}

// inState reports whether a value is an address in a variable of the state that is compared.
func (o *observed) inState(v ssa.Value) bool {
	for {
		switch a := v.(type) {
		case *ssa.FieldAddr:
			if ptr, ok := a.X.Type().Underlying().(*types.Pointer); ok && types.Identical(ptr.Elem(), o.state) {
				name := fieldAt(a.X.Type(), a.Field).Name()
				return o.p.of.Compared == nil || slices.Contains(o.p.of.Compared, name)
			}
			v = a.X
		case *ssa.IndexAddr:
			v = a.X
		case *ssa.Slice:
			v = a.X
		case *ssa.UnOp:
			if _, ok := a.Type().Underlying().(*types.Slice); !ok {
				return false
			}
			v = a.X
		default:
			return false
		}
	}
}

// path needs what an address is computed from.
func (o *observed) path(addr ssa.Value) {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			o.need(a.Index)
			addr = a.X
		case *ssa.Slice:
			addr = a.X
		default:
			return
		}
	}
}

// need adds a value.
func (o *observed) need(v ssa.Value) {
	if v == nil || o.needs[v] {
		return
	}
	o.needs[v] = true
	o.todo = append(o.todo, v)
}

// decided needs the conditions that decide whether a block runs.
func (o *observed) decided(b *ssa.BasicBlock) {
	if o.needs[b] {
		return
	}
	o.needs[b] = true
	for _, by := range o.p.controlOf(b.Parent()).by[b.Index] {
		o.need(by.Instrs[len(by.Instrs)-1].(*ssa.If).Cond)
		o.decided(by)
	}
	if o.needs[b.Parent()] {
		return
	}
	o.needs[b.Parent()] = true
	for _, site := range o.p.callers[b.Parent()] {
		if o.p.side(site.Parent()) == adapter {
			o.decided(site.Block())
		}
	}
}

func (o *observed) run() {
	for len(o.todo) > 0 {
		v := o.todo[len(o.todo)-1]
		o.todo = o.todo[:len(o.todo)-1]
		o.from(v)
	}
}
