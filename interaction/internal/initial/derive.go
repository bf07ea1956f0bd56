package initial

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Grains is the path of the package whose Coarsen and Refine derive a grain from others.
const Grains = "github.com/multigrain/multigrain/grains"

// keys are the fields that a derived grain inherits entry by entry, with the field of an entry that
// identifies it.
var keys = []struct{ field, key string }{
	{"Requires", "Module"}, {"Sets", "Name"}, {"Needs", "Option"}, {"NeedsBounds", "Bound"}, {"Excludes", "Option"}, {"Offers", "Option"},
}

// isDerivation reports whether fn is grains.Coarsen or grains.Refine, and which field it sets.
func isDerivation(fn *ssa.Function) (flag string, ok bool) {
	if packageOf(fn) != Grains || fn.Signature.Recv() != nil {
		return "", false
	}
	name := fn.Name()
	if o := fn.Origin(); o != nil {
		name = o.Name()
	}
	switch name {
	case "Coarsen":
		return "Coarsens", true
	case "Refine":
		return "Refines", true
	}
	return "", false
}

// derive computes what package grains computes in derive.go: args are the grain, its base, and a
// slice of further bases.
func (in *interp) derive(x *ssa.Call, flag string, args []Value) Value {
	g, ok := args[0].(*Struct)
	if !ok {
		return lost(args[0], x.Pos())
	}
	bases := []Value{args[1]}
	switch more := args[2].(type) {
	case Nil:
	case Slice:
		for _, c := range more.Elems {
			bases = append(bases, c.Value)
		}
	default:
		return lost(args[2], x.Pos())
	}
	d := &derivation{in: in, g: clone(g).(*Struct), pos: x.Pos()}
	d.set(flag, constant.MakeBool(true))
	from := d.g.Field("From")
	if !IsZero(from.Value) {
		return unknown(from.Pos, "the call that derives the grain sets From, so the literal must not")
	}
	for _, b := range bases {
		base, ok := b.(*Struct)
		if !ok {
			return lost(b, x.Pos())
		}
		d.from(base)
	}
	d.inheritWhole("Covers", bases)
	d.inheritWhole("Models", bases)
	for _, k := range keys {
		for _, b := range bases {
			d.inherit(k.field, k.key, b.(*Struct))
		}
	}
	return d.g
}

// derivation is a grain that is being derived, at the position of the call.
type derivation struct {
	in  *interp
	g   *Struct
	pos token.Pos
}

func (d *derivation) set(field string, v Value) { d.in.store(d.g.Field(field), v, d.pos) }

// from adds a base to From.
func (d *derivation) from(base *Struct) {
	module := Value(Unknown{Why: "the base covers no module that is known", Pos: d.pos})
	if covers, ok := base.Field("Covers").Value.(Slice); ok && len(covers.Elems) > 0 {
		module = covers.Elems[0].Value
	}
	have, ok := listOf(d.g.Field("From").Value)
	if !ok {
		return // unknown already
	}
	ref := zero(fieldType(d.g, "From").Underlying().(*types.Slice).Elem()).(*Struct)
	d.in.store(ref.Field("Module"), module, d.pos)
	d.in.store(ref.Field("Grain"), base.Field("Name").Value, d.pos)
	d.set("From", newSlice(slices.Concat(have, []*Cell{{Value: ref, Pos: d.pos}}), true))
}

// inheritWhole gives a field of names, unless the literal sets it, the names of all bases.
func (d *derivation) inheritWhole(field string, bases []Value) {
	if _, unset := d.g.Field(field).Value.(Nil); !unset {
		return
	}
	for _, b := range bases {
		d.merge(field, b.(*Struct), func(v Value) Value { return v })
	}
}

// inherit adds the base's entries of a field whose key the grain's entries do not have.
func (d *derivation) inherit(field, key string, base *Struct) {
	d.merge(field, base, func(v Value) Value {
		if s, ok := v.(*Struct); ok {
			return s.Field(key).Value
		}
		return v
	})
}

func (d *derivation) merge(field string, base *Struct, key func(Value) Value) {
	out, ok := listOf(d.g.Field(field).Value)
	if !ok {
		return
	}
	more, ok := listOf(base.Field(field).Value)
	if !ok {
		d.set(field, lost(base.Field(field).Value, d.pos))
		return
	}
	own := len(out)
	for _, b := range more {
		known := false
		for _, o := range out[:own] {
			k, ok := Text(key(o.Value))
			l, both := Text(key(b.Value))
			known = known || ok && both && k == l
		}
		if !known {
			out = append(out[:len(out):len(out)], &Cell{Value: clone(b.Value), Pos: b.Pos})
		}
	}
	if len(out) > own {
		d.g.Field(field).Value = newSlice(slices.Concat(copies(out[:own]), out[own:]), true)
	}
}

// listOf returns the elements of a slice, not ok where it is unknown.
func listOf(v Value) ([]*Cell, bool) {
	switch v := v.(type) {
	case Nil:
		return nil, true
	case Slice:
		return v.Elems, true
	}
	return nil, false
}

func fieldType(s *Struct, name string) types.Type {
	t := s.Type.Underlying().(*types.Struct)
	for k := range t.NumFields() {
		if t.Field(k).Name() == name {
			return t.Field(k).Type()
		}
	}
	return nil
}
