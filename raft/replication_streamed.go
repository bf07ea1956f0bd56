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

var replicationStreamed = grains.Refine(grains.Grain[State]{
	Name:        "streamed",
	Doc:         "As batched, where only the messages of etcd's transport are seen: appends have a stream of their own.",
	Actions:     slices.Concat(replicationBatched.Actions, Actions{&Disconnect}),
	Sets:        replicationBatched.Sets,
	NeedsBounds: []grains.LeastBound{{Bound: "streams", Least: 2}},
	Budgets:     replicationBaseline.Budgets,
	Models:      replicationBatched.Models,
}, replicationBatched)
