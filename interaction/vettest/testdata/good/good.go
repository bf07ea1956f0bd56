// Package good is a specification without findings.
package good

import "github.com/multigrain/multigrain/modules"

type State struct {
	Clock uint8
	// Epoch is read by nobody.
	Epoch uint8
}

var Step = modules.Action[State, modules.None]{
	Name:   "Step",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return touch(s) },
	Effect: func(s, n *State, _ modules.None) { n.Clock = s.Clock + 1 },
}

func touch(s *State) bool { return s.Clock < 3 }
