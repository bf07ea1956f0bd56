package raft

// reset forgets what belongs to a role or to an earlier term. raft.go reset.
//
// Deviation: a server that does not lead has no progress; the library leaves an initial one that
// nothing reads.
func (n *State) reset(i Server, term Number) {
	if n.Term[i] != term {
		n.Term[i] = term
		n.Vote[i] = None
	}
	n.Lead[i] = None
	n.Granted[i] = 0
	n.Rejected[i] = 0
	n.Elapsed[i] = false
	n.RecentActive[i] = 0
	if MaxTransfers > 0 {
		n.Transferee[i] = None
	}
	n.Pr[i] = [Servers]Progress{}
	if Membership {
		n.PendingConf[i] = 0
	}
	if Reading {
		n.ReadOnly[i] = ReadOnly{}
	}
}

// becomeFollower makes i a follower of that term; lead is the leader or None. raft.go
// becomeFollower.
func (n *State) becomeFollower(i Server, term Number, lead Server) {
	n.reset(i, term)
	n.Role[i] = Follower
	n.Lead[i] = lead
}

// becomeCandidate makes i a candidate of the next term, which votes for itself. raft.go
// becomeCandidate; section 5.2.
func (n *State) becomeCandidate(i Server) {
	n.reset(i, n.Term[i]+1)
	n.Role[i] = Candidate
	n.Vote[i] = i
}

// becomePreCandidate makes i ask whether it would get votes: term and vote stay. raft.go
// becomePreCandidate.
func (n *State) becomePreCandidate(i Server) {
	n.Granted[i] = 0
	n.Rejected[i] = 0
	n.Lead[i] = None
	n.Role[i] = PreCandidate
}

// becomeLeader makes i the leader of its term, begins the term with an empty entry and sends it to
// everybody. raft.go becomeLeader and stepCandidate, quorum.VoteWon; figure 2, "Leaders";
// dissertation, section 6.4, on the empty entry. Without EmptyEntry the first appends are empty, as
// in figure 2.
func (n *State) becomeLeader(i Server) {
	n.beginLeading(i)
	if !EmptyEntry {
		n.bcastAppend(i)
		return
	}
	n.appendEntry(i, Entry{Term: n.Term[i]})
}

// beginLeading is becomeLeader up to the empty entry.
func (n *State) beginLeading(i Server) {
	n.reset(i, n.Term[i])
	n.Role[i] = Leader
	n.Lead[i] = i
	last := n.lastIndex(i)
	for j := range Server(Servers) {
		if n.tracks(i, j) {
			n.Pr[i][j].Next = last + 1
		}
	}
	if Membership {
		n.PendingConf[i] = last
	}
	n.Pr[i][i] = Progress{Match: last, Next: last + 1, State: Replicate}
}

// appendEntry puts an entry after the leader i's log, sends it to everybody and, once it is on
// disk, counts i's own copy. raft.go appendEntry, bcastAppend, and the MsgAppResp to itself.
func (n *State) appendEntry(i Server, e Entry) {
	n.Log[i].Append(e)
	if countsItself {
		n.countItself(i)
		n.bcastAppend(i)
		return
	}
	n.bcastAppend(i)
	n.respondSelf(i, Msg{Kind: MsgAppResp, Term: n.Term[i], Index: n.lastIndex(i)})
}

// maybeCommit commits what a quorum has, if the last such entry is of the leader i's own term. It
// reports whether the commit index changed. raft.go and log.go maybeCommit; figure 2, "Leaders";
// section 5.4.2.
func (n *State) maybeCommit(i Server) bool {
	k := n.quorumMatch(i)
	if k <= n.Commit[i] {
		return false
	}
	if Mistake == CommitOlderTerm {
		k = min(k, n.lastIndex(i))
	} else if !n.matchTerm(i, k, n.Term[i]) {
		return false
	}
	n.setCommit(i, k)
	return true
}

// quorumMatch returns the largest index that a quorum has, as far as the leader i knows. tracker.go
// Committed, quorum/majority.go CommittedIndex.
func (s *State) quorumMatch(i Server) (k Number) {
	for j := range Server(Servers) {
		var have Set
		for x := range Server(Servers) {
			if s.Pr[i][x].Match >= s.Pr[i][j].Match {
				have.Add(x)
			}
		}
		if s.isQuorum(i, have) {
			k = max(k, s.Pr[i][j].Match)
		}
	}
	return k
}
