package raft

// lastIndex returns the index of the last entry of i's log, 0 where the log is empty.
func (s *State) lastIndex(i Server) Number { return s.left(i) + Number(s.Log[i].Len()) }

// entryAt returns the entry at index k of i's log, which it has.
func (s *State) entryAt(i Server, k Number) Entry { return s.Log[i].At(int(k - s.left(i))) }

// truncate keeps i's log up to index k, which it has not folded away.
func (n *State) truncate(i Server, k Number) { n.Log[i].Truncate(int(k - n.left(i))) }

// termAt returns the term of the entry at index k of i's log, which it has or which is the last one
// folded away; 0 for index 0.
func (s *State) termAt(i Server, k Number) Number {
	switch {
	case k == 0:
		return 0
	case Snapshots && k == s.offset(i):
		return s.foldedTerm(i)
	}
	return s.entryAt(i, k).Term
}

// valueAt returns the command at index k of i's log, 0 where there is none.
func (s *State) valueAt(i Server, k Number) Number { return s.entryAt(i, k).Value }

// lastTerm returns the term of the last entry of i's log, 0 where the log is empty.
func (s *State) lastTerm(i Server) Number { return s.termAt(i, s.lastIndex(i)) }

// matchTerm reports whether i's log has an entry of that term at index k. log.go matchTerm.
func (s *State) matchTerm(i Server, k, term Number) bool {
	return s.offset(i) <= k && k <= s.lastIndex(i) && s.termAt(i, k) == term
}

// isUpToDate reports whether a log that ends with an entry of that term at that index is at least
// as up to date as i's. log.go isUpToDate; section 5.4.1.
func (s *State) isUpToDate(i Server, index, term Number) bool {
	last := s.lastTerm(i)
	return term > last || term == last && index >= s.lastIndex(i)
}

// findConflictByTerm returns the largest index up to k at which i's log has an entry of at most
// that term, and that entry's term. For a k that the log does not have it returns k and term 0.
// log.go findConflictByTerm.
func (s *State) findConflictByTerm(i Server, k, term Number) (index, at Number) {
	for ; k > 0; k-- {
		if k > s.lastIndex(i) || k < s.offset(i) {
			return k, 0
		}
		if t := s.termAt(i, k); t <= term {
			return k, t
		}
	}
	return 0, 0
}

// commitTo raises i's commit index. log.go commitTo.
func (n *State) commitTo(i Server, k Number) {
	if n.Commit[i] >= k {
		return
	}
	if k > n.lastIndex(i) {
		n.Panics.Raise(CommitOutOfRange)
		return
	}
	n.setCommit(i, k)
}

// maybeAppend appends the entry that m carries, if the log agrees at m.Index, and raises the commit
// index up to the end of what m vouches for. last is that end. log.go maybeAppend; figure 2,
// "AppendEntries RPC, Receiver implementation" 2 to 5.
func (n *State) maybeAppend(i Server, m *Msg) (last Number, ok bool) {
	if !n.matchTerm(i, m.Index, m.LogTerm) {
		return 0, false
	}
	if Batching {
		return n.appendRun(i, m), true
	}
	last = m.Index
	if m.carriesEntry() {
		last++
	}
	switch {
	case !m.carriesEntry():
	case Mistake == TruncateCommitted && m.Index < n.Commit[i]:
		n.overwrite(i, m)
	case n.matchTerm(i, last, m.Entry.Term):
		if Mistake == EraseMatching {
			n.truncate(i, last)
		}
	case last <= n.Commit[i]:
		n.Panics.Raise(ConflictWithCommitted)
		return last, true
	case Mistake == StaleCache && last <= n.lastIndex(i): // it reads the old entry
	default:
		n.overwrite(i, m)
	}
	n.commitTo(i, min(m.Commit, last))
	return last, true
}

// overwrite replaces what i's log has after m.Index with the entry that m carries.
func (n *State) overwrite(i Server, m *Msg) {
	n.truncate(i, m.Index)
	n.Log[i].Append(m.Entry)
}

// setCommit gives i a commit index. Next to a node, entries that change nothing but the state
// machine count as applied at once: the node applies them when it likes, and the moment makes no
// difference.
func (n *State) setCommit(i Server, k Number) {
	before := n.Commit[i]
	n.Commit[i] = k
	n.ackCommitted(i)
	n.forgetKnown(i)
	if Streamed {
		n.applyIdle(i)
	} else if liveNode && Membership && !ToldApplies && n.Applied[i] == before && !n.applyMatters(i, before, k) {
		n.Applied[i] = k
	}
}

// applyMatters reports whether one of i's entries after index k and up to index end is more than a
// command when it is applied.
func (s *State) applyMatters(i Server, k, end Number) bool {
	if s.Role[i] == Leader && (s.conf(i).AutoLeave || k < s.PendingConf[i] && s.PendingConf[i] <= end) {
		return true
	}
	for x := k + 1; x <= end; x++ {
		if s.changeAt(i, x).Kind != NoChange {
			return true
		}
	}
	return false
}

// common returns the length of the longest common prefix of i's and j's logs.
func (s *State) common(i, j Server) Number {
	return overlap(&s.Log[i], s.offset(i), &s.Log[j], s.offset(j))
}

// overlap returns the index up to which logs a and b, whose first x and y entries are folded away,
// agree. The entries that are folded away were committed, so they count as equal.
func overlap(a *Log, x Number, b *Log, y Number) Number {
	k, end := int(max(x, y)), min(int(x)+a.Len(), int(y)+b.Len())
	if k >= end {
		return Number(end)
	}
	for k < end && a.At(k+1-int(x)) == b.At(k+1-int(y)) {
		k++
	}
	return Number(k)
}
