package wire

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNews takes random sets, changes one element, and expects that the digests differ and that the
// element that was added is among the news.
func TestNews(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	listed, total := 0, 0
	for range 2000 {
		var set []uint64
		for range 1 + rnd.IntN(200) {
			set = append(set, rnd.Uint64())
		}
		before := DigestOf(set)
		shuffled := slices.Clone(set)
		rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if DigestOf(shuffled) != before {
			t.Fatal("the digest depends on the order")
		}
		added := rnd.Uint64()
		if rnd.IntN(2) == 0 {
			set[0] = added // the gap moves
		} else {
			set = append(set, added) // it grows
		}
		if DigestOf(set) == before {
			t.Fatal("two sets have one digest")
		}
		var all []Missing
		for _, x := range set {
			all = append(all, Missing{Fingerprint: FingerprintOf(x)})
		}
		news := News(all, before)
		if len(news) > 0 && slices.ContainsFunc(news, func(m Missing) bool { return m.Fingerprint == FingerprintOf(added) }) {
			listed++
		}
		total++
	}
	// One that replaces another one of its group may hide: both in one of 32 groups, the same
	// digit.
	if listed < total*99/100 {
		t.Errorf("only %d of %d new elements are listed", listed, total)
	}
}
