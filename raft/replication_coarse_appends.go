package raft

import "github.com/multigrain/multigrain/grains"

// Replication at a coarser grain than its baseline, for other modules under test: an append and the
// leader's part of the answer are one step. It is a sequence of the baseline's steps, so none of
// its behaviours is false.

// Exchange lets follower p.I take an append of p.J, which takes the answer, unless other messages
// precede it in flight.
//
// It stands for HandleApp and HandleAppResp. What it leaves out: what happens between the two.
var Exchange = Action[At]{
	Name:   "Exchange",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgApp) },
	Effect: func(s, n *State, p At) {
		n.handleApp(p)
		back := At{I: p.J, J: p.I, K: 1}
		for n.arrives(back, MsgAppResp) {
			n.handleAppResp(back)
		}
	},
}

var replicationCoarseAppends = grains.Coarsen(grains.Grain[State]{
	Node:    nodeAppends,
	Name:    "coarse-appends",
	Doc:     "An append and its answer are one step.",
	Actions: Actions{&Exchange, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp},
	Budgets: replicationBaseline.Budgets,
}, replicationBaseline)
