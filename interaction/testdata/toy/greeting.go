package toy

import "github.com/multigrain/multigrain/modules"

// SendHELLO tells the chief who is there.
var SendHELLO = Action[Pair]{
	Name:   "SendHELLO",
	Params: modules.EachPair[Server](Servers),
	Guard: func(s *State, p Pair) bool {
		return s.member(p.I) && s.Phase[p.I] == GREETING && s.Chief[p.I] == p.J && s.chief(p.J) && !s.Asked[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		n.Asked[p.I] = true
		n.Msgs.Send(p.I, p.J, Msg{Kind: HELLO, Term: s.Term[p.I]})
	},
}

// ProcessHELLO fixes the next term.
var ProcessHELLO = Action[Pair]{
	Name:   "ProcessHELLO",
	Params: modules.EachPair[Server](Servers),
	Guard:  func(s *State, p Pair) bool { return s.chief(p.I) && s.Msgs.Is(p.J, p.I, HELLO) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, HELLO)
		if s.Draft[p.I] == 0 {
			n.Draft[p.I] = min(max(m.Term, s.Term[p.I])+1, MaxTerm)
		}
		n.Crew[p.I].Add(p.J)
		n.Msgs.Send(p.I, p.J, Msg{Kind: WELCOME, Term: n.Draft[p.I]})
	},
}

// ProcessWELCOME takes a member to work.
var ProcessWELCOME = Action[Pair]{
	Name:   "ProcessWELCOME",
	Params: modules.EachPair[Server](Servers),
	Guard: func(s *State, p Pair) bool {
		return s.member(p.I) && s.Phase[p.I] == GREETING && s.Msgs.Is(p.J, p.I, WELCOME)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, WELCOME)
		n.Term[p.I] = m.Term
		n.Phase[p.I] = WORKING
	},
}

// Open takes a chief to work.
var Open = Action[One]{
	Name:   "Open",
	Params: modules.Each[Server](Servers),
	Guard: func(s *State, p One) bool {
		return s.chief(p.I) && s.Phase[p.I] == GREETING && s.Crew[p.I].With(p.I).IsQuorum(Servers)
	},
	Effect: func(s, n *State, p One) {
		n.Term[p.I] = s.Draft[p.I]
		n.Phase[p.I] = WORKING
		n.ChiefsOf[s.Draft[p.I]].Add(p.I)
	},
}
