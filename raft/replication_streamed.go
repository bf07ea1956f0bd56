package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// Disconnect notes that connections between a server and another one have ended, or that none
// stands. What one of them has sent may be lost.
//
// Code: rafthttp/stream.go, streamWriter.close.
var Disconnect = Action[Pair]{
	Name:   "Disconnect",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return false },
	Effect: func(s, n *State, p Pair) {},
}

// Recall makes a server that has crashed know the commit index that it had on its disk, where a
// message shows it. What it has known may be more.
//
// Code: raft.go loadState; wal/wal.go Save.
var Recall = Action[One]{
	Name:   "Recall",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.known(p.I) > s.Commit[p.I] && s.recalled(p.I) > 0 },
	Effect: func(s, n *State, p One) {
		n.Known[p.I] = s.recalled(p.I)
		n.commitTo(p.I, s.recalled(p.I)) // which forgets Known
	},
}

// Forget makes the last commit index that a server has known before a crash one that was not on its
// disk. Recall says which one was.
//
// Code: wal/wal.go Save, of go.etcd.io/etcd/server/v3.
var Forget = Action[One]{
	Name:   "Forget",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.known(p.I) > 0 && s.known(p.I) == s.Commit[p.I] },
	Effect: func(s, n *State, p One) { n.Commit[p.I] = n.offset(p.I) },
}

var replicationStreamed = grains.Refine(grains.Grain[State]{
	Name:        "streamed",
	Doc:         "As batched, where only the messages of etcd's transport are seen: appends have a stream of their own.",
	Actions:     slices.Concat(replicationBatched.Actions, Actions{&Disconnect, &Forget, &Recall}),
	Sets:        replicationBatched.Sets,
	NeedsBounds: []grains.LeastBound{{Bound: "streams", Least: 2}},
	Budgets:     replicationBaseline.Budgets,
	Models:      replicationBatched.Models,
}, replicationBatched)
