package sandtable

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// NodeCrash stops a server. Its leader continues where it keeps a quorum; else it and all its
// learners look for a leader again, as do the learners of a leader that crashes. A server that
// loses a connection notices in the same step.
var NodeCrash = Action[One]{
	Name:   "NodeCrash",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		switch l := s.LeaderAddr[p.I]; {
		case s.State[p.I] == LEADING:
			n.stopLeading(p.I)
		case s.State[p.I] == FOLLOWING && l != NullPoint:
			n.loseLearner(l, p.I)
		case s.State[p.I] == FOLLOWING:
			n.lookAgain(p.I)
			n.disconnect(p.I)
		}
		n.Status.Remove(p.I)
	},
}

// NodeStart starts a server again with the epochs that are on its disk.
var NodeStart = Action[One]{
	Name:   "NodeStart",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return !s.isOn(p.I) },
	Effect: func(s, n *State, p One) { n.Status.Add(p.I) },
}

// PartitionStart cuts the link between a leader and one of its learners, or between two servers
// that look for a leader.
var PartitionStart = Action[Pair]{
	Name:   "PartitionStart",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.isOn(p.I) || !s.isOn(p.J) || s.Msgs.IsCut(p.I, p.J) {
			return false
		}
		return s.leads(p.I, p.J) && s.follows(p.J, p.I) || s.isLooking(p.I) && s.isLooking(p.J) && p.I > p.J
	},
	Effect: func(s, n *State, p Pair) {
		if s.State[p.I] == LEADING {
			n.loseLearner(p.I, p.J)
		}
		n.Msgs.Cut(p.I, p.J)
		n.Msgs.Cut(p.J, p.I)
	},
}

// PartitionRecover heals a link.
var PartitionRecover = Action[Pair]{
	Name:   "PartitionRecover",
	Params: EachLink,
	Guard:  func(s *State, p Pair) bool { return s.isOn(p.I) && s.isOn(p.J) && s.Msgs.IsCut(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.Msgs.Mend(p.I, p.J)
		n.Msgs.Mend(p.J, p.I)
	},
}

// loseLearner lets leader i react to the loss of its connection to j: it continues without j, or
// gives up.
func (n *State) loseLearner(i, j Server) {
	if !n.Learners[i].Without(j).IsQuorum(Servers) {
		n.stopLeading(i)
		return
	}
	n.Learners[i].Remove(j)
	if n.Electing[i].Has(j) {
		n.Electing[i].Put(j, Elector{InQuorum: n.Electing[i].At(j).InQuorum})
	}
	n.lookAgain(j)
	n.Msgs.Clear(i, j)
	n.Msgs.Clear(j, i)
}

var crashPartition = grains.Grain[State]{
	Name:    "crash-partition",
	Doc:     "A server that loses a connection notices in the same step.",
	Covers:  []string{"faults"},
	Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrash),
		modules.Spend[State]("partitions", &PartitionStart),
	},
}
