//go:build !portable

package explore

// unseen has a bit set for each of the first n hashes that its home does not hold. A hash that another worker puts in meanwhile may
// count as either.
//
//go:noescape
func unseen(hash *[64]uint64, home *[64]*bucket, n int) uint64

// differ has a bit set for each word that is another one before, of up to 8 blocks of 8 words.
//
//go:noescape
func differ(word, before *uint64, blocks int) uint64
