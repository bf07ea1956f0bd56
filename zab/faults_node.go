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
		return s.State[p.I] == FOLLOWING && !s.answers(p.I) && (LiveNode || !s.amidNEWLEADER(p.I))
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
		return s.State[p.I] == LEADING && (LiveNode || !s.Learners[p.I].IsQuorum(Servers))
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

// requestsShown are the rules of requests in a stream. They are there where the leader proposes
// them first, so it is not alone then. What it took while it was alone comes before them.
var requestsShown = []modules.Rule[State]{
	modules.When(&LeaderProcessRequest, func(s *State, p One) bool { return !s.isAlone(p.I) && s.hasRoom(0) }),
	modules.After(&LeaderProcessRequest, func(s, n *State, p One) { n.settleEnd(p.I) }),
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
		if !LiveNode {
			n.endConnections(p.I)
		}
		if p.Led {
			n.openProposals(p.I)
		} else {
			n.openQueue(p.I)
		}
		n.forgetTerm(p.I, true)
		n.Beside[p.I].Kept = Number(n.History[p.I].Len()) + 1
		if !LiveNode && (n.epochIsBehind(p.I) || n.AcceptedEpoch[p.I] < n.CurrentEpoch[p.I]) {
			n.Raised.Raise(EpochBehind)
		}
	},
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

// unseenNoted keep the ghosts of requests that nobody has heard of.
var unseenNoted = []modules.Rule[State]{
	modules.After(&NodeTakesUnseenRequest, func(s, n *State, p One) {
		if !LiveNode && n.Beside[p.I].Open.Rest.Empty() {
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

// undisturbed are the rules that keep a follower during NEWLEADER from taking what comes after it.
var undisturbed = []modules.Rule[State]{
	modules.When(&FollowerHoldBackPROPOSAL, func(s *State, p Pair) bool { return !s.amidNEWLEADER(p.I) }),
	modules.When(&FollowerProcessCOMMITInSync, func(s *State, p Pair) bool { return !s.amidNEWLEADER(p.I) }),
	modules.When(&FollowerSyncProcessorLogRequest, func(s *State, p Pair) bool {
		// A shutdown brings into memory what is logged unheard: see NodeBringsUpMemory.
		return !s.Beside[p.I].Unheard
	}),
	modules.When(&FollowerProcessUPTODATEAsync, func(s *State, p Pair) bool { return !s.amidNEWLEADER(p.I) }),
}
