package good

import (
	"fmt"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

var System = grains.System[State]{
	Name: "good",
	Init: Init,
	Grains: []grains.Grain[State]{{
		Name:    "baseline",
		Actions: []modules.AnyAction[State]{&SendVote, &RecvVote, &Restart, &Choose},
	}},
	Invariants: []modules.Invariant[State]{
		{ID: "I-1", State: (*State).agreed},
		{ID: "I-2", Step: func(s, n *State) bool { return s.Clock <= n.Clock }},
		{ID: "I-3", OnStep: modules.OnStep(&Choose, func(s, n *State, p Vote) bool { return s.Clock < n.Clock })},
		{ID: "I-4", Raises: modules.Bit(LostVote)},
		property("I-5", func(s *State) bool { return s.Peers.Where(func(k Server, v Txn) bool { return v.Epoch > 0 }).Empty() }),
	},
	Rules: []modules.Rule[State]{
		on(&SendVote, func(s *State, p Pair) bool { return s.Clock < 9 }),
		modules.WhenAny(func(s *State) bool { return s.Sent.Len() < 2 }, &Restart),
		modules.After(&SendVote, func(s, n *State, p Pair) { n.Clock = s.Clock + 1 }),
		modules.AfterAny(func(s, n *State) { n.Spare[0] = 0 }),
	},
}

func property(id string, holds func(s *State) bool) modules.Invariant[State] {
	return modules.Invariant[State]{ID: id, Doc: fmt.Sprint("property ", id), State: holds}
}

func (s *State) agreed() bool {
	return s.count(func(m *Node) bool { return m.History.HasPrefix(&s.Nodes[0].History) }) == Servers
}

// Init ranges over a domain and calls what it is given.
func Init(yield func(State) bool) {
	for p := range Each {
		var s State
		s.vote(p.I, 0)
		if !yield(s) {
			return
		}
	}
}
