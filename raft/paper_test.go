package raft

import "testing"

// One test for each sentence of the paper that the specification relies on: Ongaro and Ousterhout,
// "In Search of an Understandable Consensus Algorithm" (2014), in our words. The list of
// papers_test.go at the root of the project has them by their places.

// Section 5.1: a server that hears of a newer term takes it over, and a candidate or leader that
// does becomes a follower.
func TestNewerTermMakesAFollower(t *testing.T) {
	t.Parallel()
	for _, role := range []Role{Follower, Candidate, Leader} {
		for _, m := range []Msg{{Kind: MsgVote, Term: 2}, {Kind: MsgApp, Term: 2}, {Kind: MsgAppResp, Term: 2}, {Kind: MsgHeartbeat, Term: 2}} {
			s := cluster(func(s *State) { s.Term[0], s.Role[0] = 1, role })
			n := receive(t, s, 0, 1, m)
			check(t, n.Term[0] == 2 && n.Role[0] == Follower, "a newer term must be taken over by a follower")
		}
	}
}

// Section 5.1: a server rejects a request of an older term. The library does not answer.
func TestStaleTermIsIgnored(t *testing.T) {
	t.Parallel()
	for _, k := range []Kind{MsgVote, MsgVoteResp, MsgApp, MsgAppResp, MsgHeartbeat, MsgHeartbeatResp} {
		s := cluster(func(s *State) { s.Term[0] = 2 })
		n := receive(t, s, 0, 1, Msg{Kind: k, Term: 1})
		check(t, n.inFlight(0, 1) == 0 && n.Term == s.Term && n.Vote == s.Vote && n.Log == s.Log, "a stale message must change nothing")
	}
}

// Section 5.2: a follower begins an election as a candidate of the next term, with its own vote,
// and asks all others for theirs.
func TestTimeoutBeginsAnElection(t *testing.T) {
	t.Parallel()
	n := step(t, cluster(func(s *State) { s.log(0, term(1)) }), &Timeout, One{I: 0})
	check(t, n.Term[0] == 2 && n.Role[0] == Candidate && n.Vote[0] == 0 && n.Granted[0] == 1, "candidate of the next term with its own vote")
	for j := Server(1); j < Servers; j++ {
		wantSent(t, n, 0, j, Msg{Kind: MsgVote, Term: 2, Index: 1, LogTerm: 1})
	}
}

// Section 5.2: a server has one vote in a term, and gives it to the candidate that asks first.
func TestOneVoteInATerm(t *testing.T) {
	t.Parallel()
	first := receive(t, cluster(func(*State) {}), 0, 1, Msg{Kind: MsgVote, Term: 1})
	wantSent(t, first, 0, 1, Msg{Kind: MsgVoteResp, Term: 1})
	other := receive(t, first, 0, 2, Msg{Kind: MsgVote, Term: 1})
	wantSent(t, other, 0, 2, Msg{Kind: MsgVoteResp, Term: 1, Reject: true})
	first.Bag.Clear(0, 1)
	again := receive(t, first, 0, 1, Msg{Kind: MsgVote, Term: 1})
	wantSent(t, again, 0, 1, Msg{Kind: MsgVoteResp, Term: 1})
}

// Section 5.4.1: of two logs the one whose last entry has the later term is more up to date, and
// with equal terms the longer one. A server votes for no log that is less up to date than its own.
func TestVoteOnlyForUpToDateLogs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		index, term Number
		grant       bool
	}{{0, 0, false}, {1, 1, false}, {2, 1, true}, {3, 1, true}, {1, 2, true}} {
		s := cluster(func(s *State) { s.log(0, term(1), term(1)) })
		n := receive(t, s, 0, 1, Msg{Kind: MsgVote, Term: 3, Index: c.index, LogTerm: c.term})
		wantSent(t, n, 0, 1, Msg{Kind: MsgVoteResp, Term: 3, Reject: !c.grant})
	}
}

// Section 5.2: a candidate with the votes of a majority in its term leads. Dissertation, section
// 6.4: it then appends an empty entry.
func TestMajorityMakesALeader(t *testing.T) {
	t.Parallel()
	s := step(t, cluster(func(s *State) { s.log(0, term(1)) }), &Timeout, One{I: 0})
	s.Bag.Clear(0, 1)
	s.Bag.Clear(0, 2)
	n := receive(t, s, 0, 1, Msg{Kind: MsgVoteResp, Term: 2})
	check(t, n.Role[0] == Leader && n.Log[0].Last() == term(2) && n.lastIndex(0) == 2, "a leader with an empty entry of its term")
	wantSent(t, n, 0, 1, Msg{Kind: MsgApp, Term: 2, Index: 1, LogTerm: 1, Entry: term(2)})
	lost := receive(t, s, 0, 1, Msg{Kind: MsgVoteResp, Term: 2, Reject: true})
	check(t, lost.Role[0] == Candidate, "one refusal of three does not end a candidacy")
	lost = receive(t, lost, 0, 2, Msg{Kind: MsgVoteResp, Term: 2, Reject: true})
	check(t, lost.Role[0] == Follower && lost.Term[0] == 2, "two do")
}

// Section 5.2: a candidate follows a leader whose term is not older than its own.
func TestCandidateYieldsToALeader(t *testing.T) {
	t.Parallel()
	s := step(t, cluster(func(*State) {}), &Timeout, One{I: 0})
	n := receive(t, s, 0, 2, Msg{Kind: MsgHeartbeat, Term: 1})
	check(t, n.Role[0] == Follower && n.Lead[0] == 2 && n.Vote[0] == 0, "a follower that keeps its vote")
}

// Section 5.3: a follower refuses entries if its log has no entry with the index and term before
// them. The library says where to continue: raft.go handleAppendEntries.
func TestFollowerRefusesAGap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log                 []Entry
		index, term         Number
		hintIndex, hintTerm Number
	}{
		{nil, 2, 1, 0, 0},
		{[]Entry{term(1)}, 2, 2, 1, 1},
		{[]Entry{term(1), term(3)}, 2, 2, 1, 1},
		{[]Entry{term(2), term(2)}, 2, 1, 0, 0},
	} {
		s := cluster(func(s *State) { s.log(0, c.log...) })
		n := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 4, Index: c.index, LogTerm: c.term, Entry: term(4)})
		wantSent(t, n, 0, 1, Msg{Kind: MsgAppResp, Term: 4, Index: c.index, LogTerm: c.hintTerm, Reject: true, RejectHint: c.hintIndex})
		check(t, n.Log[0] == s.Log[0], "a refused append changes the log")
	}
}

// Section 5.3 and figure 2, AppendEntries step 3: an entry with another term than the leader's at
// that index goes, with all after it. Entries that agree stay.
func TestConflictsAreOverwritten(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2), term(2)) })
	n := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 3, Index: 1, LogTerm: 1, Entry: term(3)})
	check(t, n.lastIndex(0) == 2 && n.termAt(0, 2) == 3, "the conflicting tail must go")
	kept := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 3, Index: 1, LogTerm: 1, Entry: term(2)})
	check(t, kept.Log[0] == s.Log[0], "what agrees must stay, and what follows it too")
	wantSent(t, kept, 0, 1, Msg{Kind: MsgAppResp, Term: 3, Index: 2})
}

// Figure 2, AppendEntries step 5: a follower's commit index rises to the leader's, but not past the
// last new entry.
func TestCommitStopsAtTheLastNewEntry(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(1)) })
	n := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 2, Index: 0, Entry: term(1), Commit: 2})
	check(t, n.Commit[0] == 1, "nothing after the message's entry may be committed by it")
}

// Section 5.3: after a rejection the leader sends from an earlier index.
func TestRejectionMovesNextBack(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(1)); s.lead(0, 2) })
	n := receive(t, s, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 2, Reject: true})
	check(t, n.Pr[0][1].Next == 1 && n.Pr[0][1].Match == 0, "Next must go to where the follower's log ends")
	wantSent(t, n, 0, 1, Msg{Kind: MsgApp, Term: 2, Entry: term(1)})
	stale := receive(t, n, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 2, Reject: true})
	check(t, stale.Pr == n.Pr, "a second rejection of the same append is stale")
}

// Figure 2, Leaders, and section 5.4.2: a leader commits an entry of its own term that a majority
// has, and with it all before it. Entries of earlier terms are not committed by their number.
func TestOnlyEntriesOfTheOwnTermAreCounted(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2)); s.lead(0, 2) })
	older := receive(t, s, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 1})
	check(t, older.Commit[0] == 0 && older.Pr[0][1].Match == 1, "an entry of term 1 on a majority is not committed by that")
	own := receive(t, older, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 2})
	check(t, own.Commit[0] == 2, "one of term 2 is, and those before it with it")
}

// Figure 2, State: currentTerm, votedFor and log survive a restart. commitIndex and lastApplied do
// not in the paper; the library's HardState has the commit index, too.
func TestRestartKeepsWhatIsOnDisk(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2)); s.lead(0, 2); s.Commit[0], s.Applied[0] = 2, 2 })
	n := step(t, s, &Restart, One{I: 0})
	check(t, n.Term[0] == 2 && n.Vote[0] == 0 && n.Log[0] == s.Log[0] && n.Commit[0] == 2, "HardState and entries must survive")
	check(t, n.Role[0] == Follower && n.Lead[0] == None && n.Applied[0] == 0 && n.Pr[0] == [Servers]Progress{}, "nothing else may")
}

// The library's sendHeartbeat: a heartbeat tells a follower no commit index past the entry up to
// which its log is known to match.
func TestHeartbeatTellsWhatMatches(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2)); s.lead(0, 2); s.Commit[0] = 2; s.Pr[0][1].Match = 1 })
	n := step(t, s, &Beat, One{I: 0})
	wantSent(t, n, 0, 1, Msg{Kind: MsgHeartbeat, Term: 2, Commit: 1})
	wantSent(t, n, 0, 2, Msg{Kind: MsgHeartbeat, Term: 2})
}

// Dissertation, section 9.6: a server that answers a Pre-Vote changes nothing, and grants it by the
// log and the term alone.
func TestPreVoteChangesNothing(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1)); s.Vote[0] = 2 })
	n := receive(t, s, 0, 1, Msg{Kind: MsgPreVote, Term: 2, Index: 1, LogTerm: 1})
	wantSent(t, n, 0, 1, Msg{Kind: MsgPreVoteResp, Term: 2})
	check(t, n.Term == s.Term && n.Vote == s.Vote && n.Role == s.Role, "a pre-vote is no vote")
}

// Dissertation, section 3.10: the target of a transfer begins an election at once.
func TestTimeoutNowBeginsAnElection(t *testing.T) {
	t.Parallel()
	n := receive(t, cluster(func(s *State) { s.Term[0] = 1; s.Lead[0] = 1 }), 0, 1, Msg{Kind: MsgTimeoutNow, Term: 1})
	check(t, n.Role[0] == Candidate && n.Term[0] == 2, "a candidate")
	wantSent(t, n, 0, 2, Msg{Kind: MsgVote, Term: 2, Context: ByTransfer})
}

// Section 6: while a configuration is joint, a vote or an entry needs a majority of the old servers
// and one of the new ones.
func TestConfigurationsChange(t *testing.T) {
	t.Parallel()
	old := Conf{Members: Members{Voters: 0b0111}}
	joint := old.with(Change{Kind: JointAuto, Add: 0b1000, Remove: 0b0001})
	check(t, joint == Conf{Members: Members{Voters: 0b1110, Outgoing: 0b0111}, AutoLeave: true}, "a joint configuration has both")
	check(t, joint.with(Change{Kind: LeaveJoint}) == Conf{Members: Members{Voters: 0b1110}}, "and is left for the new one")
	learns := old.with(Change{Kind: Learn, Add: 0b1000})
	check(t, learns == Conf{Members: Members{Voters: 0b0111, Learners: 0b1000}}, "a learner is no voter")
	check(t, learns.with(Change{Kind: Simple, Add: 0b1000}) == Conf{Members: Members{Voters: 0b1111}}, "and becomes one")
	check(t, majority(0b0011, 0b0111) && !majority(0b0001, 0b0111) && !majority(0b0011, 0b1111), "more than half")
}

// Section 5.3: the leader appends a client's command to its log and sends it to the others.
func TestCommandIsAppendedAndSent(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) {
		s.log(0, term(1))
		s.lead(0, 1)
		for j := range s.Pr[0] {
			s.Pr[0][j] = Progress{Match: 1, Next: 2, State: Replicate}
		}
	})
	n := step(t, s, &Propose, One{I: 0})
	check(t, n.lastIndex(0) == 2 && n.Log[0].Last() == Entry{Term: 1, Value: 1}, "the command is the last entry")
	for j := Server(1); j < Servers; j++ {
		wantSent(t, n, 0, j, Msg{Kind: MsgApp, Term: 1, Index: 1, LogTerm: 1, Entry: Entry{Term: 1, Value: 1}})
	}
	s.Role[0] = Follower
	check(t, !Propose.Guard(&s, One{I: 0}), "a follower takes no command")
}

// Section 5.3: a new leader takes each follower's next index to be the one after its own last
// entry.
func TestLeaderBeginsAfterItsLastEntry(t *testing.T) {
	t.Parallel()
	s := step(t, cluster(func(s *State) { s.log(0, term(1), term(1)) }), &Timeout, One{I: 0})
	n := receive(t, s, 0, 1, Msg{Kind: MsgVoteResp, Term: 2})
	for j := Server(1); j < Servers; j++ {
		check(t, n.Pr[0][j].Next == 3 && n.Pr[0][j].Match == 0, "the next index is that of the first entry of the term")
	}
}

// Figure 2, All Servers: a server applies what is committed, in the order of the log, and nothing
// else.
func TestCommittedEntriesAreApplied(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(1), term(1)); s.Commit[0] = 2 })
	n := step(t, s, &Apply, One{I: 0})
	check(t, n.Applied[0] == 2, "up to the commit index")
	check(t, !Apply.Guard(&n, One{I: 0}), "and no further")
}
