package initial

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Vocabulary is the path of the package whose functions make Made values.
const Vocabulary = "github.com/multigrain/multigrain/modules"

func (f *frame) call(x *ssa.Call) Value {
	c := x.Common()
	var args []Value
	for _, a := range c.Args {
		args = append(args, f.value(a))
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), x, args)
	}
	if c.IsInvoke() {
		i, ok := f.value(c.Value).(Interface)
		if !ok {
			return f.opaque(x, args, "a call through an interface is not followed")
		}
		fn := f.fn.Prog.LookupMethod(i.Type, c.Method.Pkg(), c.Method.Name())
		if fn == nil {
			return f.opaque(x, args, "a call through an interface is not followed")
		}
		return f.function(x, &Func{Fn: fn}, append([]Value{i.Value}, args...))
	}
	fn, ok := f.value(c.Value).(*Func)
	if !ok {
		return f.opaque(x, args, "a call of a function value is not followed")
	}
	return f.function(x, fn, args)
}

func (f *frame) function(x *ssa.Call, fn *Func, args []Value) Value {
	if fn.Fn.Name() == "init" && fn.Fn.Signature.Recv() == nil && fn.Fn.Synthetic != "" {
		if f.in.done[fn.Fn] {
			return Nil{}
		}
		f.in.done[fn.Fn] = true
		if len(fn.Fn.Blocks) == 0 {
			return Nil{}
		}
	}
	if len(fn.Fn.Blocks) > 0 {
		return f.in.call(fn.Fn, args, fn.Bind)
	}
	if fn.Fn.Signature.Recv() == nil && packageOf(fn.Fn) == Vocabulary {
		return construct(x, fn.Fn, args)
	}
	if flag, ok := isDerivation(fn.Fn); ok && len(args) == 3 {
		return f.in.derive(x, flag, args)
	}
	if packageOf(fn.Fn) == "slices" {
		if v, ok := f.copied(x, origin(fn.Fn).Name(), args); ok {
			return v
		}
	}
	return f.opaque(x, args, "function "+fn.Fn.Name()+" is not part of the specification")
}

// origin returns the generic function that fn is an instance of, or fn.
func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

func packageOf(fn *ssa.Function) string {
	fn = origin(fn)
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	if o := fn.Object(); o != nil && o.Pkg() != nil {
		return o.Pkg().Path()
	}
	return ""
}

// construct keeps a call of the vocabulary as it is; Bit is a number.
func construct(x *ssa.Call, fn *ssa.Function, args []Value) Value {
	if o := fn.Origin(); o != nil && o.Name() == "Bit" {
		if n, ok := number(args[0]); ok && n >= 0 && n < 32 {
			return constant.MakeInt64(1 << n)
		}
	}
	return Made{fn, args, x.Pos()}
}

// opaque returns a call that is not followed: what it can reach may have changed.
func (f *frame) opaque(x *ssa.Call, args []Value, why string) Value {
	u := Unknown{Why: why, Pos: x.Pos()}
	for _, a := range args {
		f.in.forget(a, u, map[*Cell]bool{})
	}
	return u
}

func (f *frame) builtin(name string, x *ssa.Call, args []Value) Value {
	switch name {
	case "len", "cap":
		return length(name, x, args[0])
	case "append":
		return f.appended(x, args)
	case "copy", "clear":
		if v, ok := f.overwritten(name, x, args); ok {
			return v
		}
	case "ssa:wrapnilchk":
		return args[0]
	}
	v := f.opaque(x, args, "builtin "+name+" is not followed")
	if t, ok := x.Type().(*types.Tuple); ok && t.Len() == 0 {
		return Nil{}
	}
	return v
}

// length returns the length or the capacity of v.
func length(name string, x *ssa.Call, v Value) Value {
	switch v := v.(type) {
	case Slice:
		switch {
		case name == "len":
			return constant.MakeInt64(int64(len(v.Elems)))
		case !v.open():
			return constant.MakeInt64(int64(v.max - v.at))
		}
		return unknown(x.Pos(), "the capacity of a slice that append returned is not known")
	case Nil:
		return constant.MakeInt64(0)
	case constant.Value:
		if v.Kind() == constant.String {
			return constant.MakeInt64(int64(len(constant.StringVal(v))))
		}
	}
	return lost(v, x.Pos())
}
