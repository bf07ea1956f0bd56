package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The grains node. Each step is one server's, and each end of a connection acts by itself. So
// they are explored with all servers, and they run next to one server: see Runtime. There, nothing
// is known about the other servers. The constant LiveNode leaves out of a guard what depends on
// them.
//
// Connections, where all servers are explored: two servers connect only after the leader has
// noticed that their last connection has ended. A new connection begins with nothing in flight. A
// server that ends a connection reads no more of it.
//
// Deviation: ZooKeeper's leader takes a learner's new connection while it still has the old one.
// That hides a learner with two LearnerHandlers.

// NodeConnects is ConnectAndFollowerSendFOLLOWERINFO as the follower i sees it, which has elected
// j.
var NodeConnects = Action[Pair]{
	Name:   "NodeConnects",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.State[p.I] == FOLLOWING && s.LeaderAddr[p.I] == NullPoint && s.CurrentVote[p.I].Leader == p.J && (LiveNode || s.mayConnect(p.I, p.J))
	},
	Effect: func(s, n *State, p Pair) {
		n.connectTo(p.I, p.J)
	},
}

// mayConnect reports whether follower i reaches j, which leads and has noticed the end of their
// last connection.
func (s *State) mayConnect(i, j Server) bool {
	return s.State[j] == LEADING && !s.Msgs.IsCut(i, j) && !s.Learners[j].Has(i)
}

// NodeProcessFOLLOWERINFO is ConnectAndFollowerSendFOLLOWERINFO and LeaderProcessFOLLOWERINFO as
// the leader i sees them.
var NodeProcessFOLLOWERINFO = Action[Pair]{
	Name:   "NodeProcessFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.State[p.I] == LEADING && !s.Learners[p.I].Has(p.J) && s.Msgs.Is(p.J, p.I, FOLLOWERINFO)
	},
	Effect: func(s, n *State, p Pair) {
		if !LiveNode || s.Electing[p.I].Len() == 1 {
			n.reopen(p.I)
		}
		n.Learners[p.I].Add(p.J)
		n.takeFOLLOWERINFO(p.I, p.J)
		if LiveNode && !n.waitingForNewEpoch(p.I) {
			// whose quorum it was means nothing any more
			n.Connecting[p.I] = Contacts{Sids: Everyone}
		}
	},
}

// NodeDropsFOLLOWERINFO is the end of a connection before FOLLOWERINFO is answered, by i that does
// not lead. Next to a server, i may also die or end its term then.
var NodeDropsFOLLOWERINFO = Action[Pair]{
	Name:   "NodeDropsFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return !s.Learners[p.I].Has(p.J) && !s.answers(p.I) && s.Msgs.Is(p.J, p.I, FOLLOWERINFO) && (LiveNode || s.State[p.I] != LEADING)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, FOLLOWERINFO)
		n.Msgs.Send(p.I, p.J, Msg{Kind: CLOSED})
	},
}

// NodeBringsUpMemory brings into memory what a shutdown may have read from the log: all of it, and
// then, one by one, what the log thread had still to write. How much that was is not known, and
// whether a server that did not serve yet has read anything: see noteReading. One state stands for
// all of it until something depends on the server's last zxid. That is the answer to LEADERINFO of
// a follower, and the first ACKEPOCH of a leader. Where votes name the zxid, see NodeBringsUpLog.
//
// ZooKeeper: ZooKeeperServer.shutdown, ZKDatabase.fastForwardDataBase.
var NodeBringsUpMemory = Action[One]{
	Name:   "NodeBringsUpMemory",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		joins := s.Beside[p.I].Offered > 0 && !s.Beside[p.I].Unheard
		leads := s.State[p.I] == LEADING && s.ZabState[p.I] != BROADCAST && !s.waitingForNewEpoch(p.I) &&
			!(LiveNode && s.Electing[p.I].Len() > 1) // see NodeProcessACKEPOCH
		return (joins || leads) && s.mayBringUp(p.I)
	},
	Effect: func(s, n *State, p One) { n.bringUp(p.I) },
}

// NodeProcessLEADERINFO is FollowerProcessLEADERINFO up to the answer; a follower that has accepted
// a later epoch closes the connection.
var NodeProcessLEADERINFO = Action[Pair]{
	Name:   "NodeProcessLEADERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == DISCOVERY && s.Beside[p.I].Offered == 0 && s.Msgs.Is(p.J, p.I, LEADERINFO)
	},
	Effect: func(s, n *State, p Pair) {
		epoch := n.Msgs.Recv(p.J, p.I, LEADERINFO).Zxid.Epoch
		if epoch < s.AcceptedEpoch[p.I] {
			n.hangUp(p.I, false)
			return
		}
		n.Beside[p.I].Offered = epoch
	},
}

// NodeAnswersLEADERINFO is the end of FollowerProcessLEADERINFO: the follower accepts the epoch and
// tells what it has in memory.
var NodeAnswersLEADERINFO = Action[One]{
	Name:   "NodeAnswersLEADERINFO",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.Beside[p.I].Offered > 0 },
	Effect: func(s, n *State, p One) {
		epoch := s.Beside[p.I].Offered
		ack := Msg{Kind: ACKEPOCH, Zxid: n.lastProcessedZxid(p.I), Data: -1}
		if epoch > s.AcceptedEpoch[p.I] {
			ack.Data = s.CurrentEpoch[p.I]
		}
		n.AcceptedEpoch[p.I] = epoch
		n.ZabState[p.I] = SYNCHRONIZATION
		n.Beside[p.I].Offered = 0
		if !s.Beside[p.I].Unheard {
			n.settleEnd(p.I)
			n.Beside[p.I].Reads = false
		}
		n.say(p.I, s.LeaderAddr[p.I], ack)
	},
}

// NodeProcessACKEPOCH is LeaderProcessACKEPOCH. A leader closes the connection to a learner that is
// ahead of it. ACKEPOCH does not show what the leader has chosen of its open end. Next to a server
// a crash takes the choice back, up to the first message of Synchronization: see synchronise.
var NodeProcessACKEPOCH = Action[Pair]{
	Name:   "NodeProcessACKEPOCH",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKEPOCH) },
	Effect: func(s, n *State, p Pair) {
		i, j := p.I, p.J
		m := n.Msgs.Recv(j, i, ACKEPOCH)
		n.Beside[i].Reads = false
		if !LiveNode && s.ZabState[i] != BROADCAST {
			n.settleEnd(i)
		}
		counts := m.Data > -1 && !s.electionFinished(i)
		if counts && s.isBehind(i, m) {
			if s.ZabState[i] != BROADCAST {
				n.settleEnd(i)
			}
			n.hangUpOn(i, j)
			return
		}
		was := Elector{}
		if s.Electing[i].Has(j) {
			was = s.Electing[i].At(j)
		}
		n.Electing[i].Put(j, Elector{PeerLastZxid: m.Zxid, InQuorum: was.InQuorum || counts})
		if counts && n.electionFinished(i) {
			n.CurrentEpoch[i] = s.AcceptedEpoch[i]
			n.ZabState[i] = SYNCHRONIZATION
		}
		for k := range Server(Servers) { // whose quorum it was means nothing any more
			if LiveNode && n.electionFinished(i) && n.Electing[i].Has(k) {
				n.Electing[i].Put(k, Elector{PeerLastZxid: n.Electing[i].At(k).PeerLastZxid, InQuorum: true})
			}
		}
	},
}

// electionsNoted keep the ghosts of epochs.
var electionsNoted = []modules.Rule[State]{
	modules.After(&NodeProcessACKEPOCH, func(s, n *State, p Pair) {
		if !LiveNode && s.ZabState[p.I] == DISCOVERY && n.ZabState[p.I] == SYNCHRONIZATION {
			n.EpochLeader[n.AcceptedEpoch[p.I]-1].Add(p.I)
			n.recordEpoch(p.I)
		}
	}),
}

// boundEpochsOfNode is boundEpochs.
var boundEpochsOfNode = modules.When(&NodeProcessFOLLOWERINFO, func(s *State, p Pair) bool {
	epoch := max(s.TempMaxEpoch[p.I], s.Msgs.Peek(p.J, p.I, FOLLOWERINFO).Zxid.Epoch+1)
	return LiveNode || !s.waitingForNewEpoch(p.I) || epoch <= MaxEpochs
})

var discoveryNode = grains.Refine(grains.Grain[State]{
	Name:  "node",
	Was:   []string{"one-sided"},
	Doc:   nodeDoc + "A follower answers LEADERINFO after it has brought up its memory.",
	Sets:  []grains.Setting{{Name: "node_steps", Value: "true"}},
	Needs: diskNeeds,
	Excludes: []grains.Exclusion{{Option: "variant", Values: []string{"v3.4.3", "v3.4.14", "v3.5.10"},
		Why: "in these versions a leader chooses between DIFF, TRUNC and SNAP by other rules"}},
	Requires: []grains.Ref{{Module: "synchronization", Grain: "node"},
		{Module: "broadcast", Grain: "node"}, {Module: "faults", Grain: "node"}},
	Actions: Actions{&NodeConnects, &NodeProcessFOLLOWERINFO, &NodeDropsFOLLOWERINFO, &NodeProcessLEADERINFO, &NodeBringsUpMemory,
		&NodeAnswersLEADERINFO, &NodeProcessACKEPOCH},
	Rules: slices.Concat(electionsNoted, []modules.Rule[State]{boundEpochsOfNode}),
}, discoveryBaseline)
