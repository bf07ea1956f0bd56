package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// sinkKind says how something outlives a call.
type sinkKind int

const (
	written  sinkKind = iota // a field or a package variable is written
	returned                 // a result goes to code outside of the packages
	passed                   // an argument goes to code outside of the packages
	raised                   // a panic, which ends the run
)

// sink is a place that outlives a call.
type sink struct {
	kind sinkKind
	name string
	// of is the field or the variable, the call outside, or what the adapter gets.
	of any
}

// sinks is a set of places in the order in which they were found.
type sinks struct {
	list []sink
	has  map[any]bool
}

func (s *sinks) add(x sink) {
	if s.has == nil {
		s.has = map[any]bool{}
	}
	key := x.of
	if key == nil {
		key = x.name
	}
	if !s.has[key] {
		s.has[key] = true
		s.list = append(s.list, x)
	}
}

// field adds a field, or the fields of the struct that it holds.
func (p *Program) field(s *sinks, f *types.Var) {
	f = f.Origin()
	if st := p.structOf(f.Type()); st != nil && st.NumFields() > 0 {
		p.fieldsOf(s, st, 0)
		return
	}
	s.add(sink{written, p.nameOf(f), f})
}

// structOf returns the struct type of values that the packages declare; nil for others.
func (p *Program) structOf(t types.Type) *types.Struct {
	n, named := types.Unalias(t).(*types.Named)
	if named && (n.Obj().Pkg() == nil || p.sides[n.Obj().Pkg()] == outside) {
		return nil
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// fieldsOf adds the fields of a struct that is written as a whole.
func (p *Program) fieldsOf(s *sinks, st *types.Struct, depth int) {
	for f := range st.Fields() {
		if inner := p.structOf(f.Type()); inner != nil && inner.NumFields() > 0 && depth < 8 {
			p.fieldsOf(s, inner, depth+1)
			continue
		}
		f = f.Origin()
		s.add(sink{written, p.nameOf(f), f})
	}
}

// fieldAt returns the field that an instruction selects.
func fieldAt(t types.Type, k int) *types.Var {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return t.Underlying().(*types.Struct).Field(k).Origin()
}

// nameOfValue describes what a value comes from, for messages.
func (p *Program) nameOfValue(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		return p.nameOfValue(v.X)
	case *ssa.FieldAddr:
		return p.nameOf(fieldAt(v.X.Type(), v.Field))
	case *ssa.Field:
		return p.nameOf(fieldAt(v.X.Type(), v.Field))
	case *ssa.Global:
		return v.Pkg.Pkg.Name() + "." + v.Name()
	case *ssa.Parameter:
		return "the argument " + v.Name() + " of " + functionName(v.Parent())
	case *ssa.Function:
		return functionName(v)
	}
	return types.TypeString(v.Type(), types.RelativeTo(nil))
}
