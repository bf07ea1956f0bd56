// Package bad has a finding in its state and one behind a call.
package bad

import "github.com/multigrain/multigrain/modules"

type State struct {
	Clock uint8
	// Epoch is read by nobody.
	Epoch uint8
	// Log is not flat.
	Log []uint8
}

var Step = modules.Action[State, modules.None]{
	Name:   "Step",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return touch(s) },
	Effect: func(s, n *State, _ modules.None) { n.Clock = s.Clock + 1 },
}

func touch(s *State) bool { s.Clock = 0; return true }
