// Package given gives functions in ways that are not literals of the vocabulary.
package given

import (
	"os"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"

	"specs/given/other"
)

type State struct{ N uint8 }

type Action = modules.Action[State, modules.None]

var limit uint8

func big(s *State) bool { return s.N > limit } // want `MG423: limit is a package variable`

// derived has the fields of an invariant, and wrapped promotes them.
type derived modules.Invariant[State]

type wrapped struct {
	modules.Liveness[State]
	note string
}

var odd = derived{ID: "I-2", State: func(s *State) bool { return os.Getpid() > 1 }} // want `MG438: os.Getpid`

func progress() modules.Liveness[State] {
	w := wrapped{note: "promoted"}
	w.ID = "L-1"
	w.To = func(s *State) bool { s.N = 1; return true } // want `MG421: liveness property writes s.N`
	return w.Liveness
}

var System = grains.System[State]{
	Name: "given",
	Init: func(yield func(State) bool) { yield(State{}) },
	Invariants: []modules.Invariant[State]{
		other.Never("I-1", big),
		modules.Invariant[State](odd),
		other.Never("I-3", func(s *State) bool { s.N++; return true }), // want `MG421: the function for Never writes s.N`
		other.Never("I-4", func(s *State) bool { return s.N > 9 }),
	},
	Liveness: []modules.Liveness[State]{progress()},
}

func noop(s, n *State, _ modules.None) {}

// Domains of other packages, and those without a value, are variables.

var first, second = pair()

func pair() (a, b modules.Domain[modules.None]) { return modules.Once, modules.Once }

var Foreign = Action{Name: "Foreign", Params: other.Each, Effect: noop} // want `MG423: Each is a package variable`

var Ranging = Action{Name: "Ranging", Effect: noop, Params: func(yield func(modules.None) bool) {
	for p := range other.Each { // want `MG423: Each is a package variable`
		yield(p)
	}
	for p := range first { // want `MG423: first is a package variable`
		yield(p)
	}
}}

var Once = modules.Domain[modules.None](modules.Once)

var Harmless = Action{Name: "Harmless", Effect: noop, Params: Once}
