package fingerprint_test

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

func flips[T any](t *testing.T) {
	t.Helper()
	var n T
	b := checker.Bytes(&n)
	for fill := range 3 {
		for k := range b {
			b[k] = byte(fill * (k + 1))
		}
		h := fingerprint.Of(&n)
		if h != fingerprint.Of(&n) || h == 0 {
			t.Fatalf("%T: hash %x", n, h)
		}
		seen := map[uint64]bool{h: true}
		for k := range b {
			for bit := range 8 {
				b[k] ^= 1 << bit
				x := fingerprint.Of(&n)
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
	flips[[4096]uint8](t)
	flips[[4159]uint8](t)
}

// TestCheckSeesEveryBit does the same with the second hash, and compares the two with each other.
// Nodes that differ in one or two bits have no more equal checks than chance gives. The bits of the
// two hashes agree as often as not.
func TestCheckSeesEveryBit(t *testing.T) {
	t.Parallel()
	checks[[1]uint8](t)
	checks[[7]uint8](t)
	checks[[8]uint8](t)
	checks[[13]uint8](t)
	checks[[17]uint8](t)
	checks[[48]uint8](t)
	checks[[203]uint8](t)
}

func checks[T any](t *testing.T) {
	t.Helper()
	var n T
	b := checker.Bytes(&n)
	seen := map[uint32]int{fingerprint.Wide(&n): 1}
	nodes, equal, agree := 1, 0, 0
	look := func() {
		nodes++
		c := fingerprint.Wide(&n)
		equal += seen[c]
		seen[c]++
		agree += bits.OnesCount32(^(c ^ uint32(fingerprint.Of(&n)>>17)))
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
		fingerprint.Of(&[0]uint8{}), fingerprint.Of(&[1]uint8{}), fingerprint.Of(&[2]uint8{}), fingerprint.Of(&[8]uint8{}),
		fingerprint.Of(&[16]uint8{}), fingerprint.Of(&[24]uint8{}), fingerprint.Of(&[48]uint8{}), fingerprint.Of(&[96]uint8{}),
	} {
		if seen[h] {
			t.Errorf("%x twice", h)
		}
		seen[h] = true
	}
}

// naive is Hash as it is described. Pairs of words go to six lanes in turn while there are twelve
// words left, and then to the first three. A rest of fewer than 16 bytes is taken with the bytes
// before it.
func naive(b []byte) uint64 {
	const k0, k1, k2, k3, k4, k5, k6 = 0xd1342543de82ef95, 0xa24baed4963ee407, 0x9e6c63d0876a9a47, 0xf08db22fd293056b, 0x95bd447e7184d455,
		0x6ae12c972399d29d, 0x5e05c9906be994f3
	mix := func(a, b uint64) uint64 {
		p := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		return new(big.Int).Rsh(p, 64).Uint64() ^ new(big.Int).And(p, new(big.Int).SetUint64(1<<64-1)).Uint64()
	}
	lane := [6]uint64{k4, k5, k6, k0, k2, k3}
	take := func(x int, pair []byte) {
		lane[x] = mix(binary.LittleEndian.Uint64(pair)^k1, binary.LittleEndian.Uint64(pair[8:])^lane[x])
	}
	pairs := len(b) / 16
	for k := range pairs {
		switch inFull := pairs / 6 * 6; {
		case k < inFull:
			take(k%6, b[16*k:])
		case k < inFull+3 || pairs-inFull < 3:
			take((k-inFull)%3, b[16*k:])
		default:
			take(k-inFull-3, b[16*k:])
		}
	}
	switch {
	case len(b)%16 == 0:
	case len(b) >= 16:
		take(2, b[len(b)-16:])
	default:
		take(2, append(slices.Clone(b), make([]byte, 16)...))
	}
	return max(1, mix(lane[0]^lane[1]^lane[4]^k0, mix(lane[2]^lane[3]^lane[5]^k1, uint64(len(b))^k2)))
}

// naiveLines is Hash of a large node as it is described: the sum of what its lines give, each by
// its place, mixed once more.
func naiveLines(b []byte) uint64 {
	const k0, k1, k2, k3, k4, k5 = 0xd1342543de82ef95, 0xa24baed4963ee407, 0x9e6c63d0876a9a47, 0xf08db22fd293056b, 0x95bd447e7184d455, 0x6ae12c972399d29d
	mix := func(a, b uint64) uint64 {
		hi, lo := bits.Mul64(a, b)
		return hi ^ lo
	}
	sum := uint64(len(b)) * k2
	total := uint64(0)
	for at := 0; at < len(b); at += 64 {
		var line [64]byte
		copy(line[:], b[at:])
		word := func(k int) uint64 { return binary.LittleEndian.Uint64(line[8*k:]) }
		place := uint64(at+1) * k5
		x := mix(word(0)^k1, word(1)^place) ^ mix(word(4)^k3, word(5)^place)
		y := mix(word(2)^k2, word(3)^place) ^ mix(word(6)^k4, word(7)^place)
		total += mix(x^k0, y^place)
	}
	sum ^= total
	sum = (sum ^ sum>>32) * k0
	return max(1, sum^sum>>29)
}

func hashes[T any](t *testing.T, r *rand.Rand) {
	t.Helper()
	for range 20 {
		var n T
		for k := range checker.Bytes(&n) {
			checker.Bytes(&n)[k] = byte(r.Uint32()) & -byte(r.Uint32()&1)
		}
		want := naive(checker.Bytes(&n))
		if fingerprint.IsLarge[T]() {
			want = naiveLines(checker.Bytes(&n))
		}
		if got := fingerprint.Of(&n); got != want {
			t.Errorf("%T: %x, want %x", n, got, want)
		}
	}
}

// TestHashOfBytes compares the hash, which is partly assembly, with its description.
func TestHashOfBytes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	hashes[[1]uint8](t, r)
	hashes[[8]uint8](t, r)
	hashes[[15]uint8](t, r)
	hashes[[16]uint8](t, r)
	hashes[[17]uint8](t, r)
	hashes[[32]uint8](t, r)
	hashes[[40]uint8](t, r)
	hashes[[48]uint8](t, r)
	hashes[[65]uint8](t, r)
	hashes[[80]uint8](t, r)
	hashes[[95]uint8](t, r)
	hashes[[96]uint8](t, r)
	hashes[[219]uint8](t, r)
	hashes[[288]uint8](t, r)
	hashes[[2176]uint8](t, r)
	hashes[[4095]uint8](t, r)
	hashes[[4096]uint8](t, r)
	hashes[[6244]uint8](t, r)
}

// BenchmarkHash: with the tag portable, what other processors than amd64 run.
func BenchmarkHash(b *testing.B) {
	b.Run("219 bytes", benchmarkHash[[219]uint8])
	b.Run("1752 bytes", benchmarkHash[[1752]uint8])
	b.Run("6244 bytes", benchmarkHash[[6244]uint8])
}

func benchmarkHash[T any](b *testing.B) {
	for _, h := range []struct {
		name string
		of   func(*T) uint64
	}{
		{"of", fingerprint.Of[T]},
		{"wide", func(n *T) uint64 { return uint64(fingerprint.Wide(n)) }},
	} {
		b.Run(h.name, func(b *testing.B) {
			var n T
			b.SetBytes(int64(len(checker.Bytes(&n))))
			sum := uint64(0)
			for b.Loop() {
				sum += h.of(&n)
			}
			if sum == 1 { // so that the hash is needed
				b.Log(sum)
			}
		})
	}
}
