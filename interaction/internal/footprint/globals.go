package footprint

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// globalPointer points to a package-level variable.
func (in *interp) globalPointer(g *ssa.Global) *value {
	o := in.globalObjects[g]
	if o == nil {
		o = in.newObject(g.Name(), in.layouts.of(g.Type().(*types.Pointer).Elem()), global)
		in.globalObjects[g] = o
		c := in.globals[g]
		if c == nil {
			c = &initial.Cell{Value: initial.Unknown{Why: "nothing is known of it", Pos: g.Pos()}}
		}
		in.cells[o] = c
		in.cellObjects[c] = o
		if pos, ok := in.mutable[g]; ok {
			in.breaks(VariableRead, pos, "package variable %s, which an action uses, is assigned here: make it a constant, or a variable of the State", g.Name())
		} else if u, ok := c.Value.(initial.Unknown); ok && u.Pos.IsValid() {
			in.breaks(VariableRead, u.Pos, "package variable %s, which an action uses, has a value that may differ from run to run (%s): make it a constant, or a variable of the State", g.Name(), u.Why)
		}
	}
	return pointerTo(o)
}

// globalContent returns what a package-level variable, or something it points to, holds.
func (in *interp) globalContent(o *object) []*value {
	v := in.fromInitial(in.cells[o].Value, o.lay)
	out := make([]*value, len(o.lay.leaves))
	for k := range out {
		if len(out) == 1 {
			out[k] = v
		} else {
			out[k] = in.leaf(v, k)
		}
	}
	return out
}

// fromInitial returns a value of the initialiser. It does not depend on the state.
func (in *interp) fromInitial(v initial.Value, lay *layout) *value {
	switch v := v.(type) {
	case *initial.Struct:
		if lay.value != "" || lay.fields == nil {
			return in.spread(in.emptyOr(v), lay)
		}
		r := &value{leaves: []*value{}}
		for k, f := range v.Fields {
			x := in.fromInitial(f.Value, lay.fields[k].lay)
			r.leaves = append(r.leaves, in.listed(x, lay.fields[k].lay)...)
		}
		if len(r.leaves) == 1 {
			return r.leaves[0]
		}
		return r
	case *initial.Array:
		return in.arrayFrom(v.Elems, lay)
	case *initial.Cell:
		return pointerTo(in.cellObject(v, lay.typ.Underlying().(*types.Pointer).Elem()))
	case initial.Slice:
		if len(v.Elems) == 0 {
			return in.literal("0")
		}
		// The array after a slice is known by its first element: another slice of it may be
		// shorter.
		key := arrayOf{v.Elems[0], len(v.Elems)}
		c := in.arrays[key]
		t := types.NewArray(lay.typ.Underlying().(*types.Slice).Elem(), int64(len(v.Elems)))
		if c == nil {
			c = &initial.Cell{Value: &initial.Array{Type: t, Elems: v.Elems}}
			in.arrays[key] = c
		}
		return pointerTo(in.cellObject(c, t))
	case *initial.Func:
		c := &closure{fn: v.Fn}
		for k, b := range v.Bind {
			c.bind = append(c.bind, in.captured(b, v.Fn.FreeVars[k]))
		}
		return &value{funcs: []*closure{c}}
	case initial.Interface:
		l := in.layouts.of(v.Type)
		return &value{dynamic: []dynamic{{l, in.fromInitial(v.Value, l)}}}
	case initial.Nil:
		return in.literal("0")
	case initial.Unknown:
		return in.spread(&value{top: true, lost: v.Why}, lay)
	case initial.Made:
		return in.spread(&value{top: true}, lay)
	}
	if s, ok := initial.Text(v); ok && len(lay.leaves) == 1 {
		return in.literal(s)
	}
	return in.spread(&value{top: true}, lay)
}

// captured returns the value of a variable around a function. A pointer to one is marked, so that a
// write through it is one to a captured variable.
func (in *interp) captured(v initial.Value, name *ssa.FreeVar) *value {
	out := in.fromInitial(v, in.layouts.of(name.Type()))
	if c, ok := v.(*initial.Cell); ok {
		o := in.cellObjects[c]
		o.name, o.captured = name.Name(), true
	}
	return out
}

// emptyOr returns the zero value of a value type if that is what s is.
func (in *interp) emptyOr(s *initial.Struct) *value {
	if initial.IsZero(s) {
		return in.literal("0")
	}
	return &value{top: true}
}

// listed returns the leaves of a value.
func (in *interp) listed(v *value, lay *layout) []*value {
	if len(lay.leaves) == 1 {
		return []*value{v}
	}
	out := make([]*value, len(lay.leaves))
	for k := range out {
		out[k] = in.leaf(v, k)
	}
	return out
}

// arrayFrom knows an array's elements apart if they have no arrays inside.
func (in *interp) arrayFrom(cells []*initial.Cell, lay *layout) *value {
	out := make([]*value, len(lay.leaves))
	for k, c := range cells {
		at := in.names.extend(0, in.names.term(fmt.Sprint(k), false))
		for l, v := range in.listed(in.fromInitial(c.Value, lay.elem), lay.elem) {
			if lay.leaves[l].dims > 1 || len(cells) > 64 {
				out[l] = in.join(out[l], in.rowOf(v, in.names.extend(0, anywhere)))
				continue
			}
			if out[l] == nil {
				out[l] = &value{full: true}
			}
			out[l].elems = append(out[l].elems, element{at: at, own: v})
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return &value{leaves: out}
}

func (in *interp) cellObject(c *initial.Cell, t types.Type) *object {
	o := in.cellObjects[c]
	if o == nil {
		o = in.newObject("what a package variable points to", in.layouts.of(t), global)
		in.cellObjects[c] = o
		in.cells[o] = c
	}
	return o
}
