package sandtable

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Discovery: phase 1 of the Zab paper. It matters to elections because a leader that completes it
// votes with a later epoch from then on.

// ConnectAndFollowerSendFOLLOWERINFO: follower p.J connects to its leader p.I and sends
// FOLLOWERINFO.
var ConnectAndFollowerSendFOLLOWERINFO = Action[Pair]{
	Name:   "ConnectAndFollowerSendFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isLeader(p.I) && !s.Learners[p.I].Has(p.J) && s.isFollower(p.J) &&
			s.LeaderAddr[p.J] == NullPoint && s.CurrentVote[p.J].Leader == p.I && !s.Msgs.IsCut(p.J, p.I)
	},
	Effect: func(s, n *State, p Pair) {
		n.Learners[p.I].Add(p.J)
		n.LeaderAddr[p.J] = p.I
		n.Msgs.Send(p.J, p.I, Msg{Kind: FOLLOWERINFO, Epoch: s.AcceptedEpoch[p.J]})
	},
}

// LeaderProcessFOLLOWERINFO: leader p.I learns the last epoch that p.J accepted. When it has heard
// from a quorum it accepts an epoch above all of theirs and sends LEADERINFO to those that wait;
// a later one gets it at once.
var LeaderProcessFOLLOWERINFO = Action[Pair]{
	Name:   "LeaderProcessFOLLOWERINFO",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, FOLLOWERINFO) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, FOLLOWERINFO)
		if !s.waitingForNewEpoch(p.I) {
			n.Msgs.Send(p.I, p.J, Msg{Kind: LEADERINFO, Epoch: s.AcceptedEpoch[p.I]})
			return
		}
		n.TempMaxEpoch[p.I] = max(s.TempMaxEpoch[p.I], m.Epoch+1)
		n.Connecting[p.I].Sids.Add(p.J)
		n.Connecting[p.I].Connected.Add(p.J)
		if n.waitingForNewEpoch(p.I) {
			return
		}
		n.AcceptedEpoch[p.I] = n.TempMaxEpoch[p.I]
		for j := range Server(Servers) {
			if j != p.I && n.Connecting[p.I].Connected.Has(j) && s.Learners[p.I].Has(j) {
				n.Msgs.Send(p.I, j, Msg{Kind: LEADERINFO, Epoch: n.AcceptedEpoch[p.I]})
			}
		}
	},
}

// FollowerProcessLEADERINFO: follower p.I accepts the epoch of its leader p.J and answers with its
// own current epoch. The answer does not count if it had accepted the epoch before. It leaves a
// leader whose epoch is older than the one it has accepted.
var FollowerProcessLEADERINFO = Action[Pair]{
	Name:   "FollowerProcessLEADERINFO",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, LEADERINFO) },
	Effect: func(s, n *State, p Pair) {
		epoch := n.Msgs.Recv(p.J, p.I, LEADERINFO).Epoch
		if epoch < s.AcceptedEpoch[p.I] {
			n.lookAgain(p.I)
			n.Learners[p.J].Remove(p.I)
			n.Msgs.Clear(p.I, p.J)
			n.Msgs.Clear(p.J, p.I)
			return
		}
		ack := Msg{Kind: ACKEPOCH, Data: -1}
		if epoch > s.AcceptedEpoch[p.I] {
			ack.Data = s.CurrentEpoch[p.I]
		}
		n.AcceptedEpoch[p.I] = epoch
		n.ZabState[p.I] = SYNCHRONIZATION
		n.Msgs.Send(p.I, p.J, ack)
	},
}

// LeaderProcessACKEPOCH: leader p.I learns that p.J accepted the epoch. It begins Synchronization
// when it has a quorum, and gives up if one of them has a later current epoch.
var LeaderProcessACKEPOCH = Action[Pair]{
	Name:   "LeaderProcessACKEPOCH",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKEPOCH) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, ACKEPOCH)
		counts := m.Data > -1 && !s.electionFinished(p.I)
		if counts && m.Data > s.CurrentEpoch[p.I] {
			n.stopLeading(p.I)
			return
		}
		was := Elector{}
		if s.Electing[p.I].Has(p.J) {
			was = s.Electing[p.I].At(p.J)
		}
		n.Electing[p.I].Put(p.J, Elector{Waits: true, InQuorum: was.InQuorum || counts})
		if counts && n.electionFinished(p.I) {
			n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
			n.ZabState[p.I] = SYNCHRONIZATION
		}
	},
}

var (
	// boundEpochs keeps to MaxEpoch: a leader does not propose a later one.
	boundEpochs = modules.When(&LeaderProcessFOLLOWERINFO, func(s *State, p Pair) bool {
		epoch := max(s.TempMaxEpoch[p.I], s.Msgs.Peek(p.J, p.I, FOLLOWERINFO).Epoch+1)
		return !s.waitingForNewEpoch(p.I) || epoch <= MaxEpochs
	})

	// forgetConnecting: a leader that continues without a learner will tell it of the epoch again
	// where it comes back, and one that gives up forgets who has connected.
	forgetConnecting = modules.AfterAny(func(s, n *State) {
		for k := range Server(Servers) {
			switch {
			case s.State[k] != LEADING:
			case n.State[k] != LEADING:
				n.Connecting[k] = Contacts{}
				n.TempMaxEpoch[k] = 0
			default:
				gone := s.Learners[k].Minus(n.Learners[k])
				n.Connecting[k].Connected = n.Connecting[k].Connected.Minus(gone)
			}
		}
	})
)

// waitingForNewEpoch reports whether leader i has not chosen its epoch yet.
func (s *State) waitingForNewEpoch(i Server) bool {
	return !s.Connecting[i].Sids.Has(i) || !s.Connecting[i].Sids.IsQuorum(Servers)
}

// electionFinished reports whether a quorum with leader i itself has acknowledged its epoch.
func (s *State) electionFinished(i Server) bool {
	q := Set(0)
	for k := range Server(Servers) {
		if s.Electing[i].Has(k) && s.Electing[i].At(k).InQuorum {
			q.Add(k)
		}
	}
	return q.Has(i) && q.IsQuorum(Servers)
}

// turnToLeading makes i the leader that it was elected to be.
func (n *State) turnToLeading(i Server) {
	n.State[i] = LEADING
	n.ZabState[i] = DISCOVERY
	only := Contacts{Sids: Set(0).With(i), Connected: Set(0).With(i)}
	n.Learners[i] = only.Sids
	n.Connecting[i] = only
	n.Electing[i].Clear()
	n.Electing[i].Put(i, Elector{InQuorum: true})
	n.TempMaxEpoch[i] = n.AcceptedEpoch[i] + 1
}

// turnToFollowing makes i a follower of the leader that it voted for.
func (n *State) turnToFollowing(i Server) {
	n.State[i] = FOLLOWING
	n.ZabState[i] = DISCOVERY
}

// lookAgain takes i back to looking for a leader.
func (n *State) lookAgain(i Server) {
	n.State[i] = LOOKING
	n.ZabState[i] = ELECTION
	n.LeaderAddr[i] = NullPoint
}

// stopLeading takes leader i and its learners back to looking for a leader.
func (n *State) stopLeading(i Server) {
	with := n.Learners[i].With(i)
	for k := range Server(Servers) {
		if with.Has(k) {
			n.lookAgain(k)
			n.disconnect(k)
		}
	}
	n.Learners[i] = 0
	n.Electing[i].Clear()
}

// disconnect loses what is in flight to i.
func (n *State) disconnect(i Server) {
	for j := range Server(Servers) {
		n.Msgs.Clear(j, i)
	}
}

var discoveryBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A step for each message.",
	Covers: []string{"discovery"},
	Actions: Actions{&ConnectAndFollowerSendFOLLOWERINFO, &LeaderProcessFOLLOWERINFO, &FollowerProcessLEADERINFO,
		&LeaderProcessACKEPOCH},
	Rules: []modules.Rule[State]{forgetConnecting, boundEpochs},
}
