package zab

// Election and Discovery next to a server: each end's half of a step. See Runtime.

// NodeLeads is ElectLeader as the leader sees it: any election may have ended so.
var NodeLeads = Action[One]{
	Name:   "NodeLeads",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isLooking(p.I) },
	Effect: func(s, n *State, p One) {
		n.turnToLeading(p.I)
		n.loadDatabase(p.I)
		n.Beside[p.I].Loads = !s.hasVoter()
	},
}

// NodeFollows is FollowElected and ConnectAndFollowerSendFOLLOWERINFO as the follower i sees them:
// it connects to its leader j.
var NodeFollows = Action[Pair]{
	Name:   "NodeFollows",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.isLooking(p.I) },
	Effect: func(s, n *State, p Pair) {
		n.turnToFollowing(p.I)
		n.LeaderAddr[p.I] = p.J
		n.Msgs.Send(p.I, p.J, Msg{Kind: FOLLOWERINFO, Zxid: Zxid{Epoch: s.AcceptedEpoch[p.I]}})
	},
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
		n.reopen(p.I)
		n.Learners[p.I].Add(p.J)
		n.takeFOLLOWERINFO(p.I, p.J)
		if Beside && !n.waitingForNewEpoch(p.I) {
			// whose quorum it was means nothing any more
			n.Connecting[p.I] = Contacts{Sids: Everyone}
		}
	},
}

// NodeDropsFOLLOWERINFO is the death of the process of i, or the end of its term, before it has
// answered FOLLOWERINFO.
var NodeDropsFOLLOWERINFO = Action[Pair]{
	Name:   "NodeDropsFOLLOWERINFO",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return !s.Learners[p.I].Has(p.J) && s.Msgs.Is(p.J, p.I, FOLLOWERINFO)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, FOLLOWERINFO)
		n.Msgs.Send(p.I, p.J, Msg{Kind: CLOSED})
	},
}

// NodeBringsUpMemory brings one transaction into memory, from the log or from the queue of the log
// thread. A shutdown before the server serves leaves its memory as it is, or brings it up to the
// log. A shutdown of a serving one brings it up to what was logged by then. One state stands for
// all positions of the log until something depends on the server's last zxid. That is the answer to
// LEADERINFO of a follower, and the first ACKEPOCH of a leader. Where votes name the zxid, see
// NodeBringsUpLog.
//
// ZooKeeper: ZooKeeperServer.shutdown and canShutdown, which a server that does not serve yet
// passes in some cases only.
var NodeBringsUpMemory = Action[One]{
	Name:   "NodeBringsUpMemory",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		joins := s.Beside[p.I].Offered > 0 && !s.Beside[p.I].Unheard
		leads := s.Beside[p.I].Loads && !s.waitingForNewEpoch(p.I)
		return !s.hasVoter() && (joins || leads) &&
			s.mayBringUp(p.I)
	},
	Effect: func(s, n *State, p One) { n.bringUp(p.I) },
}

// mayBringUp reports whether a transaction may be in i's memory that is not there yet.
func (s *State) mayBringUp(i Server) bool {
	return int(s.LastProcessed[i]) < max(s.History[i].Len()+s.LeftRequests[i].Len(), s.Beside[i].Open.Log.Len())
}

// bringUp brings a transaction into i's memory, and logs it if the log thread has not. What the log
// has already is not logged again.
func (n *State) bringUp(i Server) {
	if open := n.Beside[i].Open.Log; !open.Empty() {
		k := n.History[i].Len() + 1
		n.History[i] = open
		n.History[i].Truncate(k)
		if n.Beside[i].Open.Crash {
			n.Beside[i].Kept = Number(k) + 1
		}
	}
	for n.History[i].Len() == int(n.LastProcessed[i]) && !n.LeftRequests[i].Empty() {
		n.appendToLog(i, n.LeftRequests[i].PopFront())
	}
	n.LastProcessed[i] = min(n.LastProcessed[i]+1, Number(n.History[i].Len()))
	if n.State[i] != LOOKING {
		n.InitialHistory[i] = Number(n.History[i].Len()) // see turnToFollowing and loadDatabase
	}
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
		n.logWhatIsApplied(p.I)
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
		}
		n.say(p.I, s.LeaderAddr[p.I], ack)
	},
}

// NodeProcessACKEPOCH is LeaderProcessACKEPOCH. A leader closes the connection to a learner that is
// ahead of it.
var NodeProcessACKEPOCH = Action[Pair]{
	Name:   "NodeProcessACKEPOCH",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, ACKEPOCH) },
	Effect: func(s, n *State, p Pair) {
		i, j := p.I, p.J
		m := n.Msgs.Recv(j, i, ACKEPOCH)
		n.Beside[i].Loads = false
		if s.ZabState[i] != BROADCAST {
			n.settleEnd(i)
		}
		counts := m.Data > -1 && !s.electionFinished(i)
		if counts && s.isBehind(i, m) {
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
			if Beside && n.electionFinished(i) && n.Electing[i].Has(k) {
				n.Electing[i].Put(k, Elector{PeerLastZxid: n.Electing[i].At(k).PeerLastZxid, InQuorum: true})
			}
		}
	},
}

// logWhatIsApplied logs what i has applied and its log thread has left to do: a transaction may be
// committed before.
func (n *State) logWhatIsApplied(i Server) {
	for n.History[i].Len() < int(n.LastProcessed[i]) && !n.LeftRequests[i].Empty() {
		n.appendToLog(i, n.LeftRequests[i].PopFront())
	}
}
