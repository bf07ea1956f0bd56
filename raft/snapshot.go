package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Snapshots says whether servers compact their logs.
const Snapshots = MaxCompactions > 0

// FromSnapshot says that a server starts from the snapshot in its storage, whatever it has applied.
const FromSnapshot = Snapshots && ToldApplies && RestartFrom == "snapshot"

// Snapshot stands for the entries up to an index, and survives a restart: raftpb.Snapshot.
type Snapshot struct {
	Body
	Index, Term Number
}

// Body is a snapshot's contents: the register, and the configuration where that changes.
type Body struct {
	Conf  [ChangeSlots]Conf
	Value Number
}

// offset returns the index of the last entry that i has folded away, 0 where there is none, and
// foldedTerm its term.
func (s *State) offset(i Server) Number {
	switch {
	case !Snapshots:
		return 0
	case ToldApplies:
		return s.Folded[i].Index
	}
	return s.Snap[i].Index
}

func (s *State) foldedTerm(i Server) Number {
	if ToldApplies {
		return s.Folded[i].Term
	}
	return s.Snap[i].Term
}

// left returns how many entries of i's log Log does not have. Beside a node there are none: it
// forgets what they were.
func (s *State) left(i Server) Number {
	if ToldApplies {
		return 0
	}
	return s.offset(i)
}

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

// sendSnapshot sends j the leader's snapshot, if it has been heard of. raft.go maybeSendSnapshot;
// tracker/progress.go BecomeSnapshot.
func (n *State) sendSnapshot(i, j Server) bool {
	if !n.RecentActive[i].Has(j) {
		return false
	}
	snap := n.Snap[i]
	var body [SnapBodies]Body
	for x := range body {
		body[x] = snap.Body
	}
	n.send(i, j, Msg{Kind: MsgSnap, Snap: body, Term: n.Term[i], Index: snap.Index, LogTerm: snap.Term})
	n.clearInflight(i, j)
	n.Pr[i][j].State = InSnapshot
	n.Pr[i][j].Paused = false
	n.Pr[i][j].Next = snap.Index + 1
	n.Pr[i][j].SentCommit = snap.Index
	n.setPending(i, j, snap.Index)
	return true
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

// has reports whether the snapshot's configuration has i.
func (s *Snapshot) has(i Server) bool {
	for x := range s.Conf {
		c := &s.Conf[x]
		return c.Voters.Union(c.Outgoing).Union(c.Learners).Has(i)
	}
	return true
}

var snapshotBaseline = grains.Grain[State]{
	AtNode:   besideSnapshots,
	Name:     "baseline",
	Doc:      "Compaction up to what is applied, and snapshots for followers that lack compacted entries.",
	Covers:   []string{"snapshot"},
	Actions:  Actions{&Compact, &HandleSnap},
	Requires: []grains.Ref{{Module: "replication", Grain: "baseline"}},
	Budgets:  []modules.Budget[State]{modules.Spend[State]("compactions", &Compact)},
	Models: []string{"raft.maybeSendSnapshot", "raft.handleSnapshot", "raft.restore", "raft.appliedSnap",
		"tracker.Progress.BecomeSnapshot", "MemoryStorage.CreateSnapshot", "MemoryStorage.Compact"},
}
