package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// FastLeaderElection.tla. A server that is LOOKING proposes itself, adopts every vote that succeeds
// its own, and tells the others. Once a quorum votes as it does and nothing better arrives, it
// leads or follows.

// FLEReceiveNotmsg: i takes a notification of j's from the network, and queues it while it looks
// for a leader. It replies to a LOOKING server of an earlier round, or that looks although i does
// not.
var FLEReceiveNotmsg = Action[Pair]{
	Name:   "FLEReceiveNotmsg",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isOn(p.I) && s.ElectionMsgs.Is(p.J, p.I, tla.NOTIFICATION)
	},
	Effect: func(s, n *State, p Pair) {
		m := n.ElectionMsgs.Recv(p.J, p.I, tla.NOTIFICATION)
		looking := s.State[p.I] == tla.LOOKING
		if looking {
			n.withdrawTimeout(p.I)
			n.RecvQueue[p.I].Append(m)
		}
		if m.State == tla.LOOKING && (!looking || m.Round < s.LogicalClock[p.I]) {
			n.ElectionMsgs.Send(p.I, p.J, s.notification(p.I))
		}
	},
}

// FLENotmsgTimeout marks in i's queue that nothing has arrived. The next notification removes the
// mark.
var FLENotmsgTimeout = Action[One]{
	Name:   "FLENotmsgTimeout",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.inElection(p.I) && s.RecvQueue[p.I].Empty() },
	Effect: func(s, n *State, p One) {
		n.RecvQueue[p.I].Append(tla.Notification{Kind: tla.NONE, Source: tla.NullPoint})
	},
}

// FLEHandleNotmsg: i takes a notification, or the mark of a time-out, from its queue.
var FLEHandleNotmsg = Action[One]{
	Name:   "FLEHandleNotmsg",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && !s.WaitNotmsg[p.I] && !s.RecvQueue[p.I].Empty()
	},
	Effect: func(s, n *State, p One) {
		m := n.RecvQueue[p.I].PopFront()
		switch {
		case m.Kind == tla.NONE:
			n.sendNotifications(p.I)
		case m.State == tla.LOOKING:
			n.processLooking(p.I, m)
		default:
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
		return s.inElection(p.I) && s.WaitNotmsg[p.I] && !s.waitedEnough(p.I)
	},
	Effect: func(s, n *State, p One) {
		m := n.RecvQueue[p.I].PopFront()
		if m.Vote.Succeeds(s.CurrentVote[p.I]) {
			n.RecvQueue[p.I].Append(m)
			n.WaitNotmsg[p.I] = false
		}
	},
}

// FLEWaitNewNotmsgEnd: nothing else arrives, so i leaves the election. TLA+: the other case of
// FLEWaitNewNotmsg.
var FLEWaitNewNotmsgEnd = Action[One]{
	Name:   "FLEWaitNewNotmsgEnd",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.inElection(p.I) && s.WaitNotmsg[p.I] && s.waitedEnough(p.I)
	},
	Effect: func(s, n *State, p One) {
		c := tla.Ballot{Vote: s.CurrentVote[p.I], Round: s.LogicalClock[p.I]}
		n.leaveElection(p.I, c.Vote, supporters(&s.ReceiveVotes[p.I], c, p.I))
	},
}

// inElection reports whether i takes part in an election.
func (s *State) inElection(i Server) bool { return s.isOn(i) && s.isLooking(i) }

// waitedEnough reports whether only a time-out is in i's queue.
func (s *State) waitedEnough(i Server) bool {
	return s.RecvQueue[i].Empty() || s.RecvQueue[i].At(1).Kind == tla.NONE
}

// selfVote returns i's vote for itself.
func (s *State) selfVote(i Server) tla.Vote {
	return tla.Vote{Leader: i, Zxid: s.lastProcessedZxid(i), Epoch: s.CurrentEpoch[i]}
}

// notification returns what i tells of itself.
func (s *State) notification(i Server) tla.Notification {
	return tla.Notification{Kind: tla.NOTIFICATION, Source: i, State: s.State[i], Round: s.LogicalClock[i],
		Vote: s.CurrentVote[i]}
}

// sendNotifications sends i's vote to everyone else. TLA+: BroadcastNotmsg.
func (n *State) sendNotifications(i Server) {
	m := n.notification(i)
	for j := range Server(Servers) {
		if j != i {
			n.ElectionMsgs.Send(i, j, m)
		}
	}
}

// withdrawTimeout removes the mark of a time-out from i's queue, where it is alone.
func (n *State) withdrawTimeout(i Server) {
	if n.RecvQueue[i].Len() > 0 && n.RecvQueue[i].At(1).Kind == tla.NONE {
		n.RecvQueue[i].PopFront()
	}
}

// processLooking takes the vote m of a server that is LOOKING too.
func (n *State) processLooking(i Server, m tla.Notification) {
	switch {
	case m.Round < n.LogicalClock[i]:
		return
	case m.Round > n.LogicalClock[i]:
		n.LogicalClock[i] = m.Round
		n.ReceiveVotes[i].Clear()
		n.CurrentVote[i] = n.selfVote(i)
		if m.Vote.Succeeds(n.CurrentVote[i]) {
			n.CurrentVote[i] = m.Vote
		}
		n.sendNotifications(i)
	case m.Vote.Succeeds(n.CurrentVote[i]):
		n.CurrentVote[i] = m.Vote
		n.sendNotifications(i)
	}
	record(&n.ReceiveVotes[i], m)
	c := tla.Ballot{Vote: n.CurrentVote[i], Round: n.LogicalClock[i]}
	if supporters(&n.ReceiveVotes[i], c, i).IsQuorum(Servers) {
		n.WaitNotmsg[i] = true
	}
}

// processFollowingOrLeading takes the vote m of a server that has left the election. A LEADING
// server's notification of the same round suffices without a quorum.
func (n *State) processFollowingOrLeading(i Server, m tla.Notification) {
	c := tla.Ballot{Vote: m.Vote, Round: m.Round, State: m.State}
	if m.Round == n.LogicalClock[i] {
		record(&n.ReceiveVotes[i], m)
		with := supporters(&n.ReceiveVotes[i], c, m.Source)
		if with.IsQuorum(Servers) && n.checkLeader(i, &n.ReceiveVotes[i], m) {
			n.leaveElection(i, m.Vote, with)
			return
		}
	}
	record(&n.OutOfElection[i], m)
	with := supporters(&n.OutOfElection[i], c, m.Source)
	if with.IsQuorum(Servers) && n.checkLeader(i, &n.OutOfElection[i], m) {
		n.LogicalClock[i] = m.Round
		n.leaveElection(i, m.Vote, with)
		return
	}
	if m.State == tla.LEADING && m.Round == n.LogicalClock[i] {
		n.leaveElection(i, m.Vote, n.LeadingVoteSet[i])
	}
}

// checkLeader reports whether the leader that m names is known to lead, or is i itself in its
// current round. TLA+: CheckLeader.
func (s *State) checkLeader(i Server, votes *Ballots, m tla.Notification) bool {
	leader := m.Vote.Leader
	if leader == i {
		return m.Round == s.LogicalClock[i]
	}
	return votes.Has(leader) && votes.At(leader).State == tla.LEADING
}

// leaveElection makes i lead or follow as the vote says.
func (n *State) leaveElection(i Server, v tla.Vote, with Set) {
	n.CurrentVote[i] = v
	if v.Leader != i {
		n.turnToFollowing(i)
		return
	}
	n.LeadingVoteSet[i] = with
	n.turnToLeading(i)
}

// supporters returns the servers whose recorded votes and rounds are those of c, and a server that
// counts whatever is recorded of it. TLA+: VoteSet.
func supporters(votes *Ballots, c tla.Ballot, always Server) Set {
	set := Set(0).With(always)
	for i := range Server(Servers) {
		if votes.Has(i) && votes.At(i).Vote == c.Vote && votes.At(i).Round == c.Round {
			set.Add(i)
		}
	}
	return set
}

// record puts the ballot of m's sender into votes, unless that of a later round is there. TLA+:
// RcvBufferPut, UpdateVote.
func record(votes *Ballots, m tla.Notification) {
	b, old := tla.Ballot{Vote: m.Vote, Round: m.Round, State: m.State, Version: 1}, tla.Ballot{}
	if votes.Has(m.Source) {
		old = votes.At(m.Source)
	}
	if old.Round > m.Round {
		return
	}
	if old.Round == m.Round {
		b.Version = old.Version + 1
	}
	votes.Put(m.Source, b)
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Fast Leader Election: a step for each notification that arrives, is handled, or does not come.",
	Covers:  []string{"election"},
	Actions: Actions{&FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd},
	Rules:   []modules.Rule[State]{beginElections},
	Budgets: []modules.Budget[State]{modules.Spend[State]("fle_timeouts", &FLENotmsgTimeout)},
}
