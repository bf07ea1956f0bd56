package chain

import "github.com/multigrain/multigrain/grains"

// Reconfigure is Detect, and Tell for every node, in one step.
var Reconfigure = Action[One]{
	Name:   "Reconfigure",
	Actor:  "master",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return !s.Alive[p.I] && s.Chain.Has(p.I) },
	Effect: func(s, n *State, p One) {
		n.Chain.Remove(p.I)
		for j := range Node(Servers) {
			if n.Chain.Has(j) {
				n.Msgs.Send(Master, j, Msg{Kind: VIEW, Chain: n.Chain})
			}
		}
		n.Msgs.Send(Master, Client, Msg{Kind: VIEW, Chain: n.Chain})
	},
}

var masterCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Actions: Actions{&Reconfigure},
}, masterBaseline)
