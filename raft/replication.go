package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// HandleApp appends what a leader sends, or says where to continue.
//
// Figure 2, "AppendEntries RPC, Receiver implementation". TLA+: HandleAppendEntriesRequest. Code:
// raft.go stepFollower, stepCandidate, handleAppendEntries.
var HandleApp = Action[At]{
	Name:   "HandleApp",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgApp) },
	Effect: func(s, n *State, p At) { n.handleApp(p) },
}

// handleApp is HandleApp's effect.
func (n *State) handleApp(p At) {
	m, ok := n.take(p, MsgApp)
	if !ok || n.Role[p.I] == Leader {
		return
	}
	n.follow(p.I, p.J)
	if m.Index < n.Commit[p.I] && Mistake != TruncateCommitted {
		n.respond(p.I, p.J, Msg{Kind: MsgAppResp, Term: n.Term[p.I], Index: n.Commit[p.I]})
		return
	}
	if last, ok := n.maybeAppend(p.I, &m); ok {
		if Mistake == AckBeyondMessage {
			last = n.lastIndex(p.I)
		}
		n.respond(p.I, p.J, Msg{Kind: MsgAppResp, Term: n.Term[p.I], Index: last})
		return
	}
	hint, term := n.findConflictByTerm(p.I, min(m.Index, n.lastIndex(p.I)), m.LogTerm)
	if plainRejections {
		hint, term = n.lastIndex(p.I), 0
	}
	n.respond(p.I, p.J, Msg{Kind: MsgAppResp, Term: n.Term[p.I], Index: m.Index, LogTerm: term, Reject: true, RejectHint: hint})
}

// follow makes i, which does not lead, follow the leader j of its term.
func (n *State) follow(i, j Server) {
	if n.Role[i] == Follower {
		n.Lead[i] = j
		n.Elapsed[i] = false
		return
	}
	n.becomeFollower(i, n.Term[i], j)
}

// HandleAppResp takes an acknowledgement, which may commit entries, or a rejection, and sends on.
//
// Figure 2, "Leaders"; section 5.3. TLA+: HandleAppendEntriesResponse, AdvanceCommitIndex. Code:
// raft.go stepLeader, MsgAppResp.
var HandleAppResp = Action[At]{
	Name:   "HandleAppResp",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgAppResp) },
	Effect: func(s, n *State, p At) { n.handleAppResp(p) },
}

// handleAppResp is HandleAppResp's effect.
func (n *State) handleAppResp(p At) {
	m, ok := n.take(p, MsgAppResp)
	if !ok || n.Role[p.I] != Leader {
		return
	}
	n.heardOf(p.I, p.J)
	switch {
	case m.Reject:
		n.rejected(p.I, p.J, &m)
	default:
		n.acknowledged(p.I, p.J, m.Index)
	}
}

func (n *State) rejected(i, j Server, m *Msg) {
	hint := m.RejectHint
	if m.LogTerm > 0 {
		hint, _ = n.findConflictByTerm(i, m.RejectHint, m.LogTerm)
	}
	if Mistake == MatchFromRejection {
		n.Pr[i][j].Match = hint
		if n.maybeCommit(i) {
			n.bcastAppend(i)
		}
	}
	if n.maybeDecrTo(i, j, m.Index, hint) {
		n.maybeSendAppend(i, j, true)
	}
}

func (n *State) acknowledged(i, j Server, k Number) {
	paused := n.isPaused(i, j)
	if !n.maybeUpdate(i, j, k) && (staysInProbe || n.Pr[i][j].Match != k || n.Pr[i][j].State != Probe) {
		return
	}
	if n.Pr[i][j].State == Probe || n.Pr[i][j].State == InSnapshot && n.endsSnapshot(i, j) {
		n.becomeReplicate(i, j)
	}
	if n.maybeCommit(i) {
		n.releaseReads(i)
		n.bcastAppend(i)
	} else if blindCommits && paused || !blindCommits && n.canBumpCommit(i, j) {
		n.maybeSendAppend(i, j, true)
	}
	for range MaxInflight {
		if !n.maybeSendAppend(i, j, false) {
			break
		}
	}
	n.handOver(i, j)
}

// handOver makes j campaign, if the leader i hands over to it and it has the whole log. raft.go
// stepLeader, MsgAppResp.
func (n *State) handOver(i, j Server) {
	if MaxTransfers > 0 && n.Transferee[i] == j && n.Pr[i][j].Match == n.lastIndex(i) {
		n.send(i, j, Msg{Kind: MsgTimeoutNow, Term: n.Term[i]})
	}
}

// canBumpCommit reports whether an append would tell j of a newer commit index. tracker/progress.go
// CanBumpCommit.
func (s *State) canBumpCommit(i, j Server) bool {
	pr := &s.Pr[i][j]
	return s.Commit[i] > pr.SentCommit && pr.SentCommit < pr.Next-1
}

// Beat sends everybody a heartbeat, which tells the commit index as far as the receiver is known to
// have the entries.
//
// Section 5.2, "Leaders send periodic heartbeats". TLA+: Heartbeat. Code: raft.go bcastHeartbeat,
// sendHeartbeat, by a tick.
var Beat = Action[One]{
	Name:   "Beat",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Leader },
	Effect: func(s, n *State, p One) { n.bcastHeartbeat(p.I) },
}

// HandleHeartbeat follows the leader and its commit index.
//
// TLA+: HandleHeartbeat. Code: raft.go handleHeartbeat.
var HandleHeartbeat = Action[At]{
	Name:   "HandleHeartbeat",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgHeartbeat) },
	Effect: func(s, n *State, p At) { n.handleHeartbeat(p) },
}

// handleHeartbeat is HandleHeartbeat's effect.
func (n *State) handleHeartbeat(p At) {
	m, ok := n.take(p, MsgHeartbeat)
	if !ok || n.Role[p.I] == Leader {
		return
	}
	n.follow(p.I, p.J)
	n.commitTo(p.I, m.Commit)
	n.send(p.I, p.J, Msg{Kind: MsgHeartbeatResp, Term: n.Term[p.I], Context: m.Context})
}

// HandleHeartbeatResp sends an append to a follower that lacks entries, even if one is in flight:
// it may have been lost.
//
// TLA+: HandleHeartbeatResponse. Code: raft.go stepLeader, MsgHeartbeatResp.
var HandleHeartbeatResp = Action[At]{
	Name:   "HandleHeartbeatResp",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgHeartbeatResp) },
	Effect: func(s, n *State, p At) { n.handleHeartbeatResp(p) },
}

// handleHeartbeatResp is HandleHeartbeatResp's effect.
func (n *State) handleHeartbeatResp(p At) {
	m, ok := n.take(p, MsgHeartbeatResp)
	if !ok || n.Role[p.I] != Leader {
		return
	}
	n.heardOf(p.I, p.J)
	n.Pr[p.I][p.J].Paused = false
	n.freeFirst(p.I, p.J)
	if n.Pr[p.I][p.J].Match < n.lastIndex(p.I) || n.Pr[p.I][p.J].State == Probe && !staysInProbe {
		n.maybeSendAppend(p.I, p.J, true)
	}
	n.ackReads(p.I, p.J, m.Context)
}

// replicationSizes are appends of two entries. The library counts bytes, which are the same for all
// entries in two terms. So the leader stays, and has more to send.
var replicationSizes = []grains.Sizes{{Bounds: []grains.Setting{
	{Name: "batch", Value: "2"}, {Name: "terms", Value: "2"}, {Name: "requests", Value: "10"},
	{Name: "restarts", Value: "2"}, {Name: "partitions", Value: "4"}, {Name: "drops", Value: "10"},
}}}

var replicationBaseline = grains.Grain[State]{
	Node:    nodeReplication,
	Name:    "baseline",
	Doc:     "A step for each append, heartbeat and answer.",
	Covers:  []string{"replication"},
	Actions: Actions{&HandleApp, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp},
	Budgets: []modules.Budget[State]{modules.Spend[State]("heartbeats", &Beat)},
	Sizes:   replicationSizes,
	Models: []string{
		"raft.sendAppend", "raft.maybeSendAppend", "raft.sendHeartbeat", "raft.bcastAppend", "raft.bcastHeartbeat", "raft.maybeCommit",
		"raft.handleAppendEntries", "raft.handleHeartbeat", "stepFollower", "stepLeader",
		"raftLog.maybeAppend", "raftLog.findConflict", "raftLog.findConflictByTerm", "raftLog.commitTo", "raftLog.maybeCommit",
		"tracker.Progress.MaybeUpdate", "tracker.Progress.MaybeDecrTo", "tracker.Progress.SentEntries",
		"tracker.Progress.BecomeProbe", "tracker.Progress.BecomeReplicate", "tracker.Progress.CanBumpCommit",
		"tracker.ProgressTracker.Committed", "quorum.MajorityConfig.CommittedIndex",
	},
}
