package consistency

import "github.com/multigrain/multigrain/modules"

// Number is a transaction, a view, a sequence number, or a count of them. All are counted from 1;
// 0 is none.
type Number = uint8

// Kind is the type of a message of the history.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RwTxRequest
	RwTxResponse
	RoTxRequest
	RoTxResponse
	TxStatusReceived
)

// Status is the status of a transaction that a client receives. Unknown and pending are not
// modelled.
type Status uint8

// Statuses. Zero is none.
const (
	_ Status = iota
	CommittedStatus
	InvalidStatus
)

// Txs are transactions in the order of a ledger.
type Txs = modules.Seq[Number, [recorded * roomHistory]Number]

// Event is a message between a client and the service. Fields that a kind does not have are zero.
type Event struct {
	Type   Kind
	Tx     Number // of requests and responses
	View   Number // tx_id[1], of responses and statuses
	SeqNum Number // tx_id[2]
	Status Status // of TxStatusReceived
	// Observed holds the list that a response returns to the client, its own write included. It is
	// empty with the option observations = "derived".
	Observed Txs
}

// Entry is an entry of a ledger: the view in which it was appended, and the transaction of a client
// or 0.
type Entry struct{ View, Tx Number }

// Types of the variables.
type (
	History = modules.Seq[Event, [roomHistory]Event]
	// Branch is the ledger of the leader of a view. Positions are sequence numbers.
	Branch   = modules.Seq[Entry, [roomEntries]Entry]
	Branches = modules.Seq[Branch, [MaxViews]Branch]
)

// State holds the variables.
type State struct {
	// Committed is the sequence number up to which the service has committed, 0 for none. Only the
	// grains "service" have it.
	Committed [CommitSlots]Number
	// History holds the messages in the order in which clients observe them.
	History History
	// Branches holds the ledger of the leader of each view: ledgerBranches. The ledger of each node
	// is one of them or a prefix of one.
	//
	// Invariant: FirstBranch <= Branches.Len() <= MaxViews.
	Branches Branches
}

// Init yields the state before the first request.
func Init(yield func(State) bool) {
	var s State
	for range FirstBranch {
		s.Branches.Append(Branch{})
	}
	yield(s)
}

// views returns the last view.
func (s *State) views() Number { return Number(s.Branches.Len()) }

// branch returns the ledger of a view, 1 to views.
func (s *State) branch(view Number) Branch { return s.Branches.At(int(view)) }

// length returns the last sequence number of the ledger of a view.
func (s *State) length(view Number) Number {
	b := s.branch(view)
	return Number(b.Len())
}

// newest returns the ledger of the last view.
func (s *State) newest() Branch { return s.Branches.Last() }

// leads reports whether a view has a leader that may append: the views from FirstBranch on.
func (s *State) leads(view Number) bool { return FirstBranch <= view && view <= s.views() }

// hasRoom reports whether a view has a leader, and its ledger has room.
func (s *State) hasRoom(view Number) bool { return s.leads(view) && s.length(view) < MaxEntries }

// appendTo appends an entry to the ledger of a view.
func (n *State) appendTo(view, tx Number) {
	b := n.branch(view)
	b.Append(Entry{View: view, Tx: tx})
	n.Branches.Put(int(view), b)
}

// find returns the position of the first event of a kind for a transaction, 0 if there is none.
func (s *State) find(kind Kind, tx Number) int {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.Type == kind && e.Tx == tx {
			return k
		}
	}
	return 0
}

// locate returns the view and the sequence number at which a transaction was executed, zeros if it
// was not. A transaction is executed once, and later branches have it at the same place.
func (s *State) locate(tx Number) (view, seq Number) {
	for v := Number(1); v <= s.views(); v++ {
		b := s.branch(v)
		for k := 1; k <= b.Len(); k++ {
			if e := b.At(k); e.Tx == tx {
				return e.View, Number(k)
			}
		}
	}
	return 0, 0
}

// nextTx returns the number of the next request.
func (s *State) nextTx() (tx Number) {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.Type == RwTxRequest || e.Type == RoTxRequest {
			tx = e.Tx
		}
	}
	return tx + 1
}

// respond appends the response to a transaction that observes the branch of a view up to a sequence
// number.
func (n *State) respond(kind Kind, tx, view, seq Number) {
	b := n.branch(view)
	e := Event{Type: kind, Tx: tx, View: b.At(int(seq)).View, SeqNum: seq}
	if Observations == "recorded" {
		for k := 1; k <= int(seq); k++ {
			if x := b.At(k).Tx; x != 0 {
				e.Observed.Append(x)
			}
		}
	}
	n.History.Append(e)
}

// isStatus reports whether e is the receipt of a status.
func (e *Event) isStatus(status Status) bool {
	return e.Type == TxStatusReceived && e.Status == status
}

// isResponse reports whether e is a response.
func (e *Event) isResponse() bool { return e.Type == RwTxResponse || e.Type == RoTxResponse }

// sameID reports whether two events have one transaction ID.
func (e *Event) sameID(f *Event) bool { return e.View == f.View && e.SeqNum == f.SeqNum }

// before reports whether the transaction ID of e is strictly less than that of f:
// TxIDStrictlyLessThan.
func (e *Event) before(f *Event) bool {
	return e.View < f.View || e.View == f.View && e.SeqNum < f.SeqNum
}

// hasStatus reports whether a client received a status for a transaction ID: CommittedTxIDs and
// InvalidTxIDs.
func (s *State) hasStatus(status Status, view, seq Number) bool {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.isStatus(status) && e.View == view && e.SeqNum == seq {
			return true
		}
	}
	return false
}

// commitSeqNum returns the highest sequence number for which a client received the committed
// status, 0 if there is none: CommitSeqNum.
func (s *State) commitSeqNum() (c Number) {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.isStatus(CommittedStatus) {
			c = max(c, e.SeqNum)
		}
	}
	return c
}
