//go:build !amd64 || portable

package explore

import (
	"math/bits"
	"unsafe"
)

// unseen has a bit set for each of the first n hashes: insert looks for itself.
func unseen(_ *[64]uint64, _ *[64]*bucket, n int) uint64 { return ^uint64(0) >> (64 - n) }

// encodeBlocks writes the difference between up to 8 blocks of 8 words to at and returns where it ends.
func encodeBlocks(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer {
	w, b := unsafe.Slice(word, 8*blocks), unsafe.Slice(before, 8*blocks)
	differ := differ(word, before, blocks)
	putWord(at, differ)
	at = unsafe.Add(at, blocks)
	for ; differ != 0; differ &= differ - 1 {
		k := bits.TrailingZeros64(differ)
		x := w[k] ^ b[k]
		low := bits.TrailingZeros64(x) / 8
		size := 8 - low - bits.LeadingZeros64(x)/8
		*(*byte)(at) = byte(low | (size-1)<<3)
		putWord(unsafe.Add(at, 1), x>>(low*8&63))
		at = unsafe.Add(at, 1+size)
	}
	return at
}

// differ has a bit set for each word that is another one before, of up to 8 blocks of 8 words, found without branches.
func differ(word, before *uint64, blocks int) (differ uint64) {
	a, b := unsafe.Slice((*[8]uint64)(unsafe.Pointer(word)), blocks), unsafe.Slice((*[8]uint64)(unsafe.Pointer(before)), blocks)
	for k := range a {
		a, b := &a[k], &b[k]
		same := ifEqual(a[0], b[0]) | ifEqual(a[1], b[1])<<1 | ifEqual(a[2], b[2])<<2 | ifEqual(a[3], b[3])<<3 |
			ifEqual(a[4], b[4])<<4 | ifEqual(a[5], b[5])<<5 | ifEqual(a[6], b[6])<<6 | ifEqual(a[7], b[7])<<7
		differ |= uint64(^same) << (8 * k)
	}
	return differ
}
