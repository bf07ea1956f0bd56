package consistency

// The grain "as-seen" does with one step what a client sees at once. Entries of
// no client are appended when a later entry, a response or an election needs them. So few hidden
// ledgers explain a history. A transaction is executed with its response.

// RwTxExecuteRespondAt executes a transaction at a sequence number, with entries of no client
// before it, and responds.
var RwTxExecuteRespondAt = Action[TxAt]{
	Name:   "RwTxExecuteRespondAt",
	Actor:  "View",
	Params: eachTxAt,
	Guard: func(s *State, p TxAt) bool {
		return s.executable(Place{p.Tx, p.View}) && s.length(p.View) < p.SeqNum
	},
	Effect: func(s, n *State, p TxAt) {
		n.fill(p.View, p.SeqNum-1)
		n.appendTo(p.View, p.Tx)
		n.respond(RwTxResponse, p.Tx, p.View, p.SeqNum)
	},
}

// RoTxResponseAt responds to a read-only transaction after entries of no client up to a sequence
// number.
var RoTxResponseAt = Action[TxAt]{
	Name:   "RoTxResponseAt",
	Actor:  "View",
	Params: eachTxAt,
	Guard: func(s *State, p TxAt) bool {
		return s.leads(p.View) && s.length(p.View) <= p.SeqNum && s.find(RoTxRequest, p.Tx) != 0 && s.find(RoTxResponse, p.Tx) == 0
	},
	Effect: func(s, n *State, p TxAt) {
		n.fill(p.View, p.SeqNum)
		n.respond(RoTxResponse, p.Tx, p.View, p.SeqNum)
	},
}

// TruncateFilledLedger is an election. The next leader begins with a prefix of a ledger. The
// prefix may end with entries of no client, appended in the same step.
var TruncateFilledLedger = Action[Prefix]{
	Name:   "TruncateFilledLedger",
	Actor:  "View",
	Params: eachPrefix,
	Guard: func(s *State, p Prefix) bool {
		if s.views() == MaxViews || p.View > s.views() || p.SeqNum > s.length(p.View) && !s.leads(p.View) {
			return false
		}
		c, b, last := s.Committed[0], s.branch(p.View), s.newest()
		if p.SeqNum < c {
			return false
		}
		return c == 0 || b.Len() >= int(c) && b.At(int(c)).View == last.At(int(c)).View
	},
	Effect: func(s, n *State, p Prefix) {
		n.fill(p.View, p.SeqNum)
		b := n.branch(p.View)
		n.Branches.Append(b.Prefix(int(p.SeqNum)))
	},
}

// StatusInvalidFilled is StatusInvalidOfService. The service may commit an entry of no client that
// the last leader appends in the same step.
var StatusInvalidFilled = Action[TxID]{
	Name:   "StatusInvalidFilled",
	Actor:  "service",
	Params: eachTxID,
	Guard: func(s *State, p TxID) bool {
		return s.responded(p) && (s.excludes(p) != 0 || s.mayExclude(p))
	},
	Effect: func(s, n *State, p TxID) {
		if s.excludes(p) == 0 {
			n.appendTo(s.views(), 0)
		}
		n.Committed[0] = n.excludes(p)
		n.receive(p, InvalidStatus)
	},
}

// mayExclude reports whether the next entry of the last leader excludes a transaction.
func (s *State) mayExclude(p TxID) bool {
	return s.hasRoom(s.views()) && s.length(s.views()) < p.SeqNum && p.View < s.views()
}

// fill appends entries of no client to the ledger of a view, up to a sequence number.
func (n *State) fill(view, seq Number) {
	for n.length(view) < seq {
		n.appendTo(view, 0)
	}
}

// TxAt is a transaction, a view, and a sequence number of its ledger.
type TxAt struct{ Tx, View, SeqNum Number }

// eachTxAt yields the transactions at each place.
func eachTxAt(yield func(TxAt) bool) {
	for tx := 1; tx <= MaxHistory; tx++ {
		for view := FirstBranch; view <= MaxViews; view++ {
			for seq := 1; seq <= MaxEntries; seq++ {
				if !yield(TxAt{Number(tx), Number(view), Number(seq)}) {
					return
				}
			}
		}
	}
}
