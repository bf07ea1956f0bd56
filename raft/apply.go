package raft

// Apply hands what is committed to the state machine.
//
// Figure 2, "All Servers": lastApplied. Code: rawnode.go newStorageApplyMsg and MsgStorageApplyResp, raft.go appliedTo.
var Apply = Action[One]{
	Name:   "Apply",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Applied[p.I] < s.appliable(p.I) },
	Effect: func(s, n *State, p One) { n.applyTo(p.I, s.appliable(p.I)) },
}

// applyAll is the state machine of a process that applies in the step that commits: RawNode without AsyncStorageWrites.
func applyAll(s, n *State) {
	for i := range Server(Servers) {
		if n.Applied[i] < n.appliable(i) {
			n.applyTo(i, n.appliable(i))
		}
	}
}
