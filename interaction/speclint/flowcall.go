package speclint

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// call lets the arguments flow into what may be called, and its results and writes back.
func (f *flow) call(fn *ssa.Function, i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.callBuiltin(fn, i, b.Name())
		return
	}
	if c.IsInvoke() { // in a step it has a finding of its own
		f.callForeign(fn, i, c.Method, append([]ssa.Value{c.Value}, c.Args...))
		return
	}
	known := false
	for r := range f.of(c.Value) {
		callee, ok := r.(*ssa.Function)
		known = known || ok
		switch {
		case !ok:
		case callee.Blocks == nil:
			m, _ := callee.Object().(*types.Func)
			f.callForeign(fn, i, m, c.Args)
		case len(callee.Params) == len(c.Args):
			f.callKnown(fn, i, callee)
		}
	}
	if !known {
		f.callForeign(fn, i, nil, c.Args)
	}
}

func (f *flow) callKnown(fn *ssa.Function, i ssa.CallInstruction, callee *ssa.Function) {
	args := i.Common().Args
	for k, p := range callee.Params {
		passed := f.of(args[k])
		f.flowTo(p, functionsOf(passed))
		f.passWrites(fn, i, callee, p, args[k])
		if near := f.held[p]; len(near) > 0 {
			near = f.passed(callee, args, near)
			for r := range passed {
				f.merge(f.held, r, near)
			}
		}
		if far := f.held[beyond{p}]; len(far) > 0 {
			far = f.passed(callee, args, far)
			for r := range f.reach(passed) {
				f.merge(f.held, r, far)
			}
		}
	}
	if v := i.Value(); v != nil {
		f.flowTo(v, f.passed(callee, args, f.result[callee]))
	}
}

// passWrites makes the writes of callee through its parameter p, and beyond it, writes of
// instruction i into what arg points into.
func (f *flow) passWrites(fn *ssa.Function, i ssa.Instruction, callee *ssa.Function, p, arg ssa.Value) {
	pass := func(through ssa.Value, into roots) {
		for r := range into {
			if f.known[writeKey{i, r, through}] {
				continue
			}
			for _, w := range f.writes[through] {
				f.write(r, write{in: fn, instr: i, target: arg, callee: callee, param: through, typ: w.typ, method: w.method})
			}
		}
	}
	pass(p, f.of(arg))
	if len(f.writes[beyond{p}]) > 0 {
		pass(beyond{p}, f.reach(f.of(arg)))
	}
}

// passed replaces the parameters of callee by what the arguments point into.
func (f *flow) passed(callee *ssa.Function, args []ssa.Value, rs roots) roots {
	out := roots{}
	for r := range rs {
		far, isFar := r.(beyond)
		if isFar {
			r = far.Value
		}
		p, ok := r.(*ssa.Parameter)
		k := -1
		if ok && p.Parent() == callee {
			k = slices.Index(callee.Params, p)
		}
		switch {
		case k < 0 && isFar:
			out[far] = true
		case k < 0:
			out[r] = true
		case isFar:
			maps.Copy(out, f.reach(f.of(args[k])))
		default:
			maps.Copy(out, f.of(args[k]))
		}
	}
	return out
}

// functionsOf returns the functions among the roots. They flow into parameters, other roots do not:
// a parameter stands for what each caller passes, but who is called through it must be known where
// it is called.
func functionsOf(rs roots) roots {
	out := roots{}
	for r := range rs {
		if _, ok := r.(*ssa.Function); ok {
			out[r] = true
		}
	}
	return out
}

// callForeign is the call of a function without a body, nil if it is not known. Methods of package
// modules write their receiver or nothing and return no pointers; the others that a step may call
// only compute.
func (f *flow) callForeign(fn *ssa.Function, i ssa.CallInstruction, m *types.Func, args []ssa.Value) {
	if m != nil {
		m = m.Origin()
	}
	switch f.foreign(m) {
	case writesReceiver:
		for r := range f.of(args[0]) {
			f.write(r, write{in: fn, instr: i, target: args[0], typ: args[0].Type(), method: m})
		}
	case copiesAll:
		if v := i.Value(); v != nil {
			f.flowTo(v, roots{v: true})
			for _, arg := range args {
				f.merge(f.held, v, f.load(f.of(arg)))
			}
		}
	case writesAll:
		for _, arg := range args {
			all := maps.Clone(f.of(arg))
			maps.Copy(all, f.reach(all))
			for r := range all {
				f.write(r, write{in: fn, instr: i, target: arg, typ: types.Typ[types.UnsafePointer], method: m})
			}
		}
	}
}

func (f *flow) callBuiltin(fn *ssa.Function, i ssa.CallInstruction, name string) {
	args := i.Common().Args
	switch name {
	case "clear", "delete":
		for r := range f.of(args[0]) {
			f.write(r, write{in: fn, instr: i, target: args[0], typ: args[0].Type()})
		}
	case "copy", "append":
		// append may write after the end of the slice that it is given.
		for r := range f.of(args[0]) {
			f.write(r, write{in: fn, instr: i, target: args[0], typ: args[0].Type()})
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
