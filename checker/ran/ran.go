// Package ran notes which places of an implementation's changed code ran. The command multigrain
// change puts calls of it into a copy of that code. It imports what imports nothing, so any package
// can import it.
package ran

import (
	"sync/atomic"
	"unsafe"
)

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

// integer has the types of bits.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// And returns x & y, and notes whether that is another value than x.
func And[T integer](place Place, x, y T) T { return changed(place, x, x&y) }

// AndNot returns x &^ y, and notes whether that is another value than x.
func AndNot[T integer](place Place, x, y T) T { return changed(place, x, x&^y) }

// Or returns x | y, and notes whether that is another value than x.
func Or[T integer](place Place, x, y T) T { return changed(place, x, x|y) }

// Rem returns x % y, and notes whether that is another value than x.
func Rem[T integer](place Place, x, y T) T { return changed(place, x, x%y) }

// Quo returns x / y, and notes whether that is rounded.
func Quo[T integer | ~float32 | ~float64](place Place, x, y T) T {
	q := x / y
	See(place, q*y != x)
	return q
}

// Shl returns x << y, and notes whether bits are lost.
func Shl[T, S integer](place Place, x T, y S) T {
	See(place, x<<y>>y != x)
	return x << y
}

// Shr returns x >> y, and notes whether bits are lost.
func Shr[T, S integer](place Place, x T, y S) T {
	See(place, x>>y<<y != x)
	return x >> y
}

// Less notes whether x is less than y, and returns both.
func Less[T integer | ~float32 | ~float64 | ~string](place Place, x, y T) (T, T) {
	See(place, x < y)
	return x, y
}

// Below notes whether a bound is below a length, and returns the bound.
func Below[T integer](place Place, bound T, length int) T {
	See(place, uint64(bound) < uint64(length))
	return bound
}

// Narrow converts x, and notes whether that loses bits. If the type To has no fewer bits, nothing
// can be lost.
func Narrow[To integer, From integer | ~float32 | ~float64](place Place, x From) To {
	to := To(x)
	if See(place, From(to) != x); unsafe.Sizeof(to) >= unsafe.Sizeof(x) {
		See(place, true)
		See(place, false)
	}
	return to
}

// changed notes whether two values differ, and returns the second one.
func changed[T integer](place Place, x, y T) T {
	See(place, x != y)
	return y
}
