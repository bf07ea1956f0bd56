package consistency

import "github.com/multigrain/multigrain/modules"

var invariants = []modules.Invariant[State]{
	{ID: "HistoryTypeOK", Doc: "Each message has the fields of its kind.", State: historyTypeOK},
	{ID: "LedgerTypeOK", Doc: "Entries of a ledger have views from the first one to its own, in their order.", State: ledgerTypeOK},
	{ID: "HistoryMonoProp", Doc: "The history is only appended to.", Step: historyMono},
	{ID: "LedgersMonoProp", Doc: "Ledger branches are only appended to, and none goes away.", Step: ledgersMono},

	{ID: "AllRwReceivedIsFirstSentInv", Doc: "A response to a read-write transaction follows its request.", State: func(s *State) bool { return s.requestedFirst(RwTxResponse, RwTxRequest) }},
	{ID: "AllRoReceivedIsFirstSentInv", Doc: "A response to a read-only transaction follows its request.", State: func(s *State) bool { return s.requestedFirst(RoTxResponse, RoTxRequest) }},
	{ID: "AllReceivedIsFirstSentInv", Doc: "Each response follows its request.", State: func(s *State) bool {
		return s.requestedFirst(RwTxResponse, RwTxRequest) && s.requestedFirst(RoTxResponse, RoTxRequest)
	}},
	{ID: "UniqueTxsInv", Doc: "A transaction ID is that of one read-write transaction.", State: uniqueTxs},
	{ID: "SameObservationsInv", Doc: "Responses with one transaction ID observe the same transactions.", State: sameObservations},
	{ID: "UniqueTxRequestsInv", Doc: "A transaction is requested once.", State: uniqueTxRequests},
	{ID: "UniqueTxIdsInv", Doc: "A transaction has one transaction ID.", State: uniqueTxIDs},
	{ID: "UniqueSeqNumsInv", Doc: "A sequence number is that of one read-write transaction: without elections only.", State: func(s *State) bool { return s.uniqueSeqNums(false) }},
	{ID: "UniqueSeqNumsCommittedInv", Doc: "A sequence number is that of one committed read-write transaction.", State: func(s *State) bool { return s.uniqueSeqNums(true) }},
	{ID: "OnlyObserveSentRequestsInv", Doc: "Responses observe requested transactions only.", State: onlyObserveSentRequests},
	{ID: "AtMostOnceObservedInv", Doc: "A response observes a transaction at most once.", State: atMostOnceObserved},

	{ID: "CommittedOrInvalidInv", Doc: "No transaction is both committed and invalid.", State: committedOrInvalid},
	{ID: "OnceCommittedPrevCommittedInv", Doc: "After a committed status, earlier transactions of the view are not invalid.", State: onceCommittedPrevCommitted},
	{ID: "OnceCommittedNextInvalidInv", Doc: "After a committed status, transactions of earlier views from that sequence number on are invalid.", State: onceCommittedNextInvalid},
	{ID: "OnceInvalidNextInvalidInv", Doc: "After an invalid status, later transactions of the view are not committed.", State: onceInvalidNextInvalid},
	{ID: "CommittedOrInvalidStrongInv", Doc: "The three before hold.", State: func(s *State) bool {
		return onceCommittedPrevCommitted(s) && onceCommittedNextInvalid(s) && onceInvalidNextInvalid(s)
	}},

	{ID: "AllCommittedObservedInv", Doc: "A committed read-write transaction observes those with a response before its request.", State: func(s *State) bool { return s.allCommittedObserved(RwTxRequest, RwTxResponse) }},
	{ID: "AllCommittedObservedRoInv", Doc: "A committed read-only transaction observes those with a response before its request (ObservedRoInv of the paper): without elections only.", State: func(s *State) bool { return s.allCommittedObserved(RoTxRequest, RoTxResponse) }},
	{ID: "InvalidNotObservedInv", Doc: "No other read-write transaction observes an invalid one: without elections only.", State: func(s *State) bool { return s.invalidNotObserved(false) }},
	{ID: "InvalidNotObservedByCommittedInv", Doc: "No other committed read-write transaction observes an invalid one.", State: func(s *State) bool { return s.invalidNotObserved(true) }},
	{ID: "RwSerializableInv", Doc: "Of two responses to read-write transactions, one observes a prefix of the other: without elections only.", State: func(s *State) bool { return s.serializable(false) }},
	{ID: "CommittedRwSerializableInv", Doc: "Of two responses to committed read-write transactions, one observes a prefix of the other.", State: func(s *State) bool { return s.serializable(true) }},
	{ID: "CommittedRwLinearizableInv", Doc: "Committed read-write transactions are linearizable.", State: func(s *State) bool {
		return s.serializable(true) && s.allCommittedObserved(RwTxRequest, RwTxResponse) && atMostOnceObserved(s)
	}},
	{ID: "CommittedRwOrderedRealTimeInv", Doc: "The ID of a committed transaction is less than those of transactions that are requested after its response.", State: orderedRealTime},
	{ID: "CommittedRwOrderedSerializableInv", Doc: "In the order of IDs, each committed transaction observes the one before it and itself.", State: orderedSerializable},
	{ID: "CommittedRwOrderedSpecLinearizableInv", Doc: "The two before hold: ordered speculative linearizability.", State: func(s *State) bool { return orderedSerializable(s) && orderedRealTime(s) }},
}

// committedGoals and invalidGoals are the published debugging invariants, which say that a state is
// not reachable.
var (
	committedGoals = []modules.Invariant[State]{
		{ID: "SomeCommittedTxDebugInv", Doc: "A client has received a committed status.", State: func(s *State) bool { return s.distinct(CommittedStatus) >= 1 }},
		{ID: "MultiCommittedTxDebugInv", Doc: "Two transactions are committed.", State: func(s *State) bool { return s.distinct(CommittedStatus) >= 2 }},
	}
	invalidGoals = []modules.Invariant[State]{
		{ID: "SomeInvalidTxDebugInv", Doc: "A client has received an invalid status.", State: func(s *State) bool { return s.distinct(InvalidStatus) >= 1 }},
		{ID: "MultiInvalidTxDebugInv", Doc: "Two transactions are invalid.", State: func(s *State) bool { return s.distinct(InvalidStatus) >= 2 }},
	}
)

// distinct returns how many transaction IDs have received a status.
func (s *State) distinct(status Status) (count int) {
	for k := 1; k <= s.History.Len(); k++ {
		e, first := s.History.At(k), true
		for x := 1; x < k; x++ {
			f := s.History.At(x)
			first = first && !(f.isStatus(status) && f.sameID(&e))
		}
		if first && e.isStatus(status) {
			count++
		}
	}
	return count
}

func historyTypeOK(s *State) bool {
	for k := 1; k <= s.History.Len(); k++ {
		e := s.History.At(k)
		request, status := e.Type == RwTxRequest || e.Type == RoTxRequest, e.Type == TxStatusReceived
		switch {
		case !request && !status && !e.isResponse(),
			status == (e.Tx != 0), request == (e.View != 0), request == (e.SeqNum != 0), status == (e.Status == 0):
			return false
		}
	}
	return true
}

func ledgerTypeOK(s *State) bool {
	for v := Number(1); v <= s.views(); v++ {
		least := Number(FirstBranch)
		b := s.branch(v)
		for k := 1; k <= b.Len(); k++ {
			e := b.At(k)
			if e.View < least || e.View > v {
				return false
			}
			least = e.View
		}
	}
	return true
}

func historyMono(s, n *State) bool { return n.History.HasPrefix(&s.History) }

func ledgersMono(s, n *State) bool {
	if n.views() < s.views() {
		return false
	}
	for v := Number(1); v <= s.views(); v++ {
		before, after := s.branch(v), n.branch(v)
		if !after.HasPrefix(&before) {
			return false
		}
	}
	return true
}

// requestedFirst reports whether each response of a kind follows a request of a kind for its
// transaction.
func (s *State) requestedFirst(response, request Kind) bool {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.Type == response {
			if at := s.find(request, e.Tx); at == 0 || at > k {
				return false
			}
		}
	}
	return true
}

func uniqueTxs(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j < i; j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.Type == RwTxResponse && b.Type == RwTxResponse && a.sameID(&b) && a.Tx != b.Tx {
				return false
			}
		}
	}
	return true
}

func sameObservations(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j < i; j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.isResponse() && b.isResponse() && a.sameID(&b) && s.observed(&a) != s.observed(&b) {
				return false
			}
		}
	}
	return true
}

func uniqueTxRequests(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j < i; j++ {
			a, b := s.History.At(i), s.History.At(j)
			if (a.Type == RwTxRequest || a.Type == RoTxRequest) && (b.Type == RwTxRequest || b.Type == RoTxRequest) && a.Tx == b.Tx {
				return false
			}
		}
	}
	return true
}

func uniqueTxIDs(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j < i; j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.isResponse() && b.isResponse() && a.Tx == b.Tx && !a.sameID(&b) {
				return false
			}
		}
	}
	return true
}

// uniqueSeqNums reports whether responses to read-write transactions, or those to committed ones,
// with one sequence number are for one transaction.
func (s *State) uniqueSeqNums(committed bool) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j < i; j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.Type == RwTxResponse && b.Type == RwTxResponse && a.SeqNum == b.SeqNum && a.Tx != b.Tx &&
				(!committed || s.isCommitted(&a) && s.isCommitted(&b)) {
				return false
			}
		}
	}
	return true
}
