package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Restart crashes a server and starts it again, with what is on disk: HardState and the entries.
// While it is down it is like a server that nothing reaches.
//
// Figure 2, "Persistent state on all servers". TLA+: Restart. Code: raft.go newRaft.
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) {
		disk := s.onDisk(p.I)
		n.Term[p.I], n.Vote[p.I], n.Commit[p.I], n.Log[p.I] = disk.Term, disk.Vote, disk.Commit, disk.Log
		n.becomeFollower(p.I, disk.Term, None)
		switch {
		case FromSnapshot:
			n.Folded[p.I] = Point{Index: s.Snap[p.I].Index, Term: s.Snap[p.I].Term}
			n.Applied[p.I] = s.Snap[p.I].Index
		case ToldApplies:
			n.Applied[p.I] = max(s.Applied[p.I], s.offset(p.I))
		default:
			n.Applied[p.I] = n.offset(p.I)
		}
		if AsyncStorage {
			n.Writes[p.I].Clear()
			n.StableTo[p.I] = n.lastIndex(p.I)
		}
		n.loseReads(p.I)
		if Membership && (!ToldApplies || FromSnapshot) {
			n.Conf[p.I] = initialConf()
		}
		if Snapshots && (!ToldApplies || FromSnapshot) && s.Snap[p.I].Index > 0 {
			for x := range s.Snap[p.I].Conf {
				n.Conf[p.I] = s.Snap[p.I].Conf[x]
			}
		}
		if Streamed {
			n.noteCommit(p.I)
			n.applyIdle(p.I)
		}
		if Mistake == VoteNotPersisted && !AsyncStorage {
			n.Vote[p.I] = None
		}
		if Mistake == AckBeforeWrite && !AsyncStorage {
			n.truncate(p.I, n.Commit[p.I])
		}
		if Network == "tcp" {
			n.disconnect(p.I)
		}
	},
}

// loseReads forgets the reads that i's clients wait for.
func (n *State) loseReads(i Server) {
	for k := range n.Reads {
		if r := n.Reads[k]; !LocalReads && r.Server == i && (r.Phase == Asked || r.Phase == Indexed) {
			n.Reads[k] = Read{Server: i, Phase: Lost}
		}
	}
	if Reading {
		n.PendingReads[i].Clear()
	}
}

// disconnect loses what is in flight from and to i.
func (n *State) disconnect(i Server) {
	for j := range Server(Servers) {
		if j != i {
			n.Stream.Clear(i, j)
			n.Stream.Clear(j, i)
		}
	}
}

// Cut breaks the link between two servers. What is in flight over TCP is lost.
var Cut = Action[Pair]{
	Name:   "Cut",
	Params: modules.Links[Server](Servers),
	Guard:  func(s *State, p Pair) bool { return !s.isCut(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		if Network == "tcp" {
			n.Stream.Cut(p.I, p.J)
			n.Stream.Cut(p.J, p.I)
			return
		}
		n.Bag.Cut(p.I, p.J)
		n.Bag.Cut(p.J, p.I)
	},
}

// Heal mends a link.
var Heal = Action[Pair]{
	Name:   "Heal",
	Params: modules.Links[Server](Servers),
	Guard:  func(s *State, p Pair) bool { return s.isCut(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		if Network == "tcp" {
			n.Stream.Mend(p.I, p.J)
			n.Stream.Mend(p.J, p.I)
			return
		}
		n.Bag.Mend(p.I, p.J)
		n.Bag.Mend(p.J, p.I)
	},
}

var faultsRestartPartition = grains.Grain[State]{
	Name:    "restart-partition",
	Doc:     "A server restarts in one step; links break and heal.",
	Covers:  []string{"faults"},
	Actions: Actions{&Restart, &Cut, &Heal},
	Budgets: []modules.Budget[State]{
		modules.Spend[State]("restarts", &Restart),
		modules.Spend[State]("partitions", &Cut),
	},
	Models: []string{"newRaft", "raft.loadState"},
}
