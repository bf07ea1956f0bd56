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
		return derive(x, flag, args)
	}
	return f.opaque(x, args, "function "+fn.Fn.Name()+" is not part of the specification")
}

func packageOf(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
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
	u := Unknown{why, x.Pos()}
	for _, a := range args {
		f.in.forget(a, u, map[*Cell]bool{})
	}
	return u
}

func (f *frame) builtin(name string, x *ssa.Call, args []Value) Value {
	switch name {
	case "len", "cap":
		switch v := args[0].(type) {
		case Slice:
			return constant.MakeInt64(int64(len(v.Elems)))
		case Nil:
			return constant.MakeInt64(0)
		case constant.Value:
			if v.Kind() == constant.String {
				return constant.MakeInt64(int64(len(constant.StringVal(v))))
			}
		}
	case "append":
		if len(args) != 2 {
			return args[0]
		}
		var out Slice
		for k, a := range args {
			switch s := a.(type) {
			case Nil:
			case Slice:
				for _, c := range s.Elems {
					if k > 0 { // copied
						c = &Cell{clone(c.Value), c.Pos}
					}
					out.Elems = append(out.Elems, c)
				}
			default:
				return lost(a, x.Pos())
			}
		}
		return out
	case "copy":
		to, ok := args[0].(Slice)
		from, fromOK := args[1].(Slice)
		if ok && fromOK {
			n := min(len(to.Elems), len(from.Elems))
			for k := range n {
				to.Elems[k].store(from.Elems[k].Value, from.Elems[k].Pos)
			}
			return constant.MakeInt64(int64(n))
		}
	case "ssa:wrapnilchk":
		return args[0]
	}
	if t := x.Type(); t != nil {
		if _, ok := t.(*types.Tuple); ok {
			return Nil{}
		}
	}
	return f.opaque(x, args, "builtin "+name+" is not followed")
}
