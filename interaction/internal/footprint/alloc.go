package footprint

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// object finds the object of an allocation, and whether it is there already in memory.
func (f *frame) object(site ssa.Instruction, t types.Type, escapes bool) *object {
	o := f.objects[site]
	if o == nil {
		o = f.in.newObject(site.(ssa.Value).Name(), f.in.layouts.of(t), local)
		f.objects[site] = o
		if !escapes {
			f.locals = append(f.locals, o)
		}
	}
	return o
}

// stands makes an object stand for several.
func (f *frame) stands(o *object) {
	if !o.many {
		o.many = true
		f.in.changes++
	}
}

func (in *interp) newObject(name string, lay *layout, r role) *object {
	o := &object{number: len(in.objects), name: name, lay: lay, role: r}
	in.objects = append(in.objects, o)
	return o
}

// pointerTo points to the whole of an object.
func pointerTo(o *object) *value { return &value{ptrs: []location{{obj: o, lay: o.lay}}} }

// allocate makes an object, or makes it anew. In a loop the one made in the round before may still
// be in use: then the object stands for all of them, and no write to it is certain.
func (f *frame) allocate(site ssa.Instruction, t types.Type, escapes bool, m *memory, control Set) *value {
	fresh := f.objects[site] == nil
	o := f.object(site, t, escapes)
	if o.control != control {
		if !fresh {
			f.in.changes++
		}
		o.control = control
	}
	if escapes && !o.many {
		f.in.asked.add(o.number)
		if loops := f.loops || f.f.graph.Cyclic[site.Block().Index]; loops && f.in.inUse(o, m) {
			f.stands(o)
		}
	}
	if o.many {
		c := f.in.own(m, o)
		for k, l := range o.lay.leaves {
			c.leaves[k] = f.in.join(c.leaves[k], f.in.zero(l.typ))
		}
		return pointerTo(o)
	}
	f.in.used.add(o.number)
	m.set(o.number, &content{m.epoch, f.in.entry(o)})
	return pointerTo(o)
}

// inUse reports whether something refers to o that outlives the code that made it. That is a cell
// of memory, or a value that a loop carries on, in this call or in one that led to it. All other
// values are computed anew before they are used again.
func (in *interp) inUse(o *object, m *memory) bool {
	for k, c := range m.contents {
		if c == nil || k == o.number {
			continue
		}
		for _, v := range c.leaves {
			if refers(v, o) {
				return true
			}
		}
	}
	if k := o.number; k < len(m.contents) && m.contents[k] != nil {
		for _, v := range m.contents[k].leaves {
			if refers(v, o) {
				return true
			}
		}
	}
	for _, f := range in.stack {
		for _, b := range f.f.fn.Blocks {
			for _, ins := range b.Instrs {
				p, ok := ins.(*ssa.Phi)
				if !ok {
					break
				}
				if refers(f.env[f.f.numbers[p]], o) {
					return true
				}
			}
		}
		for k := range len(f.f.fn.Params) + len(f.f.fn.FreeVars) {
			if f.recurs && refers(f.env[k], o) {
				return true
			}
		}
	}
	return false
}

func refers(v *value, o *object) bool {
	if v == nil {
		return false
	}
	for _, p := range v.ptrs {
		if p.obj == o {
			return true
		}
	}
	for _, c := range v.funcs {
		for _, b := range c.bind {
			if refers(b, o) {
				return true
			}
		}
	}
	for x := range v.inner {
		if refers(x, o) {
			return true
		}
	}
	return false
}

// makeSlice makes the array after a slice. Its len depends on the same sources as its length.
func (f *frame) makeSlice(site ssa.Instruction, t types.Type, m *memory, control Set) *value {
	elem := t.Underlying().(*types.Slice).Elem()
	v := f.allocate(site, types.NewArray(elem, 1<<30), true, m, control)
	f.stands(f.object(site, t, true))
	if x, ok := site.(*ssa.MakeSlice); ok {
		r := *v
		r.data = f.in.sources(f.value(x.Len))
		return &r
	}
	return v
}

// slice returns the same elements. Where it starts elsewhere, its indices are not those of the
// array.
func (f *frame) slice(x *ssa.Slice) *value {
	v := f.value(x.X)
	if v == nil {
		return nil
	}
	if b, ok := x.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		return f.in.computed(v, f.operand(x.Low), f.operand(x.High))
	}
	r := *v
	r.sym, r.sum = anywhere, sum{}
	moved := false
	for _, b := range []ssa.Value{x.Low, x.High, x.Max} {
		if b == nil {
			continue
		}
		u := f.value(b)
		r.data = f.in.sets.union(r.data, f.in.sources(u))
		if c, ok := f.in.known(u); !ok || b == x.Low && c.ExactString() != "0" {
			moved = true
		}
	}
	if moved {
		r.ptrs = nil
		for _, l := range v.ptrs {
			l.moved = true
			r.ptrs = append(r.ptrs, l)
		}
	}
	return &r
}

// operand returns the value of an operand that may be missing.
func (f *frame) operand(v ssa.Value) *value {
	if v == nil {
		return nil
	}
	return f.value(v)
}

// makeMap makes a map: an object with two arrays, of keys and of values.
func (f *frame) makeMap(x *ssa.MakeMap, m *memory, control Set) *value {
	t := x.Type().Underlying().(*types.Map)
	pair := types.NewStruct([]*types.Var{
		types.NewField(x.Pos(), nil, "keys", types.NewArray(t.Key(), 1<<30), false),
		types.NewField(x.Pos(), nil, "values", types.NewArray(t.Elem(), 1<<30), false),
	}, nil)
	v := f.allocate(x, pair, true, m, control)
	f.stands(f.object(x, pair, true))
	return v
}

func (in *interp) storeMap(mp, key, val *value, x *ssa.MapUpdate, m *memory, control Set) {
	if mp == nil {
		return
	}
	for k, v := range []*value{key, val} {
		t := x.Map.Type().Underlying().(*types.Map)
		elem := []types.Type{t.Key(), t.Elem()}[k]
		at := in.indexAddr(in.fieldAddr(mp, k), &value{top: true})
		at = in.with(at, 0, 0, in.sources(key))
		in.store(at, v, in.layouts.of(elem), m, control, x.Pos())
	}
}

func (f *frame) lookup(x *ssa.Lookup, m *memory) *value {
	in := f.in
	v, key := f.value(x.X), f.value(x.Index)
	if v == nil || key == nil {
		return nil
	}
	t, ok := x.X.Type().Underlying().(*types.Map)
	if !ok { // a string
		return in.spread(in.computed(v, key), in.layouts.of(x.Type()))
	}
	keys := in.load(in.indexAddr(in.fieldAddr(v, 0), &value{top: true}), in.layouts.of(t.Key()), m, x.Pos())
	from := in.sets.union(in.sources(key), in.sources(keys))
	r := in.load(in.indexAddr(in.fieldAddr(v, 1), &value{top: true}), in.layouts.of(t.Elem()), m, x.Pos())
	if r == nil { // a nil map
		r = in.spread(&value{top: true}, in.layouts.of(t.Elem()))
	}
	r = in.with(in.join(r, in.zeroOf(t.Elem())), 0, 0, from)
	if !x.CommaOk {
		return r
	}
	lay := in.layouts.of(t.Elem())
	out := &value{}
	for k := range lay.leaves {
		if len(lay.leaves) == 1 {
			out.leaves = append(out.leaves, r)
		} else {
			out.leaves = append(out.leaves, in.leaf(r, k))
		}
	}
	out.leaves = append(out.leaves, &value{top: true, idx: from})
	return out
}

func (in *interp) zeroOf(t types.Type) *value {
	lay := in.layouts.of(t)
	if len(lay.leaves) == 1 {
		return in.zero(lay.leaves[0].typ)
	}
	r := &value{leaves: []*value{}}
	for _, l := range lay.leaves {
		r.leaves = append(r.leaves, in.zero(l.typ))
	}
	return r
}
