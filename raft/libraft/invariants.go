package libraft

import "github.com/multigrain/multigrain/modules"

var invariants = []modules.Invariant[State]{
	{ID: "ElectionSafety", Doc: "At most one leader leads in a term (figure 3).", State: electionSafety},
	{ID: "LogMatching", Doc: "Logs with an entry of the same index and term are identical up to there (figure 3).", State: logMatching},
	{ID: "LeaderAppendOnly", Doc: "A leader only adds to its log (figure 3).", Step: leaderAppendOnly},
	{ID: "LeaderCompleteness", Doc: "A leader has what servers of no later term know to be committed (figure 3).", State: leaderCompleteness},
	{ID: "StateMachineSafety", Doc: "Of two state machines, one got the commands that the other got first (figure 3).", State: stateMachineSafety},
	{ID: "CommittedIsReplicated", Doc: "A majority has what a leader has committed (section 5.3).", State: committedIsReplicated},
	{ID: "MonotonicTerm", Doc: "The term of a server never goes down (figure 2).", Step: monotonicTerm},
	{ID: "NextAboveMatch", Doc: "A leader's next index for a server is above its match index (figure 2).", State: nextAboveMatch},
	{ID: "MonotonicMatch", Doc: "A leader's match index never goes down (figure 2).", Step: monotonicMatch},
	{ID: "MatchIsOnDisk", Doc: "A server has the leader's entries up to the match index on its disk (section 5.3).", State: matchIsOnDisk},
	{ID: "CommitsOwnTerm", Doc: "A leader commits up to an entry of its term (section 5.4.2).", Step: commitsOwnTerm},
	{ID: "StaysAvailable", Doc: "No server meets an append that would drop what it has committed (replication.c, RAFT_SHUTDOWN).", State: staysAvailable},
	{ID: "Answers", Instance: "nobody", Raises: modules.Bit(AnswerToNobody),
		Doc: "No follower answers server 0 (replication.c sendAppendEntriesResult, 0.15.0)."},
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

func leaderCompleteness(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && s.Term[j] <= s.Term[i] && !begins(&s.Log[i], &s.Log[j], int(s.Commit[j])) {
				return false
			}
		}
	}
	return true
}

func stateMachineSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			for k := 1; k <= min(s.Done[i].Len(), s.Done[j].Len()); k++ {
				if s.Done[i].At(k) != s.Done[j].At(k) {
					return false
				}
			}
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
			if s.Term[j] > s.Term[i] || begins(&s.Log[j], &s.Log[i], int(s.Commit[i])) {
				have++ // a server of a later term may have dropped what another leader replaced
			}
		}
		if have < Quorum {
			return false
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

// matchIsOnDisk leaves servers of a later term out: another leader may have replaced their entries.
func matchIsOnDisk(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && s.Term[j] <= s.Term[i] && !begins(&s.Disk[j], &s.Log[i], int(s.Match[i][j])) {
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

func staysAvailable(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] == Unavailable {
			return false
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
