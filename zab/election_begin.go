package zab

import "github.com/multigrain/multigrain/modules"

// How an election begins. What takes a server back to LOOKING belongs to other modules: a crash, a lost connection, an epoch
// that is refused. The baseline grain of Election rides on their steps, so that its variables are its own.

// beginElections is the rule of the baseline grain: behind every step of another module, a server that does not run forgets what
// it knew, notifications travel between servers that run and reach each other, and who enters Broadcast votes from now on for
// the epoch that has begun (QuorumPeer.updateElectionVote, 2526, 3.9.1).
//
// Beside a server it does nothing: see runtime_election.go.
var beginElections = modules.AfterAny(func(s, n *State) {
	if Beside {
		return
	}
	n.connectElection()
	for k := range Server(Servers) {
		if !n.isOn(k) {
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
	s.LogicalClock[i]++
	s.CurrentVote[i] = s.selfVote(i)
	s.sendNotifications(i)
}

// forgetElection drops what i has received in an election.
func (s *State) forgetElection(i Server) {
	s.RecvQueue[i].Clear()
	s.ReceiveVotes[i].Clear()
	s.OutOfElection[i].Clear()
	s.WaitNotmsg[i] = false
}
