package libraft

// Propose gives a leader a command, which it writes and sends.
//
// Code: raft_apply, replicationTrigger.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] == Leader && int(s.Proposed) < MaxRequests && s.Pending[p.I].Len() < MaxWrites
	},
	Effect: func(s, n *State, p One) {
		n.Proposed = s.Proposed + 1
		var entries Log
		entries.Append(Entry{Term: s.Term[p.I], Value: n.Proposed})
		n.Log[p.I].Append(entries.At(1))
		n.Pending[p.I].Append(Write{First: n.last(p.I), Entries: entries, Own: true})
		n.replicate(p.I)
		n.settle(p.I)
	},
}

// Beat is a tick of a leader after heartbeat_timeout.
//
// Code: tickLeader.
var Beat = Action[One]{
	Name:   "Beat",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) {
		n.pass(p.I)
		n.replicate(p.I)
	},
}

// Pass lets heartbeat_timeout pass at a leader, between two ticks.
//
// Code: progressShouldReplicate.
var Pass = Action[One]{
	Name:   "Pass",
	Params: each,
	Guard: func(s *State, p One) bool {
		for j := range Server(Servers) {
			if s.Role[p.I] == Leader && j != p.I && !s.Due[p.I][j] {
				return true
			}
		}
		return false
	},
	Effect: func(s, n *State, p One) { n.pass(p.I) },
}

func (n *State) pass(i Server) {
	for j := range Server(Servers) {
		n.Due[i][j] = j != i
	}
}

// CheckQuorum is a tick of a leader after election_timeout. It steps down unless a majority has
// answered since the last one.
//
// Dissertation, section 6.2. Code: tickLeader, checkContactQuorum.
var CheckQuorum = Action[One]{
	Name:   "CheckQuorum",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) {
		contacts := 1
		for j := range Server(Servers) {
			if s.Heard[p.I][j] {
				contacts++
			}
			n.Heard[p.I][j] = false
		}
		if contacts < Quorum {
			n.become(p.I, Follower)
			return
		}
		n.pass(p.I)
		n.replicate(p.I)
	},
}

// replicate sends each other server what it is due: triggerAll.
func (n *State) replicate(i Server) {
	for j := range Server(Servers) {
		if j != i {
			n.progress(i, j)
		}
	}
}

// progress sends j all entries from its next index on, if it is due. A leader that probes waits for
// heartbeat_timeout. Over a broken connection it begins to probe at once.
//
// Code: replicationProgress, progressShouldReplicate, sendAppendEntries, sendAppendEntriesCb.
func (n *State) progress(i, j Server) {
	next := n.Next[i][j]
	if !n.Due[i][j] && !(n.Pipeline[i][j] && next <= n.last(i)) {
		return
	}
	m := Msg{Kind: AppendEntries, Term: n.Term[i], Index: next - 1, LogTerm: n.termAt(i, next-1), Commit: n.Commit[i]}
	for k := next; k <= n.last(i); k++ {
		m.Entries.Append(n.Log[i].At(int(k)))
	}
	n.Net.Send(i, j, m)
	n.Due[i][j] = false
	switch {
	case !n.linked(i, j):
		n.probe(i, j)
	case n.Pipeline[i][j]:
		n.Next[i][j] = n.last(i) + 1
	}
}

// probe sends j nothing that it has not acknowledged, until it acknowledges something.
//
// Code: progressToProbe.
func (n *State) probe(i, j Server) {
	n.Next[i][j] = n.Match[i][j] + 1
	n.Pipeline[i][j] = false
}

// HandleAppend takes entries over. A stale message and one that does not fit are refused.
//
// Figure 2, "AppendEntries RPC". Code: recvAppendEntries.
var HandleAppend = Action[Pair]{
	Name:   "HandleAppend",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Net.Is(p.J, p.I, AppendEntries) && s.Pending[p.I].Len() < MaxWrites
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, AppendEntries)
		switch {
		case s.Role[p.I] == Unavailable:
			return
		case m.Term < s.Term[p.I]:
			n.Net.Send(p.I, p.J, Msg{Kind: AppendEntriesResult, Term: s.Term[p.I], Rejected: m.Index, Index: s.last(p.I)})
			return
		case m.Term > s.Term[p.I]:
			n.bump(p.I, m.Term)
		}
		if n.isCandidate(p.I) {
			n.become(p.I, Follower)
		}
		n.Lead[p.I] = p.J
		n.takeEntries(p.I, p.J, &m)
		n.settle(p.I)
	},
}

// takeEntries is HandleAppend for an append of i's term. A server that would have to drop a
// committed entry becomes unavailable. An answer has the last index that is on disk, whether the
// message is about it or not.
//
// Code: replicationAppend, checkLogMatchingProperty, deleteConflictingEntries.
func (n *State) takeEntries(i, j Server, m *Msg) {
	answer := Msg{Kind: AppendEntriesResult, Term: n.Term[i], Index: n.Stored[i]}
	if m.Index > 0 && n.termAt(i, m.Index) != m.LogTerm {
		if m.Index <= n.Commit[i] {
			n.become(i, Unavailable)
			return
		}
		answer.Rejected = m.Index
		n.Net.Send(i, j, answer)
		return
	}
	k := 1 // the first entry that i does not have
	for k <= m.Entries.Len() && n.termAt(i, m.Index+Number(k)) == m.Entries.At(k).Term {
		k++
	}
	if k > m.Entries.Len() {
		n.follow(i, m.Commit)
		if repaired {
			answer.Index = min(n.Stored[i], m.Index+Number(m.Entries.Len()))
		}
		n.Net.Send(i, j, answer)
		return
	}
	first := m.Index + Number(k)
	if first <= n.Commit[i] {
		n.become(i, Unavailable)
		return
	}
	n.Log[i].Truncate(int(first) - 1)
	n.Stored[i] = min(n.Stored[i], first-1)
	w := Write{First: first, Commit: m.Commit}
	for ; k <= m.Entries.Len(); k++ {
		n.Log[i].Append(m.Entries.At(k))
		w.Entries.Append(m.Entries.At(k))
	}
	n.Pending[i].Append(w)
}

// follow takes a leader's commit index over, up to what is on disk.
func (n *State) follow(i Server, commit Number) {
	if commit > n.Commit[i] {
		n.Commit[i] = min(commit, n.Stored[i])
		n.apply(i)
	}
}

// HandleAck takes an acknowledgement or a refusal of the leader's term.
//
// Code: recvAppendEntriesResult, replicationUpdate.
var HandleAck = Action[Pair]{
	Name:   "HandleAck",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, AppendEntriesResult) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, AppendEntriesResult)
		switch {
		case s.Role[p.I] != Leader || m.Term < s.Term[p.I]:
		case m.Term > s.Term[p.I]:
			n.bump(p.I, m.Term)
		default:
			n.Heard[p.I][p.J] = true
			n.takeAck(p.I, p.J, &m)
		}
	},
}

// takeAck is HandleAck for an answer of the leader's term. What the follower has beyond the
// leader's log does not count. Only the index that the leader itself has on disk is committed.
//
// Code: replicationUpdate, progressMaybeDecrement, progressMaybeUpdate.
func (n *State) takeAck(i, j Server, m *Msg) {
	switch {
	case m.Rejected == 0:
		last := min(m.Index, n.last(i))
		n.Next[i][j] = max(n.Next[i][j], last+1)
		if last <= n.Match[i][j] {
			return
		}
		n.Match[i][j] = last
		n.Pipeline[i][j] = true
		n.commit(i)
	case n.Pipeline[i][j] && m.Rejected > n.Match[i][j]:
		n.probe(i, j)
	case !n.Pipeline[i][j] && m.Rejected == n.Next[i][j]-1:
		n.Next[i][j] = max(min(m.Rejected, m.Index+1), 1)
	default:
		return
	}
	n.progress(i, j)
}

// commit commits the last entry that the leader has on disk, if a majority has it, and what is
// before it. Its term does not matter.
//
// Sections 5.3, 5.4.2. Code: replicationQuorum.
func (n *State) commit(i Server) {
	k := n.Stored[i]
	have := 0
	for j := range Server(Servers) {
		if n.Match[i][j] >= k {
			have++
		}
	}
	if k > n.Commit[i] && have >= Quorum && !(repaired && n.termAt(i, k) != n.Term[i]) {
		n.Commit[i] = k
		n.apply(i)
	}
}

// apply hands what is committed to the state machine.
//
// Code: replicationApply.
func (n *State) apply(i Server) {
	for n.Applied[i] < n.Commit[i] {
		n.Applied[i]++
		if v := n.Log[i].At(int(n.Applied[i])).Value; v > 0 {
			n.Done[i].Append(v)
		}
	}
}
