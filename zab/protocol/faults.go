package protocol

import "github.com/multigrain/multigrain/grains"

// Timeout breaks the connection of leader I and follower J. The follower looks for a leader again;
// so does the leader with all that are connected to it, if they are no quorum any more.
//
// Zab.tla: Timeout.
var Timeout = Action[Pair]{
	Name:   "Timeout",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.follows(p.J, p.I)
	},
	Effect: func(s, n *State, p Pair) {
		n.disconnect(p.I, p.J)
	},
}

// Restart takes a server down and up again: what it has not on disk is gone, and its connections
// break. A server that crashes and stays away is one that restarts and does nothing more.
//
// Zab.tla: Restart.
var Restart = Action[One]{
	Name:   "Restart",
	Params: EachServer,
	Effect: func(s, n *State, p One) {
		switch {
		case s.State[p.I] == LEADING:
			n.leaderShutdown(p.I)
		case s.State[p.I] == FOLLOWING && s.ConnectInfo[p.I] != NullPoint:
			n.disconnect(s.ConnectInfo[p.I], p.I)
		case s.State[p.I] == FOLLOWING:
			n.followerShutdown(p.I)
			n.cleanInput(p.I)
		}
		n.LastCommitted[p.I] = Position{}
	},
}

// disconnect breaks the connection of leader i and follower j; without a quorum the leader gives
// up.
func (s *State) disconnect(i, j Server) {
	if !s.Learners[i].Without(j).IsQuorum(Servers) {
		s.leaderShutdown(i)
		return
	}
	s.giveUpLeader(j, i)
}

// giveUpLeader sends follower i, connected to leader j, back to look for a leader. The leader
// continues without it.
func (s *State) giveUpLeader(i, j Server) {
	s.followerShutdown(i)
	s.removeLearner(j, i)
	s.clean(i, j)
}

// followerShutdown sends i back to look for a leader.
func (s *State) followerShutdown(i Server) {
	s.State[i] = LOOKING
	s.ZabState[i] = ELECTION
	s.ConnectInfo[i] = NullPoint
	s.Halfway.Remove(i)
}

// leaderShutdown sends leader i and all that are connected to it back to look for a leader.
func (s *State) leaderShutdown(i Server) {
	for j := range Server(Servers) {
		if s.Learners[i].Has(j) {
			s.followerShutdown(j)
			s.cleanInput(j)
		}
	}
	s.Learners[i] = 0
}

// removeLearner makes leader i forget its connection to j, but not what j sent.
func (s *State) removeLearner(i, j Server) {
	s.Learners[i].Remove(j)
	if s.CepochRecv[i].Has(j) {
		c := s.CepochRecv[i].At(j)
		c.Connected = false
		s.CepochRecv[i].Put(j, c)
	}
	if s.AckeRecv[i].Has(j) {
		a := s.AckeRecv[i].At(j)
		a.Connected = false
		s.AckeRecv[i].Put(j, a)
	}
	s.AckldRecv[i].Connected.Remove(j)
}

var faultsTimeoutRestart = grains.Grain[State]{
	Name:    "timeout-restart",
	Doc:     "a connection breaks at both ends in one step; a server crashes and starts again in one step",
	Covers:  []string{"faults"},
	Actions: Actions{&Timeout, &Restart},
}
