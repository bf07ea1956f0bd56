// Package library uses the vocabulary without being a specification: nothing of it is looked at.
package library

import (
	"math/rand"

	"github.com/multigrain/multigrain/modules"
)

type State struct{ names map[string]int }

var count int

func Property() modules.Invariant[State] {
	return modules.Invariant[State]{State: func(s *State) bool {
		count++
		s.names["x"] = rand.Int()
		return count > 0
	}}
}
