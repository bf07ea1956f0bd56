package modules

import (
	"reflect"
	"strings"
	"unsafe"
)

// Chain is a sequence for the build that runs next to a node: it has the methods of Seq and no
// capacity. Its value is the number of a node in an Arena, where equal sequences are one: Chains
// are equal exactly if their sequences are, and copying one costs four bytes. Positions start at 1;
// the zero Chain is empty.
//
// An Arena forgets the elements of old positions (Fold). Reading one of those raises a FoldedError:
// what it was is not known.
type Chain[T comparable] struct{ node uint32 }

// Len returns the number of elements, those that are folded away included.
func (q *Chain[T]) Len() int { return int(chains.index[q.node]) }

// Empty reports whether there are no elements.
func (q *Chain[T]) Empty() bool { return q.node == 0 }

// At returns the element at position k, 1 to Len.
func (q *Chain[T]) At(k int) (v T) {
	if k < 1 || k > q.Len() {
		panic(&RangeError{"Chain", k, q.Len(), address(q)})
	}
	chains.used++
	x := chains.ancestor(q.node, uint64(k))
	if chains.skipped(x) {
		panic(&FoldedError{uint64(k), uint64(k) + 1})
	}
	return *(*T)(chains.slot(x))
}

// Last returns the element at position Len, or the zero element where there is none.
func (q *Chain[T]) Last() (v T) {
	if q.node != 0 {
		v = q.At(q.Len())
	}
	return v
}

// Append adds v after the last element.
func (q *Chain[T]) Append(v T) {
	chains.used++
	chains.hold(reflect.TypeFor[T]())
	q.node = chains.child(q.node, chains.clean(unsafe.Pointer(&v)))
}

// Skip makes q a sequence of n unknown elements.
func (q *Chain[T]) Skip(n int) {
	q.node = 0
	if n > 0 {
		chains.hold(reflect.TypeFor[T]())
		q.node = chains.skip(uint64(n))
	}
}

// Truncate keeps the first n elements; n at or above Len keeps all, n at or below 0 none.
func (q *Chain[T]) Truncate(n int) {
	switch {
	case n <= 0:
		q.node = 0
	case n < q.Len():
		q.node = chains.ancestor(q.node, uint64(n))
	}
}

// PopFront removes and returns the first element. It costs as much as the sequence is long.
func (q *Chain[T]) PopFront() T {
	first := q.At(1)
	rest := make([]T, 0, q.Len())
	for k := 2; k <= q.Len(); k++ {
		rest = append(rest, q.At(k))
	}
	q.node = 0
	for _, v := range rest {
		q.Append(v)
	}
	return first
}

// Put replaces the element at position k, 1 to Len. It costs as much as the sequence is long after
// k.
func (q *Chain[T]) Put(k int, v T) {
	var rest []T
	for x := k + 1; x <= q.Len(); x++ {
		rest = append(rest, q.At(x))
	}
	if k < 1 || k > q.Len() {
		panic(&RangeError{"Chain", k, q.Len(), address(q)})
	}
	q.Truncate(k - 1)
	q.Append(v)
	for _, r := range rest {
		q.Append(r)
	}
}

// Prefix returns the sequence of the first n elements, n from 0 to Len.
func (q *Chain[T]) Prefix(n int) Chain[T] {
	if n > q.Len() {
		panic(&RangeError{"Chain", n, q.Len(), address(q)})
	}
	r := *q
	r.Truncate(n)
	return r
}

// HasPrefix reports whether r is a prefix of q.
func (q *Chain[T]) HasPrefix(r *Chain[T]) bool { return r.Len() <= q.Len() && q.Prefix(r.Len()) == *r }

// Find returns the first position of v, or 0.
func (q *Chain[T]) Find(v T) int {
	for k := 1; k <= q.Len(); k++ {
		if q.At(k) == v {
			return k
		}
	}
	return 0
}

// Clear removes all elements.
func (q *Chain[T]) Clear() { q.node = 0 }

func (q *Chain[T]) view(names Names) View {
	from := int(chains.known(q.node))
	w := View{Shape: Sequence}
	for k := max(from, q.Len()-shownTail+1, 1); k <= q.Len(); k++ {
		w.Elems = append(w.Elems, ViewOf(q.At(k), names))
	}
	return w
}

// shownTail is how many elements of a Chain are shown.
const shownTail = 8

// FoldedError is the panic of a Chain when the caller asks for an element that its Arena has
// forgotten.
type FoldedError struct {
	Index uint64 // the position asked for
	First uint64 // the first one that is known
}

// Error returns the message.
func (e *FoldedError) Error() string { return "the element was folded away" }

// ElementsOf returns the type of the elements of the Chains in S; nil where there are none.
func ElementsOf[S any]() reflect.Type { return elementsOf(reflect.TypeFor[S]()) }

func elementsOf(t reflect.Type) reflect.Type {
	switch {
	case isOurs(t) && strings.HasPrefix(t.Name(), "Chain["):
		at, _ := reflect.PointerTo(t).MethodByName("At")
		return at.Type.Out(0)
	case t.Kind() == reflect.Array:
		return elementsOf(t.Elem())
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			if e := elementsOf(f.Type); e != nil {
				return e
			}
		}
	}
	return nil
}
