package toy

import "github.com/multigrain/multigrain/modules"

// Forgetful does not note the crew.
var Forgetful = Action[Party]{
	Name:   "Forgetful",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		term := n.adopt(s, p)
		n.Role[p.I] = CHIEF
		n.ChiefsOf[term].Add(p.I)
	},
}

// Inventive wipes the logs of the crew.
var Inventive = Action[Party]{
	Name:   "Inventive",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		term := n.adopt(s, p)
		n.Role[p.I] = CHIEF
		n.Crew[p.I] = p.S.Without(p.I)
		n.Log[p.I].Clear()
		n.ChiefsOf[term].Add(p.I)
	},
}

// Stale tests a vote that nobody casts any more.
var Stale = Action[Party]{
	Name:   "Stale",
	Params: modules.Quorums[Server](Servers),
	Guard: func(s *State, p Party) bool {
		return assembles(s, p) &&
			s.Vote[p.I] == Nobody
	},
	Effect: Assemble.Effect,
}

// Vacuous does not keep the variable that only the property reads.
var Vacuous = Action[Party]{
	Name:   "Vacuous",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		n.adopt(s, p)
		n.Role[p.I] = CHIEF
		n.Crew[p.I] = p.S.Without(p.I)
	},
}

// Confused sends the chief back to choosing.
var Confused = Action[Party]{
	Name:   "Confused",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		term := n.adopt(s, p)
		n.Role[p.I] = CHIEF
		n.Phase[p.I] = CHOOSING
		n.Crew[p.I] = p.S.Without(p.I)
		n.ChiefsOf[term].Add(p.I)
	},
}

// Talkative sends greetings that nobody takes.
var Talkative = Action[Party]{
	Name:   "Talkative",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		term := n.adopt(s, p)
		n.Role[p.I] = CHIEF
		n.Crew[p.I] = p.S.Without(p.I)
		n.ChiefsOf[term].Add(p.I)
		for k := range Server(Servers) {
			if p.S.Has(k) && k != p.I {
				n.Msgs.Send(p.I, k, Msg{Kind: WELCOME, Term: term})
			}
		}
	},
}
