package chain

import "github.com/multigrain/multigrain/grains"

// TakePut takes an update from the client at the head.
var TakePut = Action[One]{
	Name:   "TakePut",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Msgs.Is(Client, p.I, PUT) && head(s.View[p.I]) == p.I },
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(Client, p.I, PUT)
		n.store(s, p.I, m.V)
	},
}

// TakeUpdate takes an update from another server.
var TakeUpdate = Action[Pair]{
	Name:   "TakeUpdate",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Msgs.Is(p.J, p.I, UPDATE) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, UPDATE)
		n.store(s, p.I, m.V)
	},
}

// store appends update v to the log of server i. One that the log has is ignored.
func (n *State) store(s *State, i Node, v uint8) {
	if v == s.Log[i]+1 {
		n.Log[i] = v
	}
}

// Pass passes one stored update on: to the successor, or from the tail to the client.
var Pass = Action[One]{
	Name:   "Pass",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Alive[p.I] && s.Passed[p.I] < s.Log[p.I] },
	Effect: func(s, n *State, p One) { n.pass(p.I) },
}

// pass passes the next update of server i on.
func (n *State) pass(i Node) {
	n.Passed[i]++
	if j := next(n.View[i], i); j == Client {
		n.Msgs.Send(i, Client, Msg{Kind: DONE, V: n.Passed[i]})
	} else {
		n.Msgs.Send(i, j, Msg{Kind: UPDATE, V: n.Passed[i]})
	}
}

// Serve answers a query at the tail, after the updates that it has stored.
var Serve = Action[One]{
	Name:   "Serve",
	Params: eachServer,
	Guard: func(s *State, p One) bool {
		return s.Msgs.Is(Client, p.I, GET) && s.Passed[p.I] == s.Log[p.I] && (ReadAtHead || tail(s.View[p.I]) == p.I)
	},
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(Client, p.I, GET)
		n.Msgs.Send(p.I, Client, Msg{Kind: VALUE, V: s.Log[p.I], N: m.N})
	},
}

// Adopt learns of a new chain. It passes all updates on again.
var Adopt = Action[One]{
	Name:   "Adopt",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Msgs.Is(Master, p.I, VIEW) },
	Effect: func(s, n *State, p One) { n.adopt(p.I) },
}

// adopt takes the view that the master sent to server i.
func (n *State) adopt(i Node) {
	m := n.Msgs.Recv(Master, i, VIEW)
	n.View[i] = m.Chain
	n.Passed[i] = 0
}

var replicationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"replication"},
	Actions: Actions{&TakePut, &TakeUpdate, &Pass, &Serve, &Adopt},
}
