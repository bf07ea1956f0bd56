package sandtable

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Fast Leader Election of ZooKeeper 3.4.3. The actions are those of package zab with variant
// v3.4.3.

// FLELookForLeader: i, which has begun to look for a leader, enters a new round, proposes itself
// and tells everyone.
var FLELookForLeader = Action[One]{
	Name:   "FLELookForLeader",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isOn(p.I) && s.isLooking(p.I) && !s.InElection[p.I] },
	Effect: func(s, n *State, p One) {
		n.InElection[p.I] = true
		n.LogicalClock[p.I]++
		n.CurrentVote[p.I] = s.selfVote(p.I)
		n.sendNotifications(p.I)
	},
}

// FLEReceiveNotmsg: i takes a notification of j's from the network and queues it while it looks for
// a leader. It replies to a LOOKING server whose round is older, or that looks although i does not.
var FLEReceiveNotmsg = Action[Pair]{
	Name:   "FLEReceiveNotmsg",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.isOn(p.I) && s.ElectionMsgs.Is(p.J, p.I, NOTIFICATION) },
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

// FLENotmsgTimeout: nothing has arrived for a while, so i sends its vote once more.
var FLENotmsgTimeout = Action[One]{
	Name:   "FLENotmsgTimeout",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && s.RecvQueue[p.I].Empty() && !s.WaitNotmsg[p.I]
	},
	Effect: func(s, n *State, p One) { n.sendNotifications(p.I) },
}

// FLEHandleNotmsg: i takes a notification from its queue.
var FLEHandleNotmsg = Action[One]{
	Name:   "FLEHandleNotmsg",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && !s.WaitNotmsg[p.I] && !s.RecvQueue[p.I].Empty()
	},
	Effect: func(s, n *State, p One) {
		if m := n.RecvQueue[p.I].PopFront(); m.State == LOOKING {
			n.processLooking(p.I, m)
		} else {
			n.processFollowingOrLeading(p.I, m)
		}
	},
}

// FLEWaitNewNotmsg: i, which has a quorum for its vote, reads what else has arrived. A better vote
// takes it back to voting; anything else is lost.
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

// FLEWaitNewNotmsgEnd: nothing else arrives, so i leaves the election.
var FLEWaitNewNotmsgEnd = Action[One]{
	Name:   "FLEWaitNewNotmsgEnd",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && s.WaitNotmsg[p.I] && s.RecvQueue[p.I].Empty()
	},
	Effect: func(s, n *State, p One) { n.leaveElection(p.I, s.CurrentVote[p.I]) },
}

// beginElections: after every step of another module, a server that does not run forgets what it
// knew, and notifications travel between servers that run and reach each other.
var beginElections = modules.AfterAny(func(s, n *State) {
	n.connectElection()
	for k := range Server(Servers) {
		if !n.isOn(k) {
			n.forgetElection(k)
			n.CurrentVote[k] = Vote{}
			n.LogicalClock[k] = 0
		}
	}
}, &FLELookForLeader, &FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd)

// connectElection breaks the connections to servers that do not run or cannot be reached, and makes
// those that can be made.
func (n *State) connectElection() {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			up := n.isOn(i) && n.isOn(j) && !n.Msgs.IsCut(i, j)
			switch {
			case up && n.ElectionMsgs.IsCut(i, j):
				n.ElectionMsgs.Mend(i, j)
			case !up && !n.ElectionMsgs.IsCut(i, j):
				n.ElectionMsgs.Cut(i, j)
			}
		}
	}
}

// forgetElection drops what i has received in an election.
func (n *State) forgetElection(i Server) {
	n.InElection[i] = false
	n.RecvQueue[i].Clear()
	n.ReceiveVotes[i].Clear()
	n.OutOfElection[i].Clear()
	n.WaitNotmsg[i] = false
}

// inElection reports whether i is in a round of the election.
func (s *State) inElection(i Server) bool { return s.isOn(i) && s.isLooking(i) && s.InElection[i] }

// selfVote returns i's vote for itself.
func (s *State) selfVote(i Server) Vote { return Vote{Leader: i, Epoch: s.CurrentEpoch[i]} }

// notification returns what i tells of itself.
func (s *State) notification(i Server) Notification {
	return Notification{Kind: NOTIFICATION, Source: i, State: s.State[i], Round: s.LogicalClock[i],
		Vote: s.CurrentVote[i]}
}

// sendNotifications sends i's vote to everyone, itself included, which counts it at once.
func (n *State) sendNotifications(i Server) {
	m := n.notification(i)
	for j := range Server(Servers) {
		if j != i {
			n.ElectionMsgs.Send(i, j, m)
		}
	}
	record(&n.ReceiveVotes[i], m)
}

// processLooking takes the vote m of a server that is LOOKING too.
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
	c := Ballot{Vote: n.CurrentVote[i], Round: n.LogicalClock[i]}
	if supporters(&n.ReceiveVotes[i], c, true).IsQuorum(Servers) {
		n.WaitNotmsg[i] = true
	}
}

// processFollowingOrLeading takes the vote m of a server that has left the election.
func (n *State) processFollowingOrLeading(i Server, m Notification) {
	c := Ballot{Vote: m.Vote, Round: m.Round, State: m.State}
	if m.Round == n.LogicalClock[i] {
		record(&n.ReceiveVotes[i], m)
		if supporters(&n.ReceiveVotes[i], c, false).IsQuorum(Servers) && n.checkLeader(i, m.Vote.Leader) {
			n.leaveElection(i, m.Vote)
			return
		}
	}
	record(&n.OutOfElection[i], m)
	if supporters(&n.OutOfElection[i], c, true).IsQuorum(Servers) && n.checkLeader(i, m.Vote.Leader) {
		n.LogicalClock[i] = m.Round
		n.leaveElection(i, m.Vote)
	}
}

// checkLeader reports whether i is the leader itself, or the leader is known to lead from outside
// the election: FastLeaderElection.checkLeader (607 to 627, 850, 3.4.3).
func (s *State) checkLeader(i, leader Server) bool {
	votes := &s.OutOfElection[i]
	return leader == i || votes.Has(leader) && votes.At(leader).State == LEADING
}

// leaveElection makes i lead or follow as the vote says, and forgets the election.
func (n *State) leaveElection(i Server, v Vote) {
	n.CurrentVote[i] = v
	n.forgetElection(i)
	if v.Leader == i {
		n.turnToLeading(i)
	} else {
		n.turnToFollowing(i)
	}
}

var electionBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A step for each notification that arrives, is handled, or does not come.",
	Covers: []string{"election"},
	Actions: Actions{&FLELookForLeader, &FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg,
		&FLEWaitNewNotmsgEnd},
	Rules:   []modules.Rule[State]{beginElections},
	Budgets: []modules.Budget[State]{modules.Spend[State]("fle_timeouts", &FLENotmsgTimeout)},
}
