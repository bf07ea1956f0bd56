package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Compact makes a server fold away all that it has applied.
//
// Section 7. Code: MemoryStorage.CreateSnapshot and Compact.
var Compact = Action[One]{
	Name:   "Compact",
	Params: each,
	Guard:  func(s *State, p One) bool { return Snapshots && s.Applied[p.I] > s.offset(p.I) },
	Effect: func(s, n *State, p One) {
		var conf [ChangeSlots]Conf
		for x := range conf {
			conf[x] = s.conf(p.I)
		}
		snap := Snapshot{
			Body:  Body{Conf: conf, Value: s.register(p.I)},
			Index: s.Applied[p.I], Term: s.termAt(p.I, s.Applied[p.I]),
		}
		for range snap.Index - s.offset(p.I) {
			n.Log[p.I].PopFront()
		}
		n.Snap[p.I] = snap
	},
}

// HandleSnap makes a follower that lacks entries take over a snapshot instead of its log.
//
// Section 7, figure 13. Code: raft.go handleSnapshot, restore.
var HandleSnap = Action[At]{
	Name:   "HandleSnap",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgSnap) },
	Effect: func(s, n *State, p At) {
		m, ok := n.take(p, MsgSnap)
		if !ok || n.Role[p.I] == Leader {
			return
		}
		n.follow(p.I, p.J)
		n.restore(p.I, &m)
		n.respond(p.I, p.J, Msg{Kind: MsgAppResp, Term: n.Term[p.I], Index: n.Commit[p.I]})
	},
}

// restore replaces i's log by the snapshot that m carries, unless i has committed as much or has
// the entry that the snapshot ends with.
func (n *State) restore(i Server, m *Msg) {
	snap := Snapshot{Index: m.Index, Term: m.LogTerm}
	for x := range m.Snap {
		snap.Body = m.Snap[x]
	}
	switch {
	case m.Index <= n.Commit[i] || !snap.has(i):
	case n.matchTerm(i, m.Index, m.LogTerm):
		n.commitTo(i, m.Index)
	default:
		n.Snap[i] = snap
		n.Commit[i] = m.Index
		for x := range snap.Conf {
			n.Conf[i] = snap.Conf[x]
		}
		if ToldApplies { // the application reports the snapshot
			n.Folded[i] = Point{Index: m.Index, Term: m.LogTerm}
			skip(&n.Log[i], m.Index)
			return
		}
		n.Log[i].Clear()
		n.Applied[i] = m.Index
	}
}

var snapshotBaseline = grains.Grain[State]{
	Node:       nodeSnapshots,
	Name:       "baseline",
	Doc:        "Compaction up to what is applied, and snapshots for followers that lack compacted entries.",
	Covers:     []string{"snapshot"},
	Actions:    Actions{&Compact, &HandleSnap},
	Requires:   []grains.Ref{{Module: "replication", Grain: "baseline"}},
	Budgets:    []modules.Budget[State]{modules.Spend[State]("compactions", &Compact)},
	Invariants: []modules.Invariant[State]{snapshotTaken},
	Models: []string{"raft.maybeSendSnapshot", "raft.handleSnapshot", "raft.restore", "raft.appliedSnap",
		"tracker.Progress.BecomeSnapshot", "MemoryStorage.CreateSnapshot", "MemoryStorage.Compact"},
}

var snapshotTaken = modules.Invariant[State]{ID: "SnapshotTaken", Step: takesSnapshots,
	Doc: "A server that answers the snapshot of its leader has committed as much, if it is in either half of the snapshot's configuration (etcd issue 12359)."}

// takesSnapshots: a snapshot is answered where it is gone from one channel and there is one message
// more in the other. Over UDP nothing is stated.
func takesSnapshots(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i == j || !Snapshots || Network != "tcp" || !s.first(i, j, MsgSnap) {
				continue
			}
			m := s.Stream.Head(j, i)
			answered := n.inFlight(j, i) < s.inFlight(j, i) && n.inFlight(i, j) > s.inFlight(i, j)
			if answered && n.Term[i] == m.Term && inEitherHalf(&m, i) && n.Commit[i] < m.Index {
				return false
			}
		}
	}
	return true
}

// inEitherHalf reports whether the configuration of the snapshot in m has i.
func inEitherHalf(m *Msg, i Server) bool {
	for x := range m.Snap {
		for _, c := range m.Snap[x].Conf {
			return c.Voters.Union(c.Outgoing).Union(c.Learners).Has(i)
		}
	}
	return true
}
