//go:build !multigrain_sets16 && !multigrain_sets32 && !multigrain_sets64

package modules

import "math/bits"

// Set is a set of small identities, one bit each. How many it holds is chosen when a program is
// assembled: 8 in one byte, or 16, 32 or 64 in as many bytes as they need. Use the methods only:
// a Set is a number in a program for eight identities and an array of bytes in one for more.
type Set[E Index] uint8

// Below returns the set of the identities 0 to n-1, n at most MaxSet.
func Below[E Index](n int) Set[E] {
	if n > MaxSet {
		panic(&RangeError{"Set", n, MaxSet, address(&n)})
	}
	return Set[E](1<<n - 1)
}

// word returns the elements as bits.
func (s Set[E]) word() uint64 { return uint64(s) }

// setOfWord returns the set of bits below MaxSet.
func setOfWord[E Index](w uint64) Set[E] { return Set[E](w) }

func bit[E Index](e E) Set[E] {
	if uint(e) >= MaxSet {
		panic(&RangeError{"Set", int(e), MaxSet, address(&e)})
	}
	return 1 << uint(e)
}

// Has reports whether e is in the set. It is false for an identity that no set can hold, such as
// -1.
func (s Set[E]) Has(e E) bool { return uint(e) < MaxSet && s>>uint(e)&1 != 0 }

// Clear takes all out.
func (s *Set[E]) Clear() { *s = 0 }

// Add puts e in.
func (s *Set[E]) Add(e E) { *s |= bit(e) }

// Remove takes e out.
func (s *Set[E]) Remove(e E) { *s &^= bit(e) }

// With returns the set and e.
func (s Set[E]) With(e E) Set[E] { return s | bit(e) }

// Without returns the set but e.
func (s Set[E]) Without(e E) Set[E] { return s &^ bit(e) }

// Union returns the set of elements of s or t.
func (s Set[E]) Union(t Set[E]) Set[E] { return s | t }

// Intersect returns the set of elements of s and t.
func (s Set[E]) Intersect(t Set[E]) Set[E] { return s & t }

// Minus returns the set of elements of s that are not in t.
func (s Set[E]) Minus(t Set[E]) Set[E] { return s &^ t }

// Intersects reports whether s and t have an element in common.
func (s Set[E]) Intersects(t Set[E]) bool { return s&t != 0 }

// Within reports whether every element of s is in t.
func (s Set[E]) Within(t Set[E]) bool { return s&^t == 0 }

// Len returns the number of elements.
func (s Set[E]) Len() int { return bits.OnesCount8(uint8(s)) }

// Empty reports whether there are no elements.
func (s Set[E]) Empty() bool { return s == 0 }
