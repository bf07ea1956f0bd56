package events

// Replicate announces that the leader i appends an entry. It is in the log when the leader
// acknowledges it to itself.
//
// TLA+: ClientRequest. Code: raft.go appendEntry, traceReplicate.
var Replicate = Action[One]{
	Name:   "Replicate",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.begun(p.I) && s.Await[p.I] == Nothing && s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) { n.Appending[p.I]++ },
}

// AcknowledgeOwn is a leader's acknowledgement of its own entries, which are in its log now.
//
// TLA+: AppendEntriesToSelf. Code: raft.go appendEntry.
var AcknowledgeOwn = Action[Mail]{
	Name:   "AcknowledgeOwn",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.begun(p.I) && p.I == p.J && s.Role[p.I] == Leader && p.Kind == MsgAppResp && p.Term == s.Term[p.I] &&
			s.appends(p.I, p.Index) && p.bare(true, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.append(p.I, p.Index-s.Log[p.I].Index)
		n.Appending[p.I] = 0
		n.send(p, s.Term[p.I])
	},
}

// appends reports whether i's log may end at index after what i appends. A configuration change
// without servers, which leaves a joint configuration, is one entry that no event announces. Only
// in a joint configuration does the library accept one, unless DisableConfChangeValidation is on.
// raft.go appliedTo, stepLeader; state_trace.go traceChangeConfEvent.
func (s *State) appends(i Server, index uint16) bool {
	last := s.Log[i].Index + s.Appending[i]
	if index == last {
		return s.Appending[i] > 0
	}
	return index == last+1 && (s.Appending[i] == 0 && s.Outgoing[i] != 0 || UncheckedChanges)
}

// SendAppend sends entries, or none, to j. TLA+: AppendEntries. Code: raft.go maybeSendAppend.
var SendAppend = Action[Mail]{
	Name:   "SendAppend",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.leads(p) && p.Kind == MsgApp && p.Index+p.Entries <= s.Log[p.I].Index && p.LogTerm == s.termAt(s.Log[p.I], p.Index) &&
			p.Commit == s.Commit[p.I] && p.Index >= s.Match[p.I][p.J] && p.bare(true, true, true, true, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.shows(p.I, p.J)
		n.send(p, s.termAt(s.Log[p.I], p.Index+p.Entries))
	},
}

// leads reports whether p.I may send p as a leader.
func (s *State) leads(p Mail) bool {
	return s.begun(p.I) && s.Role[p.I] == Leader && p.I != p.J && s.mayTrack(p.I, p.J) && p.Term == s.Term[p.I]
}

// SendHeartbeat sends a heartbeat with the commit index as far as j is known to have the entries.
// TLA+: Heartbeat. Code: raft.go sendHeartbeat.
var SendHeartbeat = Action[Mail]{
	Name:   "SendHeartbeat",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.leads(p) && p.Kind == MsgHeartbeat && p.Commit == min(s.Match[p.I][p.J], s.Commit[p.I]) && p.bare(false, false, true, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.shows(p.I, p.J)
		n.send(p, 0)
	},
}

// SendSnapshot sends a snapshot of what is committed. TLA+: SendSnapshot. Code: raft.go
// maybeSendSnapshot.
var SendSnapshot = Action[Mail]{
	Name:   "SendSnapshot",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.leads(p) && s.snapshots(p)
	},
	Effect: func(s, n *State, p Mail) {
		n.shows(p.I, p.J)
		n.send(p, s.termAt(s.Log[p.I], p.Entries))
	},
}

// snapshots reports whether p carries a snapshot of what p.I has committed. Not every tracer states
// the term of the snapshot.
func (s *State) snapshots(p Mail) bool {
	return p.Kind == MsgSnap && p.Entries > 0 && p.Entries <= s.Commit[p.I] &&
		(p.LogTerm == 0 || p.LogTerm == s.termAt(s.Log[p.I], p.Entries)) && p.bare(false, true, false, true, false)
}

// ResendSnapshot is an application that sends a snapshot on its own, or a newer one than the
// library asked for. No Ready hands it over, and it is not logged. The sender leads or has led in
// its term. Code: rafttest/interaction_env_handler_send_snapshot.go.
var ResendSnapshot = Action[Mail]{
	Name:   "ResendSnapshot",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.begun(p.I) && p.I != p.J && p.Term <= MaxTerm && s.Led[p.Term] == p.I && s.mayTrack(p.I, p.J) && s.snapshots(p)
	},
	Effect: func(s, n *State, p Mail) {
		n.shows(p.I, p.J)
		n.send(p, s.termAt(s.Log[p.I], p.Entries))
		n.Wire[n.WireCount-1].Sent = 1
	},
}

// ReceiveAppend takes a MsgApp, MsgHeartbeat or MsgSnap. TLA+: Receive. Code: raft.go Step.
var ReceiveAppend = Action[Mail]{
	Name:   "ReceiveAppend",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.receives(p) && (p.Kind == MsgApp || p.Kind == MsgHeartbeat || p.Kind == MsgSnap)
	},
	Effect: func(s, n *State, p Mail) { n.receive(p) },
}

// ReceiveAppendResponse takes an answer. TLA+: HandleAppendEntriesResponse. Code: raft.go
// stepLeader.
var ReceiveAppendResponse = Action[Mail]{
	Name:   "ReceiveAppendResponse",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.receives(p) && (p.Kind == MsgAppResp || p.Kind == MsgHeartbeatResp)
	},
	Effect: func(s, n *State, p Mail) { n.receive(p) },
}

// AcceptAppend answers a MsgApp after which i's log agrees with the leader's, or which begins below
// what i has committed.
//
// TLA+: AcceptAppendEntriesRequest. Code: raft.go handleAppendEntries, log.go maybeAppend.
var AcceptAppend = Action[Mail]{
	Name:   "AcceptAppend",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.answers(p, Acknowledge) && p.Kind == MsgAppResp && !p.Reject && (s.isBelow(p.I) || s.matches(p.I)) && !s.conflicts(p.I) &&
			p.Index == s.acknowledged(p.I) && p.bare(true, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		if m := &s.Handling[p.I]; !s.isBelow(p.I) {
			end := Position{m.Index + m.Entries, m.Last}
			if m.Entries > 0 && s.common(s.Log[p.I], end) != end {
				n.Log[p.I] = end
			}
			n.Commit[p.I] = max(s.Commit[p.I], min(m.Commit, end.Index))
		}
		n.send(p, 0)
		n.Await[p.I] = Nothing
	},
}

// answers reports whether p answers the message that p.I handles, which asks for that.
func (s *State) answers(p Mail, what Duty) bool {
	return s.begun(p.I) && s.Await[p.I] == what && p.J == s.Handling[p.I].From && p.Term == s.Term[p.I]
}

// isBelow reports whether the MsgApp that i handles begins below i's commit index.
func (s *State) isBelow(i Server) bool { return s.Handling[i].Index < s.Commit[i] }

// matches reports whether i's log has the entry after which the MsgApp that it handles begins.
func (s *State) matches(i Server) bool {
	m := &s.Handling[i]
	return m.Index <= s.Log[i].Index && s.termAt(s.Log[i], m.Index) == m.LogTerm
}

// conflicts reports whether taking over the entries would undo what is committed: the library
// panics.
func (s *State) conflicts(i Server) bool {
	m := &s.Handling[i]
	return !s.isBelow(i) && m.Entries > 0 && s.common(s.Log[i], Position{m.Index + m.Entries, m.Last}).Index < min(s.Commit[i], m.Index+m.Entries)
}

// acknowledged returns the index that i acknowledges.
func (s *State) acknowledged(i Server) uint16 {
	if s.isBelow(i) {
		return s.Commit[i]
	}
	return s.Handling[i].Index + s.Handling[i].Entries
}

// RejectAppend answers a MsgApp after which i's log does not agree, with a hint where it may.
//
// TLA+: RejectAppendEntriesRequest. Code: raft.go handleAppendEntries, log.go findConflictByTerm.
var RejectAppend = Action[Mail]{
	Name:   "RejectAppend",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.answers(p, Acknowledge) && p.Kind == MsgAppResp && p.Reject && !s.isBelow(p.I) && !s.matches(p.I) &&
			p.Index == s.Handling[p.I].Index && p.Hint == s.hint(p.I).Index && p.LogTerm == s.hint(p.I).Term && p.bare(true, true, false, false, true)
	},
	Effect: func(s, n *State, p Mail) {
		n.send(p, 0)
		n.Await[p.I] = Nothing
	},
}

func (s *State) hint(i Server) Position {
	m := &s.Handling[i]
	return s.conflict(i, min(m.Index, s.Log[i].Index), m.LogTerm)
}

// AnswerHeartbeat answers a heartbeat and follows its commit index. Code: raft.go handleHeartbeat.
var AnswerHeartbeat = Action[Mail]{
	Name:   "AnswerHeartbeat",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.answers(p, Beat) && p.Kind == MsgHeartbeatResp && s.Handling[p.I].Commit <= s.Log[p.I].Index && p.bare(false, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.Commit[p.I] = max(s.Commit[p.I], s.Handling[p.I].Commit)
		n.send(p, 0)
		n.Await[p.I] = Nothing
	},
}

// AnswerSnapshot acknowledges a snapshot, be it installed or not needed. Code: raft.go
// handleSnapshot, restore.
var AnswerSnapshot = Action[Mail]{
	Name:   "AnswerSnapshot",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.answers(p, Install) && p.Kind == MsgAppResp && !p.Reject && s.hasSnapshot(p.I) &&
			p.Index == max(s.Commit[p.I], s.Handling[p.I].Entries) && p.bare(true, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.Commit[p.I] = max(s.Commit[p.I], s.Handling[p.I].Entries)
		n.send(p, 0)
		n.Await[p.I] = Nothing
	},
}

// hasSnapshot reports whether i has what the snapshot that it handles stands for.
func (s *State) hasSnapshot(i Server) bool {
	m := &s.Handling[i]
	return m.Entries <= s.Commit[i] || s.termAt(s.Log[i], m.Entries) == m.Last
}

// IgnoreSnapshot acknowledges what i has committed for a snapshot whose configuration lacks i. The
// event does not say what the snapshot has; some server has a configuration without i. Code:
// raft.go restore.
var IgnoreSnapshot = Action[Mail]{
	Name:   "IgnoreSnapshot",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.answers(p, Install) && p.Kind == MsgAppResp && !p.Reject && !s.hasSnapshot(p.I) && s.isLeftOut(p.I) &&
			p.Index == s.Commit[p.I] && p.bare(true, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.send(p, 0)
		n.Await[p.I] = Nothing
	},
}

// isLeftOut reports whether some server's configuration is without i, or one that was committed.
func (s *State) isLeftOut(i Server) bool {
	for j := range Server(Servers) {
		if s.Begun.Has(j) && !s.tracks(j, i) {
			return true
		}
	}
	for k := range int(s.ChangeCount) {
		if s.Changes[k].Remove.Has(i) {
			return true
		}
	}
	return false
}

// AnswerStale answers a MsgApp or MsgHeartbeat of an earlier term, so that its sender learns the
// newer one. Code: raft.go Step.
var AnswerStale = Action[Mail]{
	Name:   "AnswerStale",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		m := &s.Handling[p.I]
		return (CheckQuorum || PreVote) && s.answers(p, Nothing) && (m.Kind == MsgApp || m.Kind == MsgHeartbeat) && m.Term < s.Term[p.I] &&
			p.Kind == MsgAppResp && p.bare(false, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) {
		n.send(p, 0)
		n.Handling[p.I] = Packet{}
	},
}

// AdvanceCommit commits what a quorum has, if its last entry is of the leader's term. It is logged
// whether anything is new or not.
//
// TLA+: AdvanceCommitIndex. Code: raft.go maybeCommit.
var AdvanceCommit = Action[One]{
	Name:   "AdvanceCommit",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.begun(p.I) && s.Role[p.I] == Leader && (s.Await[p.I] == Count || s.Await[p.I] == Nothing)
	},
	Effect: func(s, n *State, p One) {
		n.Await[p.I] = Nothing
		if k := s.quorumMatch(p.I); k > s.Commit[p.I] && s.termAt(s.Log[p.I], k) == s.Term[p.I] {
			n.Commit[p.I] = k
		}
	},
}

// KeepCommit finds that a new match index commits nothing. Tracers that log a commit only when the
// commit index moves do not log it. Code: raft.go maybeCommit.
var KeepCommit = Action[One]{
	Name:   "KeepCommit",
	Params: each,
	Guard: func(s *State, p One) bool {
		k := s.quorumMatch(p.I)
		return s.begun(p.I) && s.Role[p.I] == Leader && s.Await[p.I] == Count && (k <= s.Commit[p.I] || s.termAt(s.Log[p.I], k) != s.Term[p.I])
	},
	Effect: func(s, n *State, p One) { n.Await[p.I] = Nothing },
}

// quorumMatch returns the largest index that a quorum has, as far as the leader i knows.
func (s *State) quorumMatch(i Server) (k uint16) {
	for j := range Server(Servers) {
		var have Set
		for x := range Server(Servers) {
			if s.Match[i][x] >= s.Match[i][j] {
				have = have.With(x)
			}
		}
		if s.isQuorum(i, have) {
			k = max(k, s.Match[i][j])
		}
	}
	return k
}
