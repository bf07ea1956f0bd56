package raft

import "github.com/multigrain/multigrain/grains"

// Snapshots as a running server has them, whose application says when its storage has a new one and
// up to where it folds the log away: etcd's servers keep some thousand entries before the snapshot.
// A snapshot from the leader is applied when NoteApplied says so.

// NoteSnapshot notes the snapshot that the storage has from now on: the one that is sent to servers
// that lag.
//
// Its configuration is that of the server, where it is known to be of that index; where changes
// come after it, or are not applied yet, what the application says.
//
// Code: MemoryStorage.CreateSnapshot.
var NoteSnapshot = Action[One]{
	Name:   "NoteSnapshot",
	Params: each,
	Guard:  func(s *State, p One) bool { return ToldApplies && s.stored().Index <= s.Commit[p.I] },
	Effect: func(s, n *State, p One) {
		snap := s.stored()
		// another one from the leader is in flight to the storage
		if snap.Index <= s.Snap[p.I].Index || snap.Index < s.offset(p.I) {
			return
		}
		snap.Term = s.termAt(p.I, snap.Index)
		for x := range snap.Conf {
			if !s.changesBehind(p.I, min(snap.Index, s.Applied[p.I])) {
				snap.Conf[x] = s.conf(p.I)
			}
		}
		n.Snap[p.I] = snap
	},
}

// NoteCompaction notes that the storage has folded away the log up to an index.
//
// Code: MemoryStorage.Compact.
var NoteCompaction = Action[One]{
	Name:   "NoteCompaction",
	Params: each,
	Guard:  func(s *State, p One) bool { return ToldApplies && s.stored().Index <= s.Commit[p.I] },
	Effect: func(s, n *State, p One) {
		if k := s.stored().Index; k > s.offset(p.I) {
			n.Folded[p.I] = Point{Index: k, Term: s.termAt(p.I, k)}
		}
	},
}

// ReportFinish and ReportFailure tell a leader what became of a snapshot that it has sent.
//
// Code: raft.go stepLeader, MsgSnapStatus, by RawNode.ReportSnapshot.
var ReportFinish = Action[Pair]{
	Name:   "ReportFinish",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.awaitsReport(p.I, p.J) },
	Effect: func(s, n *State, p Pair) { n.reported(p.I, p.J) },
}

// ReportFailure is like ReportFinish, for a snapshot that the server did not get.
var ReportFailure = Action[Pair]{
	Name:   "ReportFailure",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.awaitsReport(p.I, p.J) },
	Effect: func(s, n *State, p Pair) {
		n.setPending(p.I, p.J, 0)
		n.reported(p.I, p.J)
	},
}

func (s *State) awaitsReport(i, j Server) bool {
	return s.Role[i] == Leader && s.tracks(i, j) && s.Pr[i][j].State == InSnapshot
}

func (n *State) reported(i, j Server) {
	n.becomeProbe(i, j)
	n.Pr[i][j].Paused = true
}

// stored returns what the application tells of its storage.
func (s *State) stored() (snap Snapshot) {
	for x := range s.Stored {
		snap = s.Stored[x]
	}
	return snap
}

var snapshotTold = grains.Refine(grains.Grain[State]{
	Name:    "told",
	Doc:     "The application says what snapshots its storage has, and what it has folded away.",
	Actions: Actions{&NoteSnapshot, &NoteCompaction, &HandleSnap, &ReportFinish, &ReportFailure},
	Requires: []grains.Ref{
		{Module: "replication", Grain: "batched"}, {Module: "apply", Grain: "told"}, {Module: "membership", Grain: "baseline"},
	},
	NeedsBounds: []grains.LeastBound{{Bound: "compactions", Least: 1}},
	Models: []string{"raft.maybeSendSnapshot", "raft.handleSnapshot", "raft.restore", "raft.appliedSnap", "raft.promotable", "raft.loadState",
		"tracker.Progress.BecomeSnapshot", "MemoryStorage.CreateSnapshot", "MemoryStorage.Compact", "MemoryStorage.ApplySnapshot"},
}, snapshotBaseline)
