# Mistakes in go.etcd.io/raft/v3 v3.7.0, one line each. Package mutants makes them. A mutant names the
# manifest of configs/raft whose walks can reach the mistake.

# Votes and terms.

mutant "vote-for-longer-log-only" {
  mistake  = "a server votes only for a log that is longer than its own"
  file     = "log.go"
  method   = "raftLog.isUpToDate"
  line     = "return their.term > our.term || their.term == our.term && their.index >= our.index"
  becomes  = "return their.term > our.term || their.term == our.term && their.index > our.index"
}

mutant "vote-ignores-term-of-log" {
  mistake  = "a vote compares the lengths of logs and not the terms of their last entries"
  file     = "log.go"
  method   = "raftLog.isUpToDate"
  line     = "return their.term > our.term || their.term == our.term && their.index >= our.index"
  becomes  = "return their.index >= our.index"
}

mutant "vote-twice" {
  mistake  = "a server votes for every candidate of a term"
  file     = "raft.go"
  method   = "raft.Step"
  line     = "canVote := r.Vote == m.GetFrom() ||"
  becomes  = "canVote := true ||"
}

mutant "vote-beside-leader" {
  mistake  = "a server that has not voted votes although it has a leader in this term"
  file     = "raft.go"
  method   = "raft.Step"
  line     = "(r.Vote == None && r.lead == None) ||"
  becomes  = "r.Vote == None ||"
}

mutant "vote-not-recorded" {
  mistake  = "a server forgets for whom it voted"
  file     = "raft.go"
  method   = "raft.Step"
  line     = "r.Vote = m.GetFrom()"
  becomes  = "_ = m.GetFrom()"
}

mutant "vote-of-earlier-term-kept" {
  mistake  = "a new term keeps the vote of the earlier one"
  file     = "raft.go"
  method   = "raft.reset"
  line     = "r.Vote = None"
  becomes  = "_ = None"
}

mutant "vote-does-not-reset-timer" {
  mistake  = "a vote does not reset the election timer"
  file     = "raft.go"
  method   = "raft.Step"
  line     = "r.electionElapsed = 0"
  becomes  = "_ = r.electionElapsed"
  manifest = "etcd-full"
}

mutant "lease-one-tick-longer" {
  mistake  = "a lease lasts one tick longer than the election timeout"
  file     = "raft.go"
  method   = "raft.Step"
  line     = "inLease := r.checkQuorum && r.lead != None && r.electionElapsed < r.electionTimeout"
  becomes  = "inLease := r.checkQuorum && r.lead != None && r.electionElapsed <= r.electionTimeout"
  manifest = "etcd-full"
}

mutant "rejected-pre-vote-keeps-term" {
  mistake  = "a rejected pre-vote of a later term does not change the term"
  file     = "raft.go"
  method   = "raft.Step"
  line     = "case m.GetType() == pb.MsgPreVoteResp && !m.GetReject():"
  becomes  = "case m.GetType() == pb.MsgPreVoteResp:"
  manifest = "etcd-full"
}

mutant "majority-rounded-up" {
  mistake  = "half of an even number of voters elects a leader"
  file     = "quorum/majority.go"
  method   = "MajorityConfig.VoteResult"
  line     = "q := len(c)/2 + 1"
  becomes  = "q := (len(c) + 1) / 2"
  manifest = "etcd-full"
}

mutant "campaign-with-unapplied-change" {
  mistake  = "a campaign does not wait until changes of the configuration are applied"
  file     = "raft.go"
  method   = "raft.hup"
  line     = "if r.hasUnappliedConfChanges() {"
  becomes  = "if false {"
  manifest = "etcd-full"
}

mutant "quorum-always-active" {
  mistake  = "a leader never notices that its quorum is not active"
  file     = "tracker/tracker.go"
  method   = "ProgressTracker.QuorumActive"
  line     = "votes[id] = pr.RecentActive"
  becomes  = "votes[id] = true"
  manifest = "etcd-full"
}

mutant "leader-keeps-old-changes" {
  mistake  = "a new leader does not wait for a change that may be pending"
  file     = "raft.go"
  method   = "raft.becomeLeader"
  line     = "r.pendingConfIndex = r.raftLog.lastIndex()"
  becomes  = "r.pendingConfIndex = 0"
  manifest = "etcd-full"
}

# Logs and commit indices.

mutant "commit-beyond-append" {
  mistake  = "a follower commits more than the append vouches for"
  file     = "log.go"
  method   = "raftLog.maybeAppend"
  line     = "l.commitTo(min(committed, lastnewi))"
  becomes  = "l.commitTo(committed)"
}

mutant "commit-goes-down" {
  mistake  = "the commit index can go down"
  file     = "log.go"
  method   = "raftLog.commitTo"
  line     = "if l.committed < tocommit {"
  becomes  = "if l.committed != tocommit {"
}

mutant "commit-entry-of-older-term" {
  mistake  = "a leader commits entries of older terms by counting"
  file     = "log.go"
  method   = "raftLog.maybeCommit"
  line     = "if at.term != 0 && at.index > l.committed && l.matchTerm(at) {"
  becomes  = "if at.term != 0 && at.index > l.committed {"
}

mutant "commit-without-quorum" {
  mistake  = "a quorum has one server too few"
  file     = "quorum/majority.go"
  method   = "MajorityConfig.CommittedIndex"
  line     = "pos := n - (n/2 + 1)"
  becomes  = "pos := n - n/2"
}

mutant "joint-commit-by-one-half" {
  mistake  = "one half of a joint configuration commits"
  file     = "quorum/joint.go"
  method   = "JointConfig.CommittedIndex"
  line     = "if idx0 < idx1 {"
  becomes  = "if idx0 > idx1 {"
  manifest = "etcd-full"
}

mutant "heartbeat-commits-beyond-match" {
  mistake  = "a heartbeat has a commit index beyond the match index"
  file     = "raft.go"
  method   = "raft.sendHeartbeat"
  line     = "commit := min(pr.Match, r.raftLog.committed)"
  becomes  = "commit := r.raftLog.committed"
}

mutant "no-commit-after-change" {
  mistake  = "a changed configuration does not commit what it could"
  file     = "raft.go"
  method   = "raft.switchToConfig"
  line     = "if r.maybeCommit() {"
  becomes  = "if false {"
  manifest = "etcd-full"
}

mutant "acknowledge-one-more" {
  mistake  = "a follower acknowledges one entry more than it has"
  file     = "raft.go"
  method   = "raft.handleAppendEntries"
  line     = "r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(mlastIndex)})"
  becomes  = "r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(mlastIndex + 1)})"
}

mutant "append-at-commit-is-old" {
  mistake  = "an append at the commit index is answered as an old one"
  file     = "raft.go"
  method   = "raft.handleAppendEntries"
  line     = "if a.prev.index < r.raftLog.committed {"
  becomes  = "if a.prev.index <= r.raftLog.committed {"
}

mutant "hint-skips-equal-term" {
  mistake  = "the hint of a rejection skips entries of the same term"
  file     = "log.go"
  method   = "raftLog.findConflictByTerm"
  line     = "} else if ourTerm <= term {"
  becomes  = "} else if ourTerm < term {"
}

mutant "leader-takes-hint-as-it-is" {
  mistake  = "a leader probes at the hint, also where its log shows that this fails"
  file     = "raft.go"
  method   = "stepLeader"
  line     = "nextProbeIdx, _ = r.raftLog.findConflictByTerm(m.GetRejectHint(), m.GetLogTerm())"
  becomes  = "nextProbeIdx = m.GetRejectHint()"
}

mutant "stable-without-term" {
  mistake  = "entries of another term count as stable"
  file     = "log_unstable.go"
  method   = "unstable.stableTo"
  line     = "if gt != id.term {"
  becomes  = "if false {"
  manifest = "etcd-async"
}

mutant "truncated-entries-not-written" {
  mistake  = "entries that replace others are not written"
  file     = "log_unstable.go"
  method   = "unstable.truncateAndAppend"
  line     = "u.offsetInProgress = min(u.offsetInProgress, fromIndex)"
  becomes  = "_ = fromIndex"
  manifest = "etcd-async"
}

# Progress of followers.

mutant "next-falls-to-match" {
  mistake  = "the next index can fall to the match index"
  file     = "tracker/progress.go"
  method   = "Progress.MaybeDecrTo"
  line     = "pr.Next = max(min(rejected, matchHint+1), pr.Match+1)"
  becomes  = "pr.Next = min(rejected, matchHint+1)"
}

mutant "rejection-at-match-counts" {
  mistake  = "a rejection at the match index is not taken as an old one"
  file     = "tracker/progress.go"
  method   = "Progress.MaybeDecrTo"
  line     = "if rejected <= pr.Match {"
  becomes  = "if rejected < pr.Match {"
}

mutant "full-window-is-not-paused" {
  mistake  = "replication is not paused when the window is full"
  file     = "tracker/progress.go"
  method   = "Progress.SentEntries"
  line     = "pr.MsgAppFlowPaused = pr.Inflights.Full()"
  becomes  = "pr.MsgAppFlowPaused = false"
}

mutant "window-frees-one-less" {
  mistake  = "an acknowledgement does not free the last message that it covers"
  file     = "tracker/inflights.go"
  method   = "Inflights.FreeLE"
  line     = "if to < in.buffer[idx].index { // found the first large inflight"
  becomes  = "if to <= in.buffer[idx].index {"
}

mutant "commit-sent-too-often" {
  mistake  = "a leader sends its commit index although the follower cannot use it"
  file     = "tracker/progress.go"
  method   = "Progress.CanBumpCommit"
  line     = "return index > pr.sentCommit && pr.sentCommit < pr.Next-1"
  becomes  = "return index > pr.sentCommit"
  manifest = "etcd-batches"
}

mutant "probe-stays-probe" {
  mistake  = "an acknowledgement without news does not end a probe"
  file     = "raft.go"
  method   = "stepLeader"
  line     = "if pr.MaybeUpdate(m.GetIndex()) || (pr.Match == m.GetIndex() && pr.State == tracker.StateProbe) {"
  becomes  = "if pr.MaybeUpdate(m.GetIndex()) {"
}

mutant "heartbeat-response-does-not-probe" {
  mistake  = "a response to a heartbeat does not continue a probe"
  file     = "raft.go"
  method   = "stepLeader"
  line     = "if pr.Match < r.raftLog.lastIndex() || pr.State == tracker.StateProbe {"
  becomes  = "if pr.Match < r.raftLog.lastIndex() {"
  manifest = "etcd-reported"
}

mutant "transfer-before-caught-up" {
  mistake  = "leadership is transferred to a server that lacks entries"
  file     = "raft.go"
  method   = "stepLeader"
  line     = "if m.GetFrom() == r.leadTransferee && pr.Match == r.raftLog.lastIndex() {"
  becomes  = "if m.GetFrom() == r.leadTransferee {"
  manifest = "etcd-full"
}

# Snapshots.

mutant "snapshot-entry-sent-again" {
  mistake  = "the last entry of a snapshot is sent once more"
  file     = "tracker/progress.go"
  method   = "Progress.BecomeSnapshot"
  line     = "pr.Next = snapshoti + 1"
  becomes  = "pr.Next = snapshoti"
  manifest = "etcd-full"
}

mutant "probe-forgets-snapshot" {
  mistake  = "a probe after a snapshot begins at the match index"
  file     = "tracker/progress.go"
  method   = "Progress.BecomeProbe"
  line     = "pr.Next = max(pr.Match+1, pendingSnapshot+1)"
  becomes  = "pr.Next = pr.Match + 1 + 0*pendingSnapshot"
  manifest = "etcd-reported"
}

mutant "snapshot-answered-with-end" {
  mistake  = "a snapshot that is ignored is answered with the end of the log"
  file     = "raft.go"
  method   = "raft.handleSnapshot"
  line     = "r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(r.raftLog.committed)})"
  becomes  = "r.send(&pb.Message{To: m.From, Type: pb.MsgAppResp.Enum(), Index: new(r.raftLog.lastIndex())})"
  manifest = "etcd-full"
}

mutant "snapshot-to-inactive" {
  mistake  = "a snapshot is sent to a server that is not active"
  file     = "raft.go"
  method   = "raft.maybeSendSnapshot"
  line     = "if !pr.RecentActive {"
  becomes  = "if false {"
  manifest = "etcd-reported"
}

# Reads.

mutant "read-before-commit" {
  mistake  = "a leader answers reads before it has committed an entry of its term"
  file     = "raft.go"
  method   = "stepLeader"
  line     = "if !r.committedEntryInCurrentTerm() {"
  becomes  = "if false {"
  manifest = "etcd-full"
}

mutant "read-confirmed-early" {
  mistake  = "a read is confirmed before its turn"
  file     = "read_only.go"
  method   = "readOnly.maybeAdvance"
  line     = "ro.confirmedReads = newConfirmedReads"
  becomes  = "ro.confirmedReads++"
  manifest = "etcd-full"
}

mutant "read-acknowledgement-goes-down" {
  mistake  = "an old acknowledgement of reads replaces a newer one"
  file     = "read_only.go"
  method   = "readOnly.recvAck"
  line     = "ro.acks[from] = max(ro.acks[from], binary.LittleEndian.Uint64(ctx))"
  becomes  = "ro.acks[from] = binary.LittleEndian.Uint64(ctx)"
  manifest = "etcd-full"
}

mutant "heartbeat-asks-for-one-read" {
  mistake  = "a heartbeat asks to confirm only the first read that waits"
  file     = "read_only.go"
  method   = "readOnly.heartbeatCtx"
  line     = "unconfirmedReadPosition := ro.confirmedReads + uint64(len(ro.unconfirmedReads))"
  becomes  = "unconfirmedReadPosition := ro.confirmedReads + 1"
  manifest = "etcd-full"
}
