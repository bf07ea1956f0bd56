package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// Discovery of ZkV3_7_0.tla: phase 1 of the Zab paper. Followers tell the leader that they elected
// the last epoch that they accepted. The leader chooses a newer one, and a quorum accepts it.

// ConnectAndFollowerSendFOLLOWERINFO: follower p.J connects to its leader p.I, over a partition
// too, and sends FOLLOWERINFO.
var ConnectAndFollowerSendFOLLOWERINFO = Action[Pair]{
	Name:   "ConnectAndFollowerSendFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isLeader(p.I) && !s.Learners[p.I].Has(p.J) && s.isFollower(p.J) &&
			s.LeaderAddr[p.J] == tla.NullPoint && s.CurrentVote[p.J].Leader == p.I
	},
	Effect: func(s, n *State, p Pair) {
		n.Learners[p.I].Add(p.J)
		n.LeaderAddr[p.J] = p.I
		n.Msgs.Send(p.J, p.I, tla.Msg{Kind: tla.FOLLOWERINFO, Zxid: tla.EpochZxid(s.AcceptedEpoch[p.J])})
	},
}

// LeaderProcessFOLLOWERINFO: leader p.I learns the last epoch that p.J accepted. When it has heard
// from a quorum it accepts an epoch above all of theirs and sends LEADERINFO to those that wait;
// a later one gets it at once.
var LeaderProcessFOLLOWERINFO = Action[Pair]{
	Name:   "LeaderProcessFOLLOWERINFO",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.FOLLOWERINFO) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.FOLLOWERINFO)
		if !s.waitingForNewEpoch(p.I) {
			n.Msgs.Send(p.I, p.J, tla.Msg{Kind: tla.LEADERINFO, Zxid: tla.EpochZxid(s.AcceptedEpoch[p.I])})
			return
		}
		if s.ZabState[p.I] != tla.DISCOVERY {
			n.Raised.Raise(tla.FollowersInOtherPhase)
		}
		n.TempMaxEpoch[p.I] = max(s.TempMaxEpoch[p.I], m.Zxid.Epoch+1)
		n.Connecting[p.I].Sids.Add(p.J)
		n.Connecting[p.I].Connected.Add(p.J)
		if n.waitingForNewEpoch(p.I) {
			return
		}
		n.AcceptedEpoch[p.I] = n.TempMaxEpoch[p.I]
		waiting := n.Connecting[p.I].Connected.Intersect(s.Learners[p.I])
		n.broadcast(p.I, waiting, tla.Msg{Kind: tla.LEADERINFO, Zxid: tla.EpochZxid(n.AcceptedEpoch[p.I])})
	},
}

// FollowerProcessLEADERINFO: follower p.I accepts the epoch of its leader p.J and answers with its
// own current epoch and last zxid. The answer does not count if it had accepted the epoch before.
// It leaves a leader whose epoch is older than the one it has accepted.
var FollowerProcessLEADERINFO = Action[Pair]{
	Name:   "FollowerProcessLEADERINFO",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.LEADERINFO) },
	Effect: func(s, n *State, p Pair) {
		epoch := n.Msgs.Recv(p.J, p.I, tla.LEADERINFO).Zxid.Epoch
		switch {
		case epoch < s.AcceptedEpoch[p.I]:
			n.leaveLeader(p.I, p.J)
			return
		case s.ZabState[p.I] != tla.DISCOVERY:
			n.Raised.Raise(tla.InfoInOtherPhase)
			return
		}
		ack := tla.Msg{Kind: tla.ACKEPOCH, Zxid: s.lastProcessedZxid(p.I), Data: -1}
		if epoch > s.AcceptedEpoch[p.I] {
			ack.Data = s.CurrentEpoch[p.I]
		}
		n.AcceptedEpoch[p.I] = epoch
		n.ZabState[p.I] = tla.SYNCHRONIZATION
		n.Msgs.Send(p.I, p.J, ack)
	},
}

// LeaderProcessACKEPOCH: leader p.I learns that p.J accepted the epoch, and how recent its history
// is. It begins Synchronization when it has a quorum, and gives up if one of them is ahead of it.
var LeaderProcessACKEPOCH = Action[Pair]{
	Name:   "LeaderProcessACKEPOCH",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, tla.ACKEPOCH) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, tla.ACKEPOCH)
		counts := m.Data > -1 && !s.electionFinished(p.I)
		if !s.electionFinished(p.I) && s.ZabState[p.I] != tla.DISCOVERY {
			n.Raised.Raise(tla.FollowersInOtherPhase)
		}
		if counts && s.isBehind(p.I, m) {
			n.stopLeading(p.I)
			return
		}
		was := tla.Elector{}
		if s.Electing[p.I].Has(p.J) {
			was = s.Electing[p.I].At(p.J)
		}
		n.Electing[p.I].Put(p.J, tla.Elector{PeerLastZxid: m.Zxid, InQuorum: was.InQuorum || counts})
		if counts && n.electionFinished(p.I) {
			n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
			n.ZabState[p.I] = tla.SYNCHRONIZATION
			n.EpochLeader[s.AcceptedEpoch[p.I]-1].Add(p.I)
		}
	},
}

var (
	// boundEpochs keeps to the bound of epochs: a leader does not propose a later one.
	boundEpochs = modules.When(&LeaderProcessFOLLOWERINFO, func(s *State, p Pair) bool {
		epoch := max(s.TempMaxEpoch[p.I], s.Msgs.Peek(p.J, p.I, tla.FOLLOWERINFO).Zxid.Epoch+1)
		return !s.waitingForNewEpoch(p.I) || epoch <= MaxEpochs
	})

	// forgetConnecting notes which learners a leader that continues has lost. TLA+:
	// RemoveConnecting.
	forgetConnecting = modules.AfterAny(func(s, n *State) {
		for k := range Server(Servers) {
			if s.State[k] == tla.LEADING && n.State[k] == tla.LEADING {
				gone := s.Learners[k].Minus(n.Learners[k])
				n.Connecting[k].Connected = n.Connecting[k].Connected.Minus(gone)
			}
		}
	})
)

// waitingForNewEpoch reports whether leader i has not chosen its epoch yet. TLA+: WaitForNewEpoch.
func (s *State) waitingForNewEpoch(i Server) bool {
	return !s.Connecting[i].Sids.Has(i) || !s.Connecting[i].Sids.IsQuorum(Servers)
}

// isBehind reports whether the sender of ACKEPOCH m has a more recent history than leader i.
func (s *State) isBehind(i Server, m tla.Msg) bool {
	if m.Data != s.CurrentEpoch[i] {
		return m.Data > s.CurrentEpoch[i]
	}
	return m.Zxid.After(s.lastProcessedZxid(i))
}

// turnToLeading makes i the leader that it was elected to be. TLA+: TurnToLeading.
func (n *State) turnToLeading(i Server) {
	n.State[i] = tla.LEADING
	n.ZabState[i] = tla.DISCOVERY
	only := tla.Contacts{Sids: Set(0).With(i), Connected: Set(0).With(i)}
	n.Learners[i] = only.Sids
	n.Connecting[i] = only
	n.AckldRecv[i] = only
	n.Electing[i].Clear()
	n.Electing[i].Put(i, tla.Elector{PeerLastZxid: tla.Synced(), InQuorum: true})
	n.Forwarding[i] = 0
	n.TempMaxEpoch[i] = n.AcceptedEpoch[i] + 1
	n.InitialHistory[i] = Number(n.History[i].Len())
	n.acknowledgeAlone(i)
}

// turnToFollowing makes i a follower of the leader that it voted for. TLA+: TurnToFollowing.
func (n *State) turnToFollowing(i Server) {
	n.State[i] = tla.FOLLOWING
	n.ZabState[i] = tla.DISCOVERY
	n.InitialHistory[i] = Number(n.History[i].Len())
	n.PacketsSync[i] = Packets{}
}

// lookAgain takes i, which has done nothing after Discovery, back to looking for a leader.
func (n *State) lookAgain(i Server) {
	n.State[i] = tla.LOOKING
	n.ZabState[i] = tla.ELECTION
	n.LeaderAddr[i] = tla.NullPoint
}

// stopLeading takes leader i, which is still in Discovery, and its learners back to looking for a
// leader. It keeps what it knew of them.
func (n *State) stopLeading(i Server) {
	with := n.Learners[i].With(i)
	for k := range Server(Servers) {
		if with.Has(k) {
			n.lookAgain(k)
			for j := range Server(Servers) {
				n.dropDiscovery(j, k)
			}
		}
	}
	n.Learners[i] = 0
}

// leaveLeader takes follower i back to looking for a leader. Its leader j continues without it,
// even if it lacks a quorum now.
func (n *State) leaveLeader(i, j Server) {
	n.lookAgain(i)
	n.Learners[j].Remove(i)
	n.dropDiscovery(i, j)
	n.dropDiscovery(j, i)
}

// dropDiscovery loses what is in flight from i to j over a connection that is still in Discovery.
func (n *State) dropDiscovery(i, j Server) {
	for n.Msgs.Is(i, j, tla.FOLLOWERINFO, tla.LEADERINFO, tla.ACKEPOCH) {
		n.Msgs.Recv(i, j, tla.FOLLOWERINFO, tla.LEADERINFO, tla.ACKEPOCH)
	}
}

var discoveryBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A step for each message.",
	Covers: []string{"discovery"},
	Actions: Actions{&ConnectAndFollowerSendFOLLOWERINFO, &LeaderProcessFOLLOWERINFO, &FollowerProcessLEADERINFO,
		&LeaderProcessACKEPOCH},
	Rules:      []modules.Rule[State]{forgetConnecting, boundEpochs},
	Invariants: phaseAssertions,
}

// phaseAssertions are the checks of Discovery.
var phaseAssertions = []modules.Invariant[State]{
	{ID: "phase", Instance: "leader", Raises: modules.Bit(tla.FollowersInOtherPhase),
		Doc: "A leader that waits for FOLLOWERINFO or ACKEPOCH is in Discovery."},
	{ID: "phase", Instance: "follower", Raises: modules.Bit(tla.InfoInOtherPhase),
		Doc: "A follower that receives LEADERINFO is in Discovery."},
}
