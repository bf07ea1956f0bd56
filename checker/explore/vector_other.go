//go:build !amd64 || portable

package explore

import "unsafe"

// unseen has a bit set in left for each of the first n hashes: insert looks for itself.
func unseen(_ *[64]uint64, _ *[64]*bucket, n int) (left, behind uint64) {
	return ^uint64(0) >> (64 - n), 0
}

func encodeBlocks(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer {
	return encodeWords(at, word, before, blocks)
}

func decodeBlocks(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer {
	return decodeWords(at, word, blocks)
}
