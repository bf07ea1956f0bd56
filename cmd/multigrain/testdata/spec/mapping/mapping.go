// Package mapping has mappings of a lamp to a light, right and wrong.
package mapping

import (
	"github.com/multigrain/multigrain/cmd/multigrain/testdata/spec/lamp"
	"github.com/multigrain/multigrain/cmd/multigrain/testdata/spec/light"
)

// Thirds maps a number of presses to the light after them.
func Thirds(s *lamp.State, a *light.State) { a.On = s.Pressed % 3 }

// Same maps all states to one value.
func Same(s *lamp.State, a *light.State) { a.On = 0 }

// Writes changes the state that it maps.
func Writes(s *lamp.State, a *light.State) {
	a.On = s.Pressed % 2
	s.Pressed++
}

var calls uint8

// Counts depends on how often it was called.
func Counts(s *lamp.State, a *light.State) {
	calls++
	a.On = calls % 2
}

// Later is a function of the states up to the second press only.
func Later(s *lamp.State, a *light.State) {
	if s.Pressed > 1 {
		calls++
	}
	a.On = (s.Pressed + calls) % 2
}

// Panics maps no state after the first press.
func Panics(s *lamp.State, a *light.State) { a.On = []uint8{0, 1}[s.Pressed] }

// Flipped has its arguments in the wrong order.
func Flipped(a *light.State, s *lamp.State) { a.On = s.Pressed % 2 }
