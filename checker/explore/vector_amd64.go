//go:build !portable

package explore

import "unsafe"

// unseen has a bit set for each of the first n hashes that its home does not hold. A hash that another worker puts in meanwhile may
// count as either.
//
//go:noescape
func unseen(hash *[64]uint64, home *[64]*bucket, n int) uint64

// encodeBlocks writes the difference between up to 8 blocks of 8 words to at and returns where it ends.
//
//go:noescape
func encodeBlocks(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer
