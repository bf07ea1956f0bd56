package modules

import (
	"unsafe"

	"github.com/multigrain/multigrain/modules/internal/sets"
)

// Domain enumerates the values of a parameter, each once, in a fixed order. It depends on the sizes
// only.
type Domain[P any] func(yield func(P) bool)

// MostParams is the number of parameters that an action may have. A composition with more is
// refused.
const MostParams = 1 << 18

// None is the parameter of an action that has none.
type None struct{}

// One is an acting server.
type One[I Index] struct{ I I }

// Pair is an acting server and a peer.
type Pair[I Index] struct{ I, J I }

// Party is an acting server and a set of servers.
type Party[I Index] struct {
	I I
	S Set[I]
}

// At is a pair and a position, counted from 1: a message in a bag, an entry.
type At[I Index] struct {
	I, J I
	K    uint8
}

// Once is the domain of an action without parameters.
func Once(yield func(None) bool) { yield(None{}) }

// Each returns the domain of the servers 0 to n-1.
func Each[I Index](n int) Domain[One[I]] {
	return func(yield func(One[I]) bool) {
		for i := range n {
			if !yield(One[I]{I(i)}) {
				return
			}
		}
	}
}

// EachPair returns the domain of ordered pairs of different servers out of 0 to n-1.
func EachPair[I Index](n int) Domain[Pair[I]] {
	return func(yield func(Pair[I]) bool) {
		for i := range n {
			for j := range n {
				if i != j && !yield(Pair[I]{I(i), I(j)}) {
					return
				}
			}
		}
	}
}

// Links returns the domain of unordered pairs of different servers out of 0 to n-1: I is below J.
func Links[I Index](n int) Domain[Pair[I]] {
	return func(yield func(Pair[I]) bool) {
		for j := range n {
			for i := range j {
				if !yield(Pair[I]{I(i), I(j)}) {
					return
				}
			}
		}
	}
}

// Subsets returns the domain of a server and a set that holds it, out of 0 to n-1.
func Subsets[I Index](n int) Domain[Party[I]] {
	return func(yield func(Party[I]) bool) {
		for i := range n {
			for s := range 1 << n {
				if s>>i&1 == 1 && !yield(Party[I]{I(i), setOfWord[I](uint64(s))}) {
					return
				}
			}
		}
	}
}

// Quorums returns the domain of a server and a quorum that holds it: more than half of 0 to n-1.
func Quorums[I Index](n int) Domain[Party[I]] {
	return func(yield func(Party[I]) bool) {
		for p := range Subsets[I](n) {
			if p.S.IsQuorum(n) && !yield(p) {
				return
			}
		}
	}
}

// Positions returns the domain of ordered pairs of different servers out of 0 to n-1 and a position
// from 1 to depth.
func Positions[I Index](n, depth int) Domain[At[I]] {
	return func(yield func(At[I]) bool) {
		for p := range EachPair[I](n) {
			for k := range depth {
				if !yield(At[I]{p.I, p.J, uint8(k + 1)}) {
					return
				}
			}
		}
	}
}

// MaxSet is the number of identities that a Set distinguishes in this build: 0 to MaxSet-1.
const MaxSet = sets.Max

// LargestSet is the number of identities that a Set distinguishes in the widest build.
const LargestSet = 64

// SetOf returns the set of the given elements, each 0 to MaxSet-1.
func SetOf[E Index](es ...E) (s Set[E]) {
	for _, e := range es {
		s.Add(e)
	}
	return s
}

// Where returns the set of the identities 0 to n-1 for which ok holds, TLA+'s {i \in S : ok(i)}. n
// is at most MaxSet.
func Where[E Index](n int, ok func(e E) bool) (s Set[E]) {
	for k := range n {
		if ok(E(k)) {
			s.Add(E(k))
		}
	}
	return s
}

// All reports whether ok holds for each of the identities 0 to n-1, TLA+'s \A i \in S : ok(i).
// It asks in their order, and not after the first for which ok does not hold.
func All[E Index](n int, ok func(e E) bool) bool {
	for k := range n {
		if !ok(E(k)) {
			return false
		}
	}
	return true
}

// IsQuorum reports whether the set holds more than half of n members.
func (s Set[E]) IsQuorum(n int) bool { return s.Len()*2 > n }

// Quorum says which sets of the identities 0 to Members-1 are quorums: those whose members weigh
// Least or more together. It is a package-level variable with a literal of constants. The catalog
// says which quorums must have a member in common: see Meetings of grains.System.
//
//	var majority = modules.Quorum{Members: Servers, Least: Servers/2 + 1}
type Quorum struct {
	Members int
	// Weights are those of the members from 0. Without weights each member weighs 1.
	Weights []int
	Least   int
}

// IsQuorumOf reports whether the set is a quorum of q. Identities that are no members do not count.
func (s Set[E]) IsQuorumOf(q Quorum) bool {
	if len(q.Weights) == 0 {
		return s.Intersect(Below[E](q.Members)).Len() >= q.Least
	}
	weight := 0
	for k := range min(q.Members, len(q.Weights)) {
		if s.Has(E(k)) {
			weight += q.Weights[k]
		}
	}
	return weight >= q.Least
}

// SetAt returns the elements of the Set at p as bits. It is for packages that read states by their
// layout.
func SetAt(p unsafe.Pointer) uint64 { return (*Set[uint8])(p).word() }

// PutSet makes the Set at p that of the elements whose bits are set: see SetAt. Bits from MaxSet on
// do not count.
func PutSet(p unsafe.Pointer, elements uint64) { *(*Set[uint8])(p) = setOfWord[uint8](elements) }
