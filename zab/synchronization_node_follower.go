package zab

// Synchronization of a follower, in steps of one node. See discovery_node.go.

// NodeProcessSyncMessage is FollowerProcessSyncMessage. Next to a server, what a snapshot holds is
// not known: its message has the last zxid only.
var NodeProcessSyncMessage = Action[Pair]{
	Name:   "NodeProcessSyncMessage",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, DIFF, TRUNC, SNAP) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, DIFF, TRUNC, SNAP)
		n.settleEnd(p.I) // an answer has shown it, or its leader has not heard it
		n.Beside[p.I].Reads = false
		n.ConnectInfo[p.I].SyncMode = m.Kind
		n.Beside[p.I].Snapped = m.Kind == SNAP
		switch m.Kind {
		case TRUNC:
			n.truncate(p.I, m.Zxid)
			n.Beside[p.I].Kept = Number(n.History[p.I].Len()) + 1
		case SNAP:
			n.takeSNAP(p.I, m.Zxid)
		}
	},
}

// NodeProcessNEWLEADER takes NEWLEADER, which the specification leaves in the channel until it is
// acknowledged, and writes to disk what is in memory only: FollowerProcessNEWLEADERTakeSnapshot.
// From here to NodeAcknowledgesNEWLEADER the follower takes nothing else; see undisturbed.
var NodeProcessNEWLEADER = Action[Pair]{
	Name:   "NodeProcessNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == SYNCHRONIZATION && !s.ConnectInfo[p.I].NlRcv && !s.amidNEWLEADER(p.I) &&
			s.Msgs.Is(p.J, p.I, NEWLEADER)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, NEWLEADER)
		n.takeSnapshot(p.I)
		n.Beside[p.I].Snapped = false
		n.ConnectInfo[p.I].SyncMode = NEWLEADER
	},
}

// takeSNAP makes the snapshot of SNAP the memory of follower i.
func (n *State) takeSNAP(i Server, z Zxid) {
	if LiveNode {
		n.adoptSnapshot(i, z)
		return
	}
	m := Image{Txns: n.landed(i)}
	m.nameLast(z)
	n.load(i, m)
	n.InitialHistory[i] = n.LastProcessed[i]
	n.Beside[i].Kept = Number(m.Txns.Len()) + 1
}

// adoptSnapshot makes a snapshot with the last zxid z the memory of follower i. All of the epoch of
// z is known, whose zxids have no gaps. The content of earlier epochs is known where the follower
// has transactions of that epoch.
func (n *State) adoptSnapshot(i Server, z Zxid) {
	h := &n.History[i]
	h.Truncate(atOrBefore(h, h.Len(), z))
	last := h.Last().Zxid
	if z.Epoch != last.Epoch {
		n.Beside[i].Holes = Number(h.Len()) + 1
		last = epochZxid(z.Epoch)
	}
	for last != z {
		last.Counter++
		h.Append(Txn{Zxid: last})
	}
	m := Image{Txns: *h}
	m.nameLast(z)
	n.load(i, m)
	n.InitialHistory[i] = n.LastProcessed[i]
	n.Beside[i].Kept = Number(h.Len()) + 1
}

// NodeUpdatesEpoch is FollowerProcessNEWLEADERUpdateEpoch.
var NodeUpdatesEpoch = Action[One]{
	Name:   "NodeUpdatesEpoch",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.amidNEWLEADER(p.I) && s.ServingState[p.I] == SHUTDOWN && !s.logsFirst(p.I)
	},
	Effect: func(s, n *State, p One) {
		n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		n.ServingState[p.I] = INITIAL
	},
}

// NodeLogsPackets is FollowerProcessNEWLEADERLogPackets.
var NodeLogsPackets = Action[One]{
	Name:   "NodeLogsPackets",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.amidNEWLEADER(p.I) && s.hasToLog(p.I) && (s.ServingState[p.I] == INITIAL || s.logsFirst(p.I))
	},
	Effect: func(s, n *State, p One) { n.logOrQueuePackets(p.I) },
}

// NodeAcknowledgesNEWLEADER is FollowerProcessNEWLEADERReplyAck.
var NodeAcknowledgesNEWLEADER = Action[Pair]{
	Name:   "NodeAcknowledgesNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.amidNEWLEADER(p.I) && s.ServingState[p.I] == INITIAL && !s.hasToLog(p.I)
	},
	Effect: func(s, n *State, p Pair) { n.acknowledgePackets(p.I, p.J, epochZxid(s.AcceptedEpoch[p.I])) },
}

// logOrQueuePackets hands what follower i holds back at NEWLEADER to the SyncRequestProcessor, or
// logs it at once, as FollowerProcessNEWLEADERLogPackets does.
func (n *State) logOrQueuePackets(i Server) {
	if !logsAtOnce {
		n.queuePackets(i)
		return
	}
	q := &n.PacketsSync[i].NotCommitted
	for k := 1; k <= q.Len() && !commitsFirst; k++ {
		n.PendingTxns[i].Append(q.At(k).Zxid)
	}
	n.logHeldBack(i)
}

// acknowledgePackets acknowledges NEWLEADER, whose zxid is z, to leader j. It does as
// FollowerProcessNEWLEADERReplyAck.
func (n *State) acknowledgePackets(i, j Server, z Zxid) {
	n.ConnectInfo[i] = ConnectInfo{NlRcv: true}
	n.say(i, j, Msg{Kind: ACKLD, Zxid: z})
	if logsAtUPTODATE {
		n.ServingState[i] = SHUTDOWN
	}
	for k := int(n.InitialHistory[i]) + 1; acksBehindNEWLEADER && k <= n.History[i].Len(); k++ {
		n.say(i, j, Msg{Kind: ACK, Zxid: n.History[i].At(k).Zxid})
	}
}
