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
// Each server of p.S hears a quorum that votes for p.I; see hearsVotes.
//
// Paper: figure 5b of Remix, for exactly a majority. ZooKeeper: FastLeaderElection.lookForLeader,
// FastLeaderElection.receivedFollowingNotification, FastLeaderElection.java:1145-1182@3.9.1,
// Leader.getEpochToPropose, Leader.waitForEpochAck, which all stop counting at a majority.
//
// Deviation: the links of the moment decide which votes are heard. In ZooKeeper a link can break
// after a vote has crossed it. That hides nothing: a link matters again when its ends look for a
// leader, and then PartitionStart can break it.
var QuorumElection = Action[Party]{
	Name:   "QuorumElection",
	Params: EachQuorum,
	Guard: func(s *State, p Party) bool {
		if p.S.Len() != Servers/2+1 || !s.isOn(p.I) || !s.isLooking(p.I) {
			return false
		}
		for k := range Server(Servers) {
			if p.S.Has(k) && (!s.isOn(k) || !s.isLooking(k) || s.Msgs.IsCut(p.I, k) || s.isAhead(k, p.I)) {
				return false
			}
		}
		voters := s.votersFor(p.I)
		return s.heardBy(p.I, voters).IsQuorum(Servers) && s.hearsVotes(p, voters)
	},
	Effect: electQuorum,
}

// votersFor returns i with the servers that look for a leader and vote for i by themselves. Such a
// server hears the vote of i, or that of another one that votes for i.
func (s *State) votersFor(i Server) Set {
	voters := Set(0).With(i)
	for before := Set(0); before != voters; {
		before = voters
		for k := range Server(Servers) {
			if s.isOn(k) && s.isLooking(k) && s.atLeastAsRecent(i, k) && !s.heardBy(k, before).Empty() {
				voters.Add(k)
			}
		}
	}
	return voters
}

// hearsVotes reports whether each server of p.S hears a quorum that votes for p.I. The own votes of
// voters count. A server of a greater identity counts the votes of others only, and votes for p.I
// when it follows.
func (s *State) hearsVotes(p Party, voters Set) bool {
	for left := p.S.Without(p.I); !left.Empty(); {
		joined := Set(0)
		for k := range Server(Servers) {
			if left.Has(k) && s.heardBy(k, voters).IsQuorum(Servers) {
				joined.Add(k)
			}
		}
		if joined.Empty() {
			return false
		}
		left, voters = left.Minus(joined), voters.Union(joined)
	}
	return true
}

// heardBy returns those of some servers from which server k hears, with k if it is one of them.
func (s *State) heardBy(k Server, from Set) Set {
	heard := from
	for v := range Server(Servers) {
		if v != k && s.Msgs.IsCut(k, v) {
			heard.Remove(v)
		}
	}
	return heard
}

// Voters returns servers that can elect p.I where QuorumElection or ElectionAndDiscovery is
// enabled. It returns p.S where none of them succeeds p.I, else all that vote for p.I.
func Voters(s *State, p Party) Set {
	willing := s.heardBy(p.I, s.votersFor(p.I))
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
	Node:    nodeElected,
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
