package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// takeReady hands what a step has changed on a server to its append thread. rawnode.go Ready,
// newStorageAppendMsg.
func takeReady(s, n *State) {
	for i := range Server(Servers) {
		w := Write{Responses: n.After[i]}
		n.After[i].Clear()
		if n.Term[i] != s.Term[i] || n.Vote[i] != s.Vote[i] || n.Commit[i] != s.Commit[i] {
			w.Hard = true
			w.Term, w.Vote, w.Commit = n.Term[i], n.Vote[i], n.Commit[i]
		}
		if n.Log[i] != s.Log[i] { // a step appends, and may have truncated the log before
			w.Index = n.lastIndex(i)
			w.Entry = n.Log[i].Last()
			n.StableTo[i] = min(n.StableTo[i], w.Index-1)
			if Batching {
				n.writePieces(s, i, &w)
			}
		}
		if !w.Hard && w.Index == 0 && w.Responses.Empty() {
			continue
		}
		if n.lastIndex(i) > n.StableTo[i] {
			w.Stable = Stable{n.Term[i], n.lastIndex(i), n.lastTerm(i)}
		}
		n.Writes[i].Append(w)
	}
}

// writePieces queues the writes of all entries but the last that a step has appended to i's log.
// What w answers waits for the last.
//
// Deviation: the library hands over the entries of a step as one write, whose order on disk is the
// storage's. Here each entry is a write, so that a crash may leave some of them.
func (n *State) writePieces(s *State, i Server, w *Write) {
	same := overlap(&s.Log[i], s.offset(i), &n.Log[i], n.offset(i))
	n.StableTo[i] = min(n.StableTo[i], same)
	for k := same + 1; k < w.Index; k++ {
		piece := Write{Index: k, Entry: n.entryAt(i, k), Hard: w.Hard, Term: w.Term, Vote: w.Vote, Commit: min(w.Commit, k)}
		if Mistake == AckInPieces && k == same+1 {
			piece.Responses = w.Responses
			w.Responses.Clear()
		}
		n.Writes[i].Append(piece)
	}
}

// Persist makes the append thread of a server do its next write and give out what waited for it.
//
// Dissertation, sections 3.8 and 10.2.1. Code: doc.go "Usage with Asynchronous Storage Writes";
// log_unstable.go stableTo; raft.go Step, MsgStorageAppendResp.
var Persist = Action[One]{
	Name:   "Persist",
	Params: each,
	Guard:  func(s *State, p One) bool { return AsyncStorage && !s.Writes[p.I].Empty() },
	Effect: func(s, n *State, p One) {
		w := n.Writes[p.I].PopFront()
		if w.Hard {
			n.Disk[p.I].Term, n.Disk[p.I].Vote, n.Disk[p.I].Commit = w.Term, w.Vote, w.Commit
		}
		if w.Index > 0 {
			n.Disk[p.I].Log.Truncate(int(w.Index) - 1)
			n.Disk[p.I].Log.Append(w.Entry)
		}
		for k := 1; k <= w.Responses.Len(); k++ {
			r := w.Responses.At(k)
			if r.To != p.I {
				n.release(p.I, r.To, r.Msg)
				continue
			}
			n.stepSelf(p.I, &r.Msg)
		}
		if st := w.Stable; st.Term != 0 && st.Term >= n.Term[p.I] && st.Index > n.StableTo[p.I] && n.matchTerm(p.I, st.Index, st.LogTerm) {
			n.StableTo[p.I] = st.Index
		}
	},
}

// release sends an answer. The kinds are named, so that it is known which messages a step sends.
func (n *State) release(i, j Server, m Msg) {
	switch m.Kind {
	case MsgVoteResp:
		m.Kind = MsgVoteResp
		n.send(i, j, m)
	case MsgPreVoteResp:
		m.Kind = MsgPreVoteResp
		n.send(i, j, m)
	case MsgAppResp:
		m.Kind = MsgAppResp
		n.send(i, j, m)
	}
}

// boundedWrites is a state constraint: nothing is explored after a state where a queue of writes
// has no place for those of another step.
func boundedWrites(s *State) bool {
	for i := range s.Writes {
		if s.Writes[i].Len() > MaxWrites-MaxBatch {
			return false
		}
	}
	return true
}

var replicationFine = grains.Refine(grains.Grain[State]{
	Node: nodeStorage,
	Name: "fine",
	Doc: "Storage is slower than the server (AsyncStorageWrites): answers wait for the append " +
		"thread. Needs the bound writes.",
	Actions:     Actions{&HandleApp, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp, &Persist},
	Rules:       []modules.Rule[State]{modules.AfterAny(takeReady, &Restart)},
	Requires:    []grains.Ref{{Module: "apply", Grain: "baseline"}},
	NeedsBounds: []grains.LeastBound{{Bound: "writes", Least: 1}},
	Constraints: []modules.Invariant[State]{
		{ID: "writes", Doc: "No queue of writes is full: another append has a place.", State: boundedWrites},
	},
	Budgets: replicationBaseline.Budgets,
	Models: slices.Concat(replicationBaseline.Models, []string{"raft.send", "RawNode.Ready", "RawNode.acceptReady", "newStorageAppendMsg",
		"newStorageAppendRespMsg", "unstable.stableTo", "unstable.truncateAndAppend", "raftLog.maxAppliableIndex"}),
}, replicationBaseline)
