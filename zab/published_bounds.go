package zab

import "github.com/multigrain/multigrain/modules"

// publishedBounds is the environment module that bounds the published mixed specification, and keeps what it has in its state
// besides. TLA+: recorder with UpdateRecorder, CheckTimeout, CheckTransactionNum, CheckExternalFailure and
// CheckExternalEventExecute. Limits of crashes and partitions are budgets.
var publishedBounds = []modules.Rule[State]{
	modules.WhenAny(func(s *State) bool { return s.book().DoInit }, &SetInitState),

	modules.When(&LeaderProcessRequest, func(s *State, _ One) bool { return s.book().NTransaction < MaxTransactions }),
	modules.When(&NodeCrash, func(s *State, p Crash) bool {
		b := s.book()
		return !b.NoCrash.Has(p.I) && (s.isLooking(p.I) || b.NTimeout < MaxTimeoutFailures) && b.mayFail()
	}),
	modules.When(&NodeStart, func(s *State, p One) bool { return !s.book().NoStart.Has(p.I) }),
	modules.When(&PartitionStart, func(s *State, p Pair) bool {
		b := s.book()
		return !b.NoCut[p.I].Has(p.J) && b.NTimeout < MaxTimeoutFailures && b.mayFail()
	}),
	modules.When(&PartitionRecover, func(s *State, p Pair) bool { return !s.book().NoRecover[p.I].Has(p.J) }),

	// Details of transactions and logs, behind each step.
	modules.AfterAny(recordHistories, &SetInitState),
	modules.After(&LeaderSyncFollower, recordForwarded),
	modules.After(&FollowerProcessSyncMessage, func(s, n *State, p Pair) {
		if s.Msgs.Is(p.J, p.I, TRUNC) {
			n.recordInitialHistory(p.I)
		}
	}),
	modules.After(&LeaderProcessRequest, func(s, n *State, p One) {
		t := n.History[p.I].Last()
		n.book().Proposals.Add(Proposal{p.I, s.AcceptedEpoch[p.I], t})
		n.book().NTransaction = n.longestHistory()
	}),
	modules.After(&NodeCrash, func(s, n *State, p Crash) {
		b := n.book()
		b.NCrash++
		b.NConsequentFailure++
		b.NoCrash.Add(p.I)
		if s.isLooking(p.I) {
			b.NoStart.Add(p.I)
		} else {
			b.NTimeout++
		}
		recordLostLearners(s, n)
	}),
	modules.After(&PartitionStart, func(s, n *State, p Pair) {
		b := n.book()
		b.NPartition++
		b.NConsequentFailure++
		bar(&b.NoCut, p)
		if s.isLooking(p.I) {
			bar(&b.NoRecover, p)
		} else {
			b.NTimeout++
		}
		recordLostLearners(s, n)
	}),
	modules.After(&ElectionAndDiscovery, func(s, n *State, p Party) {
		n.Connecting[p.I] = Contacts{Sids: p.S, Connected: p.S}
		n.TempMaxEpoch[p.I] = n.AcceptedEpoch[p.I]
		n.recordElection(p)
	}),
	// The same where Election and Discovery have more than one step.
	modules.After(&LeaderProcessACKEPOCH, func(s, n *State, p Pair) {
		if s.ZabState[p.I] == DISCOVERY && n.ZabState[p.I] == SYNCHRONIZATION {
			n.recordElection(Party{I: p.I, S: n.Learners[p.I]})
		}
	}),

	modules.AfterAny(recordCommittedLog),
}

// mayFail reports whether the published bounds allow another fault.
func (b *Published) mayFail() bool {
	return b.NConsequentFailure+1 < Servers && int(b.NCrash+b.NPartition) <= (Servers-1)*(int(b.MaxEpoch)+1)
}

func bar(links *[Servers]Set, p Pair) {
	links[p.I].Add(p.J)
	links[p.J].Add(p.I)
}

func (s *State) longestHistory() uint8 {
	n := 0
	for i := range s.History {
		n = max(n, s.History[i].Len())
	}
	return uint8(n)
}

func (s *State) largestEpoch() uint8 {
	e := Number(0)
	for _, x := range s.AcceptedEpoch {
		e = max(e, x)
	}
	return uint8(e)
}

// recordHistories notes in which epoch each server got its new transactions.
func recordHistories(s, n *State) {
	for i := range n.History {
		have := n.History[i].Len()
		for k := range n.book().TxnEpoch[i] {
			switch {
			case k >= have:
				n.book().TxnEpoch[i][k] = 0
			case k >= s.History[i].Len():
				n.book().TxnEpoch[i][k] = s.AcceptedEpoch[i]
			}
		}
	}
}

// recordInitialHistory copies the details of i's transactions, as the published initialHistory does.
func (s *State) recordInitialHistory(i Server) {
	b := s.book()
	for k := range b.InitialMarks[i] {
		b.InitialMarks[i][k] = Mark{}
		if k < s.History[i].Len() {
			b.InitialMarks[i][k] = Mark{s.AckSid[i][k], b.TxnEpoch[i][k]}
		}
	}
}

// recordForwarded notes the proposals that a leader repeats to a learner.
func recordForwarded(s, n *State, p Pair) {
	h := &s.History[p.I]
	_, seen := s.syncMode(p.I, s.Electing[p.I].At(p.J).PeerLastZxid)
	for k := seen + 1; k <= h.Len(); k++ {
		n.book().Proposals.Add(Proposal{p.I, s.AcceptedEpoch[p.I], h.At(k)})
	}
}

// recordLostLearners notes which learners a leader that goes on has lost.
func recordLostLearners(s, n *State) {
	for i := range n.Connecting {
		if n.Learners[i] != 0 {
			n.Connecting[i].Connected = n.Connecting[i].Connected.Minus(s.Learners[i].Minus(n.Learners[i]))
		}
	}
}

// recordElection notes the new leader and releases the faults that were barred until an election.
func (s *State) recordElection(p Party) {
	b := s.book()
	b.LeaderOracle = p.I
	b.NConsequentFailure = 0
	b.MaxEpoch = s.largestEpoch()
	b.NoStart = 0
	b.NoRecover = [Servers]Set{}
	b.NoCrash = b.NoCrash.Minus(p.S)
	for k := range Server(Servers) {
		if p.S.Has(k) {
			s.recordInitialHistory(k)
			b.NoCut[k] = 0
		} else {
			b.NoCut[k] = b.NoCut[k].Minus(p.S)
		}
	}
}

// recordCommittedLog copies what the last elected leader has committed, if it serves.
func recordCommittedLog(s, n *State) {
	b := n.book()
	l := b.LeaderOracle
	if l == NullPoint || !n.isLeader(l) || n.ZabState[l] != BROADCAST {
		return
	}
	b.CommittedLog.Clear()
	for k := range int(n.LastCommitted[l]) {
		m := Mark{n.AckSid[l][k], b.TxnEpoch[l][k]}
		b.CommittedLog.Append(Committed{n.History[l].At(k + 1), m})
	}
}

// SetInitState is the published first step: a leader that everyone follows in epoch 1, one transaction committed, another
// proposed.
//
// TLA+: SetInitState.
var SetInitState = Action[None]{
	Name:   "SetInitState",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return !s.book().DoInit },
	Effect: func(s, n *State, _ None) {
		l := Server(Servers - 1)
		first := Txn{Zxid{1, 1}, 101}
		second := Txn{Zxid{1, 2}, 102}
		for i := range Server(Servers) {
			n.AcceptedEpoch[i] = 1
			n.CurrentEpoch[i] = 1
			n.State[i] = FOLLOWING
			n.LeaderAddr[i] = l
			n.ZabState[i] = BROADCAST
			n.ServingState[i] = RUNNING
			n.LastCommitted[i] = 1
			n.LastProcessed[i] = 1
		}
		n.LeaderAddr[l] = NullPoint
		n.lead(l, 1)
		for i := range Server(Servers) {
			n.Electing[l].Put(i, Elector{PeerLastZxid: Synced(), InQuorum: true})
			n.appendInitially(i, first, Everyone)
		}
		n.appendInitially(l, second, Set(0).With(l))
		n.broadcast(l, Everyone, Msg{Kind: PROPOSAL, Zxid: second.Zxid, Data: second.Value})
		all := Contacts{Sids: Everyone, Connected: Everyone}
		n.Learners[l] = Everyone
		n.Forwarding[l] = Everyone.Without(l)
		n.AckldRecv[l] = all
		n.Connecting[l] = all
		n.TempMaxEpoch[l] = 1
		b := n.book()
		b.Proposals.Add(Proposal{l, 1, first})
		b.Proposals.Add(Proposal{l, 1, second})
		n.ProposalMsgsLog.Add(first)
		n.ProposalMsgsLog.Add(second)
		b.LeaderOracle = l
		b.DoInit = true
		b.NTransaction = 2
		b.MaxEpoch = 1
	},
}

// appendInitially adds a transaction of epoch 1 to i's history.
func (s *State) appendInitially(i Server, t Txn, acks Set) {
	k := s.History[i].Len()
	s.History[i].Append(t)
	s.AckSid[i][k] = acks
	s.book().TxnEpoch[i][k] = 1
}
