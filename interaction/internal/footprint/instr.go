package footprint

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// instr interprets one instruction and returns the memory after it, nil if control does not come
// there.
func (f *frame) instr(ins ssa.Instruction, m *memory, control Set) *memory {
	in := f.in
	switch x := ins.(type) {
	case *ssa.Store:
		in.store(f.value(x.Addr), f.value(x.Val), in.layouts.of(x.Val.Type()), m, control, x.Pos())
	case *ssa.MapUpdate:
		in.storeMap(f.value(x.Map), f.value(x.Key), f.value(x.Value), x, m, control)
	case *ssa.Call:
		v, out := f.call(x, m, control)
		if out == nil {
			return nil
		}
		f.set(x, v)
		return out
	case *ssa.Go:
		in.breaks(Concurrency, x.Pos(), "it starts a goroutine: an action is one step")
	case *ssa.Defer:
		in.breaks(Unwinding, x.Pos(), "it defers a call")
	case *ssa.Send, *ssa.Select, *ssa.MakeChan:
		in.breaks(Concurrency, ins.Pos(), "it uses a Go channel: messages travel in a Net or Bag of the State")
		if v, ok := ins.(ssa.Value); ok {
			f.set(v, &value{top: true})
		}
	case ssa.Value:
		f.set(x, f.eval(x, m, control))
	default:
		in.cannot(ins.Pos(), "instruction %T is not followed", ins)
	}
	return m
}

// eval returns the value of an instruction that changes no memory but what it allocates.
func (f *frame) eval(v ssa.Value, m *memory, control Set) *value {
	in := f.in
	switch x := v.(type) {
	case *ssa.Alloc:
		return f.allocate(x, x.Type().(*types.Pointer).Elem(), x.Heap, m, control)
	case *ssa.FieldAddr:
		return in.fieldAddr(f.value(x.X), x.Field)
	case *ssa.IndexAddr:
		return in.indexAddr(f.value(x.X), f.value(x.Index))
	case *ssa.Field:
		p := in.layouts.of(x.X.Type()).fields
		if p == nil { // the inside of a value type
			return in.computed(f.value(x.X))
		}
		return in.field(f.value(x.X), in.layouts.of(x.X.Type()), x.Field)
	case *ssa.Index:
		return in.indexed(f.value(x.X), f.value(x.Index), in.layouts.of(x.Type()))
	case *ssa.Extract:
		return in.field(f.value(x.Tuple), in.layouts.of(x.Tuple.Type()), x.Index)
	case *ssa.UnOp:
		return f.unary(x, m)
	case *ssa.BinOp:
		return in.binary(x, f.value(x.X), f.value(x.Y))
	case *ssa.ChangeType:
		return f.value(x.X)
	case *ssa.ChangeInterface:
		return f.value(x.X)
	case *ssa.Convert:
		return in.convert(x, f.value(x.X))
	case *ssa.MultiConvert:
		return in.computed(f.value(x.X))
	case *ssa.MakeInterface:
		return &value{dynamic: []dynamic{{in.layouts.of(x.X.Type()), in.nested(f.value(x.X))}}}
	case *ssa.TypeAssert:
		return in.typeAssert(x, f.value(x.X))
	case *ssa.MakeClosure:
		c := &closure{fn: x.Fn.(*ssa.Function)}
		for _, b := range x.Bindings {
			c.bind = append(c.bind, in.nested(f.value(b)))
		}
		return &value{funcs: []*closure{c}}
	case *ssa.Slice:
		return f.slice(x)
	case *ssa.SliceToArrayPointer:
		return f.value(x.X)
	case *ssa.MakeSlice:
		return f.makeSlice(x, x.Type(), m, control)
	case *ssa.MakeMap:
		return f.makeMap(x, m, control)
	case *ssa.Lookup:
		return f.lookup(x, m)
	case *ssa.Range:
		if _, ok := x.X.Type().Underlying().(*types.Map); ok {
			in.breaks(MapUsed, x.Pos(), "it ranges over a map: the order is random")
		}
		return f.value(x.X)
	case *ssa.Next:
		return in.spread(in.computed(f.value(x.Iter)), in.layouts.of(x.Type()))
	}
	in.cannot(v.Pos(), "instruction %T is not followed", v)
	return &value{top: true}
}

// spread gives every leaf of a type the same value.
func (in *interp) spread(v *value, lay *layout) *value {
	if v == nil || len(lay.leaves) == 1 {
		return v
	}
	r := &value{leaves: make([]*value, len(lay.leaves))}
	for k := range r.leaves {
		r.leaves[k] = v
	}
	return r
}

func (in *interp) field(v *value, lay *layout, k int) *value {
	p := lay.fields[k]
	if len(lay.leaves) == 1 && len(p.lay.leaves) == 1 {
		return v
	}
	return in.parts(v, p.start, len(p.lay.leaves))
}

// fieldAddr points from structs to a field.
func (in *interp) fieldAddr(p *value, k int) *value {
	if p == nil {
		return nil
	}
	r := *p
	r.ptrs, r.sym, r.sum = nil, anywhere, sum{}
	for _, l := range p.ptrs {
		if l.lay.fields == nil {
			r.lost = "it points into a value type"
			continue
		}
		part := l.lay.fields[k]
		r.ptrs = append(r.ptrs, location{obj: l.obj, start: l.start + part.start, lay: part.lay, at: l.at})
	}
	return &r
}

// indexAddr points from arrays, or from the arrays after slices, to an element.
func (in *interp) indexAddr(p, x *value) *value {
	if p == nil || x == nil {
		return nil
	}
	r := *p
	r.ptrs, r.sym, r.sum = nil, anywhere, sum{}
	r.idx = in.sets.union(p.idx, in.sources(x))
	for _, l := range p.ptrs {
		if l.lay.elem == nil {
			r.lost = "it points into a value type"
			continue
		}
		t := in.termOf(x)
		if l.moved {
			t = anywhere
		}
		next := location{obj: l.obj, start: l.start, lay: l.lay.elem, at: in.names.extend(l.at, t)}
		if !slices.Contains(r.ptrs, next) {
			r.ptrs = append(r.ptrs, next)
		}
	}
	return &r
}

// indexed returns an element of an array that is a value, not a place.
func (in *interp) indexed(v, x *value, elem *layout) *value {
	if v == nil || x == nil {
		return nil
	}
	from := in.sources(x)
	at := in.names.extend(0, in.termOf(x))
	one := func(v *value, dims int) *value {
		if v == nil {
			return nil
		}
		if dims > 0 {
			v = in.rowOf(v, at)
		} else {
			v = in.elementOf(v, at)
		}
		return in.with(v, 0, 0, from)
	}
	if len(elem.leaves) == 1 {
		return one(v, elem.leaves[0].dims)
	}
	r := &value{leaves: make([]*value, len(elem.leaves))}
	for k := range r.leaves {
		r.leaves[k] = one(in.leaf(v, k), elem.leaves[k].dims)
	}
	return r
}

func (f *frame) unary(x *ssa.UnOp, m *memory) *value {
	in := f.in
	v := f.value(x.X)
	switch x.Op {
	case token.MUL:
		return in.load(v, in.layouts.of(x.Type()), m, x.Pos())
	case token.ARROW:
		in.breaks(Concurrency, x.Pos(), "it uses a Go channel: messages travel in a Net or Bag of the State")
		return in.spread(&value{top: true}, in.layouts.of(x.Type()))
	}
	if c, ok := in.known(v); ok && (x.Op == token.NOT || x.Op == token.SUB) {
		return in.derived(v, constant.UnaryOp(x.Op, c, 0), x.Type())
	}
	if v == nil {
		return nil
	}
	return in.computed(v)
}

// known returns the one constant that v is.
func (in *interp) known(v *value) (constant.Value, bool) {
	if v == nil || v.top || v.frame|v.data != 0 || len(v.consts) != 1 || v.leaves != nil || v.lost != "" ||
		len(v.ptrs)+len(v.funcs)+len(v.dynamic)+len(v.elems) > 0 {
		return nil, false
	}
	s := in.names.consts[v.consts[0]]
	switch s {
	case "true", "false":
		return constant.MakeBool(s == "true"), true
	}
	kind := token.INT
	if s[0] == '"' {
		kind = token.STRING
	}
	if s[0] == '-' {
		c := constant.MakeFromLiteral(s[1:], kind, 0)
		return constant.UnaryOp(token.SUB, c, 0), c.Kind() == constant.Int
	}
	c := constant.MakeFromLiteral(s, kind, 0)
	return c, c.Kind() == constant.Int || c.Kind() == constant.String
}

// derived returns a constant computed from constants: what chose those chooses it.
func (in *interp) derived(from *value, c constant.Value, t types.Type) *value {
	if b, ok := t.Underlying().(*types.Basic); !ok || c.Kind() == constant.Unknown || c.Kind() == constant.Int && !representable(c, b) {
		return in.computed(from)
	}
	v := in.literal(c.ExactString())
	v.control, v.idx = from.control, from.idx
	return v
}

func representable(c constant.Value, b *types.Basic) bool {
	if b.Info()&types.IsInteger == 0 {
		return b.Info()&types.IsString == 0
	}
	n, ok := constant.Int64Val(c)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8:
		return n == int64(int8(n))
	case types.Uint8:
		return n == int64(uint8(n))
	case types.Int16:
		return n == int64(int16(n))
	case types.Uint16:
		return n == int64(uint16(n))
	case types.Int32:
		return n == int64(int32(n))
	case types.Uint32:
		return n == int64(uint32(n))
	case types.Uint, types.Uint64, types.Uintptr:
		return n >= 0
	}
	return true
}

func (in *interp) binary(x *ssa.BinOp, a, b *value) *value {
	if a == nil || b == nil {
		return nil
	}
	l, ok := in.known(a)
	r, rok := in.known(b)
	both := &value{control: in.sets.union(a.control, b.control), idx: in.sets.union(a.idx, b.idx)}
	if ok && rok && l.Kind() == r.Kind() {
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if l.Kind() != constant.Bool || x.Op == token.EQL || x.Op == token.NEQ {
				return in.derived(both, constant.MakeBool(constant.Compare(l, x.Op, r)), x.Type())
			}
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			if l.Kind() == constant.Int {
				return in.derived(both, constant.BinaryOp(l, x.Op, r), x.Type())
			}
		}
	}
	c := in.computed(a, b)
	switch {
	case rok && x.Op == token.ADD:
		c.sum = in.moved(a, r, 1)
	case rok && x.Op == token.SUB:
		c.sum = in.moved(a, r, -1)
	case ok && x.Op == token.ADD:
		c.sum = in.moved(b, l, 1)
	}
	return c
}

// moved returns the sum of a value that is a parameter, or one and a number, and a constant with a
// sign. It is zero for other values.
func (in *interp) moved(v *value, by constant.Value, sign int64) sum {
	n, exact := constant.Int64Val(constant.ToInt(by))
	s := in.position(v)
	if s.of == anywhere || !exact {
		return sum{}
	}
	return sum{s.of, s.add + sign*n}
}

// termOf returns the term of an index: a parameter, a constant, or a parameter and a number.
func (in *interp) termOf(x *value) term {
	if x.sym == anywhere && x.sum.of != anywhere {
		return in.names.sumTerm(x.sum)
	}
	return x.sym
}

// position returns the parameter and the number that a value is the sum of; zero: not known.
func (in *interp) position(v *value) sum {
	if v.sym != anywhere && in.names.param[v.sym] {
		return sum{of: v.sym}
	}
	return v.sum
}

// convert keeps constants and parameters whose value the new type holds: a symbolic index may be an
// int.
func (in *interp) convert(x *ssa.Convert, v *value) *value {
	if v == nil {
		return nil
	}
	to, ok := x.Type().Underlying().(*types.Basic)
	from, ok2 := x.X.Type().Underlying().(*types.Basic)
	if !ok || !ok2 || to.Kind() == types.UnsafePointer || from.Kind() == types.UnsafePointer {
		if ok && to.Kind() == types.UnsafePointer || ok2 && from.Kind() == types.UnsafePointer {
			in.cannot(x.Pos(), "it uses package unsafe")
		}
		return in.computed(v)
	}
	if c, ok := in.known(v); ok {
		if c.Kind() == constant.Int && to.Info()&types.IsInteger != 0 {
			return in.derived(v, c, to)
		}
		return in.computed(v)
	}
	r := in.computed(v)
	if to.Info()&types.IsInteger != 0 && from.Info()&types.IsInteger != 0 {
		if keeps(to, from) || in.names.basic[v.sym] == to.Kind() {
			r.sym = v.sym
		}
		if keeps(to, from) {
			r.sum = v.sum
			r.consts, r.top = v.consts, v.top || v.frame != 0
		}
	}
	return r
}

// keeps reports whether every value of from is one of to.
func keeps(to, from *types.Basic) bool {
	size := map[types.BasicKind]int{types.Int8: 1, types.Uint8: 1, types.Int16: 2, types.Uint16: 2, types.Int32: 4,
		types.Uint32: 4, types.Int64: 8, types.Uint64: 8, types.Int: 8, types.Uint: 8, types.Uintptr: 8}
	unsigned := func(b *types.Basic) bool { return b.Info()&types.IsUnsigned != 0 }
	s, t := size[from.Kind()], size[to.Kind()]
	return unsigned(to) == unsigned(from) && t >= s || unsigned(from) && t > s
}

func (in *interp) typeAssert(x *ssa.TypeAssert, v *value) *value {
	if v == nil {
		return nil
	}
	var r *value
	lay := in.layouts.of(x.AssertedType)
	for _, d := range v.dynamic {
		switch {
		case types.IsInterface(x.AssertedType):
			if types.AssignableTo(d.typ.typ, x.AssertedType) {
				r = in.join(r, &value{dynamic: []dynamic{d}})
			}
		case types.Identical(d.typ.typ, x.AssertedType):
			r = in.join(r, d.val)
		}
	}
	// What chose among the dynamic values chooses among their contents.
	r = in.with(r, 0, in.sets.all(v.data, v.control, v.frame), v.idx)
	if v.unknown(len(v.dynamic)) {
		r = in.join(r, in.spread(in.computed(v), lay))
	}
	if !x.CommaOk {
		return r
	}
	ok := &value{top: true, data: v.data, control: v.control, idx: v.idx}
	if r == nil {
		r = in.spread(&value{top: true}, lay)
	}
	t := &value{}
	for k := range lay.leaves {
		if len(lay.leaves) == 1 {
			t.leaves = append(t.leaves, r)
		} else {
			t.leaves = append(t.leaves, in.leaf(r, k))
		}
	}
	t.leaves = append(t.leaves, ok)
	return t
}
