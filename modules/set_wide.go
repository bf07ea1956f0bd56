//go:build multigrain_sets16 || multigrain_sets32 || multigrain_sets64

package modules

import "math/bits"

// Set is a set of small identities, one bit each: identity e is bit e%8 of byte e/8. It is made of
// bytes, not of one number of 16, 32 or 64 bits. So a State has no padding that it does not have
// with sets of one byte. Use the methods only.
type Set[E Index] [setBytes]uint8

// setBytes is the size of a Set in bytes.
const setBytes = MaxSet / 8

// Below returns the set of the identities 0 to n-1, n at most MaxSet.
func Below[E Index](n int) Set[E] {
	if n > MaxSet {
		panic(&RangeError{"Set", n, MaxSet, address(&n)})
	}
	return setOfWord[E](1<<n - 1)
}

// word returns the elements as bits.
func (s Set[E]) word() (w uint64) {
	for k, b := range s {
		w |= uint64(b) << (8 * k)
	}
	return w
}

// setOfWord returns the set of bits below MaxSet.
func setOfWord[E Index](w uint64) (s Set[E]) {
	for k := range s {
		s[k] = uint8(w >> (8 * k))
	}
	return s
}

// place returns where e is: a byte, and a bit in it. It panics with a *RangeError where no set can
// hold e.
func place[E Index](e E) (at uint, bit uint8) {
	if uint(e) >= MaxSet {
		panic(&RangeError{"Set", int(e), MaxSet, address(&e)})
	}
	return uint(e) / 8, 1 << (uint(e) % 8)
}

// Has reports whether e is in the set. It is false for an identity that no set can hold, such as
// -1.
func (s Set[E]) Has(e E) bool { return uint(e) < MaxSet && s[uint(e)/8]>>(uint(e)%8)&1 != 0 }

// Clear takes all out.
func (s *Set[E]) Clear() { *s = Set[E]{} }

// Add puts e in.
func (s *Set[E]) Add(e E) {
	k, bit := place(e)
	s[k] |= bit
}

// Remove takes e out.
func (s *Set[E]) Remove(e E) {
	k, bit := place(e)
	s[k] &^= bit
}

// With returns the set and e.
func (s Set[E]) With(e E) Set[E] {
	s.Add(e)
	return s
}

// Without returns the set but e.
func (s Set[E]) Without(e E) Set[E] {
	s.Remove(e)
	return s
}

// Union returns the set of elements of s or t.
func (s Set[E]) Union(t Set[E]) Set[E] {
	for k := range s {
		s[k] |= t[k]
	}
	return s
}

// Intersect returns the set of elements of s and t.
func (s Set[E]) Intersect(t Set[E]) Set[E] {
	for k := range s {
		s[k] &= t[k]
	}
	return s
}

// Minus returns the set of elements of s that are not in t.
func (s Set[E]) Minus(t Set[E]) Set[E] {
	for k := range s {
		s[k] &^= t[k]
	}
	return s
}

// Intersects reports whether s and t have an element in common.
func (s Set[E]) Intersects(t Set[E]) bool { return s.word()&t.word() != 0 }

// Within reports whether every element of s is in t.
func (s Set[E]) Within(t Set[E]) bool { return s.word()&^t.word() == 0 }

// Len returns the number of elements.
func (s Set[E]) Len() int { return bits.OnesCount64(s.word()) }

// Empty reports whether there are no elements.
func (s Set[E]) Empty() bool { return s.word() == 0 }
