// Package values has functions of values.
package values

// Turn is a position on a clock.
type Turn uint8

// Next returns the turn after t.
func (t Turn) Next() Turn { return (t + 1) % 4 }

// Reset writes a turn.
func (t *Turn) Reset() { *t = 0 }
