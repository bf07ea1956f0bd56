package fingerprint_test

import (
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// changes walks through random nodes and compares the sum that follows from what changes with that
// of all lines.
func changes[T any](t *testing.T, r *rand.Rand) {
	t.Helper()
	var s, n T
	lines := make([]uint64, (fingerprint.Lines[T]()+63)/64)
	sum := fingerprint.LineSum(&s)
	for range 300 {
		b := checker.Bytes(&n)
		clear(lines)
		for range r.IntN(6) {
			at := r.IntN(len(b))
			if r.IntN(4) == 0 {
				at = len(b) - 1
			}
			b[at] ^= byte(r.IntN(3))
			lines[at/fingerprint.LineBytes/64] |= 1 << (at / fingerprint.LineBytes % 64)
		}
		more := r.IntN(fingerprint.Lines[T]()) // a line that does not differ
		lines[more/64] |= 1 << (more % 64)
		sum += fingerprint.LineChange(&s, &n, lines)
		if want := fingerprint.LineSum(&n); sum != want {
			t.Fatalf("%T: the sum is %x, want %x", n, sum, want)
		}
		if got, want := fingerprint.OfSum[T](sum), fingerprint.Of(&n); got != want {
			t.Fatalf("%T: the hash is %x, want %x", n, got, want)
		}
		s = n
	}
}

// TestLineChanges: the fingerprint of a large node follows from its parent's and the lines that
// differ.
func TestLineChanges(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 9))
	changes[[4096]uint8](t, r)
	changes[[4097]uint8](t, r)
	changes[[6244]uint8](t, r)
	changes[[55974]uint8](t, r)
}

// TestLinesDoNotCancel: nodes that differ in few bytes of several lines, equally or in turn, have
// different fingerprints whose bits are set as often as not.
func TestLinesDoNotCancel(t *testing.T) {
	t.Parallel()
	var n [4160]uint8
	lines := len(n) / fingerprint.LineBytes
	seen, bits := map[uint64]bool{}, [64]int{}
	look := func() {
		h := fingerprint.Of(&n)
		if seen[h] {
			t.Fatalf("%x twice", h)
		}
		seen[h] = true
		for k := range bits {
			bits[k] += int(h >> k & 1)
		}
	}
	look()
	for a := range lines {
		for b := range lines {
			if a == b {
				continue
			}
			for _, at := range []int{0, 8, 37} {
				x, y := &n[a*fingerprint.LineBytes+at], &n[b*fingerprint.LineBytes+at]
				*x, *y = 1, 2
				look()
				if a < b {
					*x, *y = 1, 1
					look()
				}
				*x, *y = 0, 0
			}
		}
	}
	for k, set := range bits {
		if part := float64(set) / float64(len(seen)); part < 0.47 || part > 0.53 {
			t.Errorf("bit %d is set in %.3f of %d", k, part, len(seen))
		}
	}
}
