// Package fingerprint hashes flat nodes, which are their bytes: Of to 64 bits, and Wide to 32 more.
// The hashes are fixed, so that fingerprints and digests can be stored and compared between runs.
//
// The fingerprint of a large node is that of the sum of its lines. So a successor's fingerprint
// follows from its parent's and from the lines in which they differ.
package fingerprint

import (
	"math/bits"
	"unsafe"
)

// What it computes. A 64-bit fingerprint of a node's bytes.
//
// Why it is right. Equal nodes have equal bytes, so equal fingerprints. Different nodes collide
// with a probability near 2⁻⁶⁴ for a pair, if multiply-and-fold (mix) behaves like a random
// function. That is an assumption: a search with n nodes misses about n(n-1)/2⁶⁵ of them, and
// package explore reports this number.
//
// What it costs. One 64 by 64 bit multiplication for 16 bytes. Six lanes are independent, so the
// processor overlaps them. On amd64 fold does the lanes in assembly. A large node is hashed by
// lines, so a successor costs only its changed lines.
//
// Example. 96 bytes, in pairs of words w0 to w11:
//
//	lane 0 = mix(w0 ^ k1, w1 ^ lane 0)
//	lane 1 = mix(w2 ^ k1, w3 ^ lane 1)
//	...                                    then the lanes are mixed into one word

// The constants of the hash: odd numbers with as many ones as zeros. They are fixed, so that
// fingerprints and digests can be stored and compared between runs.
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

// lanes is the state of the hash. Each lane has taken every sixth pair of words of the node's
// bytes.
type lanes [6]uint64

// foldBytes is the number of bytes that all lanes take in one round.
const foldBytes = 6 * 16

// Of returns the 64-bit fingerprint of a flat node: a multiply-and-fold hash over its bytes in six
// independent lanes or, for a large node, over its lines. It is never 0.
func Of[T any](n *T) uint64 {
	if unsafe.Sizeof(*n) >= LargeNode {
		return hashOfSum(lineSum(unsafe.Pointer(n), unsafe.Sizeof(*n)), unsafe.Sizeof(*n))
	}
	return hash(unsafe.Pointer(n), unsafe.Sizeof(*n))
}

// hash stands apart from Of, since the compiler does not inline mix where it instantiates Of in
// another package.
func hash(p unsafe.Pointer, size uintptr) uint64 {
	l := lanes{k4, k5, k6, k0, k2, k3} // none is k1, a word's other factor: words must not commute
	at := uintptr(0)
	if n := size / foldBytes; n > 0 {
		fold(p, n, &l)
		at = n * foldBytes
	}
	a, b, c := l[0], l[1], l[2]
	if at+48 <= size {
		w := (*[6]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^k1, w[1]^a)
		b = mix(w[2]^k1, w[3]^b)
		c = mix(w[4]^k1, w[5]^c)
		at += 48
	}
	if at+32 <= size {
		w := (*[4]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^k1, w[1]^a)
		b = mix(w[2]^k1, w[3]^b)
		at += 32
	} else if at+16 <= size {
		w := (*[2]uint64)(unsafe.Add(p, at))
		a = mix(w[0]^k1, w[1]^a)
		at += 16
	}
	switch {
	case at == size:
	case size >= 16: // overlaps what was mixed already
		w := (*[2]uint64)(unsafe.Add(p, size-16))
		c = mix(w[0]^k1, w[1]^c)
	default:
		var w [2]uint64
		for ; at < size; at++ {
			w[at/8] |= uint64(*(*uint8)(unsafe.Add(p, at))) << (at % 8 * 8)
		}
		c = mix(w[0]^k1, w[1]^c)
	}
	h := mix(a^b^l[4]^k0, mix(c^l[3]^l[5]^k1, uint64(size)^k2))
	if h == 0 {
		h = 1
	}
	return h
}
