package checker_test

import (
	"math/bits"
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

// TestCheckSeesEveryBit does the same with the second hash, and holds the two against each other: nodes that differ in one or
// two bits have no more equal checks than chance gives, and the bits of the two hashes agree as often as not.
func TestCheckSeesEveryBit(t *testing.T) {
	t.Parallel()
	checks[[1]uint8](t)
	checks[[7]uint8](t)
	checks[[8]uint8](t)
	checks[[13]uint8](t)
	checks[[48]uint8](t)
	checks[[203]uint8](t)
}

func checks[T any](t *testing.T) {
	t.Helper()
	var n T
	b := checker.Bytes(&n)
	seen := map[uint32]int{checker.Check(&n): 1}
	nodes, equal, agree := 1, 0, 0
	look := func() {
		nodes++
		c := checker.Check(&n)
		equal += seen[c]
		seen[c]++
		agree += bits.OnesCount32(^(c ^ uint32(checker.Hash(&n)>>17)))
	}
	for x := range 8 * len(b) {
		b[x/8] ^= 1 << (x % 8)
		look()
		for y := x + 1; y < min(8*len(b), x+70); y++ {
			b[y/8] ^= 1 << (y % 8)
			look()
			b[y/8] ^= 1 << (y % 8)
		}
		b[x/8] ^= 1 << (x % 8)
	}
	if want := float64(nodes) * float64(nodes) / 0x1p33; float64(equal) > 4*want+2 {
		t.Errorf("%T: %d equal checks of %d, %.2f are expected", n, equal, nodes, want)
	}
	if each := float64(agree) / float64(nodes-1); nodes > 1000 && (each < 15 || each > 17) {
		t.Errorf("%T: %.1f of 32 bits agree", n, each)
	}
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
