package checker_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
)

func flips[T any](t *testing.T) {
	t.Helper()
	var n T
	b := checker.Bytes(&n)
	for fill := range 3 {
		for k := range b {
			b[k] = byte(fill * (k + 1))
		}
		h := checker.Hash(&n)
		if h != checker.Hash(&n) || h == 0 {
			t.Fatalf("%T: hash %x", n, h)
		}
		seen := map[uint64]bool{h: true}
		for k := range b {
			for bit := range 8 {
				b[k] ^= 1 << bit
				x := checker.Hash(&n)
				if seen[x] {
					t.Fatalf("%T: bit %d of byte %d gives a hash that was there", n, bit, k)
				}
				seen[x] = true
				b[k] ^= 1 << bit
			}
		}
	}
}

// TestHashSeesEveryBit flips each bit of nodes of every length that the hash treats differently.
func TestHashSeesEveryBit(t *testing.T) {
	t.Parallel()
	flips[[1]uint8](t)
	flips[[5]uint8](t)
	flips[[7]uint8](t)
	flips[[8]uint8](t)
	flips[[9]uint8](t)
	flips[[15]uint8](t)
	flips[[16]uint8](t)
	flips[[17]uint8](t)
	flips[[31]uint8](t)
	flips[[47]uint8](t)
	flips[[48]uint8](t)
	flips[[49]uint8](t)
	flips[[63]uint8](t)
	flips[[71]uint8](t)
	flips[[95]uint8](t)
	flips[[96]uint8](t)
	flips[[203]uint8](t)
}

// TestHashOfLengths: nodes of zeros differ by their length.
func TestHashOfLengths(t *testing.T) {
	t.Parallel()
	seen := map[uint64]bool{}
	for _, h := range []uint64{
		checker.Hash(&[0]uint8{}), checker.Hash(&[1]uint8{}), checker.Hash(&[2]uint8{}), checker.Hash(&[8]uint8{}),
		checker.Hash(&[16]uint8{}), checker.Hash(&[24]uint8{}), checker.Hash(&[48]uint8{}), checker.Hash(&[96]uint8{}),
	} {
		if seen[h] {
			t.Errorf("%x twice", h)
		}
		seen[h] = true
	}
}
