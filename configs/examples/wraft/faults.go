package wraft

// Isolate takes a server from the others. What is in flight arrives.
var Isolate = Action[One]{
	Name:   "Isolate",
	Params: each,
	Guard: func(s *State, p One) bool {
		for _, away := range s.Away {
			if away {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p One) { n.Away[p.I] = true },
}

// Return connects an isolated server again.
var Return = Action[One]{
	Name:   "Return",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Away[p.I] },
	Effect: func(s, n *State, p One) { n.Away[p.I] = false },
}
