package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The ends of connections, and of the server itself, in steps of one node. See
// discovery_node.go.

// NodeProcessCLOSED is FollowerProcessCLOSED.
var NodeProcessCLOSED = Action[Pair]{
	Name:   "NodeProcessCLOSED",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && !s.answers(p.I) && s.Msgs.Is(p.J, p.I, CLOSED)
	},
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Recv(p.J, p.I, CLOSED)
		n.hangUp(p.I, false)
	},
}

// NodeTimesOut is FollowerTimesOut. Next to a server it is also the death of a follower's process:
// its connection ends.
var NodeTimesOut = Action[One]{
	Name:   "NodeTimesOut",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == FOLLOWING && !s.answers(p.I) && (Beside || !s.amidNEWLEADER(p.I))
	},
	Effect: func(s, n *State, p One) { n.hangUp(p.I, false) },
}

// NodeIsUnheard begins the end of follower i's connection: what it sends from here on is lost
// before the tap sees it.
var NodeIsUnheard = Action[One]{
	Name:   "NodeIsUnheard",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == FOLLOWING && s.LeaderAddr[p.I] != NullPoint && !s.Beside[p.I].Unheard && !s.answers(p.I)
	},
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

// NodeGivesUp is LeaderGivesUp. Next to a server it is also the death of a leader's process, and
// how many learners it has is not looked at.
var NodeGivesUp = Action[One]{
	Name:   "NodeGivesUp",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.State[p.I] == LEADING && (Beside || !s.Learners[p.I].IsQuorum(Servers))
	},
	Effect: func(s, n *State, p One) {
		n.openUnseen(p.I) // it may have lost its learners before
		n.hangUp(p.I, false)
	},
}

// NodeTakesUnseenRequest is LeaderProcessRequest of a leader that was alone: nobody has seen the
// proposal, and it is in the log. A proposal that was in flight when a connection broke is unseen,
// too. Its value is that of the first transaction with its zxid, 0: see Stream in package
// zookeeper. How many there are is left open while the leader is alone, see openUnseen. It is
// chosen when a learner is connected, before the leader decides how to synchronise it.
var NodeTakesUnseenRequest = Action[One]{
	Name:   "NodeTakesUnseenRequest",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		if s.State[p.I] != LEADING || s.ZabState[p.I] != BROADCAST || s.Beside[p.I].Taken >= maxTaken {
			return false
		}
		if s.Beside[p.I].Open.Rest.Empty() {
			return s.isAlone(p.I) && !s.LeftRequests[p.I].Empty() && s.hasRoom(0)
		}
		return !s.isAlone(p.I)
	},
	Effect: func(s, n *State, p One) { n.takeUnseen(p.I) },
}

// isAlone reports whether leader i has no connection to a learner.
func (s *State) isAlone(i Server) bool { return s.Learners[i] == Set(0).With(i) }

// requestsShown are the rules of requests in a stream. They are there where the leader proposes
// them first, so it is not alone then. What it took while it was alone comes before them.
var requestsShown = []modules.Rule[State]{
	modules.When(&LeaderProcessRequest, func(s *State, p One) bool { return !s.isAlone(p.I) && s.hasRoom(0) }),
	modules.After(&LeaderProcessRequest, func(s, n *State, p One) { n.settleEnd(p.I) }),
}

// openUnseen leaves open how many requests leader i takes while it is alone. Nothing does so where
// something is set aside that a restart may find before these requests.
func (n *State) openUnseen(i Server) {
	if n.State[i] != LEADING || n.ZabState[i] != BROADCAST || !n.Beside[i].Open.Rest.Empty() {
		return
	}
	if n.dropRepeated(i); !n.LeftRequests[i].Empty() {
		return
	}
	n.addUnseen(i, &n.Beside[i].Open.Rest)
}

// addUnseen adds to a queue the requests that leader i can still take while it is alone.
func (n *State) addUnseen(i Server, to *Requests) {
	z := n.lastZxid(i)
	for k := n.Beside[i].Taken; k < maxTaken && n.hasRoom(n.newIn(to)); k++ {
		z = n.nextUnseen(i, z)
		to.Append(Txn{Zxid: z})
	}
}

// hasRoom reports whether there may be one more transaction, in addition to those that somebody has
// proposed or may have, and a few new ones.
func (s *State) hasRoom(more int) bool {
	if Beside {
		return true
	}
	for k := range Server(Servers) {
		more += s.newIn(&s.Beside[k].Open.Rest)
	}
	return s.ProposalMsgsLog.Len()+more < MaxTransactions
}

// newIn returns how many transactions of a queue nobody has proposed, as far as is decided.
func (s *State) newIn(q *Requests) (count int) {
	for k := 1; !Beside && k <= q.Len(); k++ {
		if !s.ProposalMsgsLog.Has(q.At(k)) {
			count++
		}
	}
	return count
}

// nextUnseen returns the zxid that leader i proposes after z.
func (n *State) nextUnseen(i Server, z Zxid) Zxid {
	if z.Epoch == n.CurrentEpoch[i] {
		return Zxid{z.Epoch, z.Counter + 1}
	}
	return Zxid{n.CurrentEpoch[i], 1}
}

// takeUnseen adds a request that nobody has heard of to leader i's log.
func (n *State) takeUnseen(i Server) {
	n.logTxn(i, Txn{Zxid: n.nextUnseen(i, n.lastZxid(i))})
	n.Beside[i].Taken++
	if !n.Beside[i].Open.Rest.Empty() {
		n.Beside[i].Open.Chosen++
	}
}

// Death is that of server I's process. Led says that it has served as leader. A leader sends a
// proposal before it logs it, so the last ones may not be on disk. With the followers it may even
// have committed them. And it may have logged requests that nobody has heard of.
//
// Deviation: next to a server, whether a quorum without the leader has acknowledged what is
// committed is not looked at. That hides an alarm where the leader has lost what no other server
// has. Where all servers are explored, a leader has logged what is committed. That hides a leader
// that has lost a transaction which a quorum of its followers has.
type Death struct {
	I   Server
	Led bool
}

// EachDeath is the domain of crashes.
func EachDeath(yield func(Death) bool) {
	for i := range Server(Servers) {
		if !yield(Death{i, false}) || !yield(Death{i, true}) {
			return
		}
	}
}

// mayChoose reports whether i's log can have more of what is open.
func (s *State) mayChoose(i Server) bool {
	return int(s.Beside[i].Open.Chosen) < s.Beside[i].Open.Rest.Len()
}

// choose adds the next transaction of i's open end to its log, and to its memory, which has the
// whole log.
func (n *State) choose(i Server) {
	open := &n.Beside[i].Open
	if open.Chosen == 0 {
		open.Tail = n.Disks[i].Memory
	}
	open.Chosen++
	n.writeLog(i, open.Rest.At(int(open.Chosen)))
	n.load(i, n.Disks[i].forward(n.memory(i)))
	if open.Crash {
		n.Beside[i].Kept = Number(n.History[i].Len()) + 1
	}
}

// NodeRestarts is a crash and NodeStart: what is on disk is left. How much a log thread has logged
// of its queue is left open.
//
// ZooKeeper: ProposalRequestProcessor.processRequest, where Leader.propose comes before the request
// is handed to the SyncRequestProcessor.
var NodeRestarts = Action[Death]{
	Name:   "NodeRestarts",
	Params: EachDeath,
	Guard: func(s *State, p Death) bool {
		serves := s.State[p.I] == LEADING && s.ZabState[p.I] == BROADCAST
		if p.Led || !serves {
			return p.Led == serves
		}
		// of what is set aside, nothing follows what the leader has proposed
		return !s.LeftRequests[p.I].Empty() && s.History[p.I].Last().Zxid.Epoch != s.AcceptedEpoch[p.I]
	},
	Effect: func(s, n *State, p Death) {
		if !Beside {
			n.endConnections(p.I)
		}
		if p.Led {
			n.openProposals(p.I)
		} else {
			n.openQueue(p.I)
		}
		n.forgetTerm(p.I, true)
		n.Beside[p.I].Kept = Number(n.History[p.I].Len()) + 1
		if !Beside && (n.epochIsBehind(p.I) || n.AcceptedEpoch[p.I] < n.CurrentEpoch[p.I]) {
			n.Raised.Raise(EpochBehind)
		}
	},
}

// openQueue leaves open how much of the queue of i's log thread is in its log.
func (n *State) openQueue(i Server) {
	open := &n.Beside[i].Open
	if !open.Rest.Empty() {
		n.reopen(i) // nothing was logged since
		open.Crash = true
		return
	}
	n.leave(i)
	last := later(n.Disks[i].Log.Last().Zxid, n.Disks[i].Snapshot.lastZxid())
	for k := 1; k <= n.LeftRequests[i].Len(); k++ {
		if t := n.LeftRequests[i].At(k); t.Zxid.After(last) { // see lacks
			open.Rest.Append(t)
			open.Crash = true
			last = t.Zxid
		}
	}
}

// openProposals leaves open how much leader i has logged of its last proposals, and of requests
// that nobody has heard of.
func (n *State) openProposals(i Server) {
	n.reopen(i)
	n.settleEnd(i)
	h, log := &n.History[i], &n.Disks[i].Log
	surely := h.Len()
	for surely > n.surelyLogged(i) && h.Len()-surely < maxUnapplied && zxidAt(h, surely).Epoch == n.AcceptedEpoch[i] {
		surely--
	}
	open := OpenEnd{Crash: true}
	for k := surely + 1; k <= h.Len(); k++ {
		open.Rest.Append(h.At(k))
	}
	n.addUnseen(i, &open.Rest)
	if !open.Rest.Empty() {
		n.Beside[i].Open = open
	}
	log.Truncate(log.Len() - (h.Len() - surely))
}

// surelyLogged returns how many transactions of its history leader i has logged in any case.
func (s *State) surelyLogged(i Server) int {
	if Beside {
		return 0
	}
	return int(s.LastCommitted[i])
}

// reopen takes back what was chosen of i's open end, since no message has shown it.
func (n *State) reopen(i Server) {
	open := &n.Beside[i].Open
	if open.Chosen == 0 {
		return
	}
	h, d := &n.History[i], &n.Disks[i]
	h.Truncate(h.Len() - int(open.Chosen))
	d.Log.Truncate(d.Log.Len() - int(open.Chosen))
	if n.State[i] == LEADING && n.ZabState[i] == BROADCAST {
		n.Beside[i].Taken -= open.Chosen
		open.Chosen = 0
		return
	}
	n.load(i, Image{Txns: *h, Tail: open.Tail})
	open.Chosen, open.Tail = 0, Tail{}
	if open.Crash {
		n.Beside[i].Kept = n.LastProcessed[i] + 1
	}
	if n.State[i] != LOOKING {
		n.InitialHistory[i] = n.LastProcessed[i]
	}
}

// answers reports whether follower i has chosen something of its open end. It does so for its
// answer to LEADERINFO, so that is all that it does next. To end the connection it need not choose.
func (s *State) answers(i Server) bool {
	return s.State[i] == FOLLOWING && s.Beside[i].Open.Chosen > 0
}

// settleEnd makes what is chosen of i's open end its log: a message shows it.
func (n *State) settleEnd(i Server) {
	if open := &n.Beside[i].Open; !Beside {
		for k := 1; k <= int(open.Chosen); k++ {
			if t := open.Rest.At(k); !n.ProposalMsgsLog.Has(t) {
				n.ProposalMsgsLog.Add(t)
			}
		}
	}
	n.Beside[i].Open = OpenEnd{}
}

// moreOfOpenEnd and settleOpenEnd are Runtime.AfterCrash.
func moreOfOpenEnd(s *State, i int) bool {
	more := s.mayChoose(Server(i))
	if more {
		s.bringUp(Server(i))
	}
	return more
}

func settleOpenEnd(s *State, i int) { s.settleEnd(Server(i)) }

// hangUp closes i's connections and takes it back to looking for a leader.
func (n *State) hangUp(i Server, crashed bool) {
	n.endConnections(i)
	n.forgetTerm(i, crashed)
}

// endConnection ends what i sends to j, after what is in flight. It reads no more of j.
func (n *State) endConnection(i, j Server) {
	if !Beside {
		n.Msgs.Clear(j, i)
	}
	n.Msgs.Send(i, j, Msg{Kind: CLOSED})
}

// endConnections ends i's connections. Where its process has ended, the kernel does it.
func (n *State) endConnections(i Server) {
	for k := range Server(Servers) {
		if k != i && (n.LeaderAddr[i] == k || n.Learners[i].Has(k)) {
			n.endConnection(i, k)
		}
	}
}

// forgetTerm takes i back to looking for a leader, with what it keeps then.
func (n *State) forgetTerm(i Server, crashed bool) {
	n.reopen(i)
	if stopsSyncProcessor && !crashed {
		n.logQueued(i)
	}
	n.goLooking(i, crashed)
	if !crashed {
		n.leave(i)
	}
	if crashed {
		n.LeftRequests[i].Clear()
		n.Beside[i].Snapped = false
	}
	n.QueuedRequests[i].Clear()
	n.PendingTxns[i].Clear()
	n.CommittedRequests[i].Clear()
	n.Learners[i] = 0
	n.Forwarding[i] = 0
	n.Electing[i].Clear()
	n.AckldRecv[i] = Contacts{}
	n.Connecting[i] = Contacts{}
	n.Beside[i].Unheard, n.Beside[i].Offered = false, 0
	n.Beside[i].Announced, n.Beside[i].UpToDate = 0, 0
	n.Beside[i].Backlogs, n.Beside[i].Opening = [Servers]Backlog{}, [Servers]Kind{}
	n.Beside[i].Taken, n.Beside[i].Shown, n.Beside[i].Early = 0, 0, Early{}
	n.TempMaxEpoch[i] = 0
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
}

// logQueued logs what is in i's queue before a shutdown ends: the fix of ZOOKEEPER-4712.
func (n *State) logQueued(i Server) {
	for !n.QueuedRequests[i].Empty() {
		n.appendToLog(i, n.QueuedRequests[i].PopFront())
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
	if Beside && n.Electing[i].Len() > 1 {
		n.settleEnd(i) // see NodeProcessACKEPOCH
	}
	n.reopen(i)
	n.endConnection(i, j)
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
	if n.isAlone(i) {
		n.openUnseen(i)
	}
}

// unseenNoted keep the ghosts of requests that nobody has heard of.
var unseenNoted = []modules.Rule[State]{
	modules.After(&NodeTakesUnseenRequest, func(s, n *State, p One) {
		if !Beside && n.Beside[p.I].Open.Rest.Empty() {
			n.recordProposal(p.I)
		}
	}),
}

var faultsNode = grains.Refine(grains.Grain[State]{
	Name:     "node",
	Was:      []string{"one-sided"},
	Doc:      nodeDoc + "A crash and the start after it are one step.",
	Sets:     []grains.Setting{{Name: "closings", Value: "1"}},
	Requires: []grains.Ref{{Module: "discovery", Grain: "node"}},
	Actions: Actions{&NodeRestarts, &LinkCut, &PartitionRecover, &NodeProcessCLOSED, &NodeTimesOut, &NodeIsUnheard,
		&NodeProcessLearnerCLOSED, &NodeDropsLearner, &NodeGivesUp, &NodeTakesUnseenRequest},
	Rules:      slices.Concat(unseenNoted, undisturbed, requestsShown, []modules.Rule[State]{mended}),
	Invariants: restartAssertions,
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeRestarts),
		modules.Spend[State]("partitions", &LinkCut),
		modules.Spend[State]("timeouts", &NodeTimesOut, &NodeIsUnheard, &NodeDropsLearner),
	},
}, faultsEndpoints)
