package modules

import "reflect"

// Deque is a queue for the build that runs next to a node: it has the methods of Seq that a queue
// needs, and no capacity. Its elements are those of a Chain after the ones that were taken, so
// taking the first one costs nothing. Positions start at 1; the zero Deque is empty, and every
// empty one is zero.
//
// Two Deques with equal elements may differ, by what was taken from them.
//
// AppendAll and Common need as much time as the queues are long. They need it once for two queues:
// the Arena remembers the result until it is folded. The result does not depend on what was taken
// from the queue to which elements are added. So a step that adds one queue to another costs little
// when it is taken again after each element that is popped.
type Deque[T comparable] struct {
	all   Chain[T]
	taken uint32
}

// Len returns the number of elements.
func (q *Deque[T]) Len() int { return q.all.Len() - int(q.taken) }

// Empty reports whether there are no elements.
func (q *Deque[T]) Empty() bool { return q.all.Empty() }

// At returns the element at position k, 1 to Len.
func (q *Deque[T]) At(k int) T {
	if k < 1 || k > q.Len() {
		panic(&RangeError{"Deque", k, q.Len(), address(q)})
	}
	return q.all.At(int(q.taken) + k)
}

// Last returns the element at position Len, or the zero element where there is none.
func (q *Deque[T]) Last() T { return q.all.Last() }

// Append adds v after the last element.
func (q *Deque[T]) Append(v T) { q.all.Append(v) }

// PopFront removes and returns the first element.
func (q *Deque[T]) PopFront() T {
	v := q.At(1)
	q.Drop(1)
	return v
}

// AppendAll adds the elements of r after the last element, each as the function as returns it. That
// is a declared function, not a closure.
func (q *Deque[T]) AppendAll(r *Deque[T], as func(T) T) {
	p := pair{of: reflect.ValueOf(as).Pointer(), x: q.all.node, y: r.all.node, fromY: r.taken}
	if x, ok := chains.pairs[p]; ok {
		q.all.node = x
		return
	}
	for k := 1; k <= r.Len(); k++ {
		q.Append(as(r.At(k)))
	}
	chains.remember(p, q.all.node)
}

// Common returns how many of the first elements of q and r are equal, up to the first ones that
// differ.
func (q *Deque[T]) Common(r *Deque[T]) int {
	p := pair{x: q.all.node, y: r.all.node, fromX: q.taken, fromY: r.taken}
	if n, ok := chains.pairs[p]; ok {
		return int(n)
	}
	n := 0
	for n < min(q.Len(), r.Len()) && q.At(n+1) == r.At(n+1) {
		n++
	}
	return int(chains.remember(p, uint32(n)))
}

// Drop removes the first n elements, n from 0 to Len.
func (q *Deque[T]) Drop(n int) {
	if n < 0 || n > q.Len() {
		panic(&RangeError{"Deque", n, q.Len(), address(q)})
	}
	if q.taken += uint32(n); q.Len() == 0 {
		q.Clear()
	}
}

// Find returns the first position of v, or 0.
func (q *Deque[T]) Find(v T) int {
	for k := 1; k <= q.Len(); k++ {
		if q.At(k) == v {
			return k
		}
	}
	return 0
}

// Clear removes all elements.
func (q *Deque[T]) Clear() { *q = Deque[T]{} }

func (q *Deque[T]) view(names Names) View {
	w := View{Shape: Sequence}
	for k := max(q.Len()-shownTail+1, 1); k <= q.Len(); k++ {
		w.Elems = append(w.Elems, ViewOf(q.At(k), names))
	}
	return w
}
