package pysyncobj

import "github.com/multigrain/multigrain/modules"

var links = modules.Links[Server](Servers)

// Cut breaks the connection between two servers. What is in flight is lost.
//
// Code: __onNodeDisconnected.
var Cut = Action[Pair]{
	Name:   "Cut",
	Params: links,
	Guard:  func(s *State, p Pair) bool { return s.linked(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Net.Cut(p.I, p.J)
		n.Net.Cut(p.J, p.I)
	},
}

// Heal connects two servers again.
//
// Code: __onNodeConnected.
var Heal = Action[Pair]{
	Name:   "Heal",
	Params: links,
	Guard:  func(s *State, p Pair) bool { return !s.linked(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Net.Mend(p.I, p.J)
		n.Net.Mend(p.J, p.I)
	},
}

// Restart crashes a server and starts it again with its journal. Up to 0.3.15 the journal has
// neither the term nor the vote. What is in flight from and to the server is lost.
//
// Figure 2, "Persistent state on all servers". Code: SyncObj.__init__; journal.py FileJournal.
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) {
		n.become(p.I, Follower)
		n.Lead[p.I] = None
		if !fixed16 {
			n.Term[p.I] = 0
			n.Vote[p.I] = None
		}
		n.Commit[p.I] = s.Kept[p.I]
		n.Applied[p.I] = 1
		n.Done[p.I].Clear()
		for j := range Server(Servers) {
			if j != p.I {
				n.Net.Clear(p.I, j)
				n.Net.Clear(j, p.I)
			}
		}
		n.tick(p.I, false)
	},
}
