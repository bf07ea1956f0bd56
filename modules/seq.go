package modules

// Seq is a bounded sequence. Positions start at 1, as in the papers. The zero Seq is empty.
//
// The array comes first and the length is one byte, so that a Seq of byte-aligned elements has no
// padding and a capacity of 0 leaves one byte.
type Seq[T comparable, A Array[T]] struct {
	elem A
	n    uint8
}

// Len returns the number of elements.
func (q *Seq[T, A]) Len() int { return int(q.n) }

// Empty reports whether there are no elements.
func (q *Seq[T, A]) Empty() bool { return q.n == 0 }

// Cap returns the largest number of elements.
func (q *Seq[T, A]) Cap() int { return len(q.elem) }

// At returns the element at position k, 1 to Len.
func (q *Seq[T, A]) At(k int) T {
	if uint(k-1) >= uint(q.n) {
		panic(&RangeError{"Seq", k, int(q.n), address(q)})
	}
	return q.elem[k-1]
}

// Put replaces the element at position k, 1 to Len.
func (q *Seq[T, A]) Put(k int, v T) {
	if uint(k-1) >= uint(q.n) {
		panic(&RangeError{"Seq", k, int(q.n), address(q)})
	}
	q.elem[k-1] = v
}

// Last returns the element at position Len, or the zero element where there is none.
func (q *Seq[T, A]) Last() (v T) {
	if q.n > 0 {
		v = q.elem[q.n-1]
	}
	return v
}

// Append adds v after the last element.
func (q *Seq[T, A]) Append(v T) {
	if int(q.n) >= len(q.elem) {
		panic(&CapacityError{"Seq", len(q.elem), address(q)})
	}
	q.elem[q.n] = v
	q.n++
}

// AppendAll adds the elements of r after the last element.
func (q *Seq[T, A]) AppendAll(r *Seq[T, A]) {
	if int(q.n)+int(r.n) > len(q.elem) {
		panic(&CapacityError{"Seq", len(q.elem), address(q)})
	}
	n := r.n
	for k := range int(n) {
		q.elem[int(q.n)+k] = r.elem[k]
	}
	q.n += n
}

// PopFront removes and returns the first element.
func (q *Seq[T, A]) PopFront() T {
	if q.n == 0 {
		panic(&RangeError{"Seq", 1, 0, address(q)})
	}
	v := *q.slot(0)
	q.Remove(1)
	return v
}

// Remove takes out the element at position k, 1 to Len; those after it move up.
func (q *Seq[T, A]) Remove(k int) {
	if uint(k-1) >= uint(q.n) {
		panic(&RangeError{"Seq", k, int(q.n), address(q)})
	}
	q.n--
	for x := k - 1; x < int(q.n); x++ {
		q.elem[x] = q.elem[x+1]
	}
	var zero T
	q.elem[q.n] = zero
}

// Insert puts v at position k, 1 to Len+1; those from k on move down.
func (q *Seq[T, A]) Insert(k int, v T) {
	if uint(k-1) > uint(q.n) {
		panic(&RangeError{"Seq", k, int(q.n), address(q)})
	}
	if int(q.n) >= len(q.elem) {
		panic(&CapacityError{"Seq", len(q.elem), address(q)})
	}
	for x := int(q.n); x >= k; x-- {
		q.elem[x] = q.elem[x-1]
	}
	q.elem[k-1] = v
	q.n++
}

// Truncate keeps the first n elements; n at or above Len keeps all, n at or below 0 none.
func (q *Seq[T, A]) Truncate(n int) {
	var zero T
	n = max(n, 0)
	for k := n; k < int(q.n); k++ {
		q.elem[k] = zero
	}
	if n < int(q.n) {
		q.n = uint8(n)
	}
}

// Prefix returns the sequence of the first n elements, TLA+'s SubSeq(q, 1, n), for n from 0 to Len.
func (q *Seq[T, A]) Prefix(n int) (r Seq[T, A]) {
	if n > int(q.n) {
		panic(&RangeError{"Seq", n, int(q.n), address(q)})
	}
	r = *q
	r.Truncate(n)
	return r
}

// HasPrefix reports whether r is a prefix of q.
func (q *Seq[T, A]) HasPrefix(r *Seq[T, A]) bool {
	if r.n > q.n {
		return false
	}
	for k := range int(r.n) {
		if q.elem[k] != r.elem[k] {
			return false
		}
	}
	return true
}

// Find returns the first position of v, or 0.
func (q *Seq[T, A]) Find(v T) int {
	for k := range int(q.n) {
		if q.elem[k] == v {
			return k + 1
		}
	}
	return 0
}

// Clear removes all elements.
func (q *Seq[T, A]) Clear() { *q = Seq[T, A]{} }

// slot returns the place of position k+1: a constant index would not compile for a capacity of 0.
func (q *Seq[T, A]) slot(k int) *T { return &q.elem[k] }
