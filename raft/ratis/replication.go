package ratis

// Propose gives a leader a command. It takes none before it has applied its configuration.
//
// Code: RaftServerImpl.submitClientRequestAsync, checkLeaderState.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] == Leader && int(s.Proposed) < MaxRequests && s.termAt(p.I, s.Commit[p.I]) == s.Term[p.I]
	},
	Effect: func(s, n *State, p One) {
		n.Proposed = s.Proposed + 1
		n.Log[p.I].Append(Entry{Term: s.Term[p.I], Value: n.Proposed})
		n.sendAppends(p.I)
	},
}

// Beat is a heartbeat for a server to which the leader has no call.
//
// Code: LogAppenderBase.triggerHeartbeat, LogAppender.getHeartbeatWaitTimeMs.
var Beat = Action[Pair]{
	Name:   "Beat",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.Role[p.I] == Leader && !s.calls(p.I, p.J) },
	Effect: func(s, n *State, p Pair) { n.beat(p.I, p.J) },
}

// beat sends j a request without entries.
func (n *State) beat(i, j Server) {
	previous := n.Next[i][j] - 1
	n.Net.Send(i, j, Msg{Kind: AppendEntries, Term: n.Term[i], Index: previous, LogTerm: n.termAt(i, previous), Commit: effective(n.Commit[i], previous, 0)})
}

// effective is the commit index that a request says, or a follower takes from it: what the request
// covers. Without a previous entry it is one more.
//
// Code: ServerImplUtils.effectiveCommitIndex.
func effective(commit, previous Number, entries int) Number {
	return min(commit, max(previous, 1)+Number(entries))
}

// sendAppends sends each other server what it lacks, if the leader has no call to it.
//
// Code: LogAppenderDefault.run.
func (n *State) sendAppends(i Server) {
	for j := range Server(Servers) {
		if j != i && !n.calls(i, j) && n.Next[i][j] <= n.last(i) {
			previous := n.Next[i][j] - 1
			m := Msg{Kind: AppendEntries, Term: n.Term[i], Index: previous, LogTerm: n.termAt(i, previous)}
			for k := n.Next[i][j]; k <= n.last(i); k++ {
				m.Entries.Append(n.Log[i].At(int(k)))
			}
			m.Commit = effective(n.Commit[i], previous, m.Entries.Len())
			n.Sent[i][j] = m
			n.Net.Send(i, j, m)
		}
	}
}

// HandleAppend takes entries over. The answer has the term before.
//
// Figure 2, "AppendEntries RPC". Code: RaftServerImpl.appendEntriesAsync.
var HandleAppend = Action[Pair]{
	Name:   "HandleAppend",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.Net.Count(p.J, p.I, AppendEntries) > 0 },
	Effect: func(s, n *State, p Pair) {
		m := n.take(p.J, p.I, AppendEntries)
		reply := Msg{Kind: AppendEntriesReply, Term: s.Term[p.I], Heartbeat: m.Entries.Len() == 0}
		if m.Term < s.Term[p.I] || m.Term == s.Term[p.I] && s.Lead[p.I] != None && s.Lead[p.I] != p.J {
			reply.Result = NotLeader
			reply.Index = s.last(p.I) + 1
		} else {
			n.follow(p.I, m.Term, false)
			n.Lead[p.I] = p.J
			n.Fresh[p.I] = true
			reply.Result, reply.Index = n.takeEntries(p.I, &m)
		}
		n.Net.Send(p.I, p.J, reply)
	},
}

// takeEntries is HandleAppend for a follower of the sender. It returns the result and nextIndex.
//
// Code: RaftServerImpl.checkInconsistentAppendEntries, SegmentedRaftLog.appendImpl.
func (n *State) takeEntries(i Server, m *Msg) (Result, Number) {
	entries := m.Entries.Len()
	if entries > 0 && n.Commit[i] > m.Index {
		return Inconsistency, n.Commit[i] + 1
	}
	if m.Index > n.last(i) || n.termAt(i, m.Index) != m.LogTerm {
		return Inconsistency, min(n.last(i)+1, m.Index)
	}
	for k := 1; k <= entries; k++ {
		at := m.Index + Number(k)
		e := m.Entries.At(k)
		if at <= n.last(i) && n.termAt(i, at) != e.Term {
			n.Log[i].Truncate(int(at) - 1)
		}
		if at > n.last(i) {
			n.Log[i].Append(e)
		}
	}
	n.Commit[i] = max(n.Commit[i], min(effective(m.Commit, m.Index, entries), n.last(i)))
	if entries == 0 {
		return Success, n.last(i) + 1
	}
	return Success, m.Index + Number(entries) + 1
}

// HandleAppendReply takes an answer. What is left to send follows at once.
//
// Code: LogAppenderDefault.handleReply.
var HandleAppendReply = Action[Pair]{
	Name:   "HandleAppendReply",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.Net.Count(p.J, p.I, AppendEntriesReply) > 0 },
	Effect: func(s, n *State, p Pair) {
		m := n.take(p.J, p.I, AppendEntriesReply)
		n.Sent[p.I][p.J] = Msg{}
		switch {
		case m.Result == NotLeader && m.Term > s.Term[p.I]:
			n.follow(p.I, m.Term, false)
			return
		case m.Result == Success && (!m.Heartbeat || heartbeatsMatch) && m.Index > s.Next[p.I][p.J]:
			n.Match[p.I][p.J] = max(s.Match[p.I][p.J], m.Index-1)
			n.Next[p.I][p.J] = m.Index
			n.advance(p.I)
		case m.Result == Inconsistency:
			n.Next[p.I][p.J] = s.nextFor(p.I, p.J, &m)
		}
		n.sendAppends(p.I)
	},
}

// nextFor returns the next index after an inconsistency: what the follower says or what follows the
// match index, but not the same one again.
//
// Code: LogAppenderBase.getNextIndexForInconsistency.
func (s *State) nextFor(i, j Server, m *Msg) Number {
	first := s.Next[i][j]
	if m.Heartbeat {
		first = 0
	}
	next := m.Index
	if above := s.Match[i][j] + 1; above > next && above != first {
		next = above
	}
	if next == first && next > 1 {
		next--
	}
	return next
}

// advance commits what a majority has, if its last entry is of the leader's term.
//
// Sections 5.3, 5.4.2. Code: LeaderStateImpl.updateCommit, RaftLogBase.updateCommitIndex.
func (n *State) advance(i Server) {
	for k := n.last(i); k > n.Commit[i]; k-- {
		have := 1
		for j := range Server(Servers) {
			if j != i && n.Match[i][j] >= k {
				have++
			}
		}
		if have >= Quorum {
			if n.termAt(i, k) == n.Term[i] {
				n.Commit[i] = k
			}
			return
		}
	}
}
