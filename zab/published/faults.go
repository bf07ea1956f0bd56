package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// NodeCrash stops a server. Its leader continues where it keeps a quorum; else it and all its
// learners look for a leader again, as do the learners of a leader that crashes. A server that
// loses the connection notices in the same step.
var NodeCrash = Action[One]{
	Name:   "NodeCrash",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		switch l := s.LeaderAddr[p.I]; {
		case s.State[p.I] == tla.LEADING:
			n.leaderShutdown(p.I, Set(0).With(p.I))
		case s.State[p.I] == tla.FOLLOWING && l != tla.NullPoint:
			n.loseLearner(l, p.I, Set(0).With(p.I))
		case s.State[p.I] == tla.FOLLOWING:
			n.shutdown(p.I, true)
			n.disconnect(p.I)
		}
		n.Status.Remove(p.I)
	},
}

// NodeStart starts a server again with what is on its disk.
var NodeStart = Action[One]{
	Name:   "NodeStart",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return !s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		n.Status.Add(p.I)
		n.LastProcessed[p.I] = Number(s.History[p.I].Len())
		n.LastCommitted[p.I] = 0
		if restartsAtSnapshot {
			n.LastCommitted[p.I] = s.LastSnapshot[p.I].Index
		}
	},
}

// PartitionStart cuts the link between a leader and one of its learners, or between two servers
// that look for a leader.
var PartitionStart = Action[Pair]{
	Name:   "PartitionStart",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.isOn(p.I) || !s.isOn(p.J) || s.isCut(p.I, p.J) {
			return false
		}
		return s.leads(p.I, p.J) && s.follows(p.J, p.I) || s.isLooking(p.I) && s.isLooking(p.J) && p.I > p.J
	},
	Effect: func(s, n *State, p Pair) {
		if s.State[p.I] == tla.LEADING {
			n.loseLearner(p.I, p.J, 0)
		}
		if sendsOverPartitions {
			n.Partition[p.I].Add(p.J)
			n.Partition[p.J].Add(p.I)
			return
		}
		n.Msgs.Cut(p.I, p.J)
		n.Msgs.Cut(p.J, p.I)
	},
}

// PartitionRecover heals a link.
var PartitionRecover = Action[Pair]{
	Name:   "PartitionRecover",
	Params: EachLink,
	Guard:  func(s *State, p Pair) bool { return s.isOn(p.I) && s.isOn(p.J) && s.isCut(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		if sendsOverPartitions {
			n.Partition[p.I].Remove(p.J)
			n.Partition[p.J].Remove(p.I)
			return
		}
		n.Msgs.Mend(p.I, p.J)
		n.Msgs.Mend(p.J, p.I)
	},
}

// isCut reports whether the link between i and j is broken. TLA+: HasPartitioned.
func (s *State) isCut(i, j Server) bool {
	if sendsOverPartitions {
		return s.Partition[i].Has(j)
	}
	return s.Msgs.IsCut(i, j)
}

// loseLearner lets leader i react to the loss of its connection to j: it continues without j, or
// gives up. Crashed holds j if j has crashed.
func (n *State) loseLearner(i, j Server, crashed Set) {
	if !n.Learners[i].Without(j).IsQuorum(Servers) {
		n.leaderShutdown(i, crashed)
		return
	}
	n.removeLearner(i, j, crashed)
}

// removeLearner takes j back to looking for a leader; its leader i continues. TLA+: RemoveLearner.
func (n *State) removeLearner(i, j Server, crashed Set) {
	n.Learners[i].Remove(j)
	n.Forwarding[i].Remove(j)
	n.AckldRecv[i].Connected.Remove(j)
	if n.Electing[i].Has(j) {
		n.Electing[i].Put(j, tla.Elector{PeerLastZxid: tla.Synced(), InQuorum: n.Electing[i].At(j).InQuorum})
	}
	n.shutdown(j, crashed.Has(j))
	n.Msgs.Clear(i, j)
	n.Msgs.Clear(j, i)
}

// leaderShutdown takes leader i and its learners back to looking for a leader. It keeps what it
// knew of them, apart from who they were. TLA+: LeaderShutdown.
func (n *State) leaderShutdown(i Server, crashed Set) {
	with := n.Learners[i].With(i)
	for k := range Server(Servers) {
		if with.Has(k) {
			n.shutdown(k, crashed.Has(k))
			n.disconnect(k)
		}
	}
	n.Learners[i] = 0
	n.Forwarding[i] = 0
}

// disconnect loses what is in flight to i. TLA+: Clean.
func (n *State) disconnect(i Server) {
	for j := range Server(Servers) {
		n.Msgs.Clear(j, i)
	}
}

// shutdown takes i back to looking for a leader. TLA+: FollowerShutdown, Shutdown.
func (n *State) shutdown(i Server, crashed bool) {
	if logsAtShutdown && !crashed && n.ServingState[i] != tla.SHUTDOWN && n.State[i] == tla.FOLLOWING {
		n.CurrentEpoch[i] = n.AcceptedEpoch[i]
		n.History[i].AppendAll(&n.PacketsSync[i].NotCommitted)
	}
	n.PacketsSync[i] = Packets{}
	n.ConnectInfo[i] = tla.ConnectInfo{}
	n.LastProcessed[i] = Number(n.History[i].Len())
	n.State[i] = tla.LOOKING
	n.ZabState[i] = tla.ELECTION
	n.ServingState[i] = tla.SHUTDOWN
	n.LeaderAddr[i] = tla.NullPoint
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
