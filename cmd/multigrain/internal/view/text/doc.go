// Package text shows a result to people: as lines for a terminal, in colours or without.
//
// It imports package result and what that may import.
package text
