package reduce

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/modules"
)

// lines says in which lines of a large node an instance may leave another value.
type lines[T any] struct {
	writes [][]uint64 // by instance: a bit for each line
	rooms  []room
}

// linesOf computes lines from what instances touch.
func linesOf[S any, U checker.Counters](all []touches) *lines[checker.Node[S, U]] {
	x := &lines[checker.Node[S, U]]{rooms: roomsOf(reflect.TypeFor[S](), unsafe.Offsetof(new(checker.Node[S, U]).State))}
	for k := range all {
		x.writes = append(x.writes, written[S, U](all[k].writes))
	}
	return x
}

// within is checker.Pruning.Lines.
func (x *lines[T]) within(s, n *T, instance int, out []uint64) {
	copy(out, x.writes[instance])
	for k := range x.rooms {
		r := &x.rooms[k]
		if used := max(r.used(unsafe.Pointer(s)), r.used(unsafe.Pointer(n))); uint(used) < uint(r.length) {
			unset(out, (r.at+uintptr(used)*r.each+fingerprint.LineBytes-1)/fingerprint.LineBytes, (r.at+uintptr(r.length)*r.each)/fingerprint.LineBytes)
		}
	}
}

// written returns the set of lines of a large node in which an instance may leave another value, by
// its footprint: a bit for each line. It errs on one side only: if the lines are unknown, it
// returns the whole node.
func written[S any, U checker.Counters](writes []touch) []uint64 {
	w := lineSet{bits: make([]uint64, (fingerprint.Lines[checker.Node[S, U]]()+63)/64)}
	state := unsafe.Offsetof(new(checker.Node[S, U]).State)
	w.add(0, state) // what budgets have spent
	for _, t := range writes {
		w.variable(reflect.TypeFor[S](), state, strings.Split(t.variable, "."), t.index)
	}
	return w.bits
}

// room is an array of a node. Only its first elements are in use.
type room struct {
	at, each  uintptr // where it begins, and the length of an element
	length    int
	count     uintptr // where the number of those in use lies
	countSize uintptr
}

// roomsOf returns the rooms of a State that begins at a place of its node.
func roomsOf(state reflect.Type, at uintptr) (out []room) {
	for f := range state.Fields() {
		if c, ok := modules.CountOf(state, f); ok {
			out = append(out, room{at + f.Offset, f.Type.Elem().Size(), f.Type.Len(), at + c.Offset, c.Type.Size()})
		}
	}
	return out
}

// used returns how many elements are in use in a node.
func (r *room) used(n unsafe.Pointer) int {
	p := unsafe.Add(n, r.count)
	switch r.countSize {
	case 1:
		return int(*(*uint8)(p))
	case 2:
		return int(*(*uint16)(p))
	case 4:
		return int(*(*uint32)(p))
	}
	return int(*(*uint64)(p))
}

// unset takes the bits from one to another, which stays, out of a set.
func unset(set []uint64, from, to uintptr) {
	for from < to {
		end := min(to, from|63+1)
		set[from/64] &^= ^uint64(0) >> (64 - (end - from)) << (from % 64)
		from = end
	}
}

// lineSet is a set of lines.
type lineSet struct{ bits []uint64 }

// add adds the lines of the bytes from one to another, which is not among them.
func (w *lineSet) add(from, to uintptr) {
	for k := from / fingerprint.LineBytes; k*fingerprint.LineBytes < to; k++ {
		w.bits[k/64] |= 1 << (k % 64)
	}
}

// variable adds the lines of a variable: a path of fields below type t at offset at, in bytes. Each
// array on the path takes one term of index. A term outside of the array, or none, stands for all
// elements.
func (w *lineSet) variable(t reflect.Type, at uintptr, path []string, index []int) {
	switch {
	case t.Kind() == reflect.Array && !isValue(t) && (len(path) > 0 || len(index) > 0):
		from, to := 0, t.Len()
		if len(index) > 0 {
			if k := index[0]; 0 <= k && k < to {
				from, to = k, k+1
			}
			index = index[1:]
		}
		// there is hardly a line that is not written
		if to-from > 1 && t.Elem().Size() <= fingerprint.LineBytes {
			w.add(at+uintptr(from)*t.Elem().Size(), at+uintptr(to)*t.Elem().Size())
			return
		}
		for k := from; k < to; k++ {
			w.variable(t.Elem(), at+uintptr(k)*t.Elem().Size(), path, index)
		}
	case len(path) > 0 && t.Kind() == reflect.Struct && !isValue(t):
		f, ok := t.FieldByName(path[0])
		if !ok {
			w.add(at, at+t.Size())
			return
		}
		for _, k := range f.Index { // more than one where the field is an embedded struct's
			at += t.Field(k).Offset
			t = t.Field(k).Type
		}
		w.variable(t, at, path[1:], index)
	default:
		w.add(at, at+t.Size())
	}
}

// isValue reports whether a type is a value for footprints: they do not tell its parts.
func isValue(t reflect.Type) bool { return t.PkgPath() == valuePackage }

var valuePackage = reflect.TypeFor[modules.Footprint]().PkgPath()
