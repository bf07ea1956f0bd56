package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Fast Leader Election at its baseline grain. A server that is LOOKING proposes itself, adopts
// every vote that succeeds its own, and tells the others; once a quorum votes as it does and
// nothing better arrives for a while, it leads or follows. A server that comes late learns from
// those that have left the election whom they follow. Rounds are numbered by logical clocks.
// FastLeaderElection.java, 3.9.1; the action names are the system specification's.
//
// Deviation: a server's notification to itself is counted when it is sent (lookForLeader reads it
// from its own queue). That hides orders in which the server counts others before itself.

// FLELookForLeader: i, which has begun to look for a leader, enters a new round, proposes itself
// and tells everyone. FastLeaderElection.lookForLeader (912 to 945, 3.9.1).
var FLELookForLeader = Action[One]{
	Name:   "FLELookForLeader",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isOn(p.I) && s.isLooking(p.I) && !s.InElection[p.I]
	},
	Effect: func(s, n *State, p One) {
		n.InElection[p.I] = true
		n.lookForLeader(p.I)
	},
}

// FLEReceiveNotmsg: i takes a notification of j's from the network and queues it while it looks for
// a leader. It replies to a LOOKING server whose round is older, or that looks although i does not.
// Messenger.WorkerReceiver.run (232, 3.9.1).
var FLEReceiveNotmsg = Action[Pair]{
	Name:   "FLEReceiveNotmsg",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isOn(p.I) && s.ElectionMsgs.Is(p.J, p.I, NOTIFICATION)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.ElectionMsgs.Recv(p.J, p.I, NOTIFICATION)
		looking := s.State[p.I] == LOOKING
		if looking {
			n.RecvQueue[p.I].Append(m)
		}
		if m.State == LOOKING && (!looking || m.Round < s.LogicalClock[p.I]) {
			n.ElectionMsgs.Send(p.I, p.J, s.notification(p.I))
		}
	},
}

// FLENotmsgTimeout: nothing has arrived for a while, so i sends its vote once more. lookForLeader,
// n == null (951, 3.9.1).
var FLENotmsgTimeout = Action[One]{
	Name:   "FLENotmsgTimeout",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && s.RecvQueue[p.I].Empty() && !s.WaitNotmsg[p.I]
	},
	Effect: func(s, n *State, p One) { n.sendNotifications(p.I) },
}

// FLEHandleNotmsg: i takes a notification from its queue. FastLeaderElection.lookForLeader (946 to
// 1135, 3.9.1).
var FLEHandleNotmsg = Action[One]{
	Name:   "FLEHandleNotmsg",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && !s.WaitNotmsg[p.I] && !s.RecvQueue[p.I].Empty()
	},
	Effect: func(s, n *State, p One) {
		m := n.RecvQueue[p.I].PopFront()
		if m.State == LOOKING {
			n.processLooking(p.I, m)
		} else {
			n.processFollowingOrLeading(p.I, m)
		}
	},
}

// FLEWaitNewNotmsg: i, which has a quorum for its vote, reads what else has arrived. A better vote
// takes it back to voting; anything else is lost. lookForLeader, poll(finalizeWait) (1041, 3.9.1).
var FLEWaitNewNotmsg = Action[One]{
	Name:   "FLEWaitNewNotmsg",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && s.WaitNotmsg[p.I] && !s.RecvQueue[p.I].Empty()
	},
	Effect: func(s, n *State, p One) {
		m := n.RecvQueue[p.I].PopFront()
		if m.Vote.succeeds(s.CurrentVote[p.I]) {
			n.RecvQueue[p.I].Append(m)
			n.WaitNotmsg[p.I] = false
		}
	},
}

// FLEWaitNewNotmsgEnd: nothing else arrives, so i leaves the election: in the system specification
// a case of FLEWaitNewNotmsg. lookForLeader, n == null (1052, 3.9.1).
var FLEWaitNewNotmsgEnd = Action[One]{
	Name:   "FLEWaitNewNotmsgEnd",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && s.WaitNotmsg[p.I] && s.RecvQueue[p.I].Empty()
	},
	Effect: func(s, n *State, p One) { n.leaveElection(p.I, s.CurrentVote[p.I]) },
}

// inElection reports whether i is in a round of the election.
func (s *State) inElection(i Server) bool {
	return s.isOn(i) && s.isLooking(i) && s.InElection[i]
}

// selfVote returns i's vote for itself: getInitId, getInitLastLoggedZxid, getPeerEpoch.
func (s *State) selfVote(i Server) Vote {
	return Vote{Leader: i, Zxid: s.lastProcessedZxid(i), Epoch: s.CurrentEpoch[i]}
}

// notification returns what i tells of itself.
func (s *State) notification(i Server) Notification {
	return Notification{Kind: NOTIFICATION, Source: i, State: s.State[i], Round: s.LogicalClock[i], Vote: s.CurrentVote[i]}
}

// sendNotifications tells everyone i's vote (691, 3.9.1).
func (n *State) sendNotifications(i Server) {
	m := n.notification(i)
	for j := range Server(Servers) {
		if j != i && sendsAtOnce {
			n.ElectionMsgs.Send(i, j, m)
		}
	}
	record(&n.ReceiveVotes[i], m)
}

// processLooking takes the vote m of a server that is LOOKING too (lookForLeader, 990 to 1063,
// 3.9.1).
func (n *State) processLooking(i Server, m Notification) {
	switch {
	case m.Round < n.LogicalClock[i]:
		return
	case m.Round > n.LogicalClock[i]:
		n.LogicalClock[i] = m.Round
		n.ReceiveVotes[i].Clear()
		n.CurrentVote[i] = n.selfVote(i)
		if m.Vote.succeeds(n.CurrentVote[i]) {
			n.CurrentVote[i] = m.Vote
		}
		n.sendNotifications(i)
	case m.Vote.succeeds(n.CurrentVote[i]):
		n.CurrentVote[i] = m.Vote
		n.sendNotifications(i)
	}
	record(&n.ReceiveVotes[i], m)
	c := Ballot{Vote: n.CurrentVote[i], Round: n.LogicalClock[i], State: LOOKING}
	if supporters(&n.ReceiveVotes[i], c, true).IsQuorum(Servers) {
		n.WaitNotmsg[i] = true
	}
}

// processFollowingOrLeading takes the vote m of a server that has left the election:
// receivedFollowingNotification (1145) and receivedLeadingNotification (1184, 3.9.1), in which the
// oracle of two-server ensembles is not modelled.
func (n *State) processFollowingOrLeading(i Server, m Notification) {
	c := Ballot{Vote: m.Vote, Round: m.Round, State: m.State}
	if m.Round == n.LogicalClock[i] {
		record(&n.ReceiveVotes[i], m)
		votes := &n.ReceiveVotes[i]
		if leadersAreOutside {
			votes = &n.OutOfElection[i]
		}
		if supporters(&n.ReceiveVotes[i], c, false).IsQuorum(Servers) && n.checkLeader(i, votes, m) {
			n.leaveElection(i, m.Vote)
			return
		}
	}
	record(&n.OutOfElection[i], m)
	if supporters(&n.OutOfElection[i], c, true).IsQuorum(Servers) && n.checkLeader(i, &n.OutOfElection[i], m) {
		n.leaveElection(i, m.Vote)
		n.LogicalClock[i] = m.Round
	}
}

// checkLeader reports whether the leader that m names is known to lead, or is i itself in its
// current round (792, 3.9.1).
func (s *State) checkLeader(i Server, votes *Ballots, m Notification) bool {
	leader := m.Vote.Leader
	if leader == i {
		return leadersAreOutside || m.Round == s.LogicalClock[i]
	}
	return votes.Has(leader) && votes.At(leader).State == LEADING
}

// leaveElection makes i lead or follow as the vote says and forgets the election: setPeerState
// (899), leaveInstance (661, 3.9.1).
func (n *State) leaveElection(i Server, v Vote) {
	n.noteProposed(i)
	n.CurrentVote[i] = v
	n.InElection[i] = false
	n.forgetElection(i)
	if v.Leader == i {
		n.turnToLeading(i)
	} else {
		n.turnToFollowing(i)
	}
}

var electionBaseline = grains.Grain[State]{
	Node:   nodeVotes,
	Name:   "baseline",
	Doc:    "Fast Leader Election: a step for each notification that arrives, is handled, or does not come.",
	Covers: []string{"election"},
	Actions: Actions{&FLELookForLeader, &FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg,
		&FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd},
	Rules:      []modules.Rule[State]{beginElections},
	Invariants: electionInvariants,
	Budgets:    []modules.Budget[State]{modules.Spend[State]("fle_timeouts", &FLENotmsgTimeout)},
	Models: []string{
		"org.apache.zookeeper.server.quorum.FastLeaderElection.Messenger.WorkerReceiver.run",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.lookForLeader",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.receivedFollowingNotification",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.receivedLeadingNotification",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.sendNotifications",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.totalOrderPredicate",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.getVoteTracker",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.checkLeader",
		"org.apache.zookeeper.server.quorum.FastLeaderElection.leaveInstance",
		"org.apache.zookeeper.server.quorum.QuorumPeer.updateElectionVote",
		"org.apache.zookeeper.server.quorum.Vote.equals",
		quorumOfVotes,
	},
}
