package raft

import "github.com/multigrain/multigrain/grains"

// Adopt makes a follower I take over the leader J's whole log and commit index, and the leader know
// it, in one step.
//
// It stands for HandleApp, HandleAppResp and the heartbeats. What it leaves out: a follower with a
// part of what the leader has, and acknowledgements that come late or not at all.
//
// Levels L1 and L2 find false behaviours, with any module under test. Steps of other modules send
// appends at the baseline and read what is in flight; here they do not. And a follower takes over
// several entries at once, where the baseline sends one by one. So manifests leave the grain
// unchanged in comparisons.
var Adopt = Action[Pair]{
	Name:   "Adopt",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.tracks(p.J, p.I) || s.isCut(p.I, p.J) {
			return false
		}
		return s.Role[p.J] == Leader && s.Role[p.I] != Leader && s.Term[p.I] == s.Term[p.J] && s.lags(p.I, p.J) ||
			s.Role[p.J] == Leader && s.Term[p.I] < s.Term[p.J]
	},
	Effect: func(s, n *State, p Pair) {
		if s.Term[p.I] < s.Term[p.J] || s.Role[p.I] != Follower {
			n.becomeFollower(p.I, s.Term[p.J], p.J)
		}
		n.Lead[p.I] = p.J
		if s.common(p.I, p.J) < s.Commit[p.I] {
			n.Panics.Raise(ConflictWithCommitted)
			return
		}
		n.Log[p.I] = s.Log[p.J]
		n.commitTo(p.I, s.Commit[p.J])
		last := s.lastIndex(p.J)
		n.Pr[p.J][p.I] = Progress{Match: last, Next: last + 1, State: Replicate}
		if n.maybeCommit(p.J) {
			n.releaseReads(p.J)
		}
		n.handOver(p.J, p.I)
	},
}

// lags reports whether i has something to learn from the leader j of its term.
func (s *State) lags(i, j Server) bool {
	return s.Lead[i] != j || s.Pr[j][i].Match < s.lastIndex(j) || s.Commit[i] < s.Commit[j]
}

var replicationCoarse = grains.Coarsen(grains.Grain[State]{
	Node:    nodeAppends,
	Name:    "coarse",
	Doc:     "A follower adopts the leader's log at once.",
	Actions: Actions{&Adopt},
	Sets:    []grains.Setting{{Name: "append", Value: "at-once"}},
}, replicationBaseline)
