// Package bitset holds sets of small numbers, mostly of instances, as bits of words.
package bitset

import "slices"

// Set holds k if bit k%64 of word k/64 is set.
type Set []uint64

// New makes an empty set with room for the numbers below n. Add, Has and Remove must not get other
// numbers.
func New(n int) Set { return make(Set, (n+63)/64) }

// Add adds k, for which there is room.
func (b Set) Add(k int) { b[k/64] |= 1 << (k % 64) }

// Has reports whether k is in the set.
func (b Set) Has(k int) bool { return b[k/64]>>(k%64)&1 != 0 }

// Each calls do for each number in increasing order until do returns false. It reports whether
// do never did.
func (b Set) Each(do func(k int) bool) bool {
	for w, x := range b {
		for k := 0; x != 0; k, x = k+1, x>>1 {
			if x&1 != 0 && !do(w*64+k) {
				return false
			}
		}
	}
	return true
}

// Meets reports whether the sets have a number in common. Their lengths may differ.
func (b Set) Meets(x Set) bool {
	for w := range min(len(b), len(x)) {
		if b[w]&x[w] != 0 {
			return true
		}
	}
	return false
}

// AddAll adds the numbers of x, which must not have more words than the set.
func (b Set) AddAll(x Set) {
	for w := range x {
		b[w] |= x[w]
	}
}

// Remove removes k.
func (b Set) Remove(k int) { b[k/64] &^= 1 << (k % 64) }

// Empty reports whether the set has no number.
func (b Set) Empty() bool { return !slices.ContainsFunc(b, func(w uint64) bool { return w != 0 }) }
