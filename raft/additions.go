package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Servers that a client asks a leader to add, as Redis Raft adds them: the server becomes a
// learner, and when that is committed the leader proposes by itself that it votes. The client is
// answered when it does.
//
// Source: Ellsberg ("Runtime Protocol Refinement Checking for Distributed Protocol
// Implementations"), appendix D, RedisRaft Unreported.

// AskAddition gives a leader a server to add. It takes one change at a time, and refuses another
// one.
var AskAddition = Action[Pair]{
	Name:   "AskAddition",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return MaxAdditions > 0 && s.accepts(p.I) && !s.tracks(p.I, p.J) && s.mayChange(p.I, Change{Kind: Learn}) && int(s.Changes) < MaxChanges
	},
	Effect: func(s, n *State, p Pair) {
		n.Changes++
		n.Adding[p.I] = Addition{Term: s.Term[p.I], Server: p.J}
		n.proposeChange(p.I, Change{Kind: Learn, Add: Set(0).With(p.J)})
	},
}

// PromoteLearner is the second command of an addition: the learner votes.
var PromoteLearner = Action[Pair]{
	Name:   "PromoteLearner",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return MaxAdditions > 0 && s.accepts(p.I) && s.adds(p.I, p.J) && s.conf(p.I).Learners.Has(p.J) && s.mayChange(p.I, Change{Kind: Simple})
	},
	Effect: func(s, n *State, p Pair) { n.proposeChange(p.I, Change{Kind: Simple, Add: Set(0).With(p.J)}) },
}

// AnswerAddition tells the client that the server is added.
var AnswerAddition = Action[Pair]{
	Name:   "AnswerAddition",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return MaxAdditions > 0 && s.Role[p.I] == Leader && s.adds(p.I, p.J) && !s.Adding[p.I].Answered &&
			(s.conf(p.I).Voters.Has(p.J) || Mistake == AnswerLearner && s.conf(p.I).Learners.Has(p.J))
	},
	Effect: func(s, n *State, p Pair) { n.Adding[p.I].Answered = true },
}

// adds reports whether leader i is asked to add j.
func (s *State) adds(i, j Server) bool {
	a := &s.Adding[i]
	return a.Term == s.Term[i] && a.Server == j && a.Term > 0
}

// answeredVotes reports whether the servers that are stated to be added vote.
func answeredVotes(s *State) bool {
	for i := range s.Adding {
		if a := &s.Adding[i]; a.Answered && s.Role[i] == Leader && s.adds(Server(i), a.Server) && !s.votes(Server(i), a.Server) {
			return false
		}
	}
	return true
}

var membershipAdditions = grains.Refine(grains.Grain[State]{
	Name:    "additions",
	Doc:     "A client asks for a server to be added, which is first a learner: Redis Raft's way.",
	Actions: Actions{&AskAddition, &PromoteLearner, &AnswerAddition},
	Budgets: []modules.Budget[State]{modules.Spend[State]("additions", &AskAddition)},
	Invariants: slices.Concat(membershipBaseline.Invariants, []modules.Invariant[State]{{
		ID: "AnsweredVotes", State: answeredVotes, Doc: "A server votes once a client has got the answer that it is added.",
	}}),
	NeedsBounds: []grains.LeastBound{{Bound: "additions", Least: 1}, {Bound: "changes", Least: 1}},
	Models:      []string{}, // Redis Raft is another implementation
}, membershipBaseline)
