package consistency

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// Tx is a transaction.
type Tx struct{ Tx Number }

// Place is a transaction and the view of the leader that takes it.
type Place struct{ Tx, View Number }

// eachTx yields the transactions that a history has room for.
func eachTx(yield func(Tx) bool) {
	for tx := 1; tx <= MaxHistory; tx++ {
		if !yield(Tx{Number(tx)}) {
			return
		}
	}
}

// eachPlace yields the transactions in each view.
func eachPlace(yield func(Place) bool) {
	for tx := 1; tx <= MaxHistory; tx++ {
		for view := FirstBranch; view <= MaxViews; view++ {
			if !yield(Place{Number(tx), Number(view)}) {
				return
			}
		}
	}
}

// RwTxRequestAction is the request for a transaction that reads the list of all earlier ones and
// appends itself to it.
var RwTxRequestAction = Action[modules.None]{
	Name:   "RwTxRequest",
	Actor:  "client",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) { n.History.Append(Event{Type: RwTxRequest, Tx: s.nextTx()}) },
}

// RwTxExecuteAction appends a requested transaction to the ledger of the leader of any view: a
// former leader may not know of a later one.
var RwTxExecuteAction = Action[Place]{
	Name:   "RwTxExecute",
	Actor:  "View",
	Params: eachPlace,
	Guard:  func(s *State, p Place) bool { return s.executable(p) },
	Effect: func(s, n *State, p Place) { n.appendTo(p.View, p.Tx) },
}

// executable reports whether the leader of the view may execute the transaction: it was requested,
// and no ledger has it.
func (s *State) executable(p Place) bool {
	if !s.hasRoom(p.View) || s.find(RwTxRequest, p.Tx) == 0 {
		return false
	}
	view, _ := s.locate(p.Tx)
	return view == 0
}

// RwTxResponseAction responds to a transaction that was executed. What it observes is the ledger up
// to its own entry, in whichever branch.
var RwTxResponseAction = Action[Tx]{
	Name:   "RwTxResponse",
	Actor:  "service",
	Params: eachTx,
	Guard: func(s *State, p Tx) bool {
		if s.find(RwTxRequest, p.Tx) == 0 || s.find(RwTxResponse, p.Tx) != 0 {
			return false
		}
		view, _ := s.locate(p.Tx)
		return view != 0
	},
	Effect: func(s, n *State, p Tx) {
		view, seq := s.locate(p.Tx)
		n.respond(RwTxResponse, p.Tx, view, seq)
	},
}

// RwTxExecuteRespond is RwTxExecute and RwTxResponse in one step, of the grain at-once.
var RwTxExecuteRespond = Action[Place]{
	Name:   "RwTxExecuteRespond",
	Actor:  "View",
	Params: eachPlace,
	Guard:  func(s *State, p Place) bool { return s.executable(p) },
	Effect: func(s, n *State, p Place) {
		n.appendTo(p.View, p.Tx)
		n.respond(RwTxResponse, p.Tx, p.View, n.length(p.View))
	},
}

// RoTxRequestAction is the request for a transaction that reads the list.
var RoTxRequestAction = Action[modules.None]{
	Name:   "RoTxRequest",
	Actor:  "client",
	Params: modules.Once,
	Effect: func(s, n *State, _ modules.None) { n.History.Append(Event{Type: RoTxRequest, Tx: s.nextTx()}) },
}

// RoTxResponseAction responds with the whole ledger of the leader of any view that has an entry.
// Execution and response are one step.
var RoTxResponseAction = Action[Place]{
	Name:   "RoTxResponse",
	Actor:  "View",
	Params: eachPlace,
	Guard: func(s *State, p Place) bool {
		return s.leads(p.View) && s.length(p.View) > 0 && s.find(RoTxRequest, p.Tx) != 0 && s.find(RoTxResponse, p.Tx) == 0
	},
	Effect: func(s, n *State, p Place) {
		n.respond(RoTxResponse, p.Tx, p.View, s.length(p.View))
	},
}
