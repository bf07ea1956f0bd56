package ccf

import "github.com/multigrain/multigrain/modules"

// AppendEntries sends J the entries after those that were sent before, or none if there are none.
// The sent index moves at once. Appends go to the nodes of the active configurations, and to those
// that are retiring.
//
// Section 2.1, "Optimistic acknowledgement". Code: raft.h send_append_entries.
var AppendEntries = Action[Pair]{
	Name:   "AppendEntries",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.appends(p) },
	Effect: func(s, n *State, p Pair) { n.appendEntries(p, MaxBatch) },
}

// appends reports whether I may send J an append.
func (s *State) appends(p Pair) bool {
	return s.LeadershipState[p.I] == Leader && (s.nodes(p.I).Has(p.J) || s.RetirementCompleted[p.I].Has(p.J)) &&
		(!s.hasLeft(p.I) || s.SentIndex[p.I][p.J] < s.last(p.I)) && s.maySend(p.I, p.J)
}

// appendEntries sends J at most so many entries after those that were sent before.
func (n *State) appendEntries(p Pair, size Number) {
	from := n.SentIndex[p.I][p.J]
	m := Msg{
		Kind: AppendEntriesRequest, Term: n.CurrentTerm[p.I], Index: from, LogTerm: n.termAt(p.I, from),
		Commit: n.CommitIndex[p.I],
	}
	for k := from + 1; k <= n.last(p.I) && k-from <= size; k++ {
		m.Entries.Append(n.Log[p.I].At(int(k)))
		n.SentIndex[p.I][p.J] = k
	}
	n.send(p.I, p.J, m)
}

// logOK reports whether i's log has the entry before those of an append.
func (s *State) logOK(i Server, m *Msg) bool {
	return m.Index == 0 || m.Index <= s.last(i) && m.LogTerm == s.termAt(i, m.Index)
}

// RejectAppendEntries refuses an append of an older term, or one that does not fit the log. In the
// second case the answer estimates where the logs agree. Its term is that of the entry there.
//
// Section 2.1, "Express node catch up". Code: raft.h recv_append_entries,
// send_append_entries_response_nack.
var RejectAppendEntries = Action[At]{
	Name:   "RejectAppendEntries",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, AppendEntriesRequest) {
			return false
		}
		m := s.peek(p, AppendEntriesRequest)
		if m.Term < s.CurrentTerm[p.I] || m.Term == s.CurrentTerm[p.I] && s.isPastRetirement(p.I, &m) {
			return true
		}
		return m.Term == s.CurrentTerm[p.I] && s.LeadershipState[p.I] == Follower && !s.logOK(p.I, &m) && m.LogTerm != s.endTerm(p.I, &m)
	},
	Effect: func(s, n *State, p At) {
		m := n.recv(p, AppendEntriesRequest)
		answer := Msg{Kind: AppendEntriesResponse, Term: s.CurrentTerm[p.I], Index: s.last(p.I)}
		if m.Term == s.CurrentTerm[p.I] && !s.isPastRetirement(p.I, &m) && s.endTerm(p.I, &m) != 0 {
			answer.Index = s.highestMatch(p.I, m.Index, m.LogTerm)
			answer.Term = StartTerm
			if answer.Index > 0 {
				answer.Term = s.termAt(p.I, answer.Index)
			}
		}
		n.send(p.I, p.J, answer)
	},
}

// isPastRetirement is the mistake PrematureRetirement: a node whose removal is committed refuses
// appends after it.
func (s *State) isPastRetirement(i Server, m *Msg) bool {
	if Mistake != PrematureRetirement || !s.hasLeft(i) {
		return false
	}
	signed := retirementIndex(&s.Log[i], i)
	for s.Log[i].At(int(signed)).Type != TypeSignature {
		signed++
	}
	return m.Index+Number(m.Entries.Len()) > signed
}

// endTerm returns the term of i's last entry, and 0 where i's log ends before the append.
func (s *State) endTerm(i Server, m *Msg) Number {
	if m.Index == 0 || m.Index > s.last(i) {
		return 0
	}
	return s.termAt(i, s.last(i))
}

// ReturnToFollower makes a candidate a follower, since its term has a leader. The append stays in
// flight.
//
// TLA+: ReturnToFollowerState. Code: raft.h recv_append_entries.
var ReturnToFollower = Action[At]{
	Name:   "ReturnToFollower",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.arrives(p, AppendEntriesRequest) && s.peek(p, AppendEntriesRequest).Term == s.CurrentTerm[p.I] &&
			(s.LeadershipState[p.I] == PreVoteCandidate || s.LeadershipState[p.I] == Candidate)
	},
	Effect: func(s, n *State, p At) {
		n.LeadershipState[p.I] = Follower
		n.IsNewFollower[p.I] = true
	},
}

// AcceptAppendEntries takes entries over, if the log has the entry before them. A node rolls back
// once in a term, and only where an entry differs. It takes the commit index over up to its last
// signature.
//
// TLA+: AppendEntriesAlreadyDone, NoConflictAppendEntriesRequest, ConflictAppendEntriesRequest.
// Code: raft.h recv_append_entries, execute_append_entries_sync.
var AcceptAppendEntries = Action[At]{
	Name:   "AcceptAppendEntries",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, AppendEntriesRequest) {
			return false
		}
		m := s.peek(p, AppendEntriesRequest)
		return m.Term == s.CurrentTerm[p.I] && (s.LeadershipState[p.I] == Follower || s.LeadershipState[p.I] == None) &&
			s.logOK(p.I, &m) && m.Index >= s.CommitIndex[p.I] && !s.isPastRetirement(p.I, &m) && (s.IsNewFollower[p.I] || !s.conflicts(p.I, &m))
	},
	Effect: func(s, n *State, p At) {
		m := n.recv(p, AppendEntriesRequest)
		n.rollBack(p.I, &m)
		before := n.Configurations[p.I]
		n.appendNew(p.I, &m)
		n.CommitIndex[p.I] = max(n.followerCommit(p.I, &m), s.CommitIndex[p.I])
		if n.LeadershipState[p.I] == None && n.last(p.I) > s.last(p.I) && n.nodes(p.I).Has(p.I) {
			n.LeadershipState[p.I] = Follower
		}
		n.dropConfigurationsBefore(p.I, n.configurationAt(p.I, n.CommitIndex[p.I]))
		n.completeRetirements(p.I, &before)
		n.MembershipState[p.I] = membership(&n.Log[p.I], n.CommitIndex[p.I], p.I)
		last := m.Index + Number(m.Entries.Len())
		if Mistake == InaccurateAck {
			last = n.last(p.I)
		}
		n.send(p.I, p.J, Msg{Kind: AppendEntriesResponse, Term: s.CurrentTerm[p.I], OK: true, Index: last})
	},
}

// followerCommit returns how far i takes the commit index of an append over. With the option
// "append" it goes only to the last signature that the append shows to be the leader's. With "log"
// a signature of another leader may be committed: what follows the append was not compared.
//
// Code: raft.h commit_if_possible, and pull request 8172.
func (s *State) followerCommit(i Server, m *Msg) Number {
	if FollowerCommit == "log" {
		return min(committable(&s.Log[i]), m.Commit)
	}
	agreed := s.Log[i].Prefix(int(min(m.Index+Number(m.Entries.Len()), m.Commit)))
	return committable(&agreed)
}

// conflicts reports whether i's log has an entry of another term at the index of an entry of m.
func (s *State) conflicts(i Server, m *Msg) bool {
	for k := 1; k <= m.Entries.Len(); k++ {
		if at := m.Index + Number(k); at <= s.last(i) && s.termAt(i, at) != m.Entries.At(k).Term {
			return true
		}
	}
	return false
}

// rollBack cuts i's log where m begins, if an entry differs.
func (n *State) rollBack(i Server, m *Msg) {
	early := Mistake == EarlyTruncation && n.IsNewFollower[i]
	if early || n.conflicts(i, m) {
		n.truncate(i, min(m.Index, n.last(i)))
		n.IsNewFollower[i] = false
	}
}

// appendNew appends those entries of m that i's log does not have.
func (n *State) appendNew(i Server, m *Msg) {
	for k := 1; k <= m.Entries.Len(); k++ {
		at := m.Index + Number(k)
		if at <= n.last(i) {
			continue
		}
		e := m.Entries.At(k)
		n.Log[i].Append(e)
		if e.Type == TypeReconfiguration {
			n.Configurations[i].Append(Configuration{at, e.Nodes})
		}
	}
}

// RcvAppendEntriesResponse takes an acknowledgement, or moves the sent index back to where a
// refusal estimates that the logs agree. A refusal has the term of an entry and so is taken in
// every role.
//
// Code: raft.h recv_append_entries_response.
var RcvAppendEntriesResponse = Action[At]{
	Name:   "RcvAppendEntriesResponse",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, AppendEntriesResponse) {
			return false
		}
		m := s.peek(p, AppendEntriesResponse)
		return !m.OK || m.Term == s.CurrentTerm[p.I] && s.LeadershipState[p.I] == Leader
	},
	Effect: func(s, n *State, p At) {
		m := n.recv(p, AppendEntriesResponse)
		if m.OK {
			n.MatchIndex[p.I][p.J] = max(s.MatchIndex[p.I][p.J], m.Index)
			return
		}
		match := s.highestMatch(p.I, m.Index, m.Term)
		if Mistake == AdvanceOnNack && s.LeadershipState[p.I] == Leader && m.Term <= s.CurrentTerm[p.I] {
			n.matchFromNack(p.I, p.J, match)
			return
		}
		n.SentIndex[p.I][p.J] = max(min(match, s.SentIndex[p.I][p.J]), s.MatchIndex[p.I][p.J])
	},
}

// matchFromNack is the mistake AdvanceOnNack: the estimate is kept where acknowledgements are. As
// in raft.h only leaders do so, and not with a later term.
func (n *State) matchFromNack(i, j Server, match Number) {
	if n.MatchIndex[i][j] > 0 {
		match = min(match, n.MatchIndex[i][j])
	}
	n.MatchIndex[i][j] = match
	n.SentIndex[i][j] = match
}

// AdvanceCommitIndex commits the last signature of the term that a quorum of each configuration up
// to it has. It ends the configurations before the committed one.
//
// Code: raft.h update_commit, commit.
var AdvanceCommitIndex = Action[One]{
	Name:   "AdvanceCommitIndex",
	Params: each,
	Guard: func(s *State, p One) bool {
		k := s.committed(p.I)
		return k > s.CommitIndex[p.I] && !s.retires(p.I, k)
	},
	Effect: func(s, n *State, p One) { n.advance(p.I, s.committed(p.I)) },
}

// AdvanceCommitIndexAndProposeVote commits the entry that says that i is retired. I ceases to lead
// and proposes that J campaigns.
//
// TLA+: AdvanceCommitIndex, PlausibleSucessorNodes. Code: raft.h become_retired.
var AdvanceCommitIndexAndProposeVote = Action[Pair]{
	Name:   "AdvanceCommitIndexAndProposeVote",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		k := s.committed(p.I)
		return k > s.CommitIndex[p.I] && s.retires(p.I, k) && s.mayFollow(p.I, p.J) && s.maySend(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		n.advance(p.I, s.committed(p.I))
		n.send(p.I, p.J, Msg{Kind: ProposeVoteRequest, Term: s.CurrentTerm[p.I]})
	},
}

// committed returns the index that the leader i can commit, 0 if there is none:
// highestCommittableIndex.
//
// Code: raft.h find_highest_possible_committable_index.
func (s *State) committed(i Server) Number {
	if s.LeadershipState[i] != Leader {
		return 0
	}
	for k := s.last(i); k > s.CommitIndex[i]; k-- {
		e := s.Log[i].At(int(k))
		if e.Type == TypeSignature && (e.Term == s.CurrentTerm[i] || Mistake == PreviousTerm) && s.agreed(i, k) {
			return k
		}
	}
	return 0
}

// agreed reports whether a quorum of each of i's configurations up to an index has i's log up to
// it: HasConsensusWatermark.
func (s *State) agreed(i Server, index Number) bool {
	have := modules.SetOf(i)
	for j := range Server(Servers) {
		if s.MatchIndex[i][j] >= index {
			have.Add(j)
		}
	}
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if c := s.Configurations[i].At(k); c.Index <= index && !quorum(have, c.Nodes) {
			return false
		}
	}
	return true
}

// retires reports whether i has left the service once an index is committed.
func (s *State) retires(i Server, k Number) bool {
	return !s.hasLeft(i) && isGone(membership(&s.Log[i], k, i))
}

// mayFollow reports whether j is one of the nodes that i proposes to lead after it. Of the nodes
// with the most of i's log, these are the ones in the latest configuration.
//
// TLA+: PlausibleSucessorNodes. Code: raft.h become_retired.
func (s *State) mayFollow(i, j Server) bool {
	others := s.nodes(i).Without(i)
	if !others.Has(j) {
		return false
	}
	for k := range Server(Servers) {
		if !others.Has(k) {
			continue
		}
		if s.MatchIndex[i][k] > s.MatchIndex[i][j] ||
			s.MatchIndex[i][k] == s.MatchIndex[i][j] && s.latestWith(i, k) > s.latestWith(i, j) {
			return false
		}
	}
	return true
}

// latestWith returns the index of the last of i's configurations that has a node:
// HighestConfigurationWithNode.
func (s *State) latestWith(i, j Server) (index Number) {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if c := s.Configurations[i].At(k); c.Nodes.Has(j) {
			index = c.Index
		}
	}
	return index
}

// advance commits i's log up to an index.
func (n *State) advance(i Server, index Number) {
	before := n.Configurations[i]
	n.CommitIndex[i] = index
	n.MembershipState[i] = membership(&n.Log[i], index, i)
	if n.hasLeft(i) {
		n.LeadershipState[i] = Follower
	}
	n.dropConfigurationsBefore(i, n.configurationAt(i, index))
	n.completeRetirements(i, &before)
}
