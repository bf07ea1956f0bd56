package zab

import "github.com/multigrain/multigrain/modules"

// boundEpochs is the rule of the baseline grain that keeps to the bound of epochs: a leader does
// not propose a later one.
var boundEpochs = modules.When(&LeaderProcessFOLLOWERINFO, func(s *State, p Pair) bool {
	epoch := max(s.TempMaxEpoch[p.I], s.Msgs.Peek(p.J, p.I, FOLLOWERINFO).Zxid.Epoch+1)
	return !s.waitingForNewEpoch(p.I) || epoch <= MaxEpochs
})

// forgetConnecting is the rule of the baseline grain. A leader that continues without a learner
// sends it the epoch again when the learner comes back. A leader that gives up forgets who has
// connected. ZooKeeper: LearnerHandler.shutdown, and that Leader is an object of one term.
var forgetConnecting = modules.AfterAny(func(s, n *State) {
	for k := range Server(Servers) {
		if s.State[k] == LEADING && n.State[k] != LEADING {
			n.Connecting[k] = Contacts{}
			n.TempMaxEpoch[k] = 0
			continue
		}
		if s.State[k] == LEADING {
			gone := s.Learners[k].Minus(n.Learners[k])
			n.Connecting[k].Connected = n.Connecting[k].Connected.Minus(gone)
		}
	}
})
