package protocol

import "github.com/multigrain/multigrain/grains"

// Step f.2.1 in two halves. NEWLEADER stays at the head of the channel until the second half, which
// acknowledges it; between them a follower is in Halfway, so that a restart or a broken connection
// there leaves one half done on disk.

// FollowerUpdateHistory is the first half of f.2.1 as section 5.4 of the multi-grained paper
// improves it: the history is replaced while the epoch is still the old one.
//
// Paper: step f.2.1, 2).
var FollowerUpdateHistory = Action[Pair]{
	Name:   "FollowerUpdateHistory",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && !s.Halfway.Has(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		m := s.Msgs.Peek(p.J, p.I, NEWLEADER)
		if n.beginAccepting(p.I, p.J, m.Epoch) {
			n.History[p.I] = m.History
		}
	},
}

// FollowerUpdateEpoch is the second half: the epoch follows and NEWLEADER is acknowledged.
//
// Paper: step f.2.1, 1) and the acknowledgement.
var FollowerUpdateEpoch = Action[Pair]{
	Name:   "FollowerUpdateEpoch",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.Halfway.Has(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, NEWLEADER)
		n.Halfway.Remove(p.I)
		n.CurrentEpoch[p.I] = m.Epoch
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACKLD, Zxid: lastZxid(&m.History)})
	},
}

// FollowerUpdateEpochFirst is the first half of f.2.1 in the order of the paper's text, and of
// ZooKeeper 3.9.1: the epoch is raised while the history is still the old one.
//
// Paper: step f.2.1, 1). ZooKeeper: Learner.syncWithLeader, case NEWLEADER.
var FollowerUpdateEpochFirst = Action[Pair]{
	Name:   "FollowerUpdateEpochFirst",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && !s.Halfway.Has(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		m := s.Msgs.Peek(p.J, p.I, NEWLEADER)
		if n.beginAccepting(p.I, p.J, m.Epoch) {
			n.CurrentEpoch[p.I] = m.Epoch
		}
	},
}

// FollowerUpdateHistoryLast is the second half: the history follows and NEWLEADER is acknowledged.
//
// Paper: step f.2.1, 2) and the acknowledgement.
var FollowerUpdateHistoryLast = Action[Pair]{
	Name:   "FollowerUpdateHistoryLast",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, NEWLEADER) && s.Halfway.Has(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, NEWLEADER)
		n.Halfway.Remove(p.I)
		n.History[p.I] = m.History
		n.Msgs.Send(p.I, p.J, Msg{Kind: ACKLD, Zxid: lastZxid(&m.History)})
	},
}

// beginAccepting marks i as halfway through f.2.1 of epoch e and reports whether it is: if i has
// accepted another epoch since, it gives up leader j.
func (s *State) beginAccepting(i, j Server, e uint8) bool {
	if s.AcceptedEpoch[i] != e {
		s.giveUpLeader(i, j)
		return false
	}
	if s.ZabState[i] != SYNCHRONIZATION {
		s.Raised.Raise(StateInconsistent)
	}
	s.Halfway.Add(i)
	return true
}

var synchronizationHistoryFirst = grains.Refine(grains.Grain[State]{
	Name: "history-first",
	Doc:  "a follower takes over the history and then the epoch, as the improved protocol asks",
	Actions: Actions{
		&FollowerUpdateHistory, &FollowerUpdateEpoch, &LeaderProcessACKLD, &FollowerProcessCOMMITLD,
	},
}, synchronizationAtomic)

var synchronizationEpochFirst = grains.Refine(grains.Grain[State]{
	Name: "epoch-first",
	Doc:  "a follower takes over the epoch and then the history, which is wrong",
	Actions: Actions{
		&FollowerUpdateEpochFirst, &FollowerUpdateHistoryLast, &LeaderProcessACKLD, &FollowerProcessCOMMITLD,
	},
}, synchronizationAtomic)
