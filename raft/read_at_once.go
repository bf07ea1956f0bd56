package raft

import "github.com/multigrain/multigrain/grains"

// ReadAtOnce asks a leader for a read and answers it, after a quorum has confirmed in the same step
// that there is no newer leader.
//
// It stands for ReadIndex, its messages and AnswerRead, at a leader. What it leaves out: reads that
// take time, and those of followers.
var ReadAtOnce = Action[Party]{
	Name:   "ReadAtOnce",
	Params: parties,
	Guard: func(s *State, p Party) bool {
		if s.Role[p.I] != Leader || s.unusedRead() == MaxReads || !s.isQuorum(p.I, p.S) {
			return false
		}
		for j := range Server(Servers) {
			if p.S.Has(j) && s.Term[j] > s.Term[p.I] && Mistake != ReadWithoutQuorum {
				return false
			}
		}
		return s.Applied[p.I] == s.Commit[p.I] && (s.committedInTerm(p.I) || Mistake == ReadBeforeCommit)
	},
	Effect: func(s, n *State, p Party) {
		id := s.unusedRead()
		n.Reads[id] = Read{Server: p.I, Floor: s.Completed}
		n.completeRead(id, p.I)
	},
}

var clientReadsAtOnce = grains.Refine(grains.Grain[State]{
	Node:       nodeAtOnce,
	Name:       "reads-at-once",
	Doc:        "Commands, and reads that a quorum confirms in one step.",
	Actions:    Actions{&Propose, &ReadAtOnce},
	Sets:       []grains.Setting{{Name: "read_only", Value: "at-once"}},
	Invariants: clientReads.Invariants,
	Budgets:    clientBaseline.Budgets,
	Models:     clientReads.Models,
}, clientBaseline)
