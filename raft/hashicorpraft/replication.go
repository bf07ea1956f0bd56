package hashicorpraft

// Propose gives a leader a command.
//
// Section 5.3. Code: api.go Apply; raft.go leaderLoop, dispatchLogs.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader && s.Proposed < MaxRequests },
	Effect: func(s, n *State, p One) {
		n.Proposed = s.Proposed + 1
		n.dispatch(p.I, Entry{Kind: Command, Term: s.Term[p.I], Value: n.Proposed})
		for j := range Server(Servers) {
			if j != p.I && !n.Peers[p.I][j].Calling {
				n.replicate(p.I, j)
			}
		}
	},
}

// dispatch appends an entry to the leader's log and triggers its goroutines.
func (n *State) dispatch(i Server, e Entry) {
	n.Log[i].Append(e)
	for j := range Server(Servers) {
		if j != i {
			n.Peers[i][j].Triggered = true
		}
	}
}

// replicate is a step of the goroutine for j when it is not waiting for an answer: it continues up
// to its goal, or takes a new one. Code: replication.go replicate, replicateTo.
func (n *State) replicate(i, j Server) {
	p := &n.Peers[i][j]
	if p.Next > p.Goal {
		if p.Calling = p.Triggered; !p.Triggered {
			return
		}
		p.Triggered = false
		p.Goal = n.last(i)
	}
	p.Calling = true
	n.sendAppend(i, j)
}

// sendCommit is what the goroutines that wait for nothing do when nothing has happened for the time
// of CommitTimeout.
func (n *State) sendCommit(i Server) {
	for j := range Server(Servers) {
		if p := &n.Peers[i][j]; j != i && !p.Calling {
			p.Calling = true
			p.Goal = n.last(i)
			n.sendAppend(i, j)
		}
	}
}

// sendAppend calls AppendEntries of j. Code: replication.go setupAppendEntries.
func (n *State) sendAppend(i, j Server) {
	p := &n.Peers[i][j]
	m := Msg{Kind: AppendEntries, Call: n.Term[i], Index: p.Next - 1, LogTerm: n.termAt(i, p.Next-1), Commit: n.Commit[i]}
	if p.Next <= p.Goal {
		m.Entry = n.Log[i].At(int(p.Next))
	}
	n.Net.Send(i, j, m)
}

// HandleAppend answers an append.
//
// Section 5.3. Code: raft.go appendEntries.
// Deviation: what an append makes known to be committed is bounded by the last index of the log,
// not by that of the append's last entry.
var HandleAppend = Action[At]{
	Name:   "HandleAppend",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), AppendEntries) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), AppendEntries)
		reply := Msg{Kind: AppendReply, Call: m.Call, Term: s.Term[p.I], LastLog: s.last(p.I)}
		if m.Entry.Kind != 0 {
			reply.Index = m.Index + 1
		}
		if n.hear(p, m, &reply) {
			reply.OK = m.Index <= s.last(p.I) && s.termAt(p.I, m.Index) == m.LogTerm
			reply.AtOnce = !reply.OK
			if reply.OK {
				n.adopt(p.I, m)
			}
		}
		n.Net.Send(p.I, p.J, reply)
	},
}

// hear takes note of a leader and its term, and reports whether it is one to be listened to.
func (n *State) hear(p At, m Msg, reply *Msg) bool {
	if m.Call < n.Term[p.I] {
		return false
	}
	if m.Call > n.Term[p.I] || n.Role[p.I] != Follower {
		n.become(p.I, Follower)
		n.Term[p.I] = m.Call
		reply.Term = m.Call
	}
	n.Lead[p.I] = p.J
	return true
}

// adopt takes over the entry and the commit index of an append that fits i's log.
func (n *State) adopt(i Server, m Msg) {
	if k := m.Index + 1; m.Entry.Kind != 0 && (k > n.last(i) || n.termAt(i, k) != m.Entry.Term) {
		n.Log[i].Truncate(int(m.Index))
		n.Log[i].Append(m.Entry)
	}
	if m.Commit > n.Commit[i] {
		n.commitTo(i, min(m.Commit, n.last(i)))
	}
}

// HandleAppendReply lets the goroutine of a follower continue, if its leader still leads. A leader
// that hears of a newer term gives up and keeps its own.
//
// Section 5.3, 5.4.2. Code: replication.go replicateTo, handleStaleTerm, updateLastAppended;
// commitment.go.
var HandleAppendReply = Action[At]{
	Name:   "HandleAppendReply",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), AppendReply) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), AppendReply)
		if m.OK || m.Term > m.Call {
			n.confirm(p.I, p.J, m)
		}
		if s.Role[p.I] != Leader || m.Call != s.Term[p.I] {
			return
		}
		if m.Term > m.Call {
			n.become(p.I, Follower)
			return
		}
		n.Contact[p.I].Add(p.J)
		peer := &n.Peers[p.I][p.J]
		switch {
		case !m.OK:
			peer.Next = max(min(peer.Next-1, m.LastLog+1), 1)
		case m.Index > 0:
			peer.Next = m.Index + 1
			peer.Match = max(peer.Match, m.Index)
			n.advance(p.I)
		}
		n.replicate(p.I, p.J)
	},
}

// advance commits what a majority has, if it is of the leader's term. The first entry of the term
// is its first that may be counted; entries after it are of the same term. Code: commitment.go
// recalculate.
func (n *State) advance(i Server) {
	for k := n.last(i); k > n.Commit[i] && n.termAt(i, k) == n.Term[i]; k-- {
		have := 1
		for j := range Server(Servers) {
			if j != i && n.Peers[i][j].Match >= k {
				have++
			}
		}
		if have >= Quorum {
			n.commitTo(i, k)
			n.remember(i)
			return
		}
	}
}

// remember notes what the leader i has committed.
func (n *State) remember(i Server) {
	if History && int(n.Commit[i]) > n.Committed.Len() {
		n.Committed, n.CommittedIn = n.Log[i], n.Term[i]
		n.Committed.Truncate(int(n.Commit[i]))
	}
}

// Restart crashes a server and starts it again with what is on disk. Its messages stay in flight;
// nobody waits for the answers.
//
// Figure 2, "Persistent state on all servers". Code: api.go NewRaft.
var Restart = Action[One]{
	Name:   "Restart",
	Params: each,
	Effect: func(s, n *State, p One) { n.restart(p.I) },
}

// restart makes i start with what is on disk.
func (n *State) restart(i Server) {
	n.become(i, Follower)
	n.Commit[i] = 0
	n.Value[i] = 0
	for k := range n.Checks[i] {
		n.Checks[i][k] = Check{}
	}
}

// CrashInVote crashes a server that grants a vote between the two writes of the vote, and starts it
// again. LastVoteTerm is that of the request, LastVoteCand is still the candidate of an earlier
// term. The server so grants that candidate a vote in the new term without a comparison of logs
// (hashicorp/raft issue 661). Code: raft.go persistVote.
var CrashInVote = Action[At]{
	Name:   "CrashInVote",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.Net.Is(p.J, p.I, int(p.K), RequestVote) {
			return false
		}
		m := s.Net.Peek(p.J, p.I, int(p.K), RequestVote)
		return s.listens(p, m) && s.VoteTerm[p.I] != m.Call && s.isUpToDate(p.I, m)
	},
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), RequestVote)
		n.Term[p.I] = m.Call
		n.VoteTerm[p.I] = m.Call
		n.restart(p.I)
	},
}

// Drop loses a message. Its call is never answered.
var Drop = Action[At]{
	Name:   "Drop",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.Net.Is(p.J, p.I, int(p.K), RequestVote, VoteReply, AppendEntries, AppendReply, Heartbeat, HeartbeatReply)
	},
	Effect: func(s, n *State, p At) { n.Net.Lose(p.J, p.I, int(p.K)) },
}
