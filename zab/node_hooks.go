package zab

// What the protocol's own steps do otherwise, or note in addition, with the grains node, which
// also run next to a server. With other grains the note functions do nothing and messages are sent
// at once.

// noteProposed notes what i proposed, and in which round, before its election ends.
func (n *State) noteProposed(i Server) {
	if NodeSteps {
		n.Voters[i].Proposed, n.Voters[i].Round = n.CurrentVote[i], n.LogicalClock[i]
	}
}

// noteAnswered notes that i has answered j, or has sent an answer again.
func (n *State) noteAnswered(i, j Server) {
	if LiveNode {
		n.Voters[i].Answered.Add(j)
	}
}

// dropRepeated drops what i's left SyncRequestProcessor has to log a second time.
func (n *State) dropRepeated(i Server) {
	for NodeSteps && !n.LeftRequests[i].Empty() && !n.Disks[i].isLater(n.LeftRequests[i].At(1)) {
		n.LeftRequests[i].PopFront()
	}
}

// receivers returns the learners to which leader i sends, in the same step, what it proposes and
// commits.
func (s *State) receivers(i Server) Set {
	if !sendsAtOnce {
		return 0
	}
	return s.Forwarding[i]
}

// say sends what follower i has to say to its leader j, unless its connection is breaking.
func (n *State) say(i, j Server, m Msg) {
	if !NodeSteps || !n.Beside[i].Unheard {
		n.Msgs.Send(i, j, m)
	}
}
