package zab

import (
	"github.com/multigrain/multigrain/grains"
)

// Grain node of Election: a server leads, or follows, in one step. See discovery_node.go.

// NodeLeads is ElectLeader as the leader sees it. A quorum looks for a leader and is not more
// recent. Next to a server, any election may have ended so.
//
// What it leaves out: that a server keeps its vote. So a server may have voted for two that lead,
// and a leader that gives up may lead again before its followers have noticed. Level L2 finds the
// latter false against node-votes.
var NodeLeads = Action[One]{
	Name:   "NodeLeads",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isLooking(p.I) && (LiveNode || s.mayWin(p.I)) },
	Effect: func(s, n *State, p One) {
		n.turnToLeading(p.I)
		n.loadDatabase(p.I)
	},
}

// mayWin reports whether a quorum with i looks for a leader, and i is as recent as any of them.
func (s *State) mayWin(i Server) bool {
	with := Set(0).With(i)
	for k := range Server(Servers) {
		if k != i && s.isLooking(k) && !s.Msgs.IsCut(i, k) && s.atLeastAsRecent(i, k) {
			with.Add(k)
		}
	}
	return with.IsQuorum(Servers)
}

// NodeFollows is FollowElected as the follower i sees it: it has elected j, and knows of a quorum
// for j, as there. Next to a server, any election may have ended so, and NodeConnects is in the
// same step, so that a search has fewer states.
var NodeFollows = Action[Pair]{
	Name:   "NodeFollows",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.isLooking(p.I) && (LiveNode || s.mayJoin(p.I, p.J)) },
	Effect: func(s, n *State, p Pair) {
		n.turnToFollowing(p.I)
		if LiveNode {
			n.connectTo(p.I, p.J)
			return
		}
		n.CurrentVote[p.I] = Vote{Leader: p.J}
	},
}

// mayJoin reports whether i can have elected j, which leads.
func (s *State) mayJoin(i, j Server) bool {
	if s.State[j] != LEADING || s.Msgs.IsCut(i, j) {
		return false
	}
	with := Set(0).With(j)
	for k := range Server(Servers) {
		heard := k == i || !s.Msgs.IsCut(i, k)
		if heard && (s.State[k] == FOLLOWING && s.CurrentVote[k].Leader == j || s.isLooking(k) && s.atLeastAsRecent(j, k)) {
			with.Add(k)
		}
	}
	return with.IsQuorum(Servers)
}

var electionNode = grains.Coarsen(grains.Grain[State]{
	Name:     "node",
	Was:      []string{"one-sided"},
	Doc:      nodeDoc + "A server leads, or follows, in one step.",
	Actions:  Actions{&NodeLeads, &NodeFollows},
	Requires: []grains.Ref{{Module: "discovery", Grain: "node"}},
}, electionBaseline)
