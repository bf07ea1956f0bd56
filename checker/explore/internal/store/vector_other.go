//go:build !amd64 || portable

package store

import (
	"sync/atomic"
	"unsafe"
)

// unseen returns two sets of bits for the first n hashes: those that their homes do not hold, and
// those of them whose home is full. A hash that another worker puts in meanwhile may count as any.
func unseen(hash *[64]uint64, home *[64]*bucket, n int) (left, behind uint64) {
	for k := range n {
		b, h := home[k], hash[k]
		last := atomic.LoadUint64(&b[7]) // before the others: if it is filled, they are
		held := ifEqual(last, h)
		for x := range 7 {
			held |= ifEqual(atomic.LoadUint64(&b[x]), h)
		}
		one := uint64(held^1) << k
		left |= one
		if last != 0 {
			behind |= one
		}
	}
	return left, behind
}

func encodeBlocks(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer {
	return encodeWords(at, word, before, blocks)
}

func decodeBlocks(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer {
	return decodeWords(at, word, blocks)
}

// linesDiffer has a bit set for each of up to 64 lines of 64 bytes in which a and b differ.
func linesDiffer(a, b unsafe.Pointer, count int) uint64 { return linesInGo(a, b, count) }
