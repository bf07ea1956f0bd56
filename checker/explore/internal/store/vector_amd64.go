//go:build !portable

package store

import "unsafe"

// unseen returns two sets of bits for the first n hashes: those that their homes do not hold, and
// those of them whose home is full. A hash that another worker puts in meanwhile may count as any.
//
//go:noescape
func unseen(hash *[64]uint64, home *[64]*bucket, n int) (left, behind uint64)

// cpuid and xgetbv are the instructions of these names. A program of a composition is built in its
// user's module, which need know no module of ours: hence no library for it.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() uint32

// vbmi2 says that the processor packs and unpacks 64 bytes at once, and the system lets it.
var vbmi2 = func() bool {
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return false
	}
	const (
		osxsave = 1 << 27 // of leaf 1, c
		state   = 0xe6    // of xgetbv: all registers of AVX-512
		f, bw   = 1 << 16, 1 << 30
		vbmi2   = 1 << 6 // c
	)
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 || xgetbv()&state != state {
		return false
	}
	_, b, c, _ := cpuid(7, 0)
	return b&f != 0 && b&bw != 0 && c&vbmi2 != 0
}()

// encodeVBMI2 is encodeWords, but takes no bytes that are equal.
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

// linesVector is linesInGo, for processors with AVX-512.
//
//go:noescape
func linesVector(a, b unsafe.Pointer, count int) (differ uint64)

// linesDiffer has a bit set for each of up to 64 lines of 64 bytes in which a and b differ.
func linesDiffer(a, b unsafe.Pointer, count int) uint64 {
	if vbmi2 {
		return linesVector(a, b, count)
	}
	return linesInGo(a, b, count)
}
