package fingerprint

import (
	"math/bits"
	"unsafe"
)

// The constants of Wide. None is one of Of.
const (
	c0 = 0x8cb92ba72f3d8dd7
	c1 = 0xe7037ed1a0b428db
	c2 = 0x589965cc75374cc3
	c3 = 0x1d8e4e27c47d124f
)

// Wide returns a second hash of a flat node, of 32 bits and independent of Of: together they are
// the fingerprint of 96 bits.
func Wide[T any](n *T) uint32 {
	size := unsafe.Sizeof(*n)
	p := unsafe.Pointer(n)
	a := uint64(size) ^ c3
	at := uintptr(0)
	for ; at+8 <= size; at += 8 {
		hi, lo := bits.Mul64(bits.RotateLeft64(a, 29)^*(*uint64)(unsafe.Add(p, at))^c0, c1)
		a = (a+hi)*c2 ^ lo
	}
	tail := uint64(0)
	for ; at < size; at++ {
		tail = tail<<8 | uint64(*(*uint8)(unsafe.Add(p, at)))
	}
	hi, lo := bits.Mul64(a^tail^c2, c0)
	hi, lo = bits.Mul64(hi^lo^c1, c3)
	return uint32((hi ^ lo) >> 32)
}
