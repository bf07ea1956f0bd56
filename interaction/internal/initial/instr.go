package initial

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// instr interprets an instruction that has a value. What is not listed has an unknown one.
func (f *frame) instr(v ssa.Value) Value {
	out := f.follow(v)
	if _, ok := out.(Unknown); !ok {
		return out
	}
	switch x := v.(type) {
	case *ssa.Call: // has forgotten what it may change
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return f.escape(x, out)
		}
	case *ssa.IndexAddr:
		f.anywhere(x, out.(Unknown))
	default:
		return f.escape(v.(ssa.Instruction), out)
	}
	return out
}

// anywhere makes unknown what the address of an element can be used to change, where it is not
// known which element.
func (f *frame) anywhere(x *ssa.IndexAddr, u Unknown) {
	for _, use := range *x.Referrers() {
		if load, ok := use.(*ssa.UnOp); !ok || load.Op != token.MUL {
			f.escape(x, u)
			return
		}
	}
	switch v := f.value(x.X).(type) {
	case Slice:
		f.in.forgetCells(v.Elems, u, false, map[*Cell]bool{})
	case *Cell:
		f.in.forgetCells([]*Cell{v}, u, false, map[*Cell]bool{})
	}
}

func (f *frame) follow(v ssa.Value) Value {
	switch x := v.(type) {
	case *ssa.Alloc:
		return &Cell{Value: zero(x.Type().(*types.Pointer).Elem()), Pos: x.Pos()}
	case *ssa.FieldAddr:
		if c, ok := f.value(x.X).(*Cell); ok {
			if s, ok := c.Value.(*Struct); ok {
				return s.Fields[x.Field]
			}
			return lost(c.Value, x.Pos())
		}
	case *ssa.Field:
		if s, ok := f.value(x.X).(*Struct); ok {
			return s.Fields[x.Field].Value
		}
	case *ssa.IndexAddr:
		return element(f.value(x.X), f.value(x.Index), x.Pos())
	case *ssa.Index:
		if c, ok := element(f.value(x.X), f.value(x.Index), x.Pos()).(*Cell); ok {
			return clone(c.Value)
		}
	case *ssa.UnOp:
		return f.unary(x)
	case *ssa.BinOp:
		return binary(x, f.value(x.X), f.value(x.Y))
	case *ssa.ChangeType:
		return f.value(x.X)
	case *ssa.Convert:
		return convert(x, f.value(x.X))
	case *ssa.ChangeInterface:
		return f.value(x.X)
	case *ssa.MakeInterface:
		return Interface{x.X.Type(), f.value(x.X)}
	case *ssa.TypeAssert:
		i, ok := f.value(x.X).(Interface)
		if ok && !x.CommaOk && types.Identical(i.Type, x.AssertedType) {
			return i.Value
		}
	case *ssa.MakeClosure:
		c := &Func{Fn: x.Fn.(*ssa.Function)}
		for _, b := range x.Bindings {
			c.Bind = append(c.Bind, f.value(b))
		}
		return c
	case *ssa.MakeSlice:
		n, ok := number(f.value(x.Len))
		room, roomOK := number(f.value(x.Cap))
		if ok && roomOK && n >= 0 && n <= room && room <= maxArray {
			var cells []*Cell
			for range room {
				cells = append(cells, &Cell{Value: zero(x.Type().Underlying().(*types.Slice).Elem()), Pos: x.Pos()})
			}
			s := newSlice(cells, false)
			return s.array.slice(0, int(n), int(room), false)
		}
	case *ssa.Slice:
		return f.slice(x)
	case *ssa.Extract:
		if t, ok := f.value(x.Tuple).(Tuple); ok {
			return t[x.Index]
		}
		return lost(f.value(x.Tuple), x.Pos())
	case *ssa.Call:
		return f.call(x)
	}
	return unknown(v.Pos(), "it is not followed")
}

// lost passes an unknown on, so that the first reason is reported.
func lost(v Value, pos token.Pos) Value {
	if u, ok := v.(Unknown); ok {
		return u
	}
	return unknown(pos, "it is not followed")
}

func number(v Value) (int64, bool) {
	c, ok := v.(constant.Value)
	if !ok || c.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c)
}

// element returns the cell at an index of an array, of a slice, or of the array that a pointer
// refers to.
func element(v, index Value, pos token.Pos) Value {
	var cells []*Cell
	switch v := v.(type) {
	case *Cell:
		a, ok := v.Value.(*Array)
		if !ok {
			return lost(v.Value, pos)
		}
		cells = a.Elems
	case *Array:
		cells = v.Elems
	case Slice:
		cells = v.Elems
	default:
		return lost(v, pos)
	}
	k, ok := number(index)
	if !ok || k < 0 || k >= int64(len(cells)) {
		return unknown(pos, "an index is not known")
	}
	return cells[k]
}

func (f *frame) unary(x *ssa.UnOp) Value {
	v := f.value(x.X)
	switch c := v.(type) {
	case *Cell:
		if x.Op == token.MUL {
			return clone(c.Value)
		}
	case constant.Value:
		switch x.Op {
		case token.NOT:
			return constant.UnaryOp(x.Op, c, 0)
		case token.SUB:
			return inRange(x.Type(), constant.UnaryOp(x.Op, c, 0), x.Pos())
		}
	}
	return lost(v, x.Pos())
}

func binary(x *ssa.BinOp, a, b Value) Value {
	l, ok := a.(constant.Value)
	r, rok := b.(constant.Value)
	if !ok || !rok {
		return nils(x, a, b)
	}
	if t, ok := x.X.Type().Underlying().(*types.Basic); ok && t.Info()&(types.IsFloat|types.IsComplex) != 0 {
		return unknown(x.Pos(), "it is computed with floating point, which rounds")
	}
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(l, x.Op, r))
	}
	return inRange(x.Type(), compute(x, l, r), x.Pos())
}

// inRange returns v unless it is an integer that overflows t.
func inRange(t types.Type, v Value, pos token.Pos) Value {
	b, basic := t.Underlying().(*types.Basic)
	if c, ok := v.(constant.Value); ok && c.Kind() == constant.Int && basic && !fits(c, b) {
		return unknown(pos, "it overflows")
	}
	return v
}

func compute(x *ssa.BinOp, l, r constant.Value) Value {
	switch x.Op {
	case token.SHL, token.SHR:
		if n, ok := constant.Uint64Val(r); ok && n < 64 && l.Kind() == constant.Int {
			return constant.Shift(l, x.Op, uint(n))
		}
	case token.QUO, token.REM:
		if l.Kind() == constant.Int && constant.Sign(r) != 0 {
			if x.Op == token.QUO {
				return constant.BinaryOp(l, token.QUO_ASSIGN, r)
			}
			return constant.BinaryOp(l, x.Op, r)
		}
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		return constant.BinaryOp(l, x.Op, r)
	}
	return unknown(x.Pos(), "it is not followed")
}

// nils compares pointers and the like with nil.
func nils(x *ssa.BinOp, a, b Value) Value {
	if _, ok := a.(Nil); ok {
		a, b = b, a
	}
	if _, ok := b.(Nil); !ok || x.Op != token.EQL && x.Op != token.NEQ {
		return lost(a, x.Pos())
	}
	switch a.(type) {
	case Nil:
		return constant.MakeBool(x.Op == token.EQL)
	case *Cell, *Func, Interface, Slice:
		return constant.MakeBool(x.Op == token.NEQ)
	}
	return lost(a, x.Pos())
}

// convert keeps constants that the new type represents.
func convert(x *ssa.Convert, v Value) Value {
	c, ok := v.(constant.Value)
	t, basic := x.Type().Underlying().(*types.Basic)
	if !ok || !basic {
		return lost(v, x.Pos())
	}
	switch {
	case t.Info()&types.IsInteger != 0 && c.Kind() == constant.Int && fits(c, t),
		t.Info()&types.IsString != 0 && c.Kind() == constant.String,
		t.Info()&types.IsFloat != 0 && (c.Kind() == constant.Int || c.Kind() == constant.Float):
		return c
	}
	return unknown(x.Pos(), "it is not followed")
}

func fits(c constant.Value, t *types.Basic) bool {
	bits := map[types.BasicKind]uint{types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Int64: 63, types.Int: 63,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64, types.Uintptr: 64}[t.Kind()]
	if constant.Sign(c) < 0 {
		return t.Info()&types.IsUnsigned == 0 && constant.Compare(c, token.GEQ,
			constant.UnaryOp(token.SUB, constant.Shift(constant.MakeInt64(1), token.SHL, bits), 0))
	}
	return constant.BitLen(c) <= int(bits)
}
