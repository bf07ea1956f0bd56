package raft

// becomeProbe and becomeReplicate change how the leader i sends to j. tracker/progress.go
// BecomeProbe, BecomeReplicate.
func (n *State) becomeProbe(i, j Server) {
	pr := &n.Pr[i][j]
	pr.State = Probe
	pr.Paused = false
	n.clearInflight(i, j)
	pr.Next = pr.Match + 1
	for x := range pr.Pending {
		if KeepsPending {
			pr.Next = max(pr.Next, pr.Pending[x]+1)
			pr.Pending[x] = 0
		}
	}
	pr.SentCommit = min(pr.SentCommit, pr.Next-1)
	n.setFreed(i, j, 0)
}

func (n *State) becomeReplicate(i, j Server) {
	pr := &n.Pr[i][j]
	pr.State = Replicate
	pr.Paused = false
	n.clearInflight(i, j)
	n.setPending(i, j, 0)
	pr.Next = pr.Match + 1
	n.setFreed(i, j, 0)
}

// inflightFull reports whether no further append may be in flight between i and j.
// tracker/inflights.go Full.
func (s *State) inflightFull(i, j Server) bool {
	for x := range s.Pr[i][j].Inflight {
		return s.Pr[i][j].Inflight[x].Len() >= MaxInflight
	}
	return int(s.Pr[i][j].Next-1-s.Pr[i][j].Match-s.freed(i, j)) >= MaxInflight
}

// isPaused reports whether the leader i sends j no append. tracker/progress.go IsPaused.
func (s *State) isPaused(i, j Server) bool {
	pr := &s.Pr[i][j]
	return pr.Paused || pr.State == InSnapshot || stopsWhenFull && pr.State == Replicate && s.inflightFull(i, j)
}

// maybeSendAppend sends j the entry that it is thought to lack next, if there is one and there may
// be another append in flight. It sends an append without an entry only if ifEmpty. It reports
// whether something was sent. raft.go maybeSendAppend; figure 2, "AppendEntries RPC".
func (n *State) maybeSendAppend(i, j Server, ifEmpty bool) bool {
	if Append == "at-once" || n.isPaused(i, j) {
		return false
	}
	next := n.Pr[i][j].Next
	if next-1 > n.lastIndex(i) {
		n.Panics.Raise(NextBeyondLog)
		return false
	}
	if next-1 < n.offset(i) {
		return (ifEmpty || !waitsForSnapshot) && n.sendSnapshot(i, j)
	}
	m := Msg{Kind: MsgApp, Term: n.Term[i], Index: next - 1, LogTerm: n.termAt(i, next-1), Commit: n.Commit[i]}
	if next <= n.lastIndex(i) && (n.Pr[i][j].State == Probe || !n.inflightFull(i, j)) {
		m.Entry = n.entryAt(i, next)
		n.fill(i, j, &m)
	}
	if !m.carriesEntry() && !ifEmpty {
		return false
	}
	n.send(i, j, m)
	n.sentCommit(i, j, n.Commit[i])
	if n.Pr[i][j].State == Probe { // tracker/progress.go SentEntries
		n.Pr[i][j].Paused = m.carriesEntry()
		return true
	}
	if m.carriesEntry() {
		n.Pr[i][j].Next += m.entries()
		for x := range n.Pr[i][j].Inflight {
			n.Pr[i][j].Inflight[x].Append(n.Pr[i][j].Next - 1)
		}
	}
	n.Pr[i][j].Paused = !stopsWhenFull && n.inflightFull(i, j)
	return true
}

// bcastAppend sends everybody an append. raft.go bcastAppend.
func (n *State) bcastAppend(i Server) {
	for j := range Server(Servers) {
		if j != i && n.tracks(i, j) {
			n.maybeSendAppend(i, j, true)
		}
	}
}

// maybeUpdate notes that j has acknowledged the entries up to k. It reports whether that was news.
// tracker/progress.go MaybeUpdate; raft.go stepLeader, Inflights.FreeLE.
func (n *State) maybeUpdate(i, j Server, k Number) bool {
	if nextBelowMatch {
		n.Pr[i][j].Next = max(n.Pr[i][j].Next, k+1)
	}
	if k <= n.Pr[i][j].Match && Mistake != MatchFromStaleReply {
		return false
	}
	n.freeInflight(i, j, k)
	n.setFreed(i, j, n.freed(i, j)-min(n.freed(i, j), k-n.Pr[i][j].Match))
	n.Pr[i][j].Match = k
	n.Pr[i][j].Next = max(n.Pr[i][j].Next, k+1)
	n.Pr[i][j].Paused = false
	return true
}

// maybeDecrTo moves Next back after the rejection of an append at index rejected, to where the logs
// may agree. It reports whether the rejection was not stale. tracker/progress.go MaybeDecrTo;
// section 5.3.
func (n *State) maybeDecrTo(i, j Server, rejected, hint Number) bool {
	low := n.Pr[i][j].Match + 1
	if Mistake == NextAtMatch || nextBelowMatch {
		low = 1
	}
	if n.Pr[i][j].State == Replicate {
		if rejected <= n.Pr[i][j].Match && Mistake != NextAtMatch {
			return false
		}
		n.becomeProbe(i, j)
		if Mistake == NextAtMatch {
			n.Pr[i][j].Next = max(min(rejected, hint+1), low)
		}
		return true
	}
	if n.Pr[i][j].Next-1 != rejected {
		return false
	}
	n.Pr[i][j].Next = max(min(rejected, hint+1), low)
	n.Pr[i][j].SentCommit = min(n.Pr[i][j].SentCommit, n.Pr[i][j].Next-1)
	n.Pr[i][j].Paused = false
	return true
}

// heardOf notes that the leader i has heard of j: RecentActive.
func (n *State) heardOf(i, j Server) {
	if CheckQuorum || Snapshots {
		n.RecentActive[i].Add(j)
	}
}

func (n *State) bcastHeartbeat(i Server) { n.bcastHeartbeatWith(i, n.readContext(i)) }

// bcastHeartbeatWith sends everybody a heartbeat with a context. raft.go bcastHeartbeatWithCtx.
func (n *State) bcastHeartbeatWith(i Server, context Number) {
	for j := range Server(Servers) {
		if j != i && n.tracks(i, j) {
			commit := min(n.Pr[i][j].Match, n.Commit[i])
			n.send(i, j, Msg{Kind: MsgHeartbeat, Term: n.Term[i], Commit: commit, Context: context})
			n.sentCommit(i, j, commit)
		}
	}
}

// sendSnapshot sends j the leader's snapshot, if it has been heard of. raft.go maybeSendSnapshot;
// tracker/progress.go BecomeSnapshot.
func (n *State) sendSnapshot(i, j Server) bool {
	if !n.RecentActive[i].Has(j) {
		return false
	}
	snap := n.Snap[i]
	var body [SnapBodies]Body
	for x := range body {
		body[x] = snap.Body
	}
	n.send(i, j, Msg{Kind: MsgSnap, Snap: body, Term: n.Term[i], Index: snap.Index, LogTerm: snap.Term})
	n.clearInflight(i, j)
	n.Pr[i][j].State = InSnapshot
	n.Pr[i][j].Paused = false
	if waitsForSnapshot {
		n.setFreed(i, j, 0)
	} else {
		n.Pr[i][j].Next = snap.Index + 1
		n.Pr[i][j].SentCommit = snap.Index
	}
	n.setPending(i, j, snap.Index)
	return true
}
