package rounds

// Shorten is delta debugging (Zeller and Hildebrandt, TSE 2002) over a sequence that the caller
// holds: it asks for ever smaller runs of elements to be left out, and at the end for single ones
// until none can be. Length is that of the sequence as it is; without tries to leave out the
// elements from one number to before another, and reports whether it could; more reports whether
// there may be another attempt. Again, where it is not nil, tries what else makes the sequence
// shorter once no single element can be left out.
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
