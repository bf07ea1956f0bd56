package zab

import "github.com/multigrain/multigrain/modules"

// How an election begins. What takes a server back to LOOKING belongs to other modules: a crash, a
// lost connection, an epoch that is refused. The baseline grain of Election rides on their steps,
// so that its variables are its own.

// beginElections is the rule of the baseline grain, after every step of another module. A server
// that does not run forgets what it knew. Notifications travel between servers that run and reach
// each other. A server that enters Broadcast votes from now on for the epoch that has begun
// (QuorumPeer.updateElectionVote, 2526, 3.9.1).
var beginElections = modules.AfterAny(func(s, n *State) {
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

// lookForLeader enters a round: i proposes itself and tells everyone.
func (n *State) lookForLeader(i Server) {
	n.LogicalClock[i]++
	n.CurrentVote[i] = n.selfVote(i)
	n.sendNotifications(i)
}

// forgetElection drops what i has received in an election.
func (n *State) forgetElection(i Server) {
	n.RecvQueue[i].Clear()
	n.ReceiveVotes[i].Clear()
	n.OutOfElection[i].Clear()
	n.WaitNotmsg[i] = false
}
