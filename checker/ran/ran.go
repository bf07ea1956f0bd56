// Package ran notes which places of an implementation's changed code ran. The command multigrain
// change puts calls of it into a copy of that code. It imports nothing, so any package can import
// it.
package ran

import "sync/atomic"

// Place is the number of a place.
type Place int

// Most is how many places can be noted.
const Most = 1 << 12

// Taken has two entries for each place: the first is not 0 where a condition was false, the second
// where it was true or the line ran. Several goroutines write it at once.
var Taken [2 * Most]uint32

// Line notes that a line is about to run.
func Line(place Place) { note(2*place + 1) }

// See notes the value of a condition, and returns it.
func See[B ~bool](place Place, v B) B {
	k := 2 * place
	if v {
		k++
	}
	note(k)
	return v
}

// SeeBool is See for code in a language before Go 1.18, which has no type parameters.
func SeeBool(place Place, v bool) bool { return See(place, v) }

func note(k Place) {
	if p := &Taken[k]; atomic.LoadUint32(p) == 0 {
		atomic.StoreUint32(p, 1)
	}
}
