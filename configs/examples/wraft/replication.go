package wraft

// Propose gives a leader a command. Who lacks others does not get it at once.
//
// Section 5.3. Code: raft_recv_entry.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader && s.Proposed < MaxRequests },
	Effect: func(s, n *State, p One) {
		n.Proposed++
		n.Log[p.I].Append(Entry{Term: s.Term[p.I], Value: n.Proposed})
		for j := range Server(Servers) {
			if j != p.I && s.Next[p.I][j] == n.last(p.I) {
				n.sendAppend(p.I, j)
			}
		}
	},
}

// Beat lets a leader I send to everyone, to J first. It ends there if J needs a snapshot.
//
// Section 5.2. Code: raft_periodic, raft_send_appendentries_all.
var Beat = Action[Pair]{
	Name:   "Beat",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p Pair) {
		if !n.sendAppend(p.I, p.J) && !repairsBeat {
			return
		}
		for j := range Server(Servers) {
			if j != p.I && j != p.J {
				n.sendAppend(p.I, j)
			}
		}
	},
}

// sendAppend sends j all entries from its next index on, or the snapshot. It reports whether it
// sent an append: raft_send_appendentries returns an error otherwise.
//
// Code: raft_send_appendentries.
func (n *State) sendAppend(i, j Server) bool {
	next := n.Next[i][j]
	if n.needsSnapshot(i, j) {
		n.sendSnapshot(i, j)
		return false
	}
	m := Msg{Kind: AppendEntries, Term: n.Term[i], Commit: n.Commit[i]}
	if n.has(i, next) {
		for k := next; k <= n.last(i); k++ {
			m.Entries.Append(n.Log[i].At(int(k - n.Base[i])))
		}
	}
	switch {
	case next <= 1:
	case n.has(i, next-1):
		m.Index = next - 1
		m.LogTerm = n.termAt(i, next-1)
	default:
		m.Index = n.SnapIndex[i]
		m.LogTerm = n.SnapTerm[i]
	}
	n.send(i, j, m)
	return true
}

// HandleAppend takes entries over. An entry before the base of the log counts as missing: what the
// message has is then put at the end, wherever that is.
//
// Figure 2, "AppendEntries RPC". Code: raft_recv_appendentries, raft_delete_entry_from_idx.
var HandleAppend = Action[Pair]{
	Name:   "HandleAppend",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, AppendEntries) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, AppendEntries)
		switch {
		case m.Term > s.Term[p.I]:
			n.adopt(p.I, m.Term)
		case m.Term == s.Term[p.I] && s.Role[p.I] == Candidate:
			n.become(p.I, Follower)
		}
		success := m.Term == n.Term[p.I] && n.fits(p.I, &m)
		answer := n.last(p.I)
		if success {
			answer = n.take(p.I, &m)
			n.follow(p.I, &m)
		}
		n.send(p.I, p.J, Msg{Kind: AppendEntriesResponse, Term: n.Term[p.I], Success: success, Index: answer})
	},
}

// fits reports whether the entry before those of a message is one of i. A conflicting one is
// dropped with what follows it.
func (n *State) fits(i Server, m *Msg) bool {
	switch k := m.Index; {
	case k == 0:
	case k == n.SnapIndex[i]:
		if m.LogTerm != n.SnapTerm[i] {
			n.Raised.Raise(ConflictsSnapshot)
			return false
		}
	case !n.has(i, k):
		return repairsAppend && k <= n.Base[i]
	case n.termAt(i, k) != m.LogTerm:
		if k <= n.Commit[i] {
			n.Raised.Raise(ConflictsCommit)
		} else {
			n.Log[i].Truncate(int(k-n.Base[i]) - 1)
		}
		return false
	}
	return true
}

// take puts the entries of a message into i's log and returns the last index that i acknowledges.
func (n *State) take(i Server, m *Msg) Number {
	acknowledged := m.Index
	e := 1 // the first entry that i does not have
	for ; e <= m.Entries.Len(); e++ {
		k := m.Index + Number(e)
		if repairsAppend && k <= n.Base[i] {
			acknowledged = k
			continue
		}
		if !n.has(i, k) {
			break
		}
		if n.termAt(i, k) != m.Entries.At(e).Term {
			if k <= n.Commit[i] {
				n.Raised.Raise(ConflictsCommit)
				return acknowledged
			}
			n.Log[i].Truncate(int(k-n.Base[i]) - 1)
			break
		}
		acknowledged = k
	}
	for ; e <= m.Entries.Len() && n.Log[i].Len() < MaxLog; e++ {
		n.Log[i].Append(m.Entries.At(e))
		acknowledged = m.Index + Number(e)
	}
	return acknowledged
}

// follow takes a leader's commit index over, up to the end of the log: whether the message vouches
// for it or not.
func (n *State) follow(i Server, m *Msg) {
	if m.Commit <= n.Commit[i] {
		return
	}
	k := min(m.Commit, max(n.last(i), 1))
	if repairsAppend {
		k = max(n.Commit[i], min(m.Commit, m.Index+Number(m.Entries.Len())))
	}
	if k > n.last(i) {
		n.Raised.Raise(CommitBeyondLog)
		return
	}
	n.Commit[i] = k
}

// HandleAppendResponse takes an acknowledgement, or sends again what was refused.
//
// Section 5.3. Code: raft_recv_appendentries_response.
var HandleAppendResponse = Action[Pair]{
	Name:   "HandleAppendResponse",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, AppendEntriesResponse) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, AppendEntriesResponse)
		switch {
		case s.Role[p.I] != Leader || m.Term < s.Term[p.I]:
		case m.Term > s.Term[p.I]:
			n.adopt(p.I, m.Term)
		case m.Success:
			n.acknowledged(p.I, p.J, m.Index)
		default:
			n.refused(p.I, p.J, m.Index)
		}
	},
}

// refused steps back and sends again.
func (n *State) refused(i, j Server, last Number) {
	next := n.Next[i][j]
	switch {
	case last < n.Match[i][j], repairsRetry && n.Match[i][j] == next-1:
		return
	case last < next-1:
		n.Next[i][j] = min(last+1, n.last(i))
	default:
		n.Next[i][j] = next - 1
	}
	if n.Next[i][j] == 0 {
		n.Raised.Raise(NextIsZero)
		return
	}
	n.sendAppend(i, j)
}

// acknowledged commits the entry that j has now, if it is of the leader's term and a majority has
// it. Then it sends what follows.
//
// Sections 5.3, 5.4.2.
func (n *State) acknowledged(i, j Server, k Number) {
	switch {
	case k <= n.Match[i][j]:
		return
	case k > n.last(i):
		n.Raised.Raise(AckBeyondLog)
		return
	}
	n.Next[i][j] = k + 1
	n.Match[i][j] = k
	have := 1
	for o := range Server(Servers) {
		if o != i && n.Match[i][o] >= k {
			have++
		}
	}
	if k > n.Commit[i] && n.termAt(i, k) == n.Term[i] && have >= Quorum {
		n.Commit[i] = k
	}
	if n.has(i, k+1) {
		n.sendAppend(i, j)
	}
}
