package pysyncobj

// Propose gives a leader a command: a tick that finds it in the queue.
//
// Code: _applyCommand, _checkCommandsToApply.
var Propose = Action[One]{
	Name:   "Propose",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader && int(s.Proposed) < MaxRequests },
	Effect: func(s, n *State, p One) {
		n.tick(p.I, false)
		n.Proposed = s.Proposed + 1
		n.Log[p.I].Append(Entry{Term: s.Term[p.I], Value: n.Proposed})
		if !Batch {
			n.sendAppends(p.I)
		}
	},
}

// Beat is a tick of a leader after the period of appends.
//
// Code: _onTick, appendEntriesPeriod.
var Beat = Action[One]{
	Name:   "Beat",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) { n.tick(p.I, true) },
}

// Tick is a tick without anything that time causes. It is a step of the grain ticks.
//
// Code: _onTick.
var Tick = Action[One]{
	Name:   "Tick",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Commit[p.I] > s.Applied[p.I] || s.Role[p.I] == Leader && s.committable(p.I) > s.Commit[p.I]
	},
	Effect: func(s, n *State, p One) { n.tick(p.I, false) },
}

// Fallback is a tick of a leader that no follower has answered for leaderFallbackTimeout: it steps
// down.
//
// Code: _onTick, __lastResponseTime.
var Fallback = Action[One]{
	Name:   "Fallback",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) {
		n.advance(p.I)
		n.become(p.I, Follower)
		n.Lead[p.I] = None
		n.apply(p.I)
	},
}

// sendAppends sends all entries from the next index on to each connected server. The next index
// moves with them. Without such entries it is a heartbeat.
//
// Code: __sendAppendEntries, __getPrevLogIndexTerm.
func (n *State) sendAppends(i Server) {
	for j := range Server(Servers) {
		if !n.linked(i, j) {
			continue
		}
		next := n.Next[i][j]
		m := Msg{Kind: AppendEntries, Term: n.Term[i], Commit: n.Commit[i]}
		if next-1 <= n.last(i) {
			m.Index = next - 1
			m.LogTerm = n.termAt(i, next-1)
		}
		for k := next; k <= n.last(i); k++ {
			m.Entries.Append(n.Log[i].At(int(k)))
		}
		if next <= n.last(i) {
			n.Next[i][j] = n.last(i) + 1
		}
		n.Net.Send(i, j, m)
	}
}

// HandleAppend takes entries over. What follows the entry before them goes first, whatever it is.
//
// Figure 2, "AppendEntries RPC". Code: __onMessageReceived, append_entries; __sendNextNodeIdx.
var HandleAppend = Action[Pair]{
	Name:   "HandleAppend",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, AppendEntries) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, AppendEntries)
		if m.Term >= s.Term[p.I] {
			n.become(p.I, Follower)
			n.Lead[p.I] = p.J
			if m.Term > s.Term[p.I] {
				n.setTerm(p.I, m.Term, None)
			}
			n.takeEntries(p.I, p.J, &m)
		}
		n.settle(p.I)
	},
}

// takeEntries is HandleAppend for an append of i's term.
func (n *State) takeEntries(i, j Server, m *Msg) {
	switch {
	case m.Index == 0 || m.Index > n.last(i):
		n.Net.Send(i, j, Msg{Kind: NextNodeIdx, Index: n.last(i) + 1, Reset: true})
		return
	case n.termAt(i, m.Index) != m.LogTerm:
		n.Net.Send(i, j, Msg{Kind: NextNodeIdx, Index: m.Index, Reset: true})
		return
	}
	n.Log[i].Truncate(int(m.Index))
	for k := 1; k <= m.Entries.Len(); k++ {
		n.Log[i].Append(m.Entries.At(k))
	}
	next := m.Index + 1
	if !m.Entries.Empty() {
		next = n.last(i)
		if fixed12 {
			next++
		}
	}
	n.Net.Send(i, j, Msg{Kind: NextNodeIdx, Index: next, Success: true})
	n.follow(i, m.Commit)
}

// follow takes a leader's commit index over. Up to 0.3.11 it may so go back.
func (n *State) follow(i Server, commit Number) {
	if fixed16 {
		n.Commit[i] = min(n.Commit[i], n.last(i))
	}
	if !fixed12 || commit > n.Commit[i] {
		n.Commit[i] = min(commit, n.last(i))
	}
}

// HandleAck takes an acknowledgement, of whatever term: the message has none.
//
// Code: __onMessageReceived, next_node_idx.
var HandleAck = Action[Pair]{
	Name:   "HandleAck",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, NextNodeIdx) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, NextNodeIdx)
		if s.Role[p.I] == Leader {
			n.takeAck(p.I, p.J, &m)
		}
		n.settle(p.I)
	},
}

// takeAck is HandleAck for a leader.
func (n *State) takeAck(i, j Server, m *Msg) {
	if m.Reset {
		n.Next[i][j] = m.Index
	}
	switch {
	case !m.Success:
	case !fixed12:
		n.Match[i][j] = m.Index - 1
	case n.Match[i][j] < m.Index-1:
		n.Match[i][j] = m.Index - 1
		n.Next[i][j] = m.Index
	}
}

// advance commits what a majority has. Up to 0.3.11 that may be an entry of an older term.
//
// Sections 5.3, 5.4.2. Code: _onTick.
func (n *State) advance(i Server) { n.Commit[i] = max(n.Commit[i], n.committable(i)) }

// committable returns the index up to which the leader i may commit, 0 if it may not.
func (s *State) committable(i Server) (k Number) {
	for x := s.Commit[i] + 1; x <= s.last(i); x++ {
		have := 1
		for j := range Server(Servers) {
			if j != i && s.Match[i][j] >= x {
				have++
			}
		}
		if have < Quorum {
			break
		}
		if !fixed12 || s.termAt(i, x) == s.Term[i] {
			k = x
		}
	}
	return k
}
