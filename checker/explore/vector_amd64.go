//go:build !portable

package explore

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// unseen has a bit set in left for each of the first n hashes that its home does not hold, and in behind for each of these whose home is
// full. A hash that another worker puts in meanwhile may count as any.
//
//go:noescape
func unseen(hash *[64]uint64, home *[64]*bucket, n int) (left, behind uint64)

// vbmi2 says that the processor packs and unpacks bytes of 64 at once.
var vbmi2 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2

// encodeVBMI2 is encodeWords.
//
//go:noescape
func encodeVBMI2(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer

// decodeVBMI2 is decodeWords.
//
//go:noescape
func decodeVBMI2(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer

func encodeBlocks(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer {
	if vbmi2 {
		return encodeVBMI2(at, word, before, blocks)
	}
	return encodeWords(at, word, before, blocks)
}

func decodeBlocks(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer {
	if vbmi2 {
		return decodeVBMI2(at, word, blocks)
	}
	return decodeWords(at, word, blocks)
}
