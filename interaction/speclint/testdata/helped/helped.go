// Package helped is a specification that calls functions of another package.
package helped

import (
	"github.com/multigrain/multigrain/modules"

	"specs/helped/values"
)

type State struct{ Last, Next values.Zxid }

var Step = modules.Action[State, modules.None]{
	Name:   "Step",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Last.After(s.Next) },
	Effect: func(s, n *State, _ modules.None) {
		n.Last = values.First([2]values.Zxid{s.Next, s.Last})
		n.Last.Raise()                           // want `MG438: \(\*specs/helped/values.Zxid\).Raise is not known`
		n.Last.Epoch = int8(values.Random(3))    // want `MG438: specs/helped/values.Random is not known`
		n.Last = values.Largest()                // want `MG438: specs/helped/values.Largest`
		n.Last.Epoch = int8(values.Hour())       // want `MG438: specs/helped/values.Hour`
		n.Last = values.Any(s.Last)              // want `MG438: specs/helped/values.Any`
		n.Last.Epoch = values.Half(s.Last.Epoch) // want `MG438: specs/helped/values.Half`
	},
}
