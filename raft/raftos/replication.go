package raftos

// Propose gives a leader a command.
//
// Code: Leader.execute_command.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader && int(s.Proposed) < MaxRequests },
	Effect: func(s, n *State, p One) {
		n.Proposed = s.Proposed + 1
		n.Log[p.I].Append(Entry{Term: s.Term[p.I], Value: n.Proposed})
		n.sendAppends(p.I)
	},
}

// Beat is a round of heartbeats.
//
// Code: Leader.heartbeat.
var Beat = Action[One]{
	Name:   "Beat",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) { n.sendAppends(p.I) },
}

// StepDown makes a leader that a majority has not answered for a while a follower.
//
// Code: Leader.step_down_timer.
var StepDown = Action[One]{
	Name:   "StepDown",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) { n.toFollower(p.I) },
}

// sendAppends sends each other server the entry at its next index, if there is one.
func (n *State) sendAppends(i Server) {
	for j := range Server(Servers) {
		if j != i {
			n.sendAppend(i, j)
		}
	}
}

// sendAppend sends j the entry at its next index, if there is one.
//
// Code: Leader.append_entries.
func (n *State) sendAppend(i, j Server) {
	next := n.Next[i][j]
	m := Msg{Kind: AppendEntries, Term: n.Term[i], Commit: n.Commit[i], Index: next - 1}
	if next <= n.last(i) {
		m.Entry = n.Log[i].At(int(next))
	}
	if n.last(i) > 0 {
		if next-1 > n.last(i) {
			n.Raised.Raise(NextBeyondLog)
			return
		}
		m.LogTerm = n.termAt(i, next-1)
	}
	n.Net.Send(i, j, m)
}

// HandleAppend takes an entry over. A candidate only becomes a follower, and answers nothing.
//
// Figure 2, "AppendEntries RPC". Code: on_receive_append_entries of Follower and Candidate.
var HandleAppend = Action[At]{
	Name:   "HandleAppend",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), AppendEntries) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), AppendEntries)
		if s.Role[p.I] == Follower {
			n.apply(p.I)
		}
		if !n.validate(p.I, p.J, &m) {
			return
		}
		switch s.Role[p.I] {
		case Follower:
			n.takeEntry(p.I, p.J, &m)
		case Candidate:
			n.toFollower(p.I)
		}
	},
}

// takeEntry is HandleAppend for a follower. What follows the entry before the new one goes, also if
// it is the same. The answer is the index of the last entry.
func (n *State) takeEntry(i, j Server, m *Msg) {
	n.Lead[i] = j
	if m.Index > n.last(i) || n.termAt(i, m.Index) != m.LogTerm && m.Index > 0 {
		n.Net.Send(i, j, Msg{Kind: AppendEntriesResponse, Term: n.Term[i]})
		return
	}
	acknowledged := m.Index
	if m.Entry.Term > 0 {
		acknowledged++
	}
	if has := m.Index < n.last(i); !repaired || m.Entry.Term > 0 && !(has && n.termAt(i, acknowledged) == m.Entry.Term) {
		n.Log[i].Truncate(int(m.Index))
		if m.Entry.Term > 0 {
			n.Log[i].Append(m.Entry)
		}
	}
	if n.Commit[i] < m.Commit {
		n.Commit[i] = min(m.Commit, acknowledged)
	}
	n.Net.Send(i, j, Msg{Kind: AppendEntriesResponse, Term: n.Term[i], Success: true, Index: acknowledged})
}

// HandleAppendResponse takes an acknowledgement of any term. A refusal of validate_term has no
// request_id, which the leader reads.
//
// Code: Leader.on_receive_append_entries_response.
var HandleAppendResponse = Action[At]{
	Name:   "HandleAppendResponse",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), AppendEntriesResponse) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), AppendEntriesResponse)
		if s.Role[p.I] == Leader {
			n.apply(p.I)
		}
		n.validate(p.I, p.J, &m)
		switch {
		case s.Role[p.I] != Leader:
		case m.Stale && !repaired:
			n.Raised.Raise(NoRequestID)
		case n.Role[p.I] == Leader:
			n.takeAck(p.I, p.J, &m)
		}
	},
}

// takeAck is HandleAppendResponse for a leader. The next entry follows at once.
func (n *State) takeAck(i, j Server, m *Msg) {
	switch {
	case !m.Success:
		n.Next[i][j] = max(n.Next[i][j]-1, 1)
	case !repaired || m.Index > n.Match[i][j]:
		n.Next[i][j] = m.Index + 1
		n.Match[i][j] = m.Index
	}
	if m.Success {
		n.advance(i)
	}
	if n.last(i) >= n.Next[i][j] {
		n.sendAppend(i, j)
	}
}

// advance commits entries of the leader's term that a majority has. It ends at the first entry
// that it cannot commit.
//
// Sections 5.3, 5.4.2. Code: Leader.update_commit_index.
func (n *State) advance(i Server) {
	for k := n.Commit[i] + 1; k <= n.last(i); k++ {
		count := Number(1)
		for j := range Server(Servers) {
			if j != i && n.Match[i][j] >= k {
				count++
			}
		}
		if isMajority(count) && n.termAt(i, k) == n.Term[i] {
			n.Commit[i] = k
		} else if !repaired {
			return
		}
	}
}
