package walks

// What it computes. A subsequence that still has a property, from which no single element can be
// left out: a short counterexample from a long random walk.
//
// Why it is right. An element is left out only if the caller has seen that the rest has the
// property. The last passes try every single element and end with one that leaves nothing out,
// unless the attempts are used up. The result is a local minimum: there may be shorter
// subsequences.
//
// What it costs. Of n elements with k that matter, about 2k log(n/k) attempts of runs and then at
// least k of single elements. Each attempt takes the sequence once. In the worst case there are of
// the order of n*n attempts.
//
// Example. Elements 3 and 7 of eight are needed:
//
//	size 4: 1234 no, 5678 no                    left: 12345678
//	size 2: 12 yes, 34 no, 56 yes, 78 no        left: 3478
//	size 1: 3 no, 4 yes, 7 no, 8 yes            left: 37
//	size 1: 3 no, 7 no                          the end

// Shorten is delta debugging (Zeller and Hildebrandt, TSE 2002) over a sequence that the caller
// holds. It leaves out ever smaller runs of elements, and at the end single ones, until none can be
// left out. Length returns the present length of the sequence. Without leaves out the elements with
// numbers from <= n < to, from 0, and reports whether it could. More reports whether there may be
// another attempt. Again, where it is not nil, shortens the sequence in another way once no single
// element can be left out, and reports whether it did.
func Shorten(length func() int, without func(from, to int) bool, more func() bool, again func() bool) {
	pass := func(size int) (shorter bool) {
		for from := 0; from < length() && more(); {
			if without(from, min(from+size, length())) {
				shorter = true
			} else {
				from += size
			}
		}
		return shorter
	}
	for size := length() / 2; size > 1; size /= 2 {
		pass(size)
	}
	for pass(1) || again != nil && again() {
	}
}
