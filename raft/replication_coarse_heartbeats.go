package raft

import "github.com/multigrain/multigrain/grains"

var replicationCoarseHeartbeats = grains.Coarsen(grains.Grain[State]{
	Node:    nodeAppends,
	Name:    "coarse-heartbeats",
	Doc:     "As coarse, with the heartbeats that confirm reads and leaderships.",
	Actions: Actions{&Adopt, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp},
	Sets:    replicationCoarse.Sets,
	Budgets: replicationBaseline.Budgets,
}, replicationBaseline)
