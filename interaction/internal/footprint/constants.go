package footprint

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// constant returns a constant: the zero value of a struct has one for each leaf.
func (in *interp) constant(x *ssa.Const) *value {
	if v := in.constants[x]; v != nil {
		return v
	}
	var v *value
	if x.Value != nil {
		v = in.literal(x.Value.ExactString())
	} else if lay := in.layouts.of(x.Type()); len(lay.leaves) == 1 && lay.fields == nil {
		v = in.zero(lay.leaves[0].typ)
	} else {
		leaves := make([]*value, len(lay.leaves))
		for k, l := range lay.leaves {
			leaves[k] = in.zero(l.typ)
		}
		v = &value{leaves: leaves}
		if len(leaves) == 1 {
			v = leaves[0]
		}
	}
	in.constants[x] = v
	return v
}

// literal is exactly the constant of that text.
func (in *interp) literal(s string) *value {
	return &value{consts: []int32{in.names.text(s)}, sym: in.names.term(s, false)}
}

// zero returns the zero value of a leaf.
func (in *interp) zero(t types.Type) *value {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsBoolean != 0:
			return in.literal("false")
		case b.Info()&types.IsString != 0:
			return in.literal(`""`)
		}
	}
	return in.literal("0")
}
