package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// A coarser grain of Election and Discovery than their baselines and a finer one than
// ElectionAndDiscovery, which takes all servers at once: with three servers that loses the server
// that joins late.

// QuorumElection elects p.I with exactly a quorum p.S of servers that look for a leader and reach
// it. p.I is the most recent of them. Servers that are left out may join later.
//
// The identity of a server counts for the votes only: among a quorum of equal histories any may be
// heard first.
//
// Paper: figure 5b of Remix, for exactly a majority. ZooKeeper: FastLeaderElection.lookForLeader,
// Leader.getEpochToPropose, Leader.waitForEpochAck, which all stop counting at a majority.
//
// Deviation: a server of p.S whose own vote succeeds that of p.I need not reach those that vote for
// p.I. In ZooKeeper it follows p.I only if it hears their votes, too: see JoinLeader. That hides
// nothing: it adds behaviours of three or more servers.
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

// Voters returns servers that can elect p.I where QuorumElection or ElectionAndDiscovery is
// enabled. It returns p.S where none of them succeeds p.I, else all that vote for p.I.
func Voters(s *State, p Party) Set {
	willing := Set(0).With(p.I)
	for k := range Server(Servers) {
		if k != p.I && s.isOn(k) && s.isLooking(k) && !s.Msgs.IsCut(p.I, k) && s.atLeastAsRecent(p.I, k) {
			willing.Add(k)
		}
	}
	if p.S.Minus(willing) == 0 {
		return p.S
	}
	return willing
}

// JoinLeader takes p.J, which looks for a leader, to the leader p.I, which has its quorum. It has
// to hear equal votes for p.I from a quorum of those that lead or follow. A vote has the epoch of
// the election until its server serves (QuorumPeer.updateElectionVote).
//
// ZooKeeper: FastLeaderElection.receivedFollowingNotification,
// FastLeaderElection.java:1145-1182@3.9.1, receivedLeadingNotification, Vote.equals. Then as
// QuorumElection.
//
// Deviation: a follower that has joined late and does not serve yet counts with either epoch. The
// specification does not know which epoch it saw when it joined. Votes of an earlier election that
// are still in flight do not count. The first shows joins that are impossible in ZooKeeper. The
// second lacks joins that such votes let through. That hides a join that is also possible later, or
// to a leader that the joiner finds gone.
var JoinLeader = Action[Pair]{
	Name:   "JoinLeader",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isOn(p.I) && s.State[p.I] == LEADING && s.isOn(p.J) && s.isLooking(p.J) && !s.Msgs.IsCut(p.I, p.J) &&
			s.AcceptedEpoch[p.J] <= s.AcceptedEpoch[p.I] && s.hearsQuorum(p.J, p.I)
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

// hearsQuorum reports whether j can hear equal votes for leader i from a quorum.
func (s *State) hearsQuorum(j, i Server) bool {
	serves := s.ZabState[i] == BROADCAST
	before, now := Set(0), Set(0) // who may vote with the epoch of the election, and with that of i
	for k := range Server(Servers) {
		if k == j || !s.isOn(k) || s.Msgs.IsCut(j, k) || k != i && (s.State[k] != FOLLOWING || s.LeaderAddr[k] != i) {
			continue
		}
		if !serves || s.ZabState[k] != BROADCAST && k != i {
			before.Add(k)
		}
		if serves && (s.ZabState[k] == BROADCAST || !s.Electing[i].Has(k) || !s.Electing[i].At(k).InQuorum) {
			now.Add(k)
		}
	}
	return before.IsQuorum(Servers) || now.IsQuorum(Servers)
}

// memoryAtLog reports whether each follower that does not serve yet has in memory what it has in
// its log. If it loses its leader, ZooKeeper leaves its memory as it is. With one history for both
// (option disk) the specification brings the memory up to the log.
//
// ZooKeeper: ZooKeeperServer.canShutdown.
func memoryAtLog(s *State) bool {
	for i := range Server(Servers) {
		if s.isOn(i) && s.State[i] == FOLLOWING && s.ServingState[i] == INITIAL && s.History[i].Len() > int(s.LastProcessed[i]) {
			return false
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
	AtNode:  besideElection,
	Name:    "coarse-join",
	Doc:     "Election and Discovery of a majority in one step, and of each further server in one more.",
	Actions: Actions{&QuorumElection, &JoinLeader},
	Budgets: []modules.Budget[State]{modules.Spend[State]("epochs", &QuorumElection)},
	Models:  []string{},
	Constraints: []modules.Invariant[State]{{
		ID:    "memory-at-log",
		Doc:   "A follower has nothing in its log that its memory lacks until it serves.",
		State: memoryAtLog,
	}},
}, electionBaseline, discoveryBaseline)
