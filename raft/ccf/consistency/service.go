package consistency

// The published specification knows what is committed from the statuses that clients received. So
// a transaction of an earlier view is invalid only after a client heard of a commit. The grains
// "service" have what the service has committed, whether a client heard of it or not. A status
// shows it, and so it is committed at the latest then: to commit later excludes less.

// StatusCommittedOfService tells a client that a transaction is committed, if the ledger of the
// last view has it.
var StatusCommittedOfService = Action[TxID]{
	Name:   "StatusCommittedOfService",
	Actor:  "service",
	Params: eachTxID,
	Guard: func(s *State, p TxID) bool {
		if !s.responded(p) {
			return false
		}
		b := s.newest()
		return b.Len() >= int(p.SeqNum) && b.At(int(p.SeqNum)).View == p.View
	},
	Effect: func(s, n *State, p TxID) {
		n.Committed[0] = max(s.Committed[0], p.SeqNum)
		n.receive(p, CommittedStatus)
	},
}

// StatusInvalidOfService tells a client that a transaction is not committed and never will be, if
// the service can have committed enough of the ledger of the last view.
var StatusInvalidOfService = Action[TxID]{
	Name:   "StatusInvalidOfService",
	Actor:  "service",
	Params: eachTxID,
	Guard:  func(s *State, p TxID) bool { return s.responded(p) && s.excludes(p) != 0 },
	Effect: func(s, n *State, p TxID) {
		n.Committed[0] = s.excludes(p)
		n.receive(p, InvalidStatus)
	},
}

// excludes returns the first sequence number of the ledger of the last view, from what is
// committed on, whose commit excludes a transaction. It is at its place or after it if another
// entry has its place. It is before it if the entry is of a later view. It returns 0 if there is
// none.
func (s *State) excludes(p TxID) Number {
	b := s.newest()
	for k := max(s.Committed[0], 1); int(k) <= b.Len(); k++ {
		if k >= p.SeqNum && b.At(int(p.SeqNum)).View != p.View || k < p.SeqNum && b.At(int(k)).View > p.View {
			return k
		}
	}
	return 0
}

// TruncateLedgerOfService is an election. The leader of the next view begins with a prefix of any
// ledger that has what the service has committed.
var TruncateLedgerOfService = Action[Prefix]{
	Name:   "TruncateLedgerOfService",
	Actor:  "View",
	Params: eachPrefix,
	Guard: func(s *State, p Prefix) bool {
		if s.views() == MaxViews || p.View > s.views() || p.SeqNum > s.length(p.View) || p.SeqNum < s.Committed[0] {
			return false
		}
		c, b, last := s.Committed[0], s.branch(p.View), s.newest()
		return c == 0 || b.At(int(c)).View == last.At(int(c)).View
	},
	Effect: func(s, n *State, p Prefix) {
		b := s.branch(p.View)
		n.Branches.Append(b.Prefix(int(p.SeqNum)))
	},
}
