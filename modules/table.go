package modules

import (
	"bytes"
	"unsafe"
)

// Map is a set of records keyed by one field: at most one value per key. Absent entries are zero.
type Map[K Index, V comparable, A Array[V]] struct {
	val A
	in  Set[K]
}

// Keys returns the set of keys present.
func (m *Map[K, V, A]) Keys() Set[K] { return m.in }

// Has reports whether k is present.
func (m *Map[K, V, A]) Has(k K) bool { return m.in.Has(k) }

// Len returns the number of keys present.
func (m *Map[K, V, A]) Len() int { return m.in.Len() }

// At returns the value of k. It panics with a *RangeError if k is not present.
func (m *Map[K, V, A]) At(k K) V {
	if !m.in.Has(k) {
		panic(&RangeError{"Map", int(k), m.in.Len(), address(m)})
	}
	return m.val[int(k)]
}

// Put sets the value of k. It panics with a *CapacityError if k is negative or not below the length
// of the array type A.
func (m *Map[K, V, A]) Put(k K, v V) {
	if uint(k) >= uint(len(m.val)) {
		panic(&CapacityError{"Map", len(m.val), address(m)})
	}
	m.in.Add(k)
	m.val[int(k)] = v
}

// Delete takes k out, if present.
func (m *Map[K, V, A]) Delete(k K) {
	if m.in.Has(k) {
		var zero V
		m.in.Remove(k)
		m.val[int(k)] = zero
	}
}

// Clear takes all out.
func (m *Map[K, V, A]) Clear() { *m = Map[K, V, A]{} }

// Where returns the set of keys for whose value ok holds.
func (m *Map[K, V, A]) Where(ok func(k K, v V) bool) (s Set[K]) {
	for k := range len(m.val) {
		if m.in.Has(K(k)) && ok(K(k), m.val[k]) {
			s.Add(K(k))
		}
	}
	return s
}

// Records is a bounded set of records. It is kept sorted by the records' bytes, so that equal sets
// have equal bytes; the order means nothing.
type Records[T comparable, A Array[T]] struct {
	elem A
	n    uint8
}

// Len returns the number of records.
func (r *Records[T, A]) Len() int { return int(r.n) }

// At returns the k-th record, 1 to Len, in an order without meaning.
func (r *Records[T, A]) At(k int) T {
	if uint(k-1) >= uint(r.n) {
		panic(&RangeError{"Records", k, int(r.n), address(r)})
	}
	return r.elem[k-1]
}

// Has reports whether v is in the set.
func (r *Records[T, A]) Has(v T) bool {
	for k := range int(r.n) {
		if r.elem[k] == v {
			return true
		}
	}
	return false
}

// Add puts v in.
func (r *Records[T, A]) Add(v T) {
	k := 0
	for k < int(r.n) && before(&r.elem[k], &v) {
		k++
	}
	if k < int(r.n) && r.elem[k] == v {
		return
	}
	if int(r.n) >= len(r.elem) {
		panic(&CapacityError{"Records", len(r.elem), address(r)})
	}
	for x := int(r.n); x > k; x-- {
		r.elem[x] = r.elem[x-1]
	}
	r.elem[k] = v
	r.n++
}

// Remove takes v out, if present.
func (r *Records[T, A]) Remove(v T) {
	for k := range int(r.n) {
		if r.elem[k] != v {
			continue
		}
		r.n--
		for x := k; x < int(r.n); x++ {
			r.elem[x] = r.elem[x+1]
		}
		var zero T
		r.elem[r.n] = zero
		return
	}
}

// Clear takes all out.
func (r *Records[T, A]) Clear() { *r = Records[T, A]{} }

// before orders flat values by their bytes: any total order makes a sorted set canonical.
func before[T any](a, b *T) bool {
	n := unsafe.Sizeof(*a)
	return bytes.Compare(unsafe.Slice((*byte)(unsafe.Pointer(a)), n), unsafe.Slice((*byte)(unsafe.Pointer(b)), n)) < 0
}

// Array is the constraint by which a value type takes its capacity from the specification: the 2 in
// Seq[Txn, [2]Txn]. It is 0 to 64 elements, or 255 for logs that are validated. A capacity of 0
// makes an unused variable vanish from the state.
type Array[T any] interface {
	~[0]T | ~[1]T | ~[2]T | ~[3]T | ~[4]T | ~[5]T | ~[6]T | ~[7]T |
		~[8]T | ~[9]T | ~[10]T | ~[11]T | ~[12]T | ~[13]T | ~[14]T | ~[15]T |
		~[16]T | ~[17]T | ~[18]T | ~[19]T | ~[20]T | ~[21]T | ~[22]T | ~[23]T |
		~[24]T | ~[25]T | ~[26]T | ~[27]T | ~[28]T | ~[29]T | ~[30]T | ~[31]T |
		~[32]T | ~[33]T | ~[34]T | ~[35]T | ~[36]T | ~[37]T | ~[38]T | ~[39]T |
		~[40]T | ~[41]T | ~[42]T | ~[43]T | ~[44]T | ~[45]T | ~[46]T | ~[47]T |
		~[48]T | ~[49]T | ~[50]T | ~[51]T | ~[52]T | ~[53]T | ~[54]T | ~[55]T |
		~[56]T | ~[57]T | ~[58]T | ~[59]T | ~[60]T | ~[61]T | ~[62]T | ~[63]T |
		~[64]T | ~[255]T
}

// Index is the type of a server or of another small identity, counted from 0. Negative values stand
// for "none". One byte holds 128 identities, or 256 without a "none", and two bytes hold more. A
// composition whose sizes give more than the type holds is refused. A State with identities of two
// bytes may need padding, which it fills itself. A Set, and so the keys of a Map, distinguishes up
// to 64.
type Index interface {
	~int8 | ~uint8 | ~int16 | ~uint16
}
