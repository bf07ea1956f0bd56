package consistency

// StatusCommittedResponseAction tells a client that a transaction is committed, if the ledger of
// the last view has it. No earlier transaction of the view may have been declared invalid.
var StatusCommittedResponseAction = Action[TxID]{
	Name:   "StatusCommittedResponse",
	Actor:  "service",
	Params: eachTxID,
	Guard: func(s *State, p TxID) bool {
		if !s.responded(p) {
			return false
		}
		b := s.newest()
		return b.Len() >= int(p.SeqNum) && b.At(int(p.SeqNum)).View == p.View && !s.declaredInvalid(p.View, p.SeqNum)
	},
	Effect: func(s, n *State, p TxID) { n.receive(p, CommittedStatus) },
}

// TxID is a transaction ID.
type TxID struct{ View, SeqNum Number }

// eachTxID yields the transaction IDs that a ledger has room for.
func eachTxID(yield func(TxID) bool) {
	for view := FirstBranch; view <= MaxViews; view++ {
		for seq := 1; seq <= MaxEntries; seq++ {
			if !yield(TxID{Number(view), Number(seq)}) {
				return
			}
		}
	}
}

// responded reports whether a read-write transaction got a response with this ID.
func (s *State) responded(p TxID) bool {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.Type == RwTxResponse && e.View == p.View && e.SeqNum == p.SeqNum {
			return true
		}
	}
	return false
}

// declaredInvalid reports whether a client received the invalid status for the transaction or an
// earlier one of its view.
func (s *State) declaredInvalid(view, seq Number) bool {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.isStatus(InvalidStatus) && e.View == view && e.SeqNum <= seq {
			return true
		}
	}
	return false
}

// receive appends the status of a transaction.
func (n *State) receive(p TxID, status Status) {
	n.History.Append(Event{Type: TxStatusReceived, View: p.View, SeqNum: p.SeqNum, Status: status})
}

// Prefix is a prefix of the ledger of a view: the first SeqNum entries.
type Prefix struct{ View, SeqNum Number }

// eachPrefix yields the prefixes of each ledger.
func eachPrefix(yield func(Prefix) bool) {
	for view := 1; view <= MaxViews; view++ {
		for seq := 0; seq <= MaxEntries; seq++ {
			if !yield(Prefix{Number(view), Number(seq)}) {
				return
			}
		}
	}
}

// TruncateLedgerAction is an election. The leader of the next view begins with a prefix of any
// ledger that has all committed transactions.
var TruncateLedgerAction = Action[Prefix]{
	Name:   "TruncateLedger",
	Actor:  "View",
	Params: eachPrefix,
	Guard: func(s *State, p Prefix) bool {
		if s.views() == MaxViews || p.View > s.views() || p.SeqNum > s.length(p.View) {
			return false
		}
		c, b := s.commitSeqNum(), s.branch(p.View)
		return p.SeqNum >= c && (c == 0 || s.hasStatus(CommittedStatus, b.At(int(c)).View, c))
	},
	Effect: func(s, n *State, p Prefix) {
		b := s.branch(p.View)
		n.Branches.Append(b.Prefix(int(p.SeqNum)))
	},
}

// StatusInvalidResponseAction tells a client that a transaction is not committed and never will be.
var StatusInvalidResponseAction = Action[TxID]{
	Name:   "StatusInvalidResponse",
	Actor:  "service",
	Params: eachTxID,
	Guard:  func(s *State, p TxID) bool { return s.responded(p) && s.canBeInvalid(p) },
	Effect: func(s, n *State, p TxID) { n.receive(p, InvalidStatus) },
}

// canBeInvalid reports whether a transaction may be declared invalid.
func (s *State) canBeInvalid(r TxID) bool {
	c, b := s.commitSeqNum(), s.newest()
	switch {
	case c >= r.SeqNum: // another transaction was committed in its place
		return b.Len() >= int(r.SeqNum) && b.At(int(r.SeqNum)).View != r.View
	case r.View == s.views() && Invalid == "early": // no later status may say that it is committed
		return true
	default: // a later view has committed
		return c > 0 && b.At(int(c)).View > r.View
	}
}
