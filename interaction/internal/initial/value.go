// Package initial interprets the initialiser of a package, so that what its package-level variables
// hold is known without running it. What cannot be followed becomes Unknown and stays where it is:
// the rest of the initialiser is still read.
package initial

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Value is one of constant.Value, *Struct, *Array, *Cell (a pointer), Slice, *Func, Interface,
// Made, Nil, Tuple and Unknown.
type Value any

// Cell is a place in memory with the position of the code that last stored there.
type Cell struct {
	Value Value
	Pos   token.Pos
	// lost says that code that is not followed may store there at any time, so that the value
	// stays unknown.
	lost  bool
	twins []*Cell // cells that may be the same place, see slices.go
}

// Struct is a struct; Fields are in the order of the type.
type Struct struct {
	Type   types.Type
	Fields []*Cell
}

// Array is an array.
type Array struct {
	Type  types.Type
	Elems []*Cell
}

// Slice is a slice; slices that share elements share cells.
type Slice struct {
	Elems []*Cell
	array *array
	at    int // the index of the first element in the array
	// max is the index in the array up to which there is capacity for certain. There may be more,
	// unless clipped says that an expression limited the capacity.
	max     int
	clipped bool
}

// Func is a function with the values it captured.
type Func struct {
	Fn   *ssa.Function
	Bind []Value
}

// Interface is a non-nil interface.
type Interface struct {
	Type  types.Type
	Value Value
}

// Made is the result of a function of the vocabulary, whose bodies are not read: a constructor with
// its arguments.
type Made struct {
	Fn   *ssa.Function // of a generic function: the instance
	Args []Value
	Pos  token.Pos
}

// Nil is a nil pointer, slice, map, function or interface.
type Nil struct{}

// Tuple is the result of a function with several.
type Tuple []Value

// Unknown is a value that the interpreter does not know.
type Unknown struct {
	Why string
	Pos token.Pos
	// Shared says that the value depends on whether slices share their elements, which Go leaves
	// open or which changes with code elsewhere. Pos is the place of the append or of the write.
	Shared bool
}

// Field returns the field of that name, nil where s has none.
func (s *Struct) Field(name string) *Cell {
	t := s.Type.Underlying().(*types.Struct)
	for k := range t.NumFields() {
		if t.Field(k).Name() == name {
			return s.Fields[k]
		}
	}
	return nil
}

// zero returns the zero value of t.
func zero(t types.Type) Value {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return constant.MakeBool(false)
		case info&types.IsString != 0:
			return constant.MakeString("")
		case info&types.IsNumeric != 0:
			return constant.MakeInt64(0)
		}
	case *types.Struct:
		s := &Struct{Type: t}
		for k := range u.NumFields() {
			s.Fields = append(s.Fields, &Cell{Value: zero(u.Field(k).Type())})
		}
		return s
	case *types.Array:
		if u.Len() > maxArray {
			return Unknown{Why: "an array of this size is not followed"}
		}
		a := &Array{Type: t}
		for range u.Len() {
			a.Elems = append(a.Elems, &Cell{Value: zero(u.Elem())})
		}
		return a
	}
	return Nil{}
}

const maxArray = 1 << 12

// clone copies structs and arrays, as assignment does; positions go along.
func clone(v Value) Value {
	cells := func(cs []*Cell) (out []*Cell) {
		for _, c := range cs {
			out = append(out, &Cell{Value: clone(c.Value), Pos: c.Pos})
		}
		return out
	}
	switch v := v.(type) {
	case *Struct:
		return &Struct{v.Type, cells(v.Fields)}
	case *Array:
		return &Array{v.Type, cells(v.Elems)}
	}
	return v
}

// store assigns v to c. Fields of a struct keep the positions at which they were set.
func (in *interp) store(c *Cell, v Value, pos token.Pos) {
	if len(c.twins) > 0 {
		lost := c.lost
		c.lost = true // not c itself
		in.forgetCells(c.twins, Unknown{twinWhy, pos, true}, true, map[*Cell]bool{})
		c.lost = lost
	}
	if c.lost {
		in.forget(v, c.Value.(Unknown), map[*Cell]bool{})
		return
	}
	switch v := v.(type) {
	case *Struct:
		if old, ok := c.Value.(*Struct); ok && len(old.Fields) == len(v.Fields) {
			for k, f := range v.Fields {
				in.store(old.Fields[k], f.Value, f.Pos)
			}
			c.Pos = pos
			return
		}
	case *Array:
		if old, ok := c.Value.(*Array); ok && len(old.Elems) == len(v.Elems) {
			for k, e := range v.Elems {
				in.store(old.Elems[k], e.Value, e.Pos)
			}
			c.Pos = pos
			return
		}
	}
	c.Value, c.Pos = clone(v), pos
}

// Text returns a constant as its exact text.
func Text(v Value) (string, bool) {
	c, ok := v.(constant.Value)
	if !ok {
		return "", false
	}
	return c.ExactString(), true
}

// IsZero reports whether v is the zero value of its type.
func IsZero(v Value) bool {
	cells := func(cs []*Cell) bool {
		for _, c := range cs {
			if !IsZero(c.Value) {
				return false
			}
		}
		return true
	}
	switch v := v.(type) {
	case constant.Value:
		s := v.ExactString()
		return s == "0" || s == "false" || s == `""`
	case *Struct:
		return cells(v.Fields)
	case *Array:
		return cells(v.Elems)
	case Nil:
		return true
	}
	return false
}
