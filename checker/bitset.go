package checker

import "slices"

// bitset is a set of instances.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(k int) { b[k/64] |= 1 << (k % 64) }

func (b bitset) has(k int) bool { return b[k/64]>>(k%64)&1 != 0 }

func (b bitset) each(do func(k int) bool) bool {
	for w, x := range b {
		for k := 0; x != 0; k, x = k+1, x>>1 {
			if x&1 != 0 && !do(w*64+k) {
				return false
			}
		}
	}
	return true
}

func (b bitset) meets(x bitset) bool {
	for w := range min(len(b), len(x)) {
		if b[w]&x[w] != 0 {
			return true
		}
	}
	return false
}

func (b bitset) addAll(x bitset) {
	for w := range x {
		b[w] |= x[w]
	}
}

func (b bitset) remove(k int) { b[k/64] &^= 1 << (k % 64) }

func (b bitset) empty() bool { return !slices.ContainsFunc(b, func(w uint64) bool { return w != 0 }) }
