package checker

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// written is the set of lines of a large node in which an instance may leave another value, by its footprint: a bit for each line. It errs on
// one side only: what cannot be told is the whole node.
func written[S any, U Counters](writes []touch) []uint64 {
	w := lineSet{bits: make([]uint64, (Lines[Node[S, U]]()+63)/64)}
	state := unsafe.Offsetof(new(Node[S, U]).State)
	w.add(0, state) // what budgets have spent
	for _, t := range writes {
		w.variable(reflect.TypeFor[S](), state, strings.Split(t.variable, "."), t.index)
	}
	return w.bits
}

// lineSet is a set of lines.
type lineSet struct{ bits []uint64 }

// add adds the lines of the bytes from one to another, which is not among them.
func (w *lineSet) add(from, to uintptr) {
	for k := from / LineBytes; k*LineBytes < to; k++ {
		w.bits[k/64] |= 1 << (k % 64)
	}
}

// variable adds those of a variable, a path of fields below a type at a place, at an index: arrays on the path are passed over and take one
// term each.
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
