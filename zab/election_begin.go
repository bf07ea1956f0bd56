package zab

import "github.com/multigrain/multigrain/modules"

// How an election begins. What takes a server back to LOOKING belongs to other modules: a crash, a lost connection, an epoch
// that is refused. The baseline grain of Election rides on their steps, so that its variables are its own.

// beginElections is the rule of the baseline grain: behind every step of another module, a server that does not run forgets what
// it knew, notifications travel between servers that run and reach each other, and who enters Broadcast votes from now on for
// the epoch that has begun (QuorumPeer.updateElectionVote, 2526, 3.9.1).
//
// Beside a server it does nothing: see runtime_election.go.
//
// Deviation: in the published specification a server enters a round in the step that takes it back to LOOKING, one that crashes
// does not forget and goes on where it was, and neither a crash nor a partition stops notifications.
var beginElections = modules.AfterAny(func(s, n *State) {
	if Beside {
		return
	}
	if !asPublished {
		n.connectElection()
	}
	together := asPublished && s.leaderGaveUp(n)
	for k := range Server(Servers) {
		back := !s.isLooking(k) && n.isLooking(k)
		switch {
		case together && back:
			n.lookForLeaderLater(k)
		case asPublished && back:
			n.lookForLeader(k)
		case !asPublished && !n.isOn(k):
			n.forgetElection(k)
			n.InElection[k] = false
			n.CurrentVote[k] = Vote{}
			n.LogicalClock[k] = 0
		}
		if s.ZabState[k] != BROADCAST && n.ZabState[k] == BROADCAST {
			n.CurrentVote[k].Epoch = n.AcceptedEpoch[k]
		}
	}
}, &FLELookForLeader, &FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd)

// leaderGaveUp reports whether the step from s to n took a leader back to LOOKING, and its learners with it.
func (s *State) leaderGaveUp(n *State) bool {
	for k := range Server(Servers) {
		if s.State[k] == LEADING && n.isLooking(k) {
			return true
		}
	}
	return false
}

// connectElection breaks the connections to servers that do not run or cannot be reached, and makes those that can be made.
func (s *State) connectElection() {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			up := s.isOn(i) && s.isOn(j) && !s.Msgs.IsCut(i, j)
			switch {
			case up && s.ElectionMsgs.IsCut(i, j):
				s.ElectionMsgs.Mend(i, j)
			case !up && !s.ElectionMsgs.IsCut(i, j):
				s.ElectionMsgs.Cut(i, j)
			}
		}
	}
}

// lookForLeader enters a round: i proposes itself and tells everyone.
func (s *State) lookForLeader(i Server) {
	if asPublished {
		s.forgetElection(i)
	}
	s.LogicalClock[i]++
	s.CurrentVote[i] = s.selfVote(i)
	s.sendNotifications(i)
}

// lookForLeaderLater enters a round as the published specification does when a leader and its learners give up together: they
// have yet to tell the others, unless something arrives first.
func (s *State) lookForLeaderLater(i Server) {
	s.forgetElection(i)
	s.LogicalClock[i]++
	s.CurrentVote[i] = s.selfVote(i)
	s.RecvQueue[i].Append(Notification{Kind: NONE, Source: NullPoint})
}

// forgetElection drops what i has received in an election.
func (s *State) forgetElection(i Server) {
	s.RecvQueue[i].Clear()
	s.ReceiveVotes[i].Clear()
	s.OutOfElection[i].Clear()
	s.WaitNotmsg[i] = false
	s.LeadingVoteSet[i] = 0
}

// initElection lets everyone vote for itself, as the published system specification does before anybody looks for a leader.
func (s *State) initElection() {
	for k := range s.CurrentVote {
		if asSystem {
			s.CurrentVote[k] = s.selfVote(Server(k))
		}
	}
}
