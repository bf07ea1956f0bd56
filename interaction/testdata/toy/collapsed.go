package toy

import "github.com/multigrain/multigrain/modules"

// Appoint chooses p.I as the chief of p.S in one step, and leaves greeting to them.
var Appoint = Action[Party]{
	Name:   "Appoint",
	Params: modules.Quorums[Server](Servers),
	Guard:  assembles,
	Effect: func(s, n *State, p Party) {
		for k := range Server(Servers) {
			if p.S.Has(k) {
				n.Role[k] = MEMBER
				n.Chief[k] = p.I
				n.Phase[k] = GREETING
			}
		}
		n.Role[p.I] = CHIEF
	},
}

// Finish does a whole job in one step.
var Finish = Action[Pair]{
	Name:   "Finish",
	Params: modules.EachPair[Server](Servers),
	Guard:  finishes,
	Effect: func(s, n *State, p Pair) { n.finish(s, p) },
}

// Nosy does so, too, but of those only that have not heard of the chief, which nobody keeps track of.
var Nosy = Action[Pair]{
	Name:   "Nosy",
	Params: modules.EachPair[Server](Servers),
	Guard:  finishes,
	Effect: func(s, n *State, p Pair) {
		if s.Heard[p.J].Has(p.I) {
			n.finish(s, p)
		}
	},
}

func finishes(s *State, p Pair) bool {
	return s.chief(p.I) && s.Phase[p.I] == WORKING && s.Crew[p.I].Has(p.J) && s.member(p.J) && s.Phase[p.J] == WORKING &&
		s.Term[p.I] == s.Term[p.J] && s.Log[p.I].Len() < MaxJobs && s.Log[p.J].Len() < MaxJobs
}

func (n *State) finish(s *State, p Pair) {
	job := uint8(s.Log[p.I].Len() + 1)
	n.Log[p.I].Append(job)
	n.Log[p.J].Append(job)
}
