package modules

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
