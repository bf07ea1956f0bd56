package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Election alone at a coarser grain than its baseline, for Discovery under test: a server leads, or
// follows a server that leads, in one step each. What Discovery sees of an election is who takes
// itself for a leader and who follows it.

// ElectLeader makes p.I the leader that the servers p.S, exactly a quorum, have voted for. They
// look for a leader and reach it, and the vote of none of them succeeds its vote, identities
// included. They keep this vote: a server that has voted for p.I elects nobody that p.I succeeds.
//
// It stands for the steps of Fast Leader Election. ZooKeeper: FastLeaderElection.lookForLeader.
// What it leaves out: servers that follow one that does not lead.
var ElectLeader = Action[Party]{
	Name:   "ElectLeader",
	Params: EachQuorum,
	Guard: func(s *State, p Party) bool {
		if p.S.Len() != Servers/2+1 {
			return false
		}
		for k := range Server(Servers) {
			if !p.S.Has(k) {
				continue
			}
			if !s.isOn(k) || !s.isLooking(k) || s.Msgs.IsCut(p.I, k) || k != p.I && !s.atLeastAsRecent(p.I, k) ||
				s.CurrentVote[k].succeeds(s.selfVote(p.I)) {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p Party) {
		for k := range Server(Servers) {
			if p.S.Has(k) {
				n.CurrentVote[k] = s.selfVote(p.I)
			}
		}
		n.turnToLeading(p.I)
	},
}

// FollowElected makes p.J follow p.I, which leads. The server knows of a quorum that votes for p.I.
// These are p.I, its followers, and all servers that look for a leader and that p.I succeeds. The
// vote that such a server keeps must not succeed that of p.I.
var FollowElected = Action[Pair]{
	Name:   "FollowElected",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		if !s.isLeader(p.I) || !s.isOn(p.J) || !s.isLooking(p.J) || s.Msgs.IsCut(p.I, p.J) {
			return false
		}
		with := Set(0).With(p.I)
		for k := range Server(Servers) {
			heard := k == p.J || s.isOn(k) && !s.Msgs.IsCut(p.J, k)
			if heard && (s.State[k] == FOLLOWING && s.CurrentVote[k].Leader == p.I || s.isLooking(k) && s.atLeastAsRecent(p.I, k) && !s.CurrentVote[k].succeeds(s.CurrentVote[p.I])) {
				with.Add(k)
			}
		}
		return with.IsQuorum(Servers)
	},
	Effect: func(s, n *State, p Pair) {
		n.CurrentVote[p.J] = s.CurrentVote[p.I]
		n.turnToFollowing(p.J)
	},
}

// voteForSelf lets a server that begins to look for a leader vote for itself.
var voteForSelf = modules.AfterAny(func(s, n *State) {
	for k := range Server(Servers) {
		if n.isLooking(k) && (!s.isLooking(k) || !s.isOn(k)) {
			n.CurrentVote[k] = n.selfVote(k)
		}
	}
})

var electionCoarse = grains.Coarsen(grains.Grain[State]{
	Node:    nodeElection,
	Name:    "coarse-election",
	Doc:     "A server leads, or follows, in one step. For Discovery under test.",
	Actions: Actions{&ElectLeader, &FollowElected},
	Rules:   []modules.Rule[State]{voteForSelf},
}, electionBaseline)
