package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Broadcast at a coarser grain than its baseline, for Synchronization or Election under test: a
// transaction that a quorum is ready for is replicated and committed in one step. One that is left
// behind, as Synchronization may find it, is so by other steps: the leader alone logs it (Replicate
// with itself), a follower logs it and nobody hears of that (CatchUp), or the leader counts it
// (CountACK). Nobody waits for what makes no difference any more: followers commit in the step in
// which the leader does, and acknowledgements of what is committed are gone.
//
// Every step is a sequence of the baseline's, so none of its behaviours is false. It leaves out
// orders of steps that Synchronization does not see.

// EachParty is the domain of a leader with a set of servers that it is in.
var EachParty = modules.Subsets[Server](Servers)

// Replicate takes a client's write to the leader p.I and to its followers among p.S, which have
// everything before it. Where p.S is a quorum, all of them commit it.
//
// It stands for LeaderProcessRequest and, of each follower in p.S, FollowerProcessPROPOSAL,
// LeaderProcessACK and FollowerProcessCOMMIT. Paper: Zab phase 3. Other followers are sent what the
// baseline sends them.
var Replicate = Action[Party]{
	Name:   "Replicate",
	Params: EachParty,
	Guard: func(s *State, p Party) bool {
		if !s.isLeader(p.I) || s.ZabState[p.I] != BROADCAST || s.History[p.I].Len() >= MaxTransactions {
			return false
		}
		for k := range Server(Servers) {
			if k != p.I && p.S.Has(k) && !s.isLevel(k, p.I) {
				return false
			}
		}
		return p.S.Len() == 1 || p.S.IsQuorum(Servers)
	},
	Effect: func(s, n *State, p Party) {
		n.propose(p.I)
		for k := range Server(Servers) {
			if k != p.I && p.S.Has(k) && !n.replicateTo(k, p.I) {
				return
			}
		}
		n.settle(p.I)
	},
}

// CatchUp takes follower p.I one transaction further towards its leader p.J: it commits what was
// committed, and logs and acknowledges one proposal more.
//
// It stands for FollowerProcessPROPOSAL and FollowerProcessCOMMIT.
var CatchUp = Action[Pair]{
	Name:   "CatchUp",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.follows(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, PROPOSAL, COMMIT)
	},
	Effect: func(s, n *State, p Pair) {
		n.commitSent(p.I, p.J)
		if n.Msgs.Is(p.J, p.I, PROPOSAL) && !n.logProposal(p.I, p.J) {
			return
		}
		n.settle(p.J)
	},
}

// CountACK lets leader p.I count an acknowledgement of p.J, and all commit what it decides.
//
// It stands for LeaderProcessACK and FollowerProcessCOMMIT.
var CountACK = Action[Pair]{
	Name:   "CountACK",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.Msgs.Is(p.J, p.I, ACK)
	},
	Effect: func(s, n *State, p Pair) {
		n.processAck(p.I, p.J, n.Msgs.Recv(p.J, p.I, ACK).Zxid)
		n.settle(p.I)
	},
}

// settle does the remaining steps between leader i and its learners that cannot matter any more.
// Learners in Broadcast commit what the leader has asked them to commit. The leader takes
// acknowledgements of what it has committed.
func (n *State) settle(i Server) {
	if n.ZabState[i] != BROADCAST {
		return
	}
	for k := range Server(Servers) {
		if k == i || !n.leads(i, k) {
			continue
		}
		if n.ZabState[k] == BROADCAST {
			n.commitSent(k, i)
		}
		for n.Msgs.Is(k, i, ACK) && !n.Msgs.Peek(k, i, ACK).Zxid.After(zxidAt(&n.History[i], int(n.LastCommitted[i]))) {
			n.Msgs.Recv(k, i, ACK)
		}
	}
}

// isLevel reports whether i follows leader j in Broadcast and has taken everything that j has sent.
func (s *State) isLevel(i, j Server) bool {
	return s.follows(i, j) && s.leads(j, i) && s.Forwarding[j].Has(i) && s.ZabState[i] == BROADCAST &&
		!s.Msgs.Is(j, i, PROPOSAL, COMMIT) && !s.Msgs.Is(i, j, ACK)
}

// replicateTo logs at follower i the next proposal of its leader j, which counts the
// acknowledgement. It reports whether the proposal follows.
func (n *State) replicateTo(i, j Server) bool {
	if !n.logProposal(i, j) {
		return false
	}
	n.processAck(j, i, n.Msgs.Recv(i, j, ACK).Zxid)
	return true
}

// commitSent commits at follower i the transactions for which its leader j has sent COMMIT.
func (n *State) commitSent(i, j Server) {
	for n.Msgs.Is(j, i, COMMIT) {
		n.commitNext(i, j)
	}
}

// recordReplicated is the ghost variable's rule for Replicate, as LeaderProcessRequest has one.
var recordReplicated = modules.After(&Replicate, func(s, n *State, p Party) { n.ProposalMsgsLog.Add(n.History[p.I].Last()) })

var broadcastCoarse = grains.Coarsen(grains.Grain[State]{
	Node:       nodeBroadcast,
	Name:       "coarse",
	Doc:        "A transaction is replicated and committed in one step. For Synchronization or Election under test.",
	Actions:    Actions{&Replicate, &CatchUp, &CountACK},
	Rules:      []modules.Rule[State]{recordReplicated},
	Invariants: broadcastAssertions,
	Budgets:    []modules.Budget[State]{modules.Spend[State]("requests", &Replicate)},
}, broadcastBaseline)
