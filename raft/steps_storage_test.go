package raft

import "testing"

// What waits for a disk is in the composition only with the bound writes; what a server does with
// its own answers is not.

// Section 3.8 of the dissertation and raft.go appendEntry: a leader counts its own copy like any
// other, once it is on disk.
func TestOwnAnswersAreSteps(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) {
		s.log(0, term(1))
		s.lead(0, 1)
		s.Pr[0][0] = Progress{Next: 1, State: Replicate}
		s.Pr[0][1].Match = 1
	})
	s.stepSelf(0, &Msg{Kind: MsgAppResp, Term: 1, Index: 1})
	check(t, s.Pr[0][0].Match == 1 && s.Commit[0] == 1, "its own copy makes the majority")
	late := cluster(func(s *State) { s.log(0, term(1)); s.lead(0, 2) })
	late.Pr[0][0] = Progress{Next: 1, State: Replicate}
	before := late
	late.stepSelf(0, &Msg{Kind: MsgAppResp, Term: 1, Index: 1})
	check(t, late == before, "an answer of an earlier term counts for nothing")
}

// raft.go stepCandidate: an answer to an earlier pre-candidacy counts, as it does for the library.
func TestOwnPreVote(t *testing.T) {
	t.Parallel()
	for _, m := range []Msg{{Kind: MsgPreVoteResp, Term: 2}, {Kind: MsgPreVoteResp, Term: 1}} {
		s := cluster(func(s *State) { s.Term[0] = 1; s.becomePreCandidate(0) })
		s.stepSelf(0, &m)
		check(t, s.Granted[0].Has(0), "its own vote")
	}
}
