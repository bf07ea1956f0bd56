package chain

import "github.com/multigrain/multigrain/grains"

// RelayPut is TakePut and Pass in one step.
var RelayPut = Action[One]{
	Name:   "RelayPut",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Msgs.Is(Client, p.I, PUT) && head(s.View[p.I]) == p.I },
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(Client, p.I, PUT)
		if m.V == s.Log[p.I]+1 {
			n.Log[p.I] = m.V
			n.send(p.I, m.V)
		}
	},
}

// RelayUpdate is TakeUpdate and Pass in one step.
var RelayUpdate = Action[Pair]{
	Name:   "RelayUpdate",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Msgs.Is(p.J, p.I, UPDATE) },
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, UPDATE)
		if m.V == s.Log[p.I]+1 {
			n.Log[p.I] = m.V
			n.send(p.I, m.V)
		}
	},
}

// send sends update v from server i to its successor, or to the client.
func (n *State) send(i Node, v uint8) {
	if j := next(n.View[i], i); j == Client {
		n.Msgs.Send(i, Client, Msg{Kind: DONE, V: v})
	} else {
		n.Msgs.Send(i, j, Msg{Kind: UPDATE, V: v})
	}
}

// Answer is Serve of a server that has always passed on what it has stored.
var Answer = Action[One]{
	Name:   "Answer",
	Params: eachServer,
	Guard: func(s *State, p One) bool {
		return s.Msgs.Is(Client, p.I, GET) && (ReadAtHead || tail(s.View[p.I]) == p.I)
	},
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(Client, p.I, GET)
		n.Msgs.Send(p.I, Client, Msg{Kind: VALUE, V: s.Log[p.I], N: m.N})
	},
}

// Relink is Adopt and Pass for all updates in one step.
var Relink = Action[One]{
	Name:   "Relink",
	Params: eachServer,
	Guard:  func(s *State, p One) bool { return s.Msgs.Is(Master, p.I, VIEW) },
	Effect: func(s, n *State, p One) {
		m := n.Msgs.Recv(Master, p.I, VIEW)
		n.View[p.I] = m.Chain
		for v := range uint8(MaxPuts + 1) {
			if v > 0 && v <= s.Log[p.I] {
				n.send(p.I, v)
			}
		}
	},
}

var replicationCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Actions: Actions{&RelayPut, &RelayUpdate, &Answer, &Relink},
}, replicationBaseline)
