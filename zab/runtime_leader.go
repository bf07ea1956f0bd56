package zab

// Beside a server, Synchronization as a leader sees it. See runtime.go.

// Sync is leader I's synchronisation of learner J, when the last Behind of the committed transactions are not yet applied. Snap says that
// it sends a snapshot, which is written while the leader goes on: Ahead of its transactions are among those that are sent behind
// it as well.
type Sync struct {
	I, J          Server
	Behind, Ahead int8
	Snap          bool
}

// EachSync is the domain of synchronisations.
func EachSync(yield func(Sync) bool) {
	for p := range EachPair {
		for behind := range int8(maxBehind + 1) {
			if !yield(Sync{p.I, p.J, behind, 0, false}) {
				return
			}
			for ahead := range int8(maxAhead + 1) {
				if !yield(Sync{p.I, p.J, behind, ahead, true}) {
					return
				}
			}
		}
	}
}

// maxBehind is how many committed transactions a leader has at most not applied, and maxAhead how many it applies at most between
// deciding on a snapshot and beginning to write it.
const (
	maxBehind = 8
	maxAhead  = 16
)

// Backlog is what a leader has still to send to a learner to which it forwards: transactions behind position Sent, and commits behind
// Committed. What is up to Upto comes before NEWLEADER.
type Backlog struct{ Sent, Committed, Upto Number }

// NodeSyncsFollower is LeaderSyncFollower, its opening message. What the learner lacks is sent by NodeSendsProposal and NodeSendsCommit, since
// the connection may end in between.
//
// ZooKeeper: LearnerHandler.run, where the snapshot's zxid is read behind syncFollower.
var NodeSyncsFollower = Action[Sync]{
	Name:   "NodeSyncsFollower",
	Params: EachSync,
	Guard: func(s *State, p Sync) bool {
		e := &s.Electing[p.I]
		if !s.leads(p.I, p.J) || !e.Has(p.J) || e.At(p.J).PeerLastZxid == Synced() || !s.electionFinished(p.I) || Number(p.Ahead)+Number(p.Behind) > s.LastProcessed[p.I] || p.Behind > 0 && s.ZabState[p.I] != BROADCAST {
			return false
		}
		mode, _ := s.syncModeBeside(p.I, e.At(p.J).PeerLastZxid, int(p.Behind), p.Snap)
		return mode != NoKind
	},
	Effect: func(s, n *State, p Sync) {
		i, j := p.I, p.J
		e := s.Electing[i].At(j)
		mode, seen := s.syncModeBeside(i, e.PeerLastZxid, int(p.Behind), p.Snap)
		switch mode {
		case DIFF: // whose zxid nobody reads: that of the last transaction committed, or of the follower's last
			n.Msgs.Send(i, j, Msg{Kind: DIFF})
		case TRUNC:
			n.Msgs.Send(i, j, Msg{Kind: TRUNC, Zxid: zxidAt(&s.History[i], seen)})
		case SNAP:
			n.Msgs.Send(i, j, Msg{Kind: SNAP, Zxid: s.appliedZxid(i, int(p.Behind))})
			seen -= int(p.Ahead)
		}
		if mode != SNAP && seen < int(s.Holes[i]) && e.PeerLastZxid != s.lastProcessedZxid(i) {
			n.Raised.Raise(ValueUnknown)
		}
		at := Number(seen)
		n.Backlogs[i][j] = Backlog{Sent: at, Committed: at, Upto: Number(s.committedByLeader(i) - int(p.Behind))}
		n.Forwarding[i].Add(j)
		n.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: e.InQuorum})
	},
}

// receivers are the learners to which leader i sends what it proposes and commits in the same step. Beside a server these are none: its
// threads put other messages between those to one learner and those to the next.
func (s *State) receivers(i Server) Set {
	if Beside {
		return 0
	}
	return s.Forwarding[i]
}

// NodeSendsProposal sends the next transaction of a backlog.
//
// Deviation: any order of a learner's proposals and commits is accepted in which a commit follows its proposal.
//
// ZooKeeper: Leader.propose and Leader.commit, which go from learner to learner; LearnerHandler.sendPackets.
var NodeSendsProposal = Action[Pair]{
	Name:   "NodeSendsProposal",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.leads(p.I, p.J) || !s.Forwarding[p.I].Has(p.J) {
			return false
		}
		b := &s.Backlogs[p.I][p.J]
		return int(b.Sent) < s.History[p.I].Len()
	},
	Effect: func(s, n *State, p Pair) {
		b := &n.Backlogs[p.I][p.J]
		b.Sent++
		t := s.History[p.I].At(int(b.Sent))
		n.Msgs.Send(p.I, p.J, Msg{Kind: PROPOSAL, Zxid: t.Zxid, Data: t.Value})
	},
}

// NodeSendsCommit sends the next commit of a backlog.
var NodeSendsCommit = Action[Pair]{
	Name:   "NodeSendsCommit",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.leads(p.I, p.J) || !s.Forwarding[p.I].Has(p.J) {
			return false
		}
		b := &s.Backlogs[p.I][p.J]
		return b.Committed < b.Sent && int(b.Committed) < s.committedByLeader(p.I)
	},
	Effect: func(s, n *State, p Pair) {
		b := &n.Backlogs[p.I][p.J]
		b.Committed++
		n.Msgs.Send(p.I, p.J, Msg{Kind: COMMIT, Zxid: s.History[p.I].At(int(b.Committed)).Zxid})
	},
}

// NodeSendsNEWLEADER is the end of LeaderSyncFollower. The learner gets proposals already, which may come first.
//
// ZooKeeper: LearnerHandler.run, behind Leader.startForwarding.
var NodeSendsNEWLEADER = Action[Pair]{
	Name:   "NodeSendsNEWLEADER",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		b := &s.Backlogs[p.I][p.J]
		return s.leads(p.I, p.J) && s.Forwarding[p.I].Has(p.J) && !s.Announced[p.I].Has(p.J) &&
			b.Sent >= b.Upto && b.Committed >= b.Upto
	},
	Effect: func(s, n *State, p Pair) {
		n.Announced[p.I].Add(p.J)
		n.Msgs.Send(p.I, p.J, Msg{Kind: NEWLEADER, Zxid: epochZxid(s.AcceptedEpoch[p.I])})
	},
}

// NodeProcessFirstACK is LeaderProcessFirstACK up to UPTODATE.
var NodeProcessFirstACK = Action[Pair]{
	Name:   "NodeProcessFirstACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Announced[p.I].Has(p.J) && !s.AckldRecv[p.I].Connected.Has(p.J) && s.Msgs.Is(p.J, p.I, ACKLD, ACK)
	},
	Effect: func(s, n *State, p Pair) {
		z := n.Msgs.Recv(p.J, p.I, ACKLD, ACK).Zxid
		acks := &n.AckldRecv[p.I]
		if !quorumFormed(p.I, acks.Sids) {
			if z != epochZxid(s.AcceptedEpoch[p.I]) {
				n.Raised.Raise(AckOtherEpoch)
				return
			}
			acks.Sids.Add(p.J)
			if quorumFormed(p.I, acks.Sids) {
				n.startZkServer(p.I)
			}
		}
		acks.Connected.Add(p.J)
	},
}

// NodeSendsUPTODATE is the end of LeaderProcessFirstACK. A leader that serves may propose first.
//
// ZooKeeper: LearnerHandler.run, which waits until the server runs.
var NodeSendsUPTODATE = Action[Pair]{
	Name:   "NodeSendsUPTODATE",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.AckldRecv[p.I].Connected.Has(p.J) && !s.UpToDate[p.I].Has(p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.UpToDate[p.I].Add(p.J)
		n.Msgs.Send(p.I, p.J, Msg{Kind: UPTODATE, Zxid: epochZxid(s.AcceptedEpoch[p.I])})
	},
}

// appliedZxid is the zxid of what leader i has applied last, if that is so many behind what is committed.
func (s *State) appliedZxid(i Server, behind int) Zxid {
	if behind == 0 {
		return s.lastProcessedZxid(i)
	}
	if z := zxidAt(&s.History[i], int(s.LastProcessed[i])-behind); z.Epoch >= s.ServedEpoch[i] {
		return z
	}
	return epochZxid(s.ServedEpoch[i])
}

// committedInMemory is how many committed transactions a server surely has in memory: ZKDatabase.commitLogCount, less one.
const committedInMemory = 499

// syncModeBeside is syncMode with what a real leader knows: it counts the start of its epoch as processed, and its committed log begins
// with the first transaction that it has in memory. What a leader brings up from its disk, and whether it sends a snapshot in its
// place, depends on the sizes of files: where what the learner lacks may not be in memory, snap chooses. NoKind is no choice that
// the leader has.
//
// ZooKeeper: LearnerHandler.syncFollower and queueCommittedProposals, LearnerHandler.java:791-1010@3.8.0.
func (s *State) syncModeBeside(i Server, peer Zxid, behind int, snap bool) (mode Kind, seen int) {
	h, committed, whole := &s.History[i], s.committedByLeader(i)-behind, int(s.LastProcessed[i])-behind
	processed := s.appliedZxid(i, behind)
	last := processed
	if committed > 0 {
		last = h.At(committed).Zxid
	}
	seen = atOrBefore(h, committed, peer)
	surely := seen > 0 && seen >= max(int(s.Kept[i]), committed-committedInMemory)
	switch {
	case peer == processed:
		mode, seen, surely = DIFF, whole, true
	case peer.After(last) && peer.Counter != 0:
		mode, seen, surely = TRUNC, committed, !processed.After(peer)
	case peer.After(last) || seen == 0:
		mode = SNAP
	case h.At(seen).Zxid == peer || peer.Counter == 0:
		mode = DIFF
	case seen == committed || h.At(seen+1).Zxid.Epoch != peer.Epoch:
		mode = SNAP
	default:
		mode = TRUNC
	}
	switch {
	case snap && (mode == SNAP || !surely):
		return SNAP, whole
	case snap || mode == SNAP:
		return NoKind, 0
	}
	return mode, seen
}
