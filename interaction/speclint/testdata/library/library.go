// Package library declares no action and no system. It gives a property to specifications, whose
// checkers call it.
package library

import (
	"math/rand"

	"github.com/multigrain/multigrain/modules"
)

type State struct{ names map[string]int }

var count int

func Property() modules.Invariant[State] {
	return modules.Invariant[State]{State: func(s *State) bool {
		count++                   // want `MG424: count is a package variable`
		s.names["x"] = rand.Int() // want `MG433: a value of type map` `MG438: math/rand.Int` `MG421: invariant writes s.names`
		return count > 0          // want `MG423: count is a package variable`
	}}
}
