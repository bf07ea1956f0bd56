// Package light is imported by a specification: its values stand in the State.
package light

// Colour is the colour of a light.
type Colour uint8

// Colours, in the order in which a light shows them.
const (
	RED Colour = iota
	GREEN
	YELLOW
)

// Next returns the colour after c.
func (c Colour) Next() Colour { return (c + 1) % 3 }
