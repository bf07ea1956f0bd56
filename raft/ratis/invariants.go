package ratis

import "github.com/multigrain/multigrain/modules"

var invariants = []modules.Invariant[State]{
	{ID: "ElectionSafety", Doc: "At most one leader leads in a term (figure 3).", State: electionSafety},
	{ID: "LogMatching", Doc: "Logs with an entry of the same index and term are identical up to there (figure 3).", State: logMatching},
	{ID: "LeaderAppendOnly", Doc: "A leader only adds to its log (figure 3).", Step: leaderAppendOnly},
	{ID: "CommittedIsReplicated", Doc: "A majority has what a leader commits, when it does (section 5.3).", Step: committedIsReplicated},
	{ID: "CommittedIsSame", Doc: "Servers have the same entries up to the lower one of their commit indexes (figure 3).", State: committedIsSame},
	{ID: "MonotonicTerm", Doc: "The term of a server never goes down (figure 2).", Step: monotonicTerm},
	{ID: "NextAboveMatch", Doc: "A leader's next index for a server is above its match index (figure 2).", State: nextAboveMatch},
	{ID: "MonotonicMatch", Doc: "A leader's match index never goes down (figure 2).", Step: monotonicMatch},
	{ID: "MatchIsTrue", Doc: "A follower in the leader's term has the leader's log up to the match index (figure 2): RATIS-2605.", State: matchIsTrue},
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

func committedIsReplicated(s, n *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader || n.Role[i] != Leader || n.Commit[i] == s.Commit[i] {
			continue
		}
		have := 0
		for j := range Server(Servers) {
			if begins(&n.Log[j], &n.Log[i], int(n.Commit[i])) {
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

func matchIsTrue(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && j != i && s.Term[j] == s.Term[i] && !begins(&s.Log[j], &s.Log[i], int(s.Match[i][j])) {
				return false
			}
		}
	}
	return true
}

// wire is a state constraint: nothing is explored after a state with more than MaxWire calls that
// are not over.
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
