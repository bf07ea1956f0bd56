// Package plain is no specification.
package plain

var Count map[string]int
