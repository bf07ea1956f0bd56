package wire

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
)

// Extent is how much a difference is about: which observations one composition has and the other
// lacks. It is the same on every machine, for the same sources, choice and bounds.
type Extent struct {
	Missed int `json:"missed"` // observations
	Views  int `json:"views"`  // that the composition has, of all visible steps
	// Digest identifies the missed observations: see DigestOf.
	Digest string `json:"digest"`
	// Sequences is the digest of the missed sequences whose last observation is among these. It has
	// 8 hexadecimal digits for all, and one for the sequences of each length up to 32. It is ""
	// where it was not computed.
	Sequences string `json:"sequences,omitempty"`
	// Complete says that both compositions were explored whole. Else there may be more.
	Complete bool `json:"complete"`
}

// Missing is one observation of an extent.
type Missing struct {
	Fingerprint Fingerprint `json:"fingerprint"`
	Text        string      `json:"text"`
}

// Fingerprint is 16 hexadecimal digits: not all numbers of 64 bits are numbers of JSON.
type Fingerprint string

// FingerprintOf writes a number as a fingerprint.
func FingerprintOf(x uint64) Fingerprint { return Fingerprint(fmt.Sprintf("%016x", x)) }

// number reads a fingerprint; 0 if it is not one.
func (f Fingerprint) number() uint64 {
	x, err := strconv.ParseUint(string(f), 16, 64)
	if err != nil {
		return 0
	}
	return x
}

// buckets is the number of groups of observations in a digest.
const buckets = 32

// DigestOf returns the digest of a set of observations by their fingerprints: 8 hexadecimal digits
// for the set, and then one digit for each of 32 groups of observations. The groups tell where two
// sets differ although only their digests are known.
func DigestOf(fingerprints []uint64) string {
	sorted := slices.Sorted(slices.Values(fingerprints))
	whole := fnv.New32a()
	var groups [buckets]byte
	for _, x := range sorted {
		fmt.Fprintf(whole, "%016x", x)
		groups[x%buckets] += byte(x>>8)%15 + 1 // never 0
	}
	text := hex.EncodeToString(whole.Sum(nil))
	for _, g := range groups {
		text += fmt.Sprintf("%x", g&0xf)
	}
	return text
}

// News returns the observations that may be new since an earlier digest of DigestOf. A digest has
// one character for each group of observations, and News returns the groups whose characters
// differ. If the earlier digest has another length, News returns all observations.
func News(all []Missing, digest string) (out []Missing) {
	var fingerprints []uint64
	for _, m := range all {
		fingerprints = append(fingerprints, m.Fingerprint.number())
	}
	now := DigestOf(fingerprints)
	for _, m := range all {
		at := 8 + int(m.Fingerprint.number()%buckets)
		if len(digest) != len(now) || digest[at] != now[at] {
			out = append(out, m)
		}
	}
	return out
}
