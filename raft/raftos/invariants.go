package raftos

import "github.com/multigrain/multigrain/modules"

var invariants = []modules.Invariant[State]{
	{ID: "ElectionSafety", Doc: "At most one leader leads in a term (figure 3).", State: electionSafety},
	{ID: "LogMatching", Doc: "Logs with an entry of the same index and term are identical up to there (figure 3).", State: logMatching},
	{ID: "LeaderAppendOnly", Doc: "A leader only adds to its log (figure 3).", Step: leaderAppendOnly},
	{ID: "CommittedIsReplicated", Doc: "A majority has what a leader has committed (section 5.3): RaftOS#2, ticket 26.", State: committedIsReplicated},
	{ID: "CommittedIsSame", Doc: "Servers have the same entries up to the lower one of their commit indexes (figure 3).", State: committedIsSame},
	{ID: "MonotonicTerm", Doc: "The term of a server never goes down (figure 2).", Step: monotonicTerm},
	{ID: "NextAboveMatch", Doc: "A leader's next index for a server is above its match index (figure 2).", State: nextAboveMatch},
	{ID: "MonotonicMatch", Doc: "A leader's match index never goes down (figure 2): RaftOS#1, ticket 25.", Step: monotonicMatch},
	{ID: "CommitsOwnTerm", Doc: "A leader commits up to an entry of its term (section 5.4.2).", Step: commitsOwnTerm},
	{ID: "CommitProgress", Doc: "A leader whose match index changes commits an entry of its term that a majority has: RaftOS#4, pull request 30.", Step: commitProgress},
	{ID: "Exception", Instance: "request-id", Raises: modules.Bit(NoRequestID),
		Doc: "No leader reads the request_id of an answer that has none: RaftOS#3, ticket 27 (state.py, 0.2.6)."},
	{ID: "Exception", Instance: "commit", Raises: modules.Bit(CommitBeyondLog),
		Doc: "No server applies an entry that its log lacks (state.py validate_commit_index, 0.2.6)."},
	{ID: "Exception", Instance: "next", Raises: modules.Bit(NextBeyondLog),
		Doc: "No leader sends from after the end of its log (state.py Leader.append_entries, 0.2.6)."},
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

func logMatching(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			same := true
			for k := 1; k <= min(s.Log[i].Len(), s.Log[j].Len()); k++ {
				a, b := s.Log[i].At(k), s.Log[j].At(k)
				same = same && a == b
				if a.Term == b.Term && !same {
					return false
				}
			}
		}
	}
	return true
}

func leaderAppendOnly(s, n *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] == Leader && n.Role[i] == Leader && s.Term[i] == n.Term[i] && !begins(&n.Log[i], &s.Log[i], s.Log[i].Len()) {
			return false
		}
	}
	return true
}

// begins reports whether a log begins with the first n entries of another one, which has them.
func begins(l, of *Log, n int) bool {
	if l.Len() < n {
		return false
	}
	for k := 1; k <= n; k++ {
		if l.At(k) != of.At(k) {
			return false
		}
	}
	return true
}

func committedIsReplicated(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader {
			continue
		}
		have := 0
		for j := range Server(Servers) {
			if begins(&s.Log[j], &s.Log[i], min(int(s.Commit[i]), s.Log[i].Len())) {
				have++
			}
		}
		if have < Quorum {
			return false
		}
	}
	return true
}

func committedIsSame(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			both := min(int(s.Commit[i]), int(s.Commit[j]), s.Log[i].Len(), s.Log[j].Len())
			if !begins(&s.Log[i], &s.Log[j], both) {
				return false
			}
		}
	}
	return true
}

func monotonicTerm(s, n *State) bool {
	for i := range Server(Servers) {
		if n.Term[i] < s.Term[i] {
			return false
		}
	}
	return true
}

func nextAboveMatch(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && j != i && s.Next[i][j] <= s.Match[i][j] {
				return false
			}
		}
	}
	return true
}

func monotonicMatch(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && n.Role[i] == Leader && s.Term[i] == n.Term[i] && n.Match[i][j] < s.Match[i][j] {
				return false
			}
		}
	}
	return true
}

func commitsOwnTerm(s, n *State) bool {
	for i := range Server(Servers) {
		if n.Role[i] == Leader && s.Role[i] == Leader && n.Commit[i] > s.Commit[i] && n.termAt(i, n.Commit[i]) != n.Term[i] {
			return false
		}
	}
	return true
}

func commitProgress(s, n *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader || n.Role[i] != Leader || s.Match[i] == n.Match[i] {
			continue
		}
		for k := n.Commit[i] + 1; k <= n.last(i); k++ {
			have := 1
			for j := range Server(Servers) {
				if j != i && n.Match[i][j] >= k {
					have++
				}
			}
			if have >= Quorum && n.termAt(i, k) == n.Term[i] {
				return false
			}
		}
	}
	return true
}

// wire is a state constraint: nothing is explored after a state with more than MaxWire messages in
// flight.
func wire(s *State) bool {
	total := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i != j {
				total += s.Net.Len(i, j)
			}
		}
	}
	return total <= MaxWire
}
