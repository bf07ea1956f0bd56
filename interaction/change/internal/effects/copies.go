package effects

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// copies adds the fields that functions of the implementation return to the adapter as they are.
// What is computed of a field by arithmetic or a comparison, or decides what is returned, is not
// observed by that.
func (o *observed) copies() {
	for v := range o.needs {
		switch v := v.(type) {
		case *ssa.Call:
			if _, tuple := v.Type().(*types.Tuple); !tuple {
				o.copied(v, 0)
			}
		case [2]any:
			if call, ok := v[0].(*ssa.Call); ok {
				o.copied(call, v[1].(int))
			}
		}
	}
}

func (o *observed) copied(call *ssa.Call, result int) {
	for _, f := range o.p.callees[call] {
		if o.p.side(f) == code && f.Blocks != nil {
			c := &copier{o: o, seen: map[ssa.Value]bool{}, top: f}
			c.returns(f, result)
		}
	}
}

// copier follows one result of a function backwards.
type copier struct {
	o    *observed
	top  *ssa.Function
	seen map[ssa.Value]bool
}

func (c *copier) returns(f *ssa.Function, result int) {
	for _, b := range f.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && result < len(r.Results) {
			c.from(r.Results[result])
		}
	}
}

// from follows a value that is returned as it is.
func (c *copier) from(v ssa.Value) {
	if v == nil || c.seen[v] {
		return
	}
	c.seen[v] = true
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			c.loaded(v.X)
		}
	case *ssa.Field:
		if f := fieldAt(v.X.Type(), v.Field); !c.local(v.X) {
			c.o.fields[f] = true
		}
		c.from(v.X)
	case *ssa.FieldAddr, *ssa.Alloc:
		c.loaded(v)
	case *ssa.Phi:
		for _, e := range v.Edges {
			c.from(e)
		}
	case *ssa.Slice:
		c.from(v.X)
	case *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		c.from(*v.(ssa.Instruction).Operands(nil)[0])
	case *ssa.Lookup:
		c.from(v.X)
	case *ssa.Index:
		c.from(v.X)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			c.call(call, v.Index)
		}
	case *ssa.Call:
		c.call(v, 0)
	case *ssa.Parameter:
		c.argument(v)
	}
}

// local reports whether a struct was made by the function itself.
func (c *copier) local(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	return ok && c.o.p.rootOf(u.X) != nil
}

// call follows the result of a call.
func (c *copier) call(call *ssa.Call, result int) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if slices.Contains([]string{"append", "min", "max"}, b.Name()) {
			for _, arg := range call.Call.Args {
				c.from(arg)
			}
		}
		return
	}
	for _, f := range c.o.p.callees[call] {
		if c.o.p.side(f) == code && f.Blocks != nil {
			c.returns(f, result)
		}
	}
}

// argument follows a parameter to the calls within what the adapter calls.
func (c *copier) argument(v *ssa.Parameter) {
	f := v.Parent()
	if f == c.top {
		return
	}
	k := slices.Index(f.Params, v)
	for _, site := range c.o.p.callers[f] {
		if c.o.p.side(site.Parent()) == code {
			c.from(argument(site, k))
		}
	}
}

// loaded follows what an address holds: a field, or what was written into a local variable. Of a
// local struct only the fields count that the adapter reads.
func (c *copier) loaded(addr ssa.Value) {
	root := c.o.p.rootOf(addr)
	if root == nil {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			f := fieldAt(a.X.Type(), a.Field)
			c.o.fields[f] = true
			if st := c.o.p.structOf(f.Type()); st != nil {
				c.o.whole(st, 0)
			}
		case *ssa.IndexAddr:
			c.from(a.X)
		case *ssa.Global:
			c.o.needs[a] = true
		default:
			c.from(addr)
		}
		return
	}
	c.stores(root)
}

// stores follows what is written into a local variable.
func (c *copier) stores(root ssa.Value) {
	if root.Referrers() == nil {
		return
	}
	for _, r := range *root.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == root {
				c.from(r.Val)
			}
		case *ssa.FieldAddr:
			if f := fieldAt(r.X.Type(), r.Field); c.o.fields[f] {
				c.stores(r)
			}
		case *ssa.IndexAddr:
			c.stores(r)
		}
	}
}
