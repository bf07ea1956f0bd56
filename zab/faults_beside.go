package zab

// The ends of connections, and of the server itself, next to a server. See Runtime.

// NodeProcessCLOSED is FollowerProcessCLOSED.
var NodeProcessCLOSED = Action[Pair]{
	Name:   "NodeProcessCLOSED",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.follows(p.I, p.J) && s.Msgs.Is(p.J, p.I, CLOSED) },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, CLOSED)
		n.hangUp(p.I, false)
	},
}

// NodeTimesOut is FollowerTimesOut, and the death of a follower's process: its connection ends.
var NodeTimesOut = Action[One]{
	Name:   "NodeTimesOut",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.State[p.I] == FOLLOWING },
	Effect: func(s, n *State, p One) { n.hangUp(p.I, false) },
}

// NodeIsUnheard begins the end of follower i's connection: what it sends from here on is lost
// before the tap sees it.
var NodeIsUnheard = Action[One]{
	Name:   "NodeIsUnheard",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.State[p.I] == FOLLOWING && !s.Beside[p.I].Unheard },
	Effect: func(s, n *State, p One) { n.Beside[p.I].Unheard = true },
}

// NodeProcessLearnerCLOSED is LeaderProcessCLOSED.
var NodeProcessLearnerCLOSED = Action[Pair]{
	Name:   "NodeProcessLearnerCLOSED",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, CLOSED) },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, CLOSED)
		n.hangUpOn(p.I, p.J)
	},
}

// NodeDropsLearner is LeaderDropsLearner.
var NodeDropsLearner = Action[Pair]{
	Name:   "NodeDropsLearner",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I, p.J) && p.I != p.J },
	Effect: func(s, n *State, p Pair) { n.hangUpOn(p.I, p.J) },
}

// NodeGivesUp is LeaderGivesUp, and the death of a leader's process.
var NodeGivesUp = Action[One]{
	Name:   "NodeGivesUp",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.State[p.I] == LEADING },
	Effect: func(s, n *State, p One) { n.hangUp(p.I, false) },
}

// NodeTakesUnseenRequest is LeaderProcessRequest of a leader that is alone: nobody sees the
// proposal, and it is in the log. A proposal that was in flight when a connection broke is unseen,
// too. Its value is that of the first transaction with its zxid, 0: see Stream in package
// zookeeper.
var NodeTakesUnseenRequest = Action[One]{
	Name:   "NodeTakesUnseenRequest",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == LEADING && s.ZabState[p.I] == BROADCAST && s.Learners[p.I] == Set(0).With(p.I) && s.Beside[p.I].Taken < maxTaken
	},
	Effect: func(s, n *State, p One) {
		z := s.lastZxid(p.I)
		if z.Epoch == s.CurrentEpoch[p.I] {
			z.Counter++
		} else {
			z = Zxid{s.CurrentEpoch[p.I], 1}
		}
		n.History[p.I].Append(Txn{Zxid: z})
		n.Beside[p.I].Taken++
	},
}

// maxTaken is how many requests a lonely leader takes at most, as long as it leads.
const maxTaken = 16

// Death is that of server I's process. A leader sends a proposal before it logs it: Lost of its
// last ones are not on disk. With the followers it may even have committed them.
//
// Deviation: whether a quorum without the leader has acknowledged what is committed is not looked
// at. That hides an alarm where the leader has lost what no other server has.
type Death struct {
	I    Server
	Lost int8
}

// EachDeath is the domain of crashes.
func EachDeath(yield func(Death) bool) {
	for i := range Server(Servers) {
		for lost := range int8(maxUnapplied + 1) {
			if !yield(Death{i, lost}) {
				return
			}
		}
	}
}

// NodeRestarts is a crash and NodeStart: what is on disk is left.
//
// ZooKeeper: ProposalRequestProcessor.processRequest, where Leader.propose comes before the request
// is handed to the SyncRequestProcessor.
var NodeRestarts = Action[Death]{
	Name:   "NodeRestarts",
	Params: EachDeath,
	Guard: func(s *State, p Death) bool {
		return p.Lost == 0 || s.State[p.I] == LEADING && s.ZabState[p.I] == BROADCAST && s.History[p.I].Len() >= int(p.Lost) &&
			zxidAt(&s.History[p.I], s.History[p.I].Len()-int(p.Lost)+1).Epoch == s.AcceptedEpoch[p.I]
	},
	Effect: func(s, n *State, p Death) {
		n.History[p.I].Truncate(s.History[p.I].Len() - int(p.Lost))
		n.forgetTerm(p.I, true)
		n.readLog(p.I)
		n.LastProcessed[p.I] = Number(n.History[p.I].Len())
		n.LastCommitted[p.I] = 0
		n.Beside[p.I].ServedEpoch = s.Beside[p.I].DiskEpoch
		n.Beside[p.I].Kept = Number(n.History[p.I].Len()) + 1
	},
}

// hangUp closes i's connections and takes it back to looking for a leader.
func (n *State) hangUp(i Server, crashed bool) {
	for k := range Server(Servers) {
		if k != i && (n.LeaderAddr[i] == k || n.Learners[i].Has(k)) {
			n.Msgs.Send(i, k, Msg{Kind: CLOSED})
		}
	}
	n.forgetTerm(i, crashed)
}

// forgetTerm takes i back to looking for a leader, with what it keeps then.
func (n *State) forgetTerm(i Server, crashed bool) {
	n.quit(i, crashed)
	n.goLooking(i, crashed)
	if !crashed {
		n.leave(i)
	}
	if crashed {
		n.LeftRequests[i].Clear()
	}
	n.QueuedRequests[i].Clear()
	n.PendingTxns[i].Clear()
	n.CommittedRequests[i].Clear()
	n.Learners[i] = 0
	n.Forwarding[i] = 0
	n.Electing[i].Clear()
	n.AckldRecv[i] = Contacts{}
	n.Connecting[i] = Contacts{}
	n.Beside[i].Snapshot = Zxid{}
	n.Beside[i].Unheard, n.Beside[i].Offered = false, 0
	n.Beside[i].Announced, n.Beside[i].UpToDate = 0, 0
	n.Beside[i].Backlogs, n.Beside[i].Opening = [Servers]Backlog{}, [Servers]Kind{}
	n.Beside[i].Taken, n.Beside[i].Shown, n.Beside[i].Early, n.Beside[i].Loads = 0, 0, Early{}, false
	n.TempMaxEpoch[i] = 0
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
}

// leave leaves the rest of i's queue to its log thread, which continues.
func (n *State) leave(i Server) {
	left, queued := &n.LeftRequests[i], &n.QueuedRequests[i]
	if left.Empty() || begins(queued, left) {
		*left = *queued // as a whole: the same whatever was taken of it before or is from now on
		return
	}
	from := queued.Len() // what is after it is later than what is left; zxids increase
	for from > 0 && queued.At(from).Zxid.After(left.Last().Zxid) {
		from--
	}
	for x := from + 1; x <= queued.Len(); x++ {
		left.Append(queued.At(x))
	}
}

// begins reports whether q begins with r, which is not empty and has transactions of one epoch.
// Their counters have no gaps, so the first and the last of them say that.
func begins(q, r *Requests) bool {
	return q.Len() >= r.Len() && q.At(1) == r.At(1) && q.At(r.Len()) == r.Last() && r.At(1).Zxid.Epoch == r.Last().Zxid.Epoch
}

// hangUpOn ends leader i's connection to learner j.
func (n *State) hangUpOn(i, j Server) {
	n.Msgs.Send(i, j, Msg{Kind: CLOSED})
	n.Learners[i].Remove(j)
	n.Forwarding[i].Remove(j)
	n.AckldRecv[i].Connected.Remove(j)
	n.Connecting[i].Connected.Remove(j)
	n.Beside[i].Backlogs[j], n.Beside[i].Opening[j] = Backlog{}, NoKind
	n.Beside[i].Announced.Remove(j)
	n.Beside[i].UpToDate.Remove(j)
	n.notEarly(i, j)
	if n.Electing[i].Has(j) {
		n.Electing[i].Put(j, Elector{PeerLastZxid: Synced(), InQuorum: n.Electing[i].At(j).InQuorum})
	}
}
