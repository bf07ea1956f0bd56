package good

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

func (s *State) node(i Server) *Node { return &s.Nodes[i] }

// vote writes through its receiver; effects call it on n.
func (s *State) vote(i Server, v uint8) {
	me := s.node(i)
	me.Votes.Add(i)
	me.History.Append(Txn{Epoch: me.Epoch, Value: v})
}

// is passes kinds on; every call gives constants.
func (s *State) is(i, j Server, kinds ...Kind) bool { return s.Msgs.Is(i, j, kinds...) }

func (s *State) has(i, j Server, k Kind) bool { return s.Msgs.Is(i, j, k) }

func send(n *State, i, j Server, k Kind) { n.Msgs.Send(i, j, Msg{Kind: k}) }

// count calls a function that it is given.
func (s *State) count(ok func(m *Node) bool) (n int) {
	for i := range s.Nodes {
		if ok(&s.Nodes[i]) {
			n++
		}
	}
	return n
}

func largest[T cmp.Ordered](xs ...T) (m T) {
	for _, x := range xs {
		m = max(m, x)
	}
	return m
}

var SendVote = Action[Pair]{
	Name:   "SendVote",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		copied := *s // a copy may be written
		copied.vote(p.I, 1)
		up := 0
		s.count(func(m *Node) bool { up++; return m.Up }) // a local variable may be captured
		local := s.Nodes[p.I].History
		local.Clear()
		return copied.Nodes[p.I].Up && up > 0 && slices.Contains([]uint8{0, 1}, s.Nodes[p.J].Epoch)
	},
	Effect: func(s, n *State, p Pair) {
		n.vote(p.I, 1)
		before, after := s.node(p.I), n.node(p.I)
		after.Epoch = largest(before.Epoch, 1) + uint8(bits.OnesCount8(before.Epoch))
		*n.node(p.J) = *s.node(p.J)
		send(n, p.I, p.J, VOTE)
		for _, x := range list(&s.Nodes[0].History) {
			n.Sent.Add(x)
		}
		if s.Nodes[p.J].Up {
			n.Raised.Raise(LostVote)
			goto done
		}
		n.Peers.Put(p.J, Txn{})
	done:
	},
}

// list returns a slice made in passing.
func list(q *History) (out []Txn) {
	for k := 1; k <= q.Len(); k++ {
		out = append(out, q.At(k))
	}
	return out
}

var RecvVote = Action[Pair]{
	"RecvVote",
	EachPair,
	func(s *State, p Pair) bool { return s.is(p.J, p.I, VOTE, ACK) || s.has(p.J, p.I, NACK) },
	recvVote,
	"",
}

func recvVote(s, n *State, p Pair) {
	m := n.Msgs.Recv(p.J, p.I, VOTE, ACK, NACK)
	switch m.Kind {
	case VOTE:
		send(n, p.I, p.J, ACK)
	default:
		m.Kind = VOTE
		n.Msgs.Send(p.I, p.J, m)
	}
}

var Restart = Action[One]{Name: "Restart", Params: Each, Guard: down(true), Effect: func(s, n *State, p One) {
	swap := func(a, b *uint8) { *a, *b = *b, *a }
	swap(&n.Nodes[0].Epoch, &n.Nodes[1].Epoch)
	reset := n.Nodes[p.I].History.Clear
	reset()
}}

// down makes guards: what it captures, it only reads.
func down(want bool) func(s *State, p One) bool {
	return func(s *State, p One) bool { return s.Nodes[p.I].Up != want }
}

var Choose = Action[Vote]{Name: "Choo" + "se", Params: EachVote, Effect: func(s, n *State, p Vote) { n.Clock++ }}

// Back is RecvVote with the servers exchanged: it calls the functions of another action.
var Back = Action[Pair]{
	Name: "Back",
	Params: func(yield func(Pair) bool) {
		for p := range RecvVote.Params {
			if !yield(Pair{I: p.J, J: p.I}) {
				return
			}
		}
	},
	Guard:  func(s *State, p Pair) bool { return s.Clock > 0 && RecvVote.Guard(s, Pair{I: p.J, J: p.I}) },
	Effect: func(s, n *State, p Pair) { RecvVote.Effect(s, n, Pair{I: p.J, J: p.I}) },
}

var Again = Action[Pair]{Name: "Again", Params: Back.Params, Guard: Back.Guard, Effect: Back.Effect}

// on makes rules from what it is given.
func on[P any](a *Action[P], ok func(s *State, p P) bool) modules.Rule[State] {
	return modules.When(a, ok)
}
