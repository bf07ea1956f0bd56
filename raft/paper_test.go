package raft

import "testing"

// One test for each sentence of the paper that the specification relies on.

// Section 5.1: "If a server's current term is smaller than the other's, then it updates its current
// term to the larger value." and "If a candidate or leader discovers that its term is out of date,
// it immediately reverts to follower state."
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

// Section 5.1: "If a server receives a request with a stale term number, it rejects the request."
// The library does not answer.
func TestStaleTermIsIgnored(t *testing.T) {
	t.Parallel()
	for _, k := range []Kind{MsgVote, MsgVoteResp, MsgApp, MsgAppResp, MsgHeartbeat, MsgHeartbeatResp} {
		s := cluster(func(s *State) { s.Term[0] = 2 })
		n := receive(t, s, 0, 1, Msg{Kind: k, Term: 1})
		check(t, n.inFlight(0, 1) == 0 && n.Term == s.Term && n.Vote == s.Vote && n.Log == s.Log, "a stale message must change nothing")
	}
}

// Section 5.2: "To begin an election, a follower increments its current term and transitions to
// candidate state. It then votes for itself and issues RequestVote RPCs in parallel to each of the
// other servers."
func TestTimeoutBeginsAnElection(t *testing.T) {
	t.Parallel()
	n := step(t, cluster(func(s *State) { s.log(0, term(1)) }), &Timeout, One{I: 0})
	check(t, n.Term[0] == 2 && n.Role[0] == Candidate && n.Vote[0] == 0 && n.Granted[0] == 1, "candidate of the next term with its own vote")
	for j := Server(1); j < Servers; j++ {
		wantSent(t, n, 0, j, Msg{Kind: MsgVote, Term: 2, Index: 1, LogTerm: 1})
	}
}

// Section 5.2: "Each server will vote for at most one candidate in a given term, on a
// first-come-first-served basis."
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

// Section 5.4.1: "If the logs have last entries with different terms, then the log with the later
// term is more up-to-date. If the logs end with the same term, then whichever log is longer is more
// up-to-date."
func TestVoteOnlyForUpToDateLogs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		index, term uint8
		grant       bool
	}{{0, 0, false}, {1, 1, false}, {2, 1, true}, {3, 1, true}, {1, 2, true}} {
		s := cluster(func(s *State) { s.log(0, term(1), term(1)) })
		n := receive(t, s, 0, 1, Msg{Kind: MsgVote, Term: 3, Index: c.index, LogTerm: c.term})
		wantSent(t, n, 0, 1, Msg{Kind: MsgVoteResp, Term: 3, Reject: !c.grant})
	}
}

// Section 5.2: "A candidate wins an election if it receives votes from a majority of the servers in
// the full cluster for the same term." Dissertation, section 6.4: it then appends an empty entry.
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

// Section 5.2: "If the leader's term is at least as large as the candidate's current term, then the
// candidate recognizes the leader as legitimate and returns to follower state."
func TestCandidateYieldsToALeader(t *testing.T) {
	t.Parallel()
	s := step(t, cluster(func(*State) {}), &Timeout, One{I: 0})
	n := receive(t, s, 0, 2, Msg{Kind: MsgHeartbeat, Term: 1})
	check(t, n.Role[0] == Follower && n.Lead[0] == 2 && n.Vote[0] == 0, "a follower that keeps its vote")
}

// Section 5.3: "If the follower does not find an entry in its log with the same index and term,
// then it refuses the new entries." The library says where to continue: raft.go
// handleAppendEntries.
func TestFollowerRefusesAGap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log                 []Entry
		index, term         uint8
		hintIndex, hintTerm uint8
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

// Section 5.3: "conflicting entries in follower logs will be overwritten with entries from the
// leader's log". Figure 2: "If an existing entry conflicts with a new one (same index but different
// terms), delete the existing entry and all that follow it".
func TestConflictsAreOverwritten(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2), term(2)) })
	n := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 3, Index: 1, LogTerm: 1, Entry: term(3)})
	check(t, n.lastIndex(0) == 2 && n.termAt(0, 2) == 3, "the conflicting tail must go")
	kept := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 3, Index: 1, LogTerm: 1, Entry: term(2)})
	check(t, kept.Log[0] == s.Log[0], "what agrees must stay, and what is behind it too")
	wantSent(t, kept, 0, 1, Msg{Kind: MsgAppResp, Term: 3, Index: 2})
}

// Figure 2: "If leaderCommit > commitIndex, set commitIndex = min(leaderCommit, index of last new
// entry)".
func TestCommitStopsAtTheLastNewEntry(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(1)) })
	n := receive(t, s, 0, 1, Msg{Kind: MsgApp, Term: 2, Index: 0, Entry: term(1), Commit: 2})
	check(t, n.Commit[0] == 1, "nothing behind the message may be committed by it")
}

// Section 5.3: "After a rejection, the leader decrements nextIndex and retries the AppendEntries
// RPC."
func TestRejectionMovesNextBack(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(1)); s.lead(0, 2) })
	n := receive(t, s, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 2, Reject: true})
	check(t, n.Pr[0][1].Next == 1 && n.Pr[0][1].Match == 0, "Next must go to where the follower's log ends")
	wantSent(t, n, 0, 1, Msg{Kind: MsgApp, Term: 2, Entry: term(1)})
	stale := receive(t, n, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 2, Reject: true})
	check(t, stale.Pr == n.Pr, "a second rejection of the same append is stale")
}

// Figure 2, "Leaders": "If there exists an N such that N > commitIndex, a majority of matchIndex[i]
// >= N, and log[N].term == currentTerm: set commitIndex = N". Section 5.4.2: "Raft never commits
// log entries from previous terms by counting replicas."
func TestOnlyEntriesOfTheOwnTermAreCounted(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2)); s.lead(0, 2) })
	older := receive(t, s, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 1})
	check(t, older.Commit[0] == 0 && older.Pr[0][1].Match == 1, "an entry of term 1 on a majority is not committed by that")
	own := receive(t, older, 0, 1, Msg{Kind: MsgAppResp, Term: 2, Index: 2})
	check(t, own.Commit[0] == 2, "one of term 2 is, and those before it with it")
}

// Figure 2, "Volatile state": commitIndex and lastApplied are volatile; the library's HardState has
// the commit index, too. "Persistent state on all servers: currentTerm, votedFor, log[]".
func TestRestartKeepsWhatIsOnDisk(t *testing.T) {
	t.Parallel()
	s := cluster(func(s *State) { s.log(0, term(1), term(2)); s.lead(0, 2); s.Commit[0], s.Applied[0] = 2, 2 })
	n := step(t, s, &Restart, One{I: 0})
	check(t, n.Term[0] == 2 && n.Vote[0] == 0 && n.Log[0] == s.Log[0] && n.Commit[0] == 2, "HardState and entries must survive")
	check(t, n.Role[0] == Follower && n.Lead[0] == None && n.Applied[0] == 0 && n.Pr[0] == [Servers]Progress{}, "nothing else may")
}

// The library's sendHeartbeat: "The leader MUST NOT forward the follower's commit to an unmatched
// index."
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

// Dissertation, section 3.10: the target of a transfer "starts a new election" at once.
func TestTimeoutNowBeginsAnElection(t *testing.T) {
	t.Parallel()
	n := receive(t, cluster(func(s *State) { s.Term[0] = 1; s.Lead[0] = 1 }), 0, 1, Msg{Kind: MsgTimeoutNow, Term: 1})
	check(t, n.Role[0] == Candidate && n.Term[0] == 2, "a candidate")
	wantSent(t, n, 0, 2, Msg{Kind: MsgVote, Term: 2, Context: ByTransfer})
}

// Section 6: "Agreement (for elections and entry commitment) requires separate majorities from both
// the old and new configurations."
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
