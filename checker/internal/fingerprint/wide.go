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
	c4 = 0xeb44accab455d165
)

// wideBytes is the number of bytes that the lanes of Wide take in one round.
const wideBytes = 4 * 16

// Wide returns a second hash of a flat node, of 32 bits and independent of Of: together they are
// the fingerprint of 96 bits. It has four lanes where Of has six, other constants, and a lane meets
// the other word of a pair.
func Wide[T any](n *T) uint32 { return wide(unsafe.Pointer(n), unsafe.Sizeof(*n)) }

func wide(p unsafe.Pointer, size uintptr) uint32 {
	// None is c0, the other factor of a word.
	a, b, c, d := uint64(c1), uint64(c2), uint64(c3), uint64(c4)
	at := uintptr(0)
	for ; at+wideBytes <= size; at += wideBytes {
		w := (*[wideBytes / 8]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^a, w[1]^c0)
		b = mix(w[2]^b, w[3]^c0)
		c = mix(w[4]^c, w[5]^c0)
		d = mix(w[6]^d, w[7]^c0)
	}
	if at+32 <= size {
		w := (*[4]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^a, w[1]^c0)
		b = mix(w[2]^b, w[3]^c0)
		at += 32
	}
	if at+16 <= size {
		w := (*[2]uint64)(unsafe.Add(p, at))
		c = mix(w[0]^c, w[1]^c0)
		at += 16
	}
	switch {
	case at == size:
	case size >= 16: // overlaps what was mixed already
		w := (*[2]uint64)(unsafe.Add(p, size-16))
		d = mix(w[0]^d, w[1]^c0)
	default:
		var w [2]uint64
		for ; at < size; at++ {
			w[at/8] |= uint64(*(*uint8)(unsafe.Add(p, at))) << (at % 8 * 8)
		}
		d = mix(w[0]^d, w[1]^c0)
	}
	h := mix(bits.RotateLeft64(a, 21)^b^c1, bits.RotateLeft64(c, 43)^d^uint64(size)^c2)
	return uint32(mix(h^c3, c4) >> 32)
}
