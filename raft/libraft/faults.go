package libraft

import "github.com/multigrain/multigrain/modules"

var links = modules.Links[Server](Servers)

// Cut breaks the connection between two servers. What is in flight is lost.
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
var Heal = Action[Pair]{
	Name:   "Heal",
	Params: links,
	Guard:  func(s *State, p Pair) bool { return !s.linked(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Net.Mend(p.I, p.J)
		n.Net.Mend(p.J, p.I)
	},
}

// Restart crashes a server and starts it again with its disk. It loses writes that are
// not complete, and messages from and to the server are lost.
//
// Figure 2, "Persistent state on all servers". Code: raft_start.
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) {
		n.start(p.I)
		for j := range Server(Servers) {
			if j != p.I {
				n.Net.Clear(p.I, j)
				n.Net.Clear(j, p.I)
			}
		}
	},
}
