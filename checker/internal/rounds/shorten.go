package rounds

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
