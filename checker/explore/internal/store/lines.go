package store

import (
	"math/bits"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// lasting returns where a node's last line begins, if it is not a whole one, else its end.
func lasting[T any]() uintptr {
	var n T
	return unsafe.Sizeof(n) &^ (fingerprint.LineBytes - 1)
}

// Differing sets out to the lines of a set in which two nodes differ.
func Differing[T any](a, b *T, within, out []uint64) {
	whole := int(lasting[T]() / fingerprint.LineBytes)
	for k, of := range within {
		if of == 0 {
			out[k] = 0
			continue
		}
		from := 64*k + bits.TrailingZeros64(of)
		to := min(64*(k+1)-bits.LeadingZeros64(of), whole)
		d := uint64(0)
		if from < to {
			at := uintptr(from) * fingerprint.LineBytes
			d = linesDiffer(unsafe.Add(unsafe.Pointer(a), at), unsafe.Add(unsafe.Pointer(b), at), to-from) << (from % 64)
		}
		if whole/64 == k && unsafe.Sizeof(*a)%fingerprint.LineBytes != 0 {
			at := lasting[T]()
			if string(checker.Bytes(a)[at:]) != string(checker.Bytes(b)[at:]) {
				d |= 1 << (whole % 64)
			}
		}
		out[k] = d & of
	}
}

// CopyLines copies lines of a set.
func CopyLines[T any](to, from *T, lines []uint64) {
	t, f := unsafe.Pointer(to), unsafe.Pointer(from)
	last := lasting[T]()
	for k, set := range lines {
		for ; set != 0; set &= set - 1 {
			at := uintptr(64*k+bits.TrailingZeros64(set)) * fingerprint.LineBytes
			if at == last {
				copy(checker.Bytes(to)[at:], checker.Bytes(from)[at:])
				continue
			}
			*(*[8]uint64)(unsafe.Add(t, at)) = *(*[8]uint64)(unsafe.Add(f, at))
		}
	}
}

// linesInGo is linesDiffer in Go.
func linesInGo(a, b unsafe.Pointer, count int) (differ uint64) {
	for k := range count {
		at := uintptr(k) * fingerprint.LineBytes
		if *(*[8]uint64)(unsafe.Add(a, at)) != *(*[8]uint64)(unsafe.Add(b, at)) {
			differ |= 1 << k
		}
	}
	return differ
}
