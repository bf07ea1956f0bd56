package raft

import "github.com/multigrain/multigrain/modules"

// readLocally declares what one server sees of ReadIndex. Of a read it matters which one it is and
// which server was asked. It does not matter what its client knows.
var readLocally = modules.Local[State]{Of: &ReadIndex, Actions: []modules.AnyAction[State]{&AskRead}}

// AskRead asks a server for the read whose number is in Asked: ReadIndex.
var AskRead = Action[One]{
	Name:   "AskRead",
	Params: each,
	Guard: func(s *State, p One) bool {
		return LocalReads && (s.Role[p.I] == Leader || s.Role[p.I] == Follower && s.Lead[p.I] != None)
	},
	Effect: func(s, n *State, p One) {
		for k := range s.Asked {
			n.passRead(p.I, s.Asked[k])
		}
	},
}
