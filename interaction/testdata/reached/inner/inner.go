// Package inner has functions that the specification calls.
package inner

// Limit is a limit.
const Limit = 4

// Above reports whether n is above a number.
func Above(n, than uint8) bool { return n > than }

// Unused is called by nothing.
func Unused(n uint8) uint8 { return n + 1 }
