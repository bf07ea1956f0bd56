package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// A coarser grain of Election and Discovery than their baselines and a finer one than ElectionAndDiscovery, which takes all servers
// at once: with three servers that loses the server that joins late.

// QuorumElection elects p.I with exactly a quorum p.S, of servers that look for a leader and reach it, and of which p.I is the
// most recent. Who is left out may join later.
//
// The identity of a server counts for the votes only: among a quorum of equal histories any may be heard first.
//
// Paper: figure 5b of Remix, for exactly a majority. ZooKeeper: FastLeaderElection.lookForLeader, Leader.getEpochToPropose,
// Leader.waitForEpochAck, which all stop counting at a majority.
var QuorumElection = Action[Party]{
	Name:   "QuorumElection",
	Params: EachQuorum,
	Guard: func(s *State, p Party) bool {
		if p.S.Len() != Servers/2+1 || !s.isOn(p.I) || !s.isLooking(p.I) {
			return false
		}
		voters := Set(0)
		for k := range Server(Servers) {
			able := s.isOn(k) && s.isLooking(k) && !s.Msgs.IsCut(p.I, k)
			if able && s.atLeastAsRecent(p.I, k) {
				voters.Add(k)
			}
			if p.S.Has(k) && (!able || s.isAhead(k, p.I)) {
				return false
			}
		}
		return voters.With(p.I).IsQuorum(Servers)
	},
	Effect: electQuorum,
}

// JoinLeader takes p.J, which looks for a leader, to the leader p.I, which has its quorum.
var JoinLeader = Action[Pair]{
	Name:   "JoinLeader",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isOn(p.I) && s.State[p.I] == LEADING && s.isOn(p.J) && s.isLooking(p.J) && !s.Msgs.IsCut(p.I, p.J) &&
			s.AcceptedEpoch[p.J] <= s.AcceptedEpoch[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		i, j := p.I, p.J
		n.State[j] = FOLLOWING
		n.ZabState[j] = SYNCHRONIZATION
		n.AcceptedEpoch[j] = s.AcceptedEpoch[i]
		n.InitialHistory[j] = Number(s.History[j].Len())
		n.LeaderAddr[j] = i
		n.PacketsSync[j] = Packets{}
		n.Learners[i].Add(j)
		z := s.memoryZxid(j)
		was := Elector{}
		if s.Electing[i].Has(j) {
			was = s.Electing[i].At(j)
		}
		n.Electing[i].Put(j, Elector{PeerLastZxid: z, InQuorum: was.InQuorum})
	},
}

// equalVotes reports whether each server that looks for a leader can join the leader that serves.
//
// A server that looks for a leader needs a quorum with equal votes, without its own. The others
// change the epoch of their votes when they begin to serve.
//
// Deviation: JoinLeader does not ask for equal votes, so it allows more than ZooKeeper does. That
// hides no bug. It can report a violation that no server comes to.
//
// ZooKeeper: QuorumPeer.updateElectionVote in Learner.syncWithLeader and Leader.startZkServer,
// FastLeaderElection.lookForLeader.
func equalVotes(s *State) bool {
	for i := range Server(Servers) {
		if !s.isOn(i) || s.State[i] != LEADING || s.ServingState[i] != RUNNING {
			continue
		}
		votes := Set(0).With(i)
		for k := range Server(Servers) {
			if s.isOn(k) && s.State[k] == FOLLOWING && s.LeaderAddr[k] == i && s.ServingState[k] == RUNNING {
				votes.Add(k)
			}
		}
		for j := range Server(Servers) {
			if s.isOn(j) && s.isLooking(j) && !votes.IsQuorum(Servers) {
				return false
			}
		}
	}
	return true
}

// isAhead reports whether the history of k is more recent than that of i, whatever their numbers.
func (s *State) isAhead(k, i Server) bool {
	if s.CurrentEpoch[k] != s.CurrentEpoch[i] {
		return s.CurrentEpoch[k] > s.CurrentEpoch[i]
	}
	return s.lastProcessedZxid(k).After(s.lastProcessedZxid(i))
}

var electionDiscoveryCoarseJoin = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse-join",
	Doc:     "Election and Discovery of a majority in one step, and of each further server in one more.",
	Actions: Actions{&QuorumElection, &JoinLeader},
	Budgets: []modules.Budget[State]{modules.Spend[State]("epochs", &QuorumElection)},
	Models:  []string{},
	Constraints: []modules.Invariant[State]{{
		ID:    "equal-votes",
		Doc:   "A server that looks for a leader finds a quorum of equal votes, or no leader that serves.",
		State: equalVotes,
	}},
}, electionBaseline, discoveryBaseline)
