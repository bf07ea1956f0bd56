package raft

import "github.com/multigrain/multigrain/modules"

// protocolInvariants hold at every granularity.
var protocolInvariants = []modules.Invariant[State]{
	{ID: "ElectionSafety", State: electionSafety,
		Doc: "At most one leader leads in a term (figure 3)."},
	{ID: "LeaderAppendOnly", Step: leaderAppendOnly,
		Doc: "A leader never overwrites or deletes entries in its log (figure 3)."},
	{ID: "LogMatching", State: logMatching,
		Doc: "Logs with an entry of the same index and term are identical up to there (figure 3)."},
	{ID: "LeaderCompleteness", State: leaderCompleteness,
		Doc: "A committed entry is in the logs of the leaders of all later terms (figure 3)."},
	{ID: "StateMachineSafety", State: stateMachineSafety,
		Doc: "What two servers know to be committed at an index is the same (figure 3)."},
	{ID: "CommitInLog", State: commitInLog,
		Doc: "Every server has what it knows to be committed, and applies nothing else."},
	{ID: "CommittedOnMajority", State: committedOnMajority,
		Doc: "A committed entry is on the disks of a majority of the servers (section 5.3); while these change, on one of each quorum."},
	{ID: "CommitOfOwnTerm", Step: commitOfOwnTerm,
		Doc: "A leader commits by counting replicas only entries of its own term (section 5.4.2)."},
	{ID: "MonotonicTerm", Step: monotonicTerm,
		Doc: "The term that a server has on disk never goes down (figure 2)."},
	{ID: "MonotonicCommit", Step: monotonicCommit,
		Doc: "The commit index that a server has on disk never goes down (figure 2)."},
	{ID: "MonotonicMatch", Step: monotonicMatch,
		Doc: "While a server leads a term, its match indexes never go down (figure 2)."},
	{ID: "NextAboveMatch", State: nextAboveMatch,
		Doc: "A leader's nextIndex for a server is above its matchIndex."},
	{ID: "MatchInLog", State: matchInLog,
		Doc: "What a leader takes for replicated on a server is in that server's log."},
	{ID: "VoteOnce", Step: voteOnce,
		Doc: "A server has one vote in a term on disk (section 5.2)."},
	{ID: "VoteForSelf", State: voteForSelf,
		Doc: "A candidate or leader has voted for itself, and a leader for nobody else."},
	{ID: "LeaderKnown", State: leaderKnown,
		Doc: "A server that knows the leader of its term knows the right one."},
}

func electionSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.Role[i] == Leader && s.Role[j] == Leader && s.Term[i] == s.Term[j] {
				return false
			}
		}
	}
	return true
}

func leaderAppendOnly(s, n *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] == Leader && n.Role[i] == Leader && s.Term[i] == n.Term[i] &&
			overlap(&n.Log[i], n.offset(i), &s.Log[i], s.offset(i)) < s.lastIndex(i) {
			return false
		}
	}
	return true
}

// logMatching: from the end of the shorter log, once the terms agree so do all entries before.
func logMatching(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			agreed := false
			for k := min(s.lastIndex(i), s.lastIndex(j)); k > max(s.offset(i), s.offset(j)); k-- {
				a, b := s.entryAt(i, k), s.entryAt(j, k)
				agreed = agreed || a.Term == b.Term
				if agreed && a != b {
					return false
				}
			}
		}
	}
	return true
}

// leaderCompleteness: what a server knows to be committed was committed in its term or before.
func leaderCompleteness(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader {
			continue
		}
		for j := range Server(Servers) {
			if s.Term[j] <= s.Term[i] && s.common(i, j) < min(s.Commit[j], s.lastIndex(j)) {
				return false
			}
		}
	}
	return true
}

func stateMachineSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			both := min(s.Commit[i], s.Commit[j], s.lastIndex(i), s.lastIndex(j))
			if s.common(i, j) < both {
				return false
			}
		}
	}
	return true
}

func commitInLog(s *State) bool {
	for i := range Server(Servers) {
		if s.Commit[i] > s.lastIndex(i) || s.Applied[i] > s.Commit[i] {
			return false
		}
	}
	return true
}

func committedOnMajority(s *State) bool {
	for i := range Server(Servers) {
		var holders Set
		for j := range Server(Servers) {
			disk := s.onDisk(j).Log
			if overlap(&s.Log[i], s.offset(i), &disk, s.offset(j)) >= min(s.Commit[i], s.lastIndex(i)) {
				holders.Add(j)
			}
		}
		if !s.suffices(holders) {
			return false
		}
	}
	return true
}

// suffices reports whether an entry on that set of servers cannot be lost: the set is a majority.
// Where the configuration changes, an entry that a quorum of an earlier one committed need not be
// on a quorum of the newest. But no quorum of the newest may be without it.
func (s *State) suffices(holders Set) bool {
	if !Membership {
		return majority(holders, Everyone)
	}
	newest := Server(0)
	for i := range Server(Servers) {
		if s.Applied[i] > s.Applied[newest] {
			newest = i
		}
	}
	return !s.isQuorum(newest, Everyone.Minus(holders))
}

func commitOfOwnTerm(s, n *State) bool {
	for i := range Server(Servers) {
		if n.Role[i] == Leader && n.Commit[i] > s.Commit[i] && !n.matchTerm(i, n.Commit[i], n.Term[i]) {
			return false
		}
	}
	return true
}

func monotonicTerm(s, n *State) bool {
	for i := range Server(Servers) {
		if n.onDisk(i).Term < s.onDisk(i).Term {
			return false
		}
	}
	return true
}

func monotonicCommit(s, n *State) bool {
	for i := range Server(Servers) {
		if n.onDisk(i).Commit < s.onDisk(i).Commit {
			return false
		}
	}
	return true
}

func monotonicMatch(s, n *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader || n.Role[i] != Leader || s.Term[i] != n.Term[i] {
			continue
		}
		for j := range Server(Servers) {
			if n.tracks(i, j) && n.Pr[i][j].Match < s.Pr[i][j].Match {
				return false
			}
		}
	}
	return true
}

func nextAboveMatch(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && s.tracks(i, j) && s.Pr[i][j].Next <= s.Pr[i][j].Match {
				return false
			}
		}
	}
	return true
}

// matchInLog: a server that is in a later term may have lost entries that were never committed.
func matchInLog(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && s.Term[j] == s.Term[i] && s.common(i, j) < s.Pr[i][j].Match {
				return false
			}
		}
	}
	return true
}

func voteOnce(s, n *State) bool {
	for i := range Server(Servers) {
		vote := s.onDisk(i).Vote
		if s.onDisk(i).Term == n.onDisk(i).Term && vote != None && n.onDisk(i).Vote != vote {
			return false
		}
	}
	return true
}

func voteForSelf(s *State) bool {
	for i := range Server(Servers) {
		if (s.Role[i] == Candidate || s.Role[i] == Leader) && s.Vote[i] != i {
			return false
		}
	}
	return true
}

func leaderKnown(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[j] == Leader && s.Term[i] == s.Term[j] && s.Lead[i] != None && s.Lead[i] != j {
				return false
			}
		}
	}
	return true
}

var appendsBounded = modules.Invariant[State]{ID: "AppendsBounded", State: fewAppends,
	Doc: "A leader has at most as many unacknowledged appends in flight to a server as MaxInflightMsgs says (etcd pull request 14633)."}

// fewAppends: where appends carry one entry each, those after Match and before Next are in flight.
func fewAppends(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			pr := &s.Pr[i][j]
			if !Batching && Append == "messages" && i != j && s.Role[i] == Leader && pr.State == Replicate && int(pr.Next) > int(pr.Match)+1+MaxInflight {
				return false
			}
		}
	}
	return true
}
