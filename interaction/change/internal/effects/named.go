package effects

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What it computes. The fields that an adapter finds by their names through package reflect.
//
// Why it is right. A call of FieldByName names a field of the types that its receiver stands for. A
// receiver or name that is a parameter is looked up in the call of the function around, so each
// call of a helper stands for the field that it asks for. What cannot be resolved adds no field, so
// that a write of it counts as not observed.
//
// Example. The adapter's helper find looks up a name, and pointee returns the type of a field:
//
//	r := pointee(reflect.TypeFor[etcd.RawNode](), "raft")   r stands for the type raft
//	in.vote = find(r, "Vote")                               raft.Vote is read where in.vote is used

// context gives the parameters of a function values, in the context of its caller.
type context struct {
	args map[*ssa.Parameter]ssa.Value
	up   *context
}

// fieldFinder is the package with the function Field that is reflect.Type.FieldByName for fields
// which a change gave another name.
const fieldFinder = "github.com/multigrain/multigrain/checker/conform"

// mostCalls bounds how deep calls of helpers are followed.
const mostCalls = 6

// byName adds the fields that calls find by name whose results are needed.
func (o *observed) byName(fs []*ssa.Function) {
	for _, f := range fs {
		o.each(f, func(i ssa.Instruction) {
			call, ok := i.(*ssa.Call)
			if !ok || !o.used(call) {
				return
			}
			for _, found := range o.finds(call, nil, 0) {
				o.field(found)
				o.mirrored(found.Type(), map[types.Type]bool{})
			}
		})
	}
}

// used reports whether a result of a call is needed.
func (o *observed) used(call *ssa.Call) bool {
	if o.needs[call] {
		return true
	}
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && o.needs[x] {
			return true
		}
	}
	return false
}

// finds returns the fields that a call looks up: itself, or in a helper that gets the type or the
// name from it.
func (o *observed) finds(call *ssa.Call, ctx *context, depth int) (out []*types.Var) {
	if fields, ok := o.lookup(call, ctx, depth); ok {
		return fields
	}
	f := call.Call.StaticCallee()
	if f == nil || !o.p.inside(f) || o.p.side(f) != adapter || depth > mostCalls {
		return nil
	}
	inner := &context{args: map[*ssa.Parameter]ssa.Value{}, up: ctx}
	for k, p := range f.Params {
		inner.args[p] = argument(call, k)
	}
	o.each(f, func(i ssa.Instruction) {
		if c, ok := i.(*ssa.Call); ok && c != call {
			if fields, ok := o.lookup(c, inner, depth+1); ok {
				out = append(out, fields...)
			}
		}
	})
	return out
}

// lookup returns the fields that a call of FieldByName finds; false for another call.
func (o *observed) lookup(call *ssa.Call, ctx *context, depth int) ([]*types.Var, bool) {
	name, recv, args, own := "", call.Call.Value, call.Call.Args, (*types.Var).Name
	if call.Call.IsInvoke() {
		name = call.Call.Method.Name()
	} else if f := call.Call.StaticCallee(); f != nil && f.Pkg != nil && f.Pkg.Pkg.Path() == "reflect" && len(args) > 0 {
		name, recv, args = f.Name(), args[0], args[1:]
	} else if f != nil && f.Pkg != nil && f.Pkg.Pkg.Path() == fieldFinder && f.Name() == "Field" && len(args) == 2 {
		name, recv, args, own = "FieldByName", args[0], args[1:], o.p.fieldName
	}
	if name != "FieldByName" || len(args) != 1 {
		return nil, false
	}
	text, ok := o.text(args[0], ctx)
	if !ok {
		return nil, true
	}
	var out []*types.Var
	for _, t := range o.types(recv, ctx, depth) {
		if s, ok := pointed(t).Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if own(f) == text {
					out = append(out, f.Origin())
				}
			}
		}
	}
	return out, true
}

func pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// text returns a constant text.
func (o *observed) text(v ssa.Value, ctx *context) (string, bool) {
	for {
		switch x := v.(type) {
		case *ssa.Const:
			if x.Value != nil && x.Value.Kind() == constant.String {
				return constant.StringVal(x.Value), true
			}
			return "", false
		case *ssa.Parameter:
			if ctx == nil || ctx.args[x] == nil {
				return "", false
			}
			v, ctx = ctx.args[x], ctx.up
		default:
			return "", false
		}
	}
}

// types returns the types that a value of reflect stands for: a Type, a Value or a StructField.
func (o *observed) types(v ssa.Value, ctx *context, depth int) (out []types.Type) {
	if depth > 4*mostCalls {
		return nil
	}
	depth++
	switch v := v.(type) {
	case *ssa.Parameter:
		if ctx != nil && ctx.args[v] != nil {
			return o.types(ctx.args[v], ctx.up, depth)
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			out = append(out, o.types(e, ctx, depth)...)
		}
	case *ssa.MakeInterface:
		return o.types(v.X, ctx, depth)
	case *ssa.ChangeInterface:
		return o.types(v.X, ctx, depth)
	case *ssa.Extract:
		return o.types(v.Tuple, ctx, depth)
	case *ssa.Field:
		return o.types(v.X, ctx, depth)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return o.typesAt(v.X, ctx, depth)
		}
	case *ssa.Call:
		return o.typesOf(v, ctx, depth)
	}
	return out
}

// typesAt returns the types of what a local variable holds.
func (o *observed) typesAt(addr ssa.Value, ctx *context, depth int) (out []types.Type) {
	root := o.p.rootOf(addr)
	if root == nil {
		return nil
	}
	for _, r := range *root.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == root {
			out = append(out, o.types(s.Val, ctx, depth)...)
		}
	}
	return out
}

// typesOf returns the types that a call's result stands for.
func (o *observed) typesOf(call *ssa.Call, ctx *context, depth int) (out []types.Type) {
	if fields, ok := o.lookup(call, ctx, depth); ok {
		for _, f := range fields {
			out = append(out, f.Type())
		}
		return out
	}
	name, args := "", call.Call.Args
	f := call.Call.StaticCallee()
	if call.Call.IsInvoke() {
		name, args = call.Call.Method.Name(), []ssa.Value{call.Call.Value}
	} else if f != nil {
		origin := f
		if f.Origin() != nil {
			origin = f.Origin()
		}
		switch {
		case origin.Pkg != nil && origin.Pkg.Pkg.Path() == "reflect", origin.Pkg == nil && origin.Object() != nil && origin.Object().Pkg() != nil && origin.Object().Pkg().Path() == "reflect":
			name = origin.Name()
		case o.p.side(f) == adapter && f.Blocks != nil:
			return o.typesReturned(f, call, ctx, depth)
		}
	}
	switch name {
	case "TypeFor":
		return []types.Type{f.TypeArgs()[0]}
	case "TypeOf", "ValueOf":
		if m, ok := args[0].(*ssa.MakeInterface); ok {
			return []types.Type{m.X.Type()}
		}
	case "Elem":
		for _, t := range o.types(args[0], ctx, depth) {
			if e, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
				out = append(out, e.Elem())
			}
		}
	case "Type", "Indirect":
		for _, t := range o.types(args[0], ctx, depth) {
			out = append(out, map[bool]types.Type{true: t, false: pointed(t)}[name == "Type"])
		}
	}
	return out
}

// typesReturned returns the types that a helper's result stands for.
func (o *observed) typesReturned(f *ssa.Function, call *ssa.Call, ctx *context, depth int) (out []types.Type) {
	inner := &context{args: map[*ssa.Parameter]ssa.Value{}, up: ctx}
	for k, p := range f.Params {
		inner.args[p] = argument(call, k)
	}
	for _, b := range f.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) > 0 {
			out = append(out, o.types(r.Results[0], inner, depth)...)
		}
	}
	return out
}

// mirrored adds fields of the unexported structs that a type leads to. They count if the adapter
// reads them through a struct of its own with the same fields.
func (o *observed) mirrored(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		o.mirrored(u.Elem(), seen)
	case *types.Slice:
		o.mirrored(u.Elem(), seen)
	case *types.Array:
		o.mirrored(u.Elem(), seen)
	case *types.Map:
		o.mirrored(u.Elem(), seen)
	case *types.Struct:
		n := namedOf(t)
		if n == nil || n.Obj().Exported() || o.p.sides[n.Obj().Pkg()] != code {
			return
		}
		for k := range u.NumFields() {
			if o.mirror(u, k) {
				o.field(u.Field(k).Origin())
				o.mirrored(u.Field(k).Type(), seen)
			}
		}
	}
}

// mirror reports whether the adapter reads the k-th field of a struct of its own that has the
// fields of u.
func (o *observed) mirror(u *types.Struct, k int) bool {
	for _, pkg := range o.p.pkgs {
		if o.p.sides[pkg.Types] != adapter {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			s, ok := pkg.Types.Scope().Lookup(name).Type().Underlying().(*types.Struct)
			if ok && o.p.sameFields(s, u) && o.fields[s.Field(k).Origin()] {
				return true
			}
		}
	}
	return false
}

// sameFields reports whether a struct of the adapter has the names of the fields of another one.
func (p *Program) sameFields(a, b *types.Struct) bool {
	if a.NumFields() != b.NumFields() {
		return false
	}
	for k := range a.NumFields() {
		if a.Field(k).Name() != p.fieldName(b.Field(k)) {
			return false
		}
	}
	return true
}
