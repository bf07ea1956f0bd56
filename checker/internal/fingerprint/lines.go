package fingerprint

import (
	"math/bits"
	"unsafe"
)

// LargeNode is the size in bytes from which on a node is hashed by lines. See
// checker.Successors.Same, too.
const LargeNode = 4 << 10

// LineBytes is the length of a line of a large node. The last one may be shorter.
const LineBytes = 64

// IsLarge reports whether nodes of this type are taken by lines.
func IsLarge[T any]() bool {
	var n T
	return unsafe.Sizeof(n) >= LargeNode
}

// Lines returns how many lines a node has.
func Lines[T any]() int {
	var n T
	return int(unsafe.Sizeof(n)+LineBytes-1) / LineBytes
}

// LineSum returns the sum of the hashes of a large node's lines.
func LineSum[T any](n *T) uint64 { return lineSum(unsafe.Pointer(n), unsafe.Sizeof(*n)) }

// LineChange returns what is added to the sum of s for that of n, which differs from it in no lines
// but those whose bits are set.
func LineChange[T any](s, n *T, lines []uint64) uint64 {
	return lineChange(unsafe.Pointer(s), unsafe.Pointer(n), unsafe.Sizeof(*n), lines)
}

// OfSum returns the fingerprint, as Of returns it, of a large node with this sum of its lines.
func OfSum[T any](sum uint64) uint64 {
	var n T
	return hashOfSum(sum, unsafe.Sizeof(n))
}

func lineSum(p unsafe.Pointer, size uintptr) (sum uint64) {
	at := uintptr(0)
	for ; at+LineBytes <= size; at += LineBytes {
		sum += line((*[8]uint64)(unsafe.Add(p, at)), at)
	}
	if at < size {
		sum += lastLine(p, size)
	}
	return sum
}

func lineChange(s, n unsafe.Pointer, size uintptr, lines []uint64) (change uint64) {
	for k, set := range lines {
		for ; set != 0; set &= set - 1 {
			at := uintptr(64*k+bits.TrailingZeros64(set)) * LineBytes
			if at+LineBytes > size {
				change += lastLine(n, size) - lastLine(s, size)
				continue
			}
			change += line((*[8]uint64)(unsafe.Add(n, at)), at) - line((*[8]uint64)(unsafe.Add(s, at)), at)
		}
	}
	return change
}

// line returns the hash of a line at a place in its node. Equal lines at different places have
// hashes that are not related, so that changes of two lines do not cancel in a sum.
func line(w *[8]uint64, at uintptr) uint64 {
	place := (uint64(at) + 1) * k5
	a := mix(w[0]^k1, w[1]^place)
	b := mix(w[2]^k2, w[3]^place)
	c := mix(w[4]^k3, w[5]^place)
	d := mix(w[6]^k4, w[7]^place)
	return mix(a^c^k0, b^d^place)
}

// lastLine returns the hash of the rest after the whole lines, taken as a line that ends in zeros.
func lastLine(p unsafe.Pointer, size uintptr) uint64 {
	at := size &^ (LineBytes - 1)
	var w [8]uint64
	copy((*[LineBytes]byte)(unsafe.Pointer(&w))[:], unsafe.Slice((*byte)(unsafe.Add(p, at)), size-at))
	return line(&w, at)
}

func hashOfSum(sum uint64, size uintptr) uint64 {
	h := sum ^ uint64(size)*k2
	h = (h ^ h>>32) * k0
	h ^= h >> 29
	if h == 0 {
		h = 1
	}
	return h
}
