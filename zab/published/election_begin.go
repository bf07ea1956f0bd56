package published

import (
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// beginElections is the rule of Fast Leader Election. A server enters a round in the step that
// takes it back to LOOKING, a crash included. A server that enters Broadcast votes from then on for
// the epoch that has begun. TLA+: ZabTimeoutInCluster, ZabTimeout, UpdateElectionVote.
var beginElections = modules.AfterAny(func(s, n *State) {
	together := s.leaderGaveUp(n)
	for k := range Server(Servers) {
		if !s.isLooking(k) && n.isLooking(k) {
			n.enterRound(k)
			if together {
				n.RecvQueue[k].Append(tla.Notification{Kind: tla.NONE, Source: tla.NullPoint})
			} else {
				n.sendNotifications(k)
			}
		}
		if s.ZabState[k] != tla.BROADCAST && n.ZabState[k] == tla.BROADCAST {
			n.CurrentVote[k].Epoch = n.AcceptedEpoch[k]
		}
	}
}, &FLEReceiveNotmsg, &FLENotmsgTimeout, &FLEHandleNotmsg, &FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd)

// leaderGaveUp reports whether the step from s to n took a leader back to LOOKING, and its learners
// with it. These have yet to tell the others, unless something arrives first.
func (s *State) leaderGaveUp(n *State) bool {
	for k := range Server(Servers) {
		if s.State[k] == tla.LEADING && n.isLooking(k) {
			return true
		}
	}
	return false
}

// enterRound makes i forget the last election and propose itself in the next round.
func (n *State) enterRound(i Server) {
	n.RecvQueue[i].Clear()
	n.ReceiveVotes[i].Clear()
	n.OutOfElection[i].Clear()
	n.WaitNotmsg[i] = false
	n.LeadingVoteSet[i] = 0
	n.LogicalClock[i]++
	n.CurrentVote[i] = n.selfVote(i)
}

// initElection lets everyone vote for itself.
func (n *State) initElection() {
	for k := range n.CurrentVote {
		n.CurrentVote[k] = n.selfVote(Server(k))
	}
}
