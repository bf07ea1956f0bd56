package speclint

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call lets the arguments flow into what may be called, and its results and writes back.
func (f *flow) call(fn *ssa.Function, i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.callBuiltin(fn, i, b.Name())
		return
	}
	if c.IsInvoke() {
		return // has a finding of its own
	}
	for r := range f.of(c.Value) {
		callee, ok := r.(*ssa.Function)
		switch {
		case !ok:
		case callee.Blocks == nil:
			f.callForeign(fn, i, callee)
		case len(callee.Params) == len(c.Args):
			f.callKnown(fn, i, callee)
		}
	}
}

func (f *flow) callKnown(fn *ssa.Function, i ssa.CallInstruction, callee *ssa.Function) {
	args := i.Common().Args
	for k, p := range callee.Params {
		passed := f.of(args[k])
		f.flowTo(p, functionsOf(passed))
		for _, w := range f.writes[p] {
			for r := range passed {
				f.write(r, write{in: fn, instr: i, target: args[k], callee: callee, param: p, method: w.method})
			}
		}
		if len(f.held[p]) > 0 {
			inside := f.passed(callee, args, f.held[p])
			for r := range passed {
				f.merge(f.held, r, inside)
			}
		}
	}
	if v := i.Value(); v != nil {
		f.flowTo(v, f.passed(callee, args, f.result[callee]))
	}
}

// passed replaces the parameters of callee by what the arguments point into.
func (f *flow) passed(callee *ssa.Function, args []ssa.Value, rs roots) roots {
	out := roots{}
	for r := range rs {
		p, ok := r.(*ssa.Parameter)
		if !ok || p.Parent() != callee {
			out[r] = true
			continue
		}
		for k := range callee.Params {
			if callee.Params[k] == p {
				for a := range f.of(args[k]) {
					out[a] = true
				}
			}
		}
	}
	return out
}

// functionsOf are the functions among the roots. They flow into parameters, other roots do not: a parameter stands for
// what each caller passes, but who is called through it must be known where it is called.
func functionsOf(rs roots) roots {
	out := roots{}
	for r := range rs {
		if _, ok := r.(*ssa.Function); ok {
			out[r] = true
		}
	}
	return out
}

// callForeign is the call of a function without a body. Methods of package modules write their receiver or nothing and
// return no pointers; the others that a step may call only compute.
func (f *flow) callForeign(fn *ssa.Function, i ssa.CallInstruction, callee *ssa.Function) {
	m, ok := callee.Object().(*types.Func)
	args := i.Common().Args
	if !ok || !f.mutate(m.Origin()) || len(args) == 0 {
		return
	}
	for r := range f.of(args[0]) {
		f.write(r, write{in: fn, instr: i, target: args[0], method: m})
	}
}

func (f *flow) callBuiltin(fn *ssa.Function, i ssa.CallInstruction, name string) {
	args := i.Common().Args
	switch name {
	case "clear", "delete":
		for r := range f.of(args[0]) {
			f.write(r, write{in: fn, instr: i, target: args[0]})
		}
	case "copy", "append":
		// append may write behind the end of the slice that it is given.
		for r := range f.of(args[0]) {
			f.write(r, write{in: fn, instr: i, target: args[0]})
			if len(args) > 1 {
				f.merge(f.held, r, f.load(f.of(args[1])))
			}
		}
		if v := i.Value(); v != nil && name == "append" {
			f.flowTo(v, f.of(args[0]))
			f.flowTo(v, roots{v: true})
			if len(args) > 1 {
				f.merge(f.held, v, f.load(f.of(args[1])))
			}
		}
	case "min", "max", "ssa:wrapnilchk":
		if v := i.Value(); v != nil {
			f.flowTo(v, f.of(args[0]))
		}
	}
}
