package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// mspec2Bounds is the environment module that bounds MSPEC_2 and keeps its variables that no
// action reads. TLA+: recorder with UpdateRecorder, CheckTimeout, CheckTransactionNum,
// CheckExternalFailure and CheckExternalEventExecute. Limits of crashes and partitions are
// budgets.
var mspec2Bounds = []modules.Rule[State]{
	modules.WhenAny(func(s *State) bool { return s.DoInit }, &SetInitState),

	modules.When(&LeaderProcessRequest, func(s *State, _ One) bool { return s.NTransaction < MaxTransactions }),
	modules.When(&NodeCrash, func(s *State, p One) bool {
		return !s.NoCrash.Has(p.I) && (s.isLooking(p.I) || s.NTimeout < MaxTimeoutFailures) && s.mayFail()
	}),
	modules.When(&NodeStart, func(s *State, p One) bool { return !s.NoStart.Has(p.I) }),
	modules.When(&PartitionStart, func(s *State, p Pair) bool {
		return !s.NoCut[p.I].Has(p.J) && s.NTimeout < MaxTimeoutFailures && s.mayFail()
	}),
	modules.When(&PartitionRecover, func(s *State, p Pair) bool { return !s.NoRecover[p.I].Has(p.J) }),

	modules.AfterAny(recordHistories, &SetInitState),
	modules.After(&LeaderSyncFollower, recordForwarded),
	modules.After(&FollowerProcessSyncMessage, func(s, n *State, p Pair) {
		if s.Msgs.Is(p.J, p.I, tla.TRUNC) {
			n.recordInitialHistory(p.I)
		}
	}),
	modules.After(&LeaderProcessRequest, recordRequest),
	modules.After(&NodeCrash, func(s, n *State, p One) {
		n.NCrash++
		n.NConsequentFailure++
		n.NoCrash.Add(p.I)
		if s.isLooking(p.I) {
			n.NoStart.Add(p.I)
		} else {
			n.NTimeout++
		}
		recordLostLearners(s, n)
	}),
	modules.After(&PartitionStart, func(s, n *State, p Pair) {
		n.NPartition++
		n.NConsequentFailure++
		bar(&n.NoCut, p)
		if s.isLooking(p.I) {
			bar(&n.NoRecover, p)
		} else {
			n.NTimeout++
		}
		recordLostLearners(s, n)
	}),
	modules.After(&ElectionAndDiscovery, func(s, n *State, p Party) { n.recordElection(p) }),
	modules.AfterAny(recordCommittedLog),
}

// mayFail reports whether another fault is allowed. TLA+: CheckExternalFailure.
func (s *State) mayFail() bool {
	return s.NConsequentFailure+1 < Servers &&
		int(s.NCrash+s.NPartition) <= (Servers-1)*(int(s.MaxEpoch)+1)
}

func bar(links *[Servers]Set, p Pair) {
	links[p.I].Add(p.J)
	links[p.J].Add(p.I)
}

// recordLostLearners notes which learners a leader that continues has lost.
func recordLostLearners(s, n *State) {
	for i := range n.Connecting {
		if n.Learners[i] != 0 {
			gone := s.Learners[i].Minus(n.Learners[i])
			n.Connecting[i].Connected = n.Connecting[i].Connected.Minus(gone)
		}
	}
}

// recordElection notes the new leader and releases the faults that were barred until an election.
func (n *State) recordElection(p Party) {
	n.LeaderOracle = p.I
	n.NConsequentFailure = 0
	n.MaxEpoch = n.largestEpoch()
	n.NoStart = 0
	n.NoRecover = [Servers]Set{}
	n.NoCrash = n.NoCrash.Minus(p.S)
	for k := range Server(Servers) {
		if p.S.Has(k) {
			n.recordInitialHistory(k)
			n.NoCut[k] = 0
		} else {
			n.NoCut[k] = n.NoCut[k].Minus(p.S)
		}
	}
}

// recordCommittedLog copies what the last elected leader has committed, if it serves.
func recordCommittedLog(s, n *State) {
	l := n.LeaderOracle
	if l == tla.NullPoint || !n.isLeader(l) || n.ZabState[l] != tla.BROADCAST {
		return
	}
	n.CommittedLog.Clear()
	for k := range int(n.LastCommitted[l]) {
		m := tla.Mark{AckSid: n.AckSid[l][k], Epoch: n.TxnEpoch[l][k]}
		n.CommittedLog.Append(tla.Committed{Txn: n.History[l].At(k + 1), Mark: m})
	}
}

// SetInitState is the first step of MSPEC_2: a leader that everyone follows in epoch 1, one
// transaction committed, another proposed.
var SetInitState = Action[None]{
	Name:   "SetInitState",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return !s.DoInit },
	Effect: func(s, n *State, _ None) {
		l := Server(Servers - 1)
		first := tla.Txn{Zxid: tla.Zxid{Epoch: 1, Counter: 1}, Value: 101}
		second := tla.Txn{Zxid: tla.Zxid{Epoch: 1, Counter: 2}, Value: 102}
		n.lead(l, 1)
		for i := range Server(Servers) {
			n.serveInitially(i, l)
			n.appendInitially(i, first, Everyone)
			n.Electing[l].Put(i, tla.Elector{PeerLastZxid: tla.Synced(), InQuorum: true})
		}
		n.State[l], n.LeaderAddr[l] = tla.LEADING, tla.NullPoint
		n.appendInitially(l, second, Set(0).With(l))
		n.broadcast(l, Everyone, tla.Msg{Kind: tla.PROPOSAL, Zxid: second.Zxid, Data: second.Value})
		all := tla.Contacts{Sids: Everyone, Connected: Everyone}
		n.Learners[l] = Everyone
		n.Forwarding[l] = Everyone.Without(l)
		n.AckldRecv[l], n.Connecting[l] = all, all
		n.TempMaxEpoch[l] = 1
		n.ProposalMsgsLog.Add(tla.Proposal{Source: l, Epoch: 1, Txn: first})
		n.ProposalMsgsLog.Add(tla.Proposal{Source: l, Epoch: 1, Txn: second})
		n.LeaderOracle = l
		n.DoInit = true
		n.NTransaction = 2
		n.MaxEpoch = 1
	},
}

// serveInitially makes i a follower of l in epoch 1 that has committed one transaction.
func (n *State) serveInitially(i, l Server) {
	n.AcceptedEpoch[i], n.CurrentEpoch[i] = 1, 1
	n.State[i], n.LeaderAddr[i] = tla.FOLLOWING, l
	n.ZabState[i], n.ServingState[i] = tla.BROADCAST, tla.RUNNING
	n.LastCommitted[i], n.LastProcessed[i] = 1, 1
}

// appendInitially adds a transaction of epoch 1 to i's history.
func (n *State) appendInitially(i Server, t tla.Txn, acks Set) {
	k := n.History[i].Len()
	n.History[i].Append(t)
	n.AckSid[i][k] = acks
	n.TxnEpoch[i][k] = 1
}

var mspec2 = grains.Grain[State]{
	Name:   "mspec-2",
	Doc:    "First step, bounds and variables of the mixed specification.",
	Covers: []string{"bounds"},
	Sets:   []grains.Setting{{Name: "specification", Value: "mspec-2"}},
	Requires: []grains.Ref{{Module: "election", Grain: "coarse"},
		{Module: "synchronization", Grain: "follower-steps"}},
	Actions:    Actions{&SetInitState},
	Rules:      mspec2Bounds,
	Invariants: mspec2Properties,
}
