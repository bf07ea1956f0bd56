package zab

// NodeCrash stops a server. Its leader goes on where it keeps a quorum; else it and all its learners look for a leader again, as
// do the learners of a leader that crashes.
//
// TLA+: NodeCrash. ZooKeeper: Leader.lead and Follower.followLeader, where their loops end, QuorumPeer.run.
//
// Deviation: whoever loses the connection notices in the same step.
var NodeCrash = Action[One]{
	Name:   "NodeCrash",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		switch l := s.LeaderAddr[p.I]; {
		case s.State[p.I] == LEADING:
			n.leaderShutdown(p.I, Set(0).With(p.I))
		case s.State[p.I] == FOLLOWING && l != NullPoint:
			n.loseLearner(l, p.I, Set(0).With(p.I))
		case s.State[p.I] == FOLLOWING:
			n.goLooking(p.I, true)
			n.disconnect(p.I)
		}
		n.Status.Remove(p.I)
	},
}

// Restart is a server that starts again. Tmp says that its crash left the epoch that it was about to accept in currentEpoch.tmp.
type Restart struct {
	I   Server
	Tmp bool
}

// EachRestart is the domain of restarts. Before 3.8.0 nobody reads currentEpoch.tmp.
func EachRestart(yield func(Restart) bool) {
	for i := range Server(Servers) {
		if !yield(Restart{I: i}) || Variant >= "v3.8.0" && !yield(Restart{I: i, Tmp: true}) {
			return
		}
	}
}

// NodeStart starts a server again with what is on its disk. It refuses to run where its epoch is behind that of its last
// transaction, unless it finds a later one in currentEpoch.tmp.
//
// TLA+: NodeStart. ZooKeeper: QuorumPeer.start, QuorumPeer.loadDataBase, QuorumPeer.java:1168-1182@3.9.1.
var NodeStart = Action[Restart]{
	Name:   "NodeStart",
	Params: EachRestart,
	Guard:  func(s *State, p Restart) bool { return !s.isOn(p.I) && (!p.Tmp || s.epochIsBehind(p.I)) },
	Effect: func(s, n *State, p Restart) {
		if s.epochIsBehind(p.I) {
			if !p.Tmp {
				n.Raised.Raise(EpochBehind)
				return
			}
			n.CurrentEpoch[p.I] = s.AcceptedEpoch[p.I]
		}
		n.Status.Add(p.I)
		n.readLog(p.I)
		n.LastProcessed[p.I] = int8(n.History[p.I].Len())
		n.LastCommitted[p.I] = 0
		if asSystem {
			n.LastCommitted[p.I] = s.book().System.LastSnapshot[p.I].Index
		}
	},
}

// epochIsBehind reports whether i's disk has a transaction of a later epoch than the one that it has accepted.
func (s *State) epochIsBehind(i Server) bool {
	return !asPublished && s.CurrentEpoch[i] < s.lastZxid(i).Epoch
}

// PartitionStart cuts the link between a leader and one of its learners, or between two servers that look for a leader.
//
// TLA+: PartitionStart. ZooKeeper: Learner.readPacket and LearnerHandler.run, where they time out.
//
// Deviation: links between other servers are not in use; they need not be cut. Both ends notice in the same step.
var PartitionStart = Action[Pair]{
	Name:   "PartitionStart",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.isOn(p.I) || !s.isOn(p.J) || s.isCut(p.I, p.J) {
			return false
		}
		return s.leads(p.I, p.J) && s.follows(p.J, p.I) || s.isLooking(p.I) && s.isLooking(p.J) && p.I > p.J
	},
	Effect: func(s, n *State, p Pair) {
		if s.State[p.I] == LEADING {
			n.loseLearner(p.I, p.J, 0)
		}
		if asSystem {
			n.markPartition(p, true)
			return
		}
		n.Msgs.Cut(p.I, p.J)
		n.Msgs.Cut(p.J, p.I)
	},
}

// PartitionRecover heals a link.
//
// TLA+: PartitionRecover.
var PartitionRecover = Action[Pair]{
	Name:   "PartitionRecover",
	Params: EachLink,
	Guard: func(s *State, p Pair) bool {
		return s.isOn(p.I) && s.isOn(p.J) && s.isCut(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		if asSystem {
			n.markPartition(p, false)
			return
		}
		n.Msgs.Mend(p.I, p.J)
		n.Msgs.Mend(p.J, p.I)
	},
}

// loseLearner is what follows where leader i loses the connection to j: it goes on without j, or gives up. Crashed holds j
// where it has crashed. TLA+: RemoveLearner. ZooKeeper: Leader.removeLearnerHandler.
func (s *State) loseLearner(i, j Server, crashed Set) {
	if !s.Learners[i].Without(j).IsQuorum(Servers) {
		s.leaderShutdown(i, crashed)
		return
	}
	s.removeLearner(i, j, crashed)
}

// removeLearner takes j back to looking for a leader; its leader i goes on. TLA+: RemoveLearner, Clean.
func (s *State) removeLearner(i, j Server, crashed Set) {
	s.Learners[i].Remove(j)
	s.Forwarding[i].Remove(j)
	s.AckldRecv[i].Connected.Remove(j)
	if s.Electing[i].Has(j) {
		s.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: s.Electing[i].At(j).InQuorum})
	}
	s.goLooking(j, crashed.Has(j))
	s.Msgs.Clear(i, j)
	s.Msgs.Clear(j, i)
}

// leaderShutdown takes leader i and its learners back to looking for a leader. TLA+: LeaderShutdown. ZooKeeper:
// Leader.shutdown.
//
// Deviation: the published leader keeps what it knew of its learners, ZooKeeper drops its Leader.
func (s *State) leaderShutdown(i Server, crashed Set) {
	with := s.Learners[i].With(i)
	for k := range Server(Servers) {
		if with.Has(k) {
			s.goLooking(k, crashed.Has(k))
			s.disconnect(k)
		}
	}
	s.Learners[i] = 0
	s.Forwarding[i] = 0
	if !asPublished {
		s.Electing[i].Clear()
		s.AckldRecv[i] = Contacts{}
		for k := range s.AckSid[i] {
			s.AckSid[i][k] = 0
		}
	}
}

// disconnect loses what is in flight to i.
func (s *State) disconnect(i Server) {
	for j := range Server(Servers) {
		s.Msgs.Clear(j, i)
	}
}

// goLooking takes i back to looking for a leader. A server that lives on first finishes NEWLEADER where it is amid it.
//
// TLA+: FollowerShutdown, Shutdown. ZooKeeper: Learner.shutdown, ZooKeeperServer.shutdown.
//
// Deviation: the published server logs all that it holds back if its processors run; ZooKeeper loses what has come behind
// NEWLEADER, which only syncWithLeader knows. A snapshot of the leader that was not yet written is lost; ZooKeeper would
// keep it in memory until the server stops.
func (s *State) goLooking(i Server, crashed bool) {
	if !crashed && s.amidNEWLEADER(i) {
		s.CurrentEpoch[i] = s.AcceptedEpoch[i]
		if !commitsFirst && !logsAtUPTODATE {
			s.History[i].AppendAll(&s.PacketsSync[i].NotCommitted)
		}
	}
	s.PacketsSync[i] = Packets{}
	s.ConnectInfo[i] = ConnectInfo{}
	s.forgetInitialHistory(i)
	if !asPublished {
		s.LastCommitted[i] = 0
	}
	s.shutDownDatabase(i, crashed)
	s.LastProcessed[i] = int8(s.History[i].Len())
	s.State[i] = LOOKING
	s.ZabState[i] = ELECTION
	s.ServingState[i] = SHUTDOWN
	s.LeaderAddr[i] = NullPoint
}

// amidNEWLEADER reports whether follower i has begun with NEWLEADER and not yet acknowledged it: it notices only then that its
// leader has gone.
func (s *State) amidNEWLEADER(i Server) bool {
	if asPublished {
		return !asSystem && s.ServingState[i] != SHUTDOWN && s.State[i] == FOLLOWING
	}
	return !s.ConnectInfo[i].NlRcv && s.State[i] == FOLLOWING &&
		(s.ServingState[i] == INITIAL || s.ConnectInfo[i].SyncMode == NEWLEADER)
}
