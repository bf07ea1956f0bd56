package modules

import "unsafe"

// LargestSet is the number of identities that a Set distinguishes in the widest build.
const LargestSet = 64

// SetOf returns the set of the given elements, each 0 to MaxSet-1.
func SetOf[E Index](es ...E) (s Set[E]) {
	for _, e := range es {
		s.Add(e)
	}
	return s
}

// IsQuorum reports whether the set holds more than half of n members.
func (s Set[E]) IsQuorum(n int) bool { return s.Len()*2 > n }

// SetAt returns the elements of the Set at p as bits. It is for packages that read states by their
// layout.
func SetAt(p unsafe.Pointer) uint64 { return (*Set[uint8])(p).word() }

// PutSet makes the Set at p that of the elements whose bits are set: see SetAt. Bits from MaxSet on
// do not count.
func PutSet(p unsafe.Pointer, elements uint64) { *(*Set[uint8])(p) = setOfWord[uint8](elements) }
