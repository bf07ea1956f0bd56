package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Discovery at its baseline grain. Followers connect to the leader that they elected and tell it
// the last epoch they accepted; the leader chooses a newer one, a quorum accepts it, and the leader
// makes sure that none of them is ahead of it. Phase 1 of the Zab paper: CEPOCH is FOLLOWERINFO,
// NEWEPOCH is LEADERINFO, ACK-E is ACKEPOCH. Leader, LearnerHandler and Learner, 3.9.1; the action
// names are the system specification's.

// ConnectAndFollowerSendFOLLOWERINFO: follower j connects to its leader i and sends FOLLOWERINFO.
// Paper: step f.1.1. Learner's connectToLeader (312) and registerWithLeader (482 to 500),
// LearnerHandler.run (465, 3.9.1).
var ConnectAndFollowerSendFOLLOWERINFO = Action[Pair]{
	Name:   "ConnectAndFollowerSendFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isLeader(p.I) && !s.Learners[p.I].Has(p.J) && s.isFollower(p.J) && s.LeaderAddr[p.J] == NullPoint &&
			s.CurrentVote[p.J].Leader == p.I && !s.Msgs.IsCut(p.J, p.I)
	},
	Effect: func(s, n *State, p Pair) { n.connect(p.I, p.J) },
}

// connect connects j to its leader i and sends FOLLOWERINFO.
func (n *State) connect(i, j Server) {
	n.Learners[i].Add(j)
	n.LeaderAddr[j] = i
	n.Msgs.Send(j, i, Msg{Kind: FOLLOWERINFO, Zxid: Zxid{Epoch: n.AcceptedEpoch[j]}})
}

// LeaderProcessFOLLOWERINFO: leader i learns the last epoch that j accepted. When it has heard from
// a quorum it accepts an epoch above all of theirs and sends LEADERINFO to those who wait; who
// comes later gets it at once. Paper: step l.1.1. Leader.getEpochToPropose (1414, 3.9.1).
var LeaderProcessFOLLOWERINFO = Action[Pair]{
	Name:   "LeaderProcessFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isLeader(p.I) && s.Learners[p.I].Has(p.J) && s.Msgs.Is(p.J, p.I, FOLLOWERINFO)
	},
	Effect: func(s, n *State, p Pair) { n.takeFOLLOWERINFO(p.I, p.J) },
}

// takeFOLLOWERINFO lets leader i process a server's FOLLOWERINFO.
func (n *State) takeFOLLOWERINFO(i, from Server) {
	m := n.Msgs.Recv(from, i, FOLLOWERINFO)
	if !n.waitingForNewEpoch(i) {
		n.Msgs.Send(i, from, Msg{Kind: LEADERINFO, Zxid: Zxid{Epoch: n.AcceptedEpoch[i]}})
		return
	}
	if n.ZabState[i] != DISCOVERY {
		n.Raised.Raise(FollowersInOtherPhase)
	}
	if m.Zxid.Epoch >= n.TempMaxEpoch[i] {
		n.TempMaxEpoch[i] = m.Zxid.Epoch + 1
	}
	n.Connecting[i].Sids.Add(from)
	n.Connecting[i].Connected.Add(from)
	if n.waitingForNewEpoch(i) {
		return
	}
	n.AcceptedEpoch[i] = n.TempMaxEpoch[i]
	for k := range Servers {
		if j := Server(k); j != i && n.Connecting[i].Connected.Has(j) && n.Learners[i].Has(j) {
			n.Msgs.Send(i, j, Msg{Kind: LEADERINFO, Zxid: Zxid{Epoch: n.AcceptedEpoch[i]}})
		}
	}
}

// FollowerProcessLEADERINFO: follower i accepts the epoch of its leader j and answers with its own
// current epoch and last zxid. The answer does not count if it had accepted the epoch before. The
// follower gives up if it has accepted a later epoch. Paper: steps f.1.2 and f.1.3.
// Learner.registerWithLeader (501 to 525, 3.9.1).
var FollowerProcessLEADERINFO = Action[Pair]{
	Name:   "FollowerProcessLEADERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isFollower(p.I) && s.LeaderAddr[p.I] == p.J && s.Msgs.Is(p.J, p.I, LEADERINFO)
	},
	Effect: func(s, n *State, p Pair) { n.acceptLEADERINFO(p.I, p.J) },
}

// acceptLEADERINFO lets follower i process LEADERINFO of its leader j.
func (n *State) acceptLEADERINFO(i, j Server) {
	m := n.Msgs.Recv(j, i, LEADERINFO)
	epoch := m.Zxid.Epoch
	if epoch < n.AcceptedEpoch[i] {
		n.leaveLeader(i, j)
		return
	}
	if n.ZabState[i] != DISCOVERY {
		n.Raised.Raise(InfoInOtherPhase)
		return
	}
	ack := Msg{Kind: ACKEPOCH, Zxid: n.lastProcessedZxid(i), Data: -1}
	if epoch > n.AcceptedEpoch[i] {
		ack.Data = n.CurrentEpoch[i]
	}
	n.AcceptedEpoch[i] = epoch
	n.ZabState[i] = SYNCHRONIZATION
	n.Msgs.Send(i, j, ack)
}

// LeaderProcessACKEPOCH: leader i learns that j accepted the epoch, and how recent j's history is.
// It begins Synchronization once a quorum has accepted the epoch.
//
// If j is ahead of the leader, its LearnerHandler throws and closes the connection. The leader
// waits for others, at most as long as LeaderTimeout lets it.
//
// Paper: step l.1.2. ZooKeeper: Leader.waitForEpochAck, Leader.java:1460-1496@3.9.1, 1467@3.8.0;
// LearnerHandler.run, LearnerHandler.java:534-540@3.9.1; Leader.lead, 660-663@3.9.1.
var LeaderProcessACKEPOCH = Action[Pair]{
	Name:   "LeaderProcessACKEPOCH",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.isLeader(p.I) && s.Learners[p.I].Has(p.J) && s.Msgs.Is(p.J, p.I, ACKEPOCH)
	},
	Effect: func(s, n *State, p Pair) { n.takeACKEPOCH(p.I, p.J) },
}

// takeACKEPOCH lets leader i process ACKEPOCH of j.
func (n *State) takeACKEPOCH(i, j Server) {
	m := n.Msgs.Recv(j, i, ACKEPOCH)
	counts := m.Data > -1 && !n.electionFinished(i)
	if !n.electionFinished(i) && n.ZabState[i] != DISCOVERY {
		n.Raised.Raise(FollowersInOtherPhase)
	}
	if counts && n.isBehind(i, m) {
		n.leaveLeader(j, i)
		return
	}
	was := Elector{}
	if n.Electing[i].Has(j) {
		was = n.Electing[i].At(j)
	}
	n.Electing[i].Put(j, Elector{PeerLastZxid: m.Zxid, InQuorum: was.InQuorum || counts})
	if counts && n.electionFinished(i) {
		n.CurrentEpoch[i] = n.AcceptedEpoch[i]
		n.ZabState[i] = SYNCHRONIZATION
		n.EpochLeader[n.AcceptedEpoch[i]-1].Add(i)
	}
}

// waitingForNewEpoch reports whether leader i has not chosen its epoch yet:
// Leader.waitingForNewEpoch.
func (s *State) waitingForNewEpoch(i Server) bool {
	return !s.Connecting[i].Sids.Has(i) || !s.Connecting[i].Sids.IsQuorum(Servers)
}

// isBehind reports whether the sender of ACKEPOCH m has a more recent history than leader i:
// StateSummary.isMoreRecentThan.
func (s *State) isBehind(i Server, m Msg) bool {
	if m.Data != s.CurrentEpoch[i] {
		return m.Data > s.CurrentEpoch[i]
	}
	return m.Zxid.After(s.lastProcessedZxid(i))
}

// turnToLeading makes i the leader that it was elected to be: QuorumPeer.run, case LEADING, and
// Leader.lead (594 to 605, 3.9.1).
func (n *State) turnToLeading(i Server) {
	n.State[i] = LEADING
	n.ZabState[i] = DISCOVERY
	only := Contacts{Sids: Set(0).With(i), Connected: Set(0).With(i)}
	n.Learners[i] = only.Sids
	n.Connecting[i] = only
	n.AckldRecv[i] = only
	n.coverLog(i, n.History[i])
	n.Electing[i].Clear()
	n.Electing[i].Put(i, Elector{PeerLastZxid: Synced(), InQuorum: true})
	n.Forwarding[i] = 0
	n.TempMaxEpoch[i] = n.AcceptedEpoch[i] + 1
	n.InitialHistory[i] = Number(n.History[i].Len())
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
}

// lookAgain takes i back to looking for a leader. In Discovery it has nothing else to undo: its
// processors do not run, and nothing has been synchronised.
func (n *State) lookAgain(i Server) {
	n.State[i] = LOOKING
	n.ZabState[i] = ELECTION
	n.LeaderAddr[i] = NullPoint
}

// stopLeading takes leader i, which is still in Discovery, and its learners back to looking for a
// leader: Leader.shutdown.
//
// Deviation: its learners notice in the same step. That hides nothing: they only wait for the
// leader before they notice.
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
	n.Electing[i].Clear()
	n.AckldRecv[i] = Contacts{}
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
	for n.Msgs.Is(i, j, FOLLOWERINFO, LEADERINFO, ACKEPOCH) {
		n.Msgs.Recv(i, j, FOLLOWERINFO, LEADERINFO, ACKEPOCH)
	}
}

// turnToFollowing makes i a follower of the leader that it voted for: QuorumPeer.run, case
// FOLLOWING, and Follower.followLeader (75 to 86, 3.9.1).
func (n *State) turnToFollowing(i Server) {
	n.State[i] = FOLLOWING
	n.ZabState[i] = DISCOVERY
	n.InitialHistory[i] = Number(n.History[i].Len())
	n.PacketsSync[i] = Packets{}
}

var discoveryBaseline = grains.Grain[State]{
	Node:   nodeInfo,
	Name:   "baseline",
	Doc:    "A step for each message.",
	Covers: []string{"discovery"},
	Actions: Actions{&ConnectAndFollowerSendFOLLOWERINFO, &LeaderProcessFOLLOWERINFO, &FollowerProcessLEADERINFO,
		&LeaderProcessACKEPOCH},
	Rules:      []modules.Rule[State]{forgetConnecting, boundEpochs},
	Invariants: phaseAssertions,
	Models: []string{
		"org.apache.zookeeper.server.quorum.Learner.connectToLeader",
		"org.apache.zookeeper.server.quorum.Learner.registerWithLeader",
		"org.apache.zookeeper.server.quorum.LearnerHandler.run",
		"org.apache.zookeeper.server.quorum.Leader.lead",
		"org.apache.zookeeper.server.quorum.Leader.getEpochToPropose",
		"org.apache.zookeeper.server.quorum.Leader.waitForEpochAck",
		"org.apache.zookeeper.server.quorum.StateSummary.isMoreRecentThan",
		"org.apache.zookeeper.server.quorum.QuorumPeer.setAcceptedEpoch",
		"org.apache.zookeeper.server.quorum.QuorumPeer.setCurrentEpoch",
		epochsOnDisk, quorumOfVotes,
	},
}
