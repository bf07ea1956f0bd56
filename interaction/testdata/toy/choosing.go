package toy

import "github.com/multigrain/multigrain/modules"

// Nominate starts a server's choice with itself.
var Nominate = Action[One]{
	Name:   "Nominate",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p One) bool { return s.idle(p.I) && s.Vote[p.I] == Nobody },
	Effect: func(s, n *State, p One) {
		n.Vote[p.I] = p.I
		n.Heard[p.I].Add(p.I)
	},
}

// Hear lets i learn the vote of j.
var Hear = Action[Pair]{
	Name:   "Hear",
	Params: modules.EachPair[Server](Servers),
	Guard: func(s *State, p Pair) bool {
		return s.idle(p.I) && s.up(p.J) && s.Vote[p.I] != Nobody && s.Vote[p.J] != Nobody && !s.Heard[p.I].Has(p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.Heard[p.I].Add(p.J)
		if s.abler(s.Vote[p.J], s.Vote[p.I]) {
			n.Vote[p.I] = s.Vote[p.J]
		}
	},
}

// Decide ends the choice of i.
var Decide = Action[One]{
	Name:   "Decide",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p One) bool { return s.idle(p.I) && s.Heard[p.I].IsQuorum(Servers) },
	Effect: func(s, n *State, p One) {
		n.Role[p.I] = MEMBER
		if s.Vote[p.I] == p.I {
			n.Role[p.I] = CHIEF
		}
		n.Chief[p.I] = s.Vote[p.I]
		n.Phase[p.I] = GREETING
	},
}
