// Package helped is a specification with a package of values.
package helped

import (
	"github.com/multigrain/multigrain/interaction/vettest/testdata/helped/values"
	"github.com/multigrain/multigrain/modules"
)

// State is the State.
type State struct{ Turn values.Turn }

// Step takes a turn.
var Step = modules.Action[State, modules.None]{
	Name:   "Step",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) {
		n.Turn = s.Turn.Next()
		n.Turn.Reset()
	},
}
