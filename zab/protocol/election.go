package protocol

import "github.com/multigrain/multigrain/grains"

// UpdateLeader lets the oracle name a server that looks for a leader, which begins to lead.
//
// Zab.tla: UpdateLeader. Paper: phase 0, whose only property is that it may be right.
var UpdateLeader = Action[One]{
	Name:   "UpdateLeader",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == LOOKING && s.LeaderOracle != p.I
	},
	Effect: func(s, n *State, p One) {
		n.LeaderOracle = p.I
		n.switchToLeader(p.I)
	},
}

// FollowLeader asks the oracle: a server that looks for a leader begins to follow the one that is
// named, or to lead if that is itself.
//
// Zab.tla: FollowLeader.
var FollowLeader = Action[One]{
	Name:   "FollowLeader",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == LOOKING && s.LeaderOracle != NullPoint
	},
	Effect: func(s, n *State, p One) {
		if s.LeaderOracle == p.I {
			n.switchToLeader(p.I)
			return
		}
		n.State[p.I] = FOLLOWING
		n.ZabState[p.I] = DISCOVERY
	},
}

// switchToLeader makes i a leader in Discovery that has heard of itself alone.
func (s *State) switchToLeader(i Server) {
	s.State[i] = LEADING
	s.ZabState[i] = DISCOVERY
	s.Learners[i] = 0
	s.Learners[i].Add(i)
	s.CepochRecv[i].Clear()
	s.CepochRecv[i].Put(i, Cepoch{Connected: true, Epoch: s.AcceptedEpoch[i]})
	s.AckeRecv[i].Clear()
	s.AckeRecv[i].Put(i, Ackepoch{Connected: true, PeerLastEpoch: s.CurrentEpoch[i], PeerHistory: s.History[i]})
	s.AckldRecv[i] = Ackld{Sids: s.Learners[i], Connected: s.Learners[i]}
	s.SendCounter[i] = 0
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "the oracle names any server that looks for a leader, at any time",
	Covers:  []string{"election"},
	Actions: Actions{&UpdateLeader, &FollowLeader},
}
