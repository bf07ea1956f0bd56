package initial

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// giveUp makes everything unknown that a call of fn could change.
func (in *interp) giveUp(fn *ssa.Function, args, bind []Value, why string) Value {
	u := Unknown{Why: why, Pos: fn.Pos()}
	for _, v := range slices.Concat(args, bind) {
		in.forget(v, u, map[*Cell]bool{})
	}
	in.forgetGlobals(fn, u, map[*ssa.Function]bool{})
	return u
}

// forget makes unknown, for good, what can be reached through pointers from v.
func (in *interp) forget(v Value, u Unknown, seen map[*Cell]bool) {
	switch v := v.(type) {
	case *Cell:
		in.forgetCells([]*Cell{v}, u, true, seen)
	case Slice:
		in.forgetCells(v.Elems, u, true, seen)
		in.forgetSpare(v, u, seen)
	case *Struct:
		in.forgetCells(v.Fields, u, false, seen)
	case *Array:
		in.forgetCells(v.Elems, u, false, seen)
	case Interface:
		in.forget(v.Value, u, seen)
	case *Func:
		for _, b := range v.Bind {
			in.forget(b, u, seen)
		}
		in.forgetGlobals(v.Fn, u, map[*ssa.Function]bool{})
	case Tuple:
		for _, x := range v {
			in.forget(x, u, seen)
		}
	}
}

// forgetCells makes unknown what can be reached from the cells and, if lose is set, the cells with
// what they consist of.
func (in *interp) forgetCells(cells []*Cell, u Unknown, lose bool, seen map[*Cell]bool) {
	for _, c := range cells {
		if c.lost || seen[c] && !lose {
			continue
		}
		seen[c] = true
		c.lost = lose
		switch v := c.Value.(type) {
		case *Struct:
			in.forgetCells(v.Fields, u, lose, seen)
		case *Array:
			in.forgetCells(v.Elems, u, lose, seen)
		default:
			in.forget(v, u, seen)
		}
		if lose {
			c.Value = u
			in.forgetCells(c.twins, u, true, seen)
		}
	}
}

// forgetGlobals makes the variables unknown that fn names, itself or in what it calls.
func (in *interp) forgetGlobals(fn *ssa.Function, u Unknown, seen map[*ssa.Function]bool) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		in.forgetBlock(b, u, seen)
	}
}

func (in *interp) forgetBlock(b *ssa.BasicBlock, u Unknown, seen map[*ssa.Function]bool) {
	var ops []*ssa.Value
	for _, ins := range b.Instrs {
		_, loads := ins.(*ssa.UnOp)
		for _, op := range ins.Operands(ops[:0]) {
			switch x := (*op).(type) {
			case *ssa.Global:
				if !loads {
					in.forget(in.global(x), u, map[*Cell]bool{})
				}
			case *ssa.Function:
				in.forgetGlobals(x, u, seen)
			}
		}
	}
}

// unfollowed makes unknown what a call that is not interpreted may change.
func (f *frame) unfollowed(x ssa.CallInstruction, u Unknown) {
	f.escape(x, u)
	if fn := x.Common().StaticCallee(); fn != nil {
		f.in.forgetGlobals(fn, u, map[*ssa.Function]bool{})
	}
}

// escape makes unknown what the operands of an instruction lead to, where its result u can be used
// to change that. It returns u.
func (f *frame) escape(x ssa.Instruction, u Value) Value {
	why, ok := u.(Unknown)
	if v, isValue := x.(ssa.Value); !ok || isValue && !leads(v.Type()) {
		return u
	}
	for _, op := range x.Operands(nil) {
		if *op != nil {
			f.in.forget(f.value(*op), why, map[*Cell]bool{})
		}
	}
	return u
}

// leads reports whether a value of type t may have pointers in it.
func leads(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return leads(v.Type()) })
	case *types.Array:
		return leads(u.Elem())
	case *types.Tuple:
		return slices.ContainsFunc(slices.Collect(u.Variables()), func(v *types.Var) bool { return leads(v.Type()) })
	}
	return true
}

// skip makes unknown what the blocks between b and after may change.
func (f *frame) skip(b *ssa.BasicBlock, after int) {
	u := Unknown{Why: conditionWhy, Pos: b.Instrs[len(b.Instrs)-1].Pos()}
	seen := map[int]bool{after: true}
	todo := slices.Clone(b.Succs)
	var skipped []ssa.Value
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if seen[x.Index] {
			continue
		}
		seen[x.Index] = true
		todo = append(todo, x.Succs...)
		f.in.forgetBlock(x, u, map[*ssa.Function]bool{})
		for _, ins := range x.Instrs {
			if v, ok := ins.(ssa.Value); ok {
				skipped = append(skipped, v)
			}
			f.skipped(ins, u)
		}
	}
	for _, v := range skipped { // in a loop, also what earlier rounds computed
		f.env[v] = u
	}
}

// skipped makes unknown what an instruction that may be executed can change. An address that it
// computes may be written through by another one.
func (f *frame) skipped(ins ssa.Instruction, u Unknown) {
	load, ok := ins.(*ssa.UnOp)
	if !ok {
		f.escape(ins, u)
		switch ins.(type) {
		case *ssa.Store, ssa.CallInstruction, *ssa.Range:
			for _, op := range ins.Operands(nil) {
				if *op != nil {
					f.in.forget(f.value(*op), u, map[*Cell]bool{})
				}
			}
		}
		return
	}
	if c, ok := f.value(load.X).(*Cell); ok && leads(load.Type()) {
		f.in.forgetCells([]*Cell{c}, u, false, map[*Cell]bool{})
	}
}

// abandon ends a function in the middle.
func (f *frame) abandon(b *ssa.BasicBlock, why string) Value {
	f.skip(b, len(f.fn.Blocks))
	return Unknown{Why: why, Pos: f.fn.Pos()}
}
