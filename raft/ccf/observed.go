package ccf

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Event is a message between a client and a node, as tla/consistency has it. Fields that a type
// does not have are zero.
type Event struct {
	Type   Observation
	Tx     Number // of requests and responses, from 1
	View   Number // of responses and statuses: the transaction ID
	SeqNum Number
	Status Status // of TxStatusReceived
	// Observed has the transactions that a response returns, in the order of the log.
	Observed modules.Seq[Number, [MaxHistory]Number]
}

// Observation is the type of an event.
type Observation uint8

// Types of events. Zero is no event.
const (
	_ Observation = iota
	RwTxRequest
	RwTxResponse
	RoTxRequest
	RoTxResponse
	TxStatusReceived
)

// Status is the status of a transaction. A client asks again after the statuses unknown and
// pending, so they are no events.
type Status uint8

// Statuses. Zero is none.
const (
	_ Status = iota
	CommittedStatus
	InvalidStatus
)

// Clients holds the variables of all clients.
type Clients struct {
	// History has the messages in the order in which clients send and receive them.
	History modules.Seq[Event, [MaxHistory]Event]
	// Answers has, by transaction, the response that a node has sent and no client has received.
	Answers [MaxHistory]Event
}

// Tx is a transaction, Of is a node and a transaction, and TxID is a node and a transaction ID.
type (
	Tx struct{ Tx Number }
	Of struct {
		I  Server
		Tx Number
	}
	TxID struct {
		I            Server
		View, SeqNum Number
	}
)

// eachTx yields the transactions.
func eachTx(yield func(Tx) bool) {
	for tx := 1; tx <= MaxHistory; tx++ {
		if !yield(Tx{Number(tx)}) {
			return
		}
	}
}

// eachOf yields the transactions at each node.
func eachOf(yield func(Of) bool) {
	for i := range Server(Servers) {
		for tx := 1; tx <= MaxHistory; tx++ {
			if !yield(Of{i, Number(tx)}) {
				return
			}
		}
	}
}

// eachTxID yields the IDs at each node.
func eachTxID(yield func(TxID) bool) {
	for i := range Server(Servers) {
		for view := StartTerm; view <= MaxTerm; view++ {
			for seq := 1; seq <= MaxLog; seq++ {
				if !yield(TxID{i, Number(view), Number(seq)}) {
					return
				}
			}
		}
	}
}

// RwTxRequestAction is the request of a client for a transaction that reads the list of those
// before it and appends itself.
var RwTxRequestAction = Action[modules.None]{
	Name:   "RwTxRequest",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.maySee() },
	Effect: func(s, n *State, _ modules.None) { n.see(Event{Type: RwTxRequest, Tx: s.nextTx()}) },
}

// RoTxRequestAction is the request for a transaction that reads the list.
var RoTxRequestAction = Action[modules.None]{
	Name:   "RoTxRequest",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return Reads != "none" && s.maySee() },
	Effect: func(s, n *State, _ modules.None) { n.see(Event{Type: RoTxRequest, Tx: s.nextTx()}) },
}

// RwTxExecuteAction appends a requested transaction to the log of a node that leads, or takes
// itself to lead. The response has the ID of its entry. It is sent at once: nobody waits for a
// commit.
//
// Section 2.1, "optimistic". Code: frontend.h process_command, raft.h replicate.
var RwTxExecuteAction = Action[Of]{
	Name:   "RwTxExecute",
	Params: eachOf,
	Guard:  func(s *State, p Of) bool { return s.executable(p) && s.Clients[0].Answers[p.Tx-1].Type == 0 },
	Effect: func(s, n *State, p Of) {
		n.execute(p)
		n.Clients[0].Answers[p.Tx-1] = n.answer(RwTxResponse, p.I, p.Tx)
	},
}

// RwTxResponseAction is the receipt of a response.
var RwTxResponseAction = Action[Tx]{
	Name:   "RwTxResponse",
	Params: eachTx,
	Guard:  func(s *State, p Tx) bool { return s.Clients[0].Answers[p.Tx-1].Type != 0 && s.maySee() },
	Effect: func(s, n *State, p Tx) {
		n.see(s.Clients[0].Answers[p.Tx-1])
		n.Clients[0].Answers[p.Tx-1] = Event{}
	},
}

// RwTxExecuteRespond is RwTxExecute and RwTxResponse in one step, of the grain observed-at-once.
var RwTxExecuteRespond = Action[Of]{
	Name:   "RwTxExecuteRespond",
	Params: eachOf,
	Guard:  func(s *State, p Of) bool { return s.executable(p) && s.maySee() },
	Effect: func(s, n *State, p Of) {
		n.execute(p)
		n.see(n.answer(RwTxResponse, p.I, p.Tx))
	},
}

// RoTxResponseAction is a response to a read-only transaction, with what the log of a node has. Its
// ID is that of the last entry. Nodes that do not lead forward the request, except with the option
// reads = "any".
//
// TLA+: RoTxResponseAction of SingleNodeReads.tla. Code: frontend.h process_command.
var RoTxResponseAction = Action[Of]{
	Name:   "RoTxResponse",
	Params: eachOf,
	Guard: func(s *State, p Of) bool {
		i := p.I
		reads := Reads == "any" && s.LeadershipState[i] != None || s.LeadershipState[i] == Leader
		return reads && !s.Log[i].Empty() && s.maySee() && s.seen(RoTxRequest, p.Tx) && !s.seen(RoTxResponse, p.Tx)
	},
	Effect: func(s, n *State, p Of) { n.see(n.answer(RoTxResponse, p.I, p.Tx)) },
}

// StatusCommittedResponseAction tells a client that a transaction is committed, as node I knows it.
//
// Code: tx_status.h evaluate_tx_status.
var StatusCommittedResponseAction = Action[TxID]{
	Name:   "StatusCommittedResponse",
	Params: eachTxID,
	Guard: func(s *State, p TxID) bool {
		return s.maySee() && s.CommitIndex[p.I] >= p.SeqNum && s.termAt(p.I, p.SeqNum) == p.View && s.responded(p)
	},
	Effect: func(s, n *State, p TxID) {
		n.see(Event{Type: TxStatusReceived, View: p.View, SeqNum: p.SeqNum, Status: CommittedStatus})
	},
}

// StatusInvalidResponseAction tells a client that a transaction can never be committed: node I
// knows that another entry is committed at its place, or one of a later view before it.
//
// Code: tx_status.h evaluate_tx_status.
var StatusInvalidResponseAction = Action[TxID]{
	Name:   "StatusInvalidResponse",
	Params: eachTxID,
	Guard: func(s *State, p TxID) bool {
		if !s.maySee() || s.termAt(p.I, p.SeqNum) == p.View || !s.responded(p) {
			return false
		}
		commit := s.CommitIndex[p.I]
		return commit >= p.SeqNum || s.termAt(p.I, commit) > p.View
	},
	Effect: func(s, n *State, p TxID) {
		n.see(Event{Type: TxStatusReceived, View: p.View, SeqNum: p.SeqNum, Status: InvalidStatus})
	},
}

// maySee reports whether the history has room.
func (s *State) maySee() bool { return s.Clients[0].History.Len() < MaxHistory }

// see appends an event to the history.
func (n *State) see(e Event) { n.Clients[0].History.Append(e) }

// seen reports whether the history has an event of a type for a transaction.
func (s *State) seen(of Observation, tx Number) bool {
	for k := 1; k <= s.Clients[0].History.Len(); k++ {
		if e := s.Clients[0].History.At(k); e.Type == of && e.Tx == tx {
			return true
		}
	}
	return false
}

// responded reports whether a read-write transaction got a response with this ID.
func (s *State) responded(p TxID) bool {
	for k := 1; k <= s.Clients[0].History.Len(); k++ {
		if e := s.Clients[0].History.At(k); e.Type == RwTxResponse && e.View == p.View && e.SeqNum == p.SeqNum {
			return true
		}
	}
	return false
}

// nextTx returns the number of the next request.
func (s *State) nextTx() (tx Number) {
	for k := 1; k <= s.Clients[0].History.Len(); k++ {
		if e := s.Clients[0].History.At(k); e.Type == RwTxRequest || e.Type == RoTxRequest {
			tx = e.Tx
		}
	}
	return tx + 1
}

// executable reports whether a node may execute a transaction: it was requested and has no
// response.
func (s *State) executable(p Of) bool {
	return s.mayAppend(p.I) && s.seen(RwTxRequest, p.Tx) && !s.seen(RwTxResponse, p.Tx)
}

// execute appends a transaction to a node's log.
func (n *State) execute(p Of) {
	n.Log[p.I].Append(Entry{Term: n.CurrentTerm[p.I], Type: TypeEntry, Tx: p.Tx})
}

// answer returns the response to a transaction that observes the whole log of a node.
func (n *State) answer(of Observation, i Server, tx Number) Event {
	e := Event{Type: of, Tx: tx, View: n.termAt(i, n.last(i)), SeqNum: n.last(i)}
	for k := 1; k <= n.Log[i].Len(); k++ {
		if x := n.Log[i].At(k).Tx; x != 0 {
			e.Observed.Append(x)
		}
	}
	return e
}

var clientObserved = grains.Refine(grains.Grain[State]{
	Name:   "observed",
	Doc:    "What clients send and receive: transactions, their responses, and statuses.",
	Covers: []string{"client"},
	Actions: Actions{&RwTxRequestAction, &RwTxExecuteAction, &RwTxResponseAction, &RoTxRequestAction, &RoTxResponseAction,
		&StatusCommittedResponseAction, &StatusInvalidResponseAction},
	Models: clientBaseline.Models,
}, clientBaseline)

var clientObservedAtOnce = grains.Coarsen(grains.Grain[State]{
	Name:   "observed-at-once",
	Doc:    "A client receives a response as soon as it is sent.",
	Covers: []string{"client"},
	Actions: Actions{&RwTxRequestAction, &RwTxExecuteRespond, &RoTxRequestAction, &RoTxResponseAction,
		&StatusCommittedResponseAction, &StatusInvalidResponseAction},
	Models: clientBaseline.Models,
}, clientObserved)
