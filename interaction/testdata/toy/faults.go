package toy

import "github.com/multigrain/multigrain/modules"

// Crash stops a server: it keeps its log and its term.
var Crash = Action[One]{
	Name:   "Crash",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p One) bool { return s.up(p.I) },
	Effect: func(s, n *State, p One) {
		n.Up.Remove(p.I)
		n.Role[p.I] = IDLE
		n.Phase[p.I] = CHOOSING
		n.Vote[p.I] = Nobody
		n.Heard[p.I] = 0
		n.Chief[p.I] = Nobody
		n.Draft[p.I] = 0
		n.Asked[p.I] = false
		n.Crew[p.I] = 0
		n.Duty[p.I] = Duty{}
		for j := range Server(Servers) {
			n.Msgs.Cut(p.I, j)
			n.Msgs.Cut(j, p.I)
		}
	},
}

// Start brings a server back.
var Start = Action[One]{
	Name:   "Start",
	Params: modules.Each[Server](Servers),
	Guard:  func(s *State, p One) bool { return !s.up(p.I) },
	Effect: func(s, n *State, p One) {
		n.Up.Add(p.I)
		for j := range Server(Servers) {
			if s.up(j) {
				n.Msgs.Mend(p.I, j)
				n.Msgs.Mend(j, p.I)
			}
		}
	},
}
