package chain

import "github.com/multigrain/multigrain/grains"

// Detect removes a server that has failed from the chain.
var Detect = Action[One]{
	Name:   "Detect",
	Actor:  "master",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return !s.Alive[p.I] && s.Chain.Has(p.I) },
	Effect: func(s, n *State, p One) {
		n.Chain.Remove(p.I)
		n.Views = s.Views + 1
	},
}

// Tell sends the chain to a server of it, or to the client.
var Tell = Action[One]{
	Name:   "Tell",
	Actor:  "master",
	Params: eachTold,
	Guard: func(s *State, p One) bool {
		return s.Told[p.I] < s.Views && (p.I == Client || s.Chain.Has(p.I))
	},
	Effect: func(s, n *State, p One) {
		n.Told[p.I] = s.Views
		n.Msgs.Send(Master, p.I, Msg{Kind: VIEW, Chain: s.Chain})
	},
}

var masterBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"master"},
	Actions: Actions{&Detect, &Tell},
}
