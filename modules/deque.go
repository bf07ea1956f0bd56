package modules

// Deque is a queue for the build that runs beside a node: it has the methods of Seq that a queue
// needs, and no capacity. Its elements are those of a Chain after the ones that were taken, so
// taking the first one costs nothing. Positions start at 1; the zero Deque is empty, and every
// empty one is zero.
//
// Two Deques with equal elements may differ, by what was taken from them.
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
	if q.taken++; q.Len() == 0 {
		q.Clear()
	}
	return v
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
