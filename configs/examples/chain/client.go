package chain

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// CallPut asks for an update.
var CallPut = Action[None]{
	Name:   "CallPut",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return !s.Queued && s.Puts < MaxPuts },
	Effect: func(s, n *State, _ None) {
		n.Puts = s.Puts + 1
		n.Queued = true
	},
}

// SendPut sends the update that was asked for to the head.
var SendPut = Action[None]{
	Name:   "SendPut",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Queued },
	Effect: func(s, n *State, _ None) {
		n.Queued = false
		n.Msgs.Send(Client, s.Head, Msg{Kind: PUT, V: s.Puts})
	},
}

// TakeDone takes an acknowledgement.
var TakeDone = Action[One]{
	Name:   "TakeDone",
	Actor:  "client",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Msgs.Is(p.I, Client, DONE) },
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(p.I, Client, DONE)
		n.Known = max(s.Known, m.V)
	},
}

// CallGet asks a query. Its answer must not be older than what the client knows by now.
var CallGet = Action[None]{
	Name:   "CallGet",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Phase == Idle && s.Gets < MaxGets },
	Effect: func(s, n *State, _ None) {
		n.Gets = s.Gets + 1
		n.Phase = Called
		n.Floor = s.Known
	},
}

// SendGet sends the query to the tail.
var SendGet = Action[None]{
	Name:   "SendGet",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Phase == Called },
	Effect: func(s, n *State, _ None) {
		n.Phase = Sent
		n.Msgs.Send(Client, s.asked(), Msg{Kind: GET, N: s.Gets})
	},
}

// asked returns the server that answers queries.
func (s *State) asked() Node {
	if ReadAtHead {
		return s.Head
	}
	return s.Tail
}

// TakeValue takes an answer. One of an earlier query is ignored.
var TakeValue = Action[One]{
	Name:   "TakeValue",
	Actor:  "client",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Msgs.Is(p.I, Client, VALUE) },
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(p.I, Client, VALUE)
		if s.Phase == Sent && m.N == s.Gets {
			n.Phase = Answered
			n.Answer = m.V
			n.Known = max(s.Known, m.V)
		}
	},
}

// Finish forgets the query.
var Finish = Action[None]{
	Name:   "Finish",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Phase == Answered },
	Effect: func(s, n *State, _ None) {
		n.Phase = Idle
		n.Floor = 0
		n.Answer = 0
	},
}

// TakeView learns of a new chain and sends what may have been lost once more.
var TakeView = Action[None]{
	Name:   "TakeView",
	Actor:  "client",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Msgs.Is(Master, Client, VIEW) },
	Effect: func(s, n *State, _ None) {
		m := n.Msgs.Recv(Master, Client, VIEW)
		n.Head = head(m.Chain)
		n.Tail = tail(m.Chain)
		for v := range uint8(MaxPuts + 1) {
			if v > s.Known && (v < s.Puts || v == s.Puts && !s.Queued) {
				n.Msgs.Send(Client, n.Head, Msg{Kind: PUT, V: v})
			}
		}
		if s.Phase == Sent {
			n.Msgs.Send(Client, n.asked(), Msg{Kind: GET, N: s.Gets})
		}
	},
}

var clientBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"client"},
	Actions: Actions{&CallPut, &SendPut, &TakeDone, &CallGet, &SendGet, &TakeValue, &Finish, &TakeView},
}
