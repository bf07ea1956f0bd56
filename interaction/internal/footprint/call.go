package footprint

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Vocabulary is the path of the package whose value types the analysis knows by heart.
const Vocabulary = "github.com/multigrain/multigrain/modules"

// target is a function that a call may reach.
type target struct {
	fn    *ssa.Function
	bind  []*value
	args  []*value
	chose Set // what decided that it is this one
}

// call interprets a call in every function that it may reach. The memory is nil where none returns.
func (f *frame) call(x *ssa.Call, m *memory, control Set) (*value, *memory) {
	in := f.in
	c := x.Common()
	args := make([]*value, len(c.Args))
	for k, a := range c.Args {
		args[k] = f.value(a)
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), x, args, m, control), m
	}
	targets, ok := f.targets(x, c, args)
	if !ok {
		return in.spread(in.computed(args...), in.layouts.of(x.Type())), m
	}
	if len(targets) == 1 {
		t := targets[0]
		v, out := f.reach(x, t, m, in.sets.union(control, t.chose))
		return in.with(v, 0, t.chose, 0), out
	}
	var v *value
	var out *memory
	for _, t := range targets {
		w, after := f.reach(x, t, in.clone(m), in.sets.union(control, t.chose))
		v = in.join(v, in.with(w, 0, t.chose, 0))
		out = in.joinMemory(out, after)
	}
	return v, out
}

// targets finds the functions that a call may reach; none and ok while its value is not computed
// yet.
func (f *frame) targets(x *ssa.Call, c *ssa.CallCommon, args []*value) (ts []target, ok bool) {
	in := f.in
	if c.IsInvoke() {
		v := f.value(c.Value)
		if v == nil {
			return nil, true
		}
		if len(v.dynamic) == 0 || v.unknown(len(v.dynamic)) {
			in.breaks(Dispatch, x.Pos(), "it calls method %s of an interface whose value is not known", c.Method.Name())
			return nil, false
		}
		for _, d := range v.dynamic {
			fn := in.prog.LookupMethod(d.typ.typ, c.Method.Pkg(), c.Method.Name())
			if fn == nil {
				in.breaks(Dispatch, x.Pos(), "it calls method %s, which is not followed", c.Method.Name())
				return nil, false
			}
			ts = append(ts, target{fn, nil, append([]*value{d.val}, args...), in.sources(&value{data: v.data, control: v.control})})
		}
		return ts, true
	}
	if fn := c.StaticCallee(); fn != nil {
		t := target{fn: fn, args: args}
		if mc, ok := c.Value.(*ssa.MakeClosure); ok {
			for _, b := range mc.Bindings {
				t.bind = append(t.bind, f.value(b))
			}
		}
		return []target{t}, true
	}
	v := f.value(c.Value)
	if v == nil {
		return nil, true
	}
	if len(v.funcs) == 0 || v.unknown(len(v.funcs)) {
		in.breaks(UnknownCall, x.Pos(), "it calls a function value that is not known%s", because(v.lost))
		return nil, false
	}
	chose := in.sets.all(v.data, v.control, v.idx, v.frame)
	for _, cl := range v.funcs {
		ts = append(ts, target{cl.fn, cl.bind, args, chose})
	}
	return ts, true
}

// reach interprets a call of one function.
func (f *frame) reach(x ssa.CallInstruction, t target, m *memory, control Set) (*value, *memory) {
	in := f.in
	if in.yields(t.fn) {
		in.yielded(t.args)
		return &value{top: true}, m
	}
	if name, ok := intrinsicName(t.fn); ok {
		c := &operation{f: f, in: in, site: x, pos: x.Pos(), name: name, fn: t.fn, args: t.args, m: m, control: control}
		v := c.perform()
		return v, c.m
	}
	if len(t.fn.Blocks) == 0 {
		return f.external(x, t, m), m
	}
	for _, g := range in.stack {
		if g.f.fn == t.fn {
			return g.again(t.args, t.bind, m, control)
		}
	}
	if in.depth > maxDepth {
		in.cannot(x.Pos(), "calls nest too deeply")
		return in.spread(in.computed(t.args...), in.resultLayout(t.fn)), m
	}
	return f.enter(x.(ssa.Instruction), t.fn).run(t.args, t.bind, m, control)
}

const maxDepth = 64

func (in *interp) resultLayout(fn *ssa.Function) *layout {
	r := fn.Signature.Results()
	if r.Len() == 1 {
		return in.layouts.of(r.At(0).Type())
	}
	return in.layouts.of(r)
}

// pureFunctions are packages of the standard library whose functions depend on their arguments
// alone and change nothing, and the functions of others for which that is so.
var pureFunctions = map[string][]string{
	"cmp": nil, "math/bits": nil, "math": nil, "strconv": nil, "strings": nil, "errors": nil,
	"fmt": {"Sprint", "Sprintf", "Sprintln", "Errorf"},
	"slices": {"Contains", "ContainsFunc", "Equal", "EqualFunc", "Index", "IndexFunc", "Max", "MaxFunc", "Min", "MinFunc",
		"Compare", "CompareFunc", "IsSorted", "IsSortedFunc", "BinarySearch", "BinarySearchFunc"},
}

// external returns a call of a function that is not part of the specification.
func (f *frame) external(x ssa.CallInstruction, t target, m *memory) *value {
	in := f.in
	fn := t.fn
	if o := fn.Origin(); o != nil {
		fn = o
	}
	path := ""
	if o := fn.Object(); o != nil && o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	names, pure := pureFunctions[path]
	if !pure || names != nil && !slices.Contains(names, fn.Name()) {
		what := strings.TrimPrefix(path+"."+fn.Name(), ".")
		in.breaks(Foreign, x.Pos(), "it calls %s, which is not part of the specification", what)
	}
	r := in.computed()
	for k, a := range t.args {
		in.addComputed(r, a)
		in.addComputed(r, in.contents(a, m, x.Pos(), map[*object]bool{}))
		if a != nil && len(a.funcs) > 0 {
			in.addComputed(r, f.applied(x, t, k, m))
		}
	}
	return in.spread(r, in.resultLayout(t.fn))
}

// applied returns what a function given as argument k returns for anything made of the other
// arguments.
func (f *frame) applied(x ssa.CallInstruction, t target, k int, m *memory) *value {
	in := f.in
	from := in.computed()
	for j, a := range t.args {
		if j != k {
			in.addComputed(from, a)
			in.addComputed(from, in.contents(a, m, x.Pos(), map[*object]bool{}))
		}
	}
	var r *value
	for _, c := range t.args[k].funcs {
		var args []*value
		for _, p := range c.fn.Params {
			args = append(args, in.spread(from, in.layouts.of(p.Type())))
		}
		v, _ := f.reach(x, target{c.fn, c.bind, args, 0}, in.clone(m), in.sources(from))
		r = in.join(r, v)
	}
	return r
}

// contents is something computed from all that can be reached through a value's pointers.
func (in *interp) contents(v *value, m *memory, pos token.Pos, seen map[*object]bool) *value {
	if v == nil {
		return nil
	}
	r := in.computed()
	for _, l := range v.ptrs {
		w := in.loadAt(l, l.lay, m, pos)
		in.addComputed(r, w)
		if !seen[l.obj] {
			seen[l.obj] = true
			in.addComputed(r, in.contents(w, m, pos, seen))
		}
	}
	for x := range v.inner {
		in.addComputed(r, in.contents(x, m, pos, seen))
	}
	return r
}

func (f *frame) builtin(name string, x *ssa.Call, args []*value, m *memory, control Set) *value {
	in := f.in
	c := x.Common()
	switch name {
	case "append":
		return f.appended(x, args, m, control)
	case "copy":
		if t, ok := c.Args[1].Type().Underlying().(*types.Slice); ok {
			somewhere := &value{top: true}
			elem := in.layouts.of(t.Elem())
			v := in.load(in.indexAddr(args[1], somewhere), elem, m, x.Pos())
			in.store(in.indexAddr(args[0], somewhere), v, elem, m, control, x.Pos())
		}
	case "clear":
		if t, ok := c.Args[0].Type().Underlying().(*types.Slice); ok {
			in.store(in.indexAddr(args[0], &value{top: true}), in.zeroOf(t.Elem()), in.layouts.of(t.Elem()), m, control, x.Pos())
		} else {
			in.breaks(MapUsed, x.Pos(), "it clears a map")
		}
	case "delete":
		in.breaks(MapUsed, x.Pos(), "it deletes from a map")
	case "len", "cap", "min", "max":
		if args[0] == nil {
			return nil
		}
		if name == "min" || name == "max" {
			break
		}
		// The length of an array behind a pointer is a constant; of a slice, what made it.
		v := args[0]
		return &value{top: true, data: in.sets.union(v.data, v.frame), control: v.control, idx: v.idx}
	case "ssa:wrapnilchk":
		return args[0]
	case "print", "println":
	default:
		in.cannot(x.Pos(), "builtin %s is not followed", name)
	}
	for _, a := range args {
		if a == nil {
			return nil
		}
	}
	return in.spread(in.computed(args...), in.layouts.of(x.Type()))
}

// appended returns the slice's array, or a new one, with more elements.
func (f *frame) appended(x *ssa.Call, args []*value, m *memory, control Set) *value {
	in := f.in
	if len(args) < 2 {
		return args[0]
	}
	if args[0] == nil || args[1] == nil {
		return nil
	}
	t := x.Type().Underlying().(*types.Slice)
	elem := in.layouts.of(t.Elem())
	somewhere := &value{top: true}
	fresh := f.makeSlice(x, t, m, control)
	var more *value
	if b, ok := x.Common().Args[1].Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		more = in.computed(args[1])
	} else if len(args[1].ptrs) > 0 {
		more = in.load(in.indexAddr(args[1], somewhere), elem, m, x.Pos())
	}
	var old *value
	if len(args[0].ptrs) > 0 {
		old = in.load(in.indexAddr(args[0], somewhere), elem, m, x.Pos())
		in.store(in.indexAddr(args[0], somewhere), more, elem, m, control, x.Pos())
	}
	in.store(in.indexAddr(fresh, somewhere), old, elem, m, 0, x.Pos())
	in.store(in.indexAddr(fresh, somewhere), more, elem, m, control, x.Pos())
	r := in.join(fresh, args[0])
	out := *r
	out.sym, out.sum, out.consts = anywhere, sum{}, nil
	out.data = in.sets.union(out.data, args[1].data)
	out.control = in.sets.union(out.control, args[1].control)
	return &out
}
