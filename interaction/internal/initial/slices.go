package initial

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What it computes. Slices as Go has them: an array, a first element, a length and a capacity. Go
// leaves the capacity of a slice that append had to move to the implementation, so whether the next
// append moves it again is not known.
//
// Why it is right. Where the capacity is known, append does what Go does: it writes the elements
// of the array after the slice, or it copies. Where the capacity is not known, the result has
// elements of its own, and each is a twin of the element in the operand: they may be one place in
// memory. A write through one of two twins makes the other unknown. A second append at the same
// end of such an array is refused, because the first one may have put its elements there, and what
// the first one put there becomes unknown.
//
// What it costs. A copy of the slice at each append. Each element counts as a step.
//
// Example. Refused is the second append, whose elements may replace those of the first:
//
//	base := append([]string{"a"}, "b")     the capacity is not known
//	one := append(base, "c")
//	two := append(base, "d")               one[2] is "c" or "d"

// array holds the elements that slices share.
type array struct {
	cells []*Cell // up to the capacity or, where it is not known, up to the last one in use
	// taken holds, by index, the elements that were appended where the capacity is not known. It is
	// nil where the capacity is known.
	taken map[int][]*Cell
	held  bool // a package variable holds a slice of it
}

// newSlice returns a slice of elements that nothing else refers to. grown says that its capacity is
// not known.
func newSlice(cells []*Cell, grown bool) Slice {
	a := &array{cells: cells}
	if grown {
		a.taken = map[int][]*Cell{}
	}
	return a.slice(0, len(cells), len(cells), false)
}

// slice returns the elements from lo to hi, with a capacity up to max.
func (a *array) slice(lo, hi, max int, clipped bool) Slice {
	return Slice{Elems: a.cells[lo:hi:hi], array: a, at: lo, max: max, clipped: clipped}
}

// open reports whether the capacity of s is not known.
func (s Slice) open() bool { return s.array.taken != nil && !s.clipped }

func (s Slice) end() int { return s.at + len(s.Elems) }

const (
	heldWhy  = "append to a slice that a package variable holds, so that the result may share its elements"
	twiceWhy = "append to a slice that was appended to before, so that the results may share their elements"
	twinWhy  = "write to an element that a result of append may share with the slice that it was given"
)

// add interprets append(s, more...). Invariant: what is refused is forgotten, too.
func (f *frame) add(s Slice, more []*Cell, pos token.Pos) Value {
	if len(more) == 0 {
		return s
	}
	more = copies(more) // before they are overwritten
	a, end := s.array, s.end()
	whole := end + len(more)
	switch {
	case a.held && !(s.clipped && s.end() == s.max):
		return f.refuse(s, Unknown{heldWhy, pos, true})
	case whole <= s.max: // there is room
		for k, c := range more {
			f.in.store(a.cells[end+k], c.Value, c.Pos)
		}
		return a.slice(s.at, whole, s.max, s.clipped)
	case !s.open(): // there is none
		return newSlice(slices.Concat(copies(s.Elems), more), true)
	case end < len(a.cells):
		return f.refuse(s, Unknown{twiceWhy, pos, true})
	}
	for k := range more {
		if len(a.taken[end+k]) > 0 {
			return f.refuse(s, Unknown{twiceWhy, pos, true})
		}
	}
	f.in.steps += whole
	grown := &array{taken: a.taken}
	for _, c := range a.cells {
		grown.cells = append(grown.cells, c.twin())
	}
	for k, c := range more {
		a.taken[end+k] = append(a.taken[end+k], c)
		grown.cells = append(grown.cells, c)
	}
	return grown.slice(s.at, whole, whole, false)
}

// refuse makes unknown what an append to s, or a write through its result, may change.
func (f *frame) refuse(s Slice, u Unknown) Value {
	f.in.forget(s, u, map[*Cell]bool{})
	return u
}

// forgetSpare makes the elements after s unknown.
func (in *interp) forgetSpare(s Slice, u Unknown, seen map[*Cell]bool) {
	last := len(s.array.cells)
	if s.clipped {
		last = s.max
	}
	in.forgetCells(s.array.cells[s.end():last], u, true, seen)
	for k, cells := range s.array.taken {
		if k >= s.end() && !s.clipped {
			in.forgetCells(cells, u, true, seen)
		}
	}
}

func copies(cells []*Cell) (out []*Cell) {
	for _, c := range cells {
		out = append(out, &Cell{Value: clone(c.Value), Pos: c.Pos})
	}
	return out
}

// twin returns a copy of c that may be the same place in memory.
func (c *Cell) twin() *Cell {
	all := func(cells []*Cell) (out []*Cell) {
		for _, c := range cells {
			out = append(out, c.twin())
		}
		return out
	}
	t := &Cell{Value: c.Value, Pos: c.Pos, lost: c.lost, twins: []*Cell{c}}
	switch v := c.Value.(type) {
	case *Struct:
		t.Value = &Struct{v.Type, all(v.Fields)}
	case *Array:
		t.Value = &Array{v.Type, all(v.Elems)}
	}
	c.twins = append(c.twins, t)
	return t
}

// copied interprets functions of package slices whose result shares no element with the arguments,
// or is known to share all.
func (f *frame) copied(x *ssa.Call, name string, args []Value) (Value, bool) {
	switch name {
	case "Clip":
		switch s := args[0].(type) {
		case Nil:
			return s, true
		case Slice:
			return s.array.slice(s.at, s.end(), s.end(), true), true
		}
	case "Clone":
		switch s := args[0].(type) {
		case Nil:
			return s, true
		case Slice:
			return newSlice(copies(s.Elems), true), true
		}
	case "Concat":
		lists, ok := listOf(args[0])
		if !ok {
			return lost(args[0], x.Pos()), true
		}
		var out []*Cell
		for _, l := range lists {
			cells, ok := listOf(l.Value)
			if !ok {
				return lost(l.Value, x.Pos()), true
			}
			out = append(out, copies(cells)...)
		}
		if len(out) == 0 {
			return Nil{}, true
		}
		return newSlice(out, true), true
	}
	return nil, false
}

// appended interprets the builtin append.
func (f *frame) appended(x *ssa.Call, args []Value) Value {
	if len(args) != 2 {
		return args[0]
	}
	more, known := listOf(args[1])
	switch s := args[0].(type) {
	case Nil:
		switch {
		case !known:
			return f.escape(x, lost(args[1], x.Pos()))
		case len(more) == 0:
			return s
		}
		return newSlice(copies(more), true)
	case Slice:
		if known {
			return f.add(s, more, x.Pos())
		}
		return f.escape(x, lost(args[1], x.Pos()))
	}
	return f.escape(x, lost(args[0], x.Pos()))
}

// overwritten interprets the builtins copy and clear; not ok where an operand is not known.
func (f *frame) overwritten(name string, x *ssa.Call, args []Value) (Value, bool) {
	to, ok := listOf(args[0])
	if !ok {
		return nil, false
	}
	if name == "clear" {
		elem := x.Call.Args[0].Type().Underlying().(*types.Slice).Elem()
		for _, c := range to {
			f.in.store(c, zero(elem), x.Pos())
		}
		return Nil{}, true
	}
	from, ok := listOf(args[1])
	if !ok {
		return nil, false
	}
	n := min(len(to), len(from))
	for k, c := range copies(from[:n]) { // before they are overwritten
		f.in.store(to[k], c.Value, c.Pos)
	}
	return constant.MakeInt64(int64(n)), true
}

// slice interprets x[low:high:max].
func (f *frame) slice(x *ssa.Slice) Value {
	var s Slice
	switch v := f.value(x.X).(type) {
	case *Cell:
		a, ok := v.Value.(*Array)
		if !ok {
			return lost(v.Value, x.Pos())
		}
		s = newSlice(a.Elems, false)
	case Slice:
		s = v
	case Nil:
		return v
	default:
		return lost(v, x.Pos())
	}
	bound := func(v ssa.Value, otherwise int) (int, bool) {
		if v == nil {
			return otherwise, true
		}
		n, ok := number(f.value(v))
		return int(n), ok && n >= 0 && n <= int64(s.max-s.at)
	}
	lo, ok := bound(x.Low, 0)
	hi, hiOK := bound(x.High, len(s.Elems))
	room, roomOK := bound(x.Max, s.max-s.at)
	if !ok || !hiOK || !roomOK || lo > hi || hi > room {
		return unknown(x.Pos(), "the bounds of a slice are not known")
	}
	return s.array.slice(s.at+lo, s.at+hi, s.at+room, s.clipped || x.Max != nil)
}

// hold notes that a package variable holds the slices in v.
func hold(v Value) {
	cells := func(cs []*Cell) {
		for _, c := range cs {
			hold(c.Value)
		}
	}
	switch v := v.(type) {
	case Slice:
		if !v.array.held {
			v.array.held = true
			cells(v.Elems)
		}
	case *Struct:
		cells(v.Fields)
	case *Array:
		cells(v.Elems)
	case Interface:
		hold(v.Value)
	}
}
