package checker

import (
	"math/bits"
	"unsafe"
)

// The constants of the hash: odd numbers with as many ones as zeros. They are fixed, so that fingerprints and digests can be
// stored and compared between runs.
const (
	k0 = 0xd1342543de82ef95
	k1 = 0xa24baed4963ee407
	k2 = 0x9e6c63d0876a9a47
	k3 = 0xf08db22fd293056b
	k4 = 0x95bd447e7184d455
	k5 = 0x6ae12c972399d29d
	k6 = 0x5e05c9906be994f3
)

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// Hash is the 64-bit fingerprint of a flat node, a multiply-and-fold hash over its bytes in three independent lanes. It is
// never 0.
func Hash[T any](n *T) uint64 { return hash(unsafe.Pointer(n), unsafe.Sizeof(*n)) }

// hash is apart from Hash, since the compiler does not inline mix where it makes an instance of Hash in another package.
func hash(p unsafe.Pointer, size uintptr) uint64 {
	a, b, c := uint64(k4), uint64(k5), uint64(k6) // none is what a lane's other factor starts with: words must not commute
	at := uintptr(0)
	for ; at+48 <= size; at += 48 {
		w := (*[6]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^k1, w[1]^a)
		b = mix(w[2]^k2, w[3]^b)
		c = mix(w[4]^k3, w[5]^c)
	}
	for ; at+16 <= size; at += 16 {
		w := (*[2]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^k0, w[1]^a)
	}
	if at+8 <= size {
		b = mix(*(*uint64)(unsafe.Add(p, at))^k0, b^k3)
		at += 8
	}
	tail := uint64(0)
	switch {
	case at == size:
	case size >= 8: // overlaps what was mixed already
		tail = *(*uint64)(unsafe.Add(p, size-8))
	default:
		for ; at < size; at++ {
			tail = tail<<8 | uint64(*(*uint8)(unsafe.Add(p, at)))
		}
	}
	h := mix(a^b^k0, mix(c^tail^k1, uint64(size)^k2))
	if h == 0 {
		h = 1
	}
	return h
}

// Bytes is the memory of a flat node: two nodes are equal exactly if their bytes are.
func Bytes[T any](n *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(n)), unsafe.Sizeof(*n))
}
