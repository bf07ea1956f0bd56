package consistency

// StatusCommittedResponseAction tells a client that a transaction is committed, if the ledger of the
// last view has it. No earlier transaction of the view may have been declared invalid.
var StatusCommittedResponseAction = Action[Tx]{
	Name:   "StatusCommittedResponse",
	Actor:  "service",
	Params: eachTx,
	Guard: func(s *State, p Tx) bool {
		k := s.find(RwTxResponse, p.Tx)
		if k == 0 {
			return false
		}
		r, b := s.History.At(k), s.newest()
		return b.Len() >= int(r.SeqNum) && b.At(int(r.SeqNum)).View == r.View && !s.declaredInvalid(r.View, r.SeqNum)
	},
	Effect: func(s, n *State, p Tx) { n.receive(s, p.Tx, CommittedStatus) },
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

// receive appends the status of a transaction that has a response.
func (n *State) receive(s *State, tx Number, status Status) {
	r := s.History.At(s.find(RwTxResponse, tx))
	n.History.Append(Event{Type: TxStatusReceived, View: r.View, SeqNum: r.SeqNum, Status: status})
}

// Cut is a prefix of the ledger of a view: the first SeqNum entries.
type Cut struct{ View, SeqNum Number }

// eachCut yields the prefixes of each ledger.
func eachCut(yield func(Cut) bool) {
	for view := 1; view <= MaxViews; view++ {
		for seq := 0; seq <= MaxEntries; seq++ {
			if !yield(Cut{Number(view), Number(seq)}) {
				return
			}
		}
	}
}

// TruncateLedgerAction is an election. The leader of the next view begins with a prefix of any
// ledger that has all committed transactions.
var TruncateLedgerAction = Action[Cut]{
	Name:   "TruncateLedger",
	Actor:  "View",
	Params: eachCut,
	Guard: func(s *State, p Cut) bool {
		if p.View > s.views() || p.SeqNum > s.length(p.View) {
			return false
		}
		c, b := s.commitSeqNum(), s.branch(p.View)
		return p.SeqNum >= c && (c == 0 || s.hasStatus(CommittedStatus, b.At(int(c)).View, c))
	},
	Effect: func(s, n *State, p Cut) {
		b := s.branch(p.View)
		n.Branches.Append(b.Prefix(int(p.SeqNum)))
	},
}

// StatusInvalidResponseAction tells a client that a transaction is not committed and never will be.
var StatusInvalidResponseAction = Action[Tx]{
	Name:   "StatusInvalidResponse",
	Actor:  "service",
	Params: eachTx,
	Guard: func(s *State, p Tx) bool {
		k := s.find(RwTxResponse, p.Tx)
		return k != 0 && s.canBeInvalid(s.History.At(k))
	},
	Effect: func(s, n *State, p Tx) { n.receive(s, p.Tx, InvalidStatus) },
}

// canBeInvalid reports whether the transaction of a response may be declared invalid.
func (s *State) canBeInvalid(r Event) bool {
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
