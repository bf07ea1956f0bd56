package wraft

import "github.com/multigrain/multigrain/modules"

var invariants = []modules.Invariant[State]{
	{ID: "ElectionSafety", Doc: "At most one leader leads in a term (figure 3).", State: electionSafety},
	{ID: "CommittedIsReplicated", Doc: "A majority has what a leader has committed (section 5.3): WRaft#1.", State: committedIsReplicated},
	{ID: "CommittedIsSame", Doc: "Servers have the same entry at an index that both have committed (figure 3): WRaft#2.", State: committedIsSame},
	{ID: "MonotonicTerm", Doc: "The term of a server never goes down (figure 2): WRaft#4.", Step: monotonicTerm},
	{ID: "MonotonicCommit", Doc: "The commit index of a server never goes down (figure 2).", Step: monotonicCommit},
	{ID: "MonotonicMatch", Doc: "A leader's match index never goes down (figure 2).", Step: monotonicMatch},
	{ID: "NextAboveMatch", Doc: "A leader's next index for a server is above its match index (figure 2): WRaft#7.", State: nextAboveMatch},
	{ID: "RetryHasEntries", Doc: "What a leader sends after a refusal has entries, or is a snapshot (section 5.3): WRaft#5.", Step: retryHasEntries},
	{ID: "RefusedIsKnown", Doc: "Who refuses a snapshot of its term has its last entry (section 7): WRaft#3.", Step: refusedIsKnown},
	{ID: "BeatReachesAll", Doc: "A round of heartbeats that reaches a server reaches all that are connected (section 5.2): WRaft#8.", Step: beatReachesAll},
	{ID: "CandidateHasTerm", Doc: "A candidate with entries tells the term of the last one (section 5.4.1): WRaft#9.", State: candidateHasTerm},
	{ID: "Assert", Instance: "commit", Raises: modules.Bit(CommitBeyondLog),
		Doc: "No server commits beyond its log (raft_server_properties.c, raft_set_commit_idx)."},
	{ID: "Assert", Instance: "acknowledged", Raises: modules.Bit(AckBeyondLog),
		Doc: "Nobody acknowledges what the leader does not have (raft_server.c, raft_recv_appendentries_response)."},
	{ID: "Assert", Instance: "next", Raises: modules.Bit(NextIsZero),
		Doc: "No next index is 0 (raft_log.c, log_get_from_idx)."},
	{ID: "Shutdown", Instance: "snapshot", Raises: modules.Bit(ConflictsSnapshot),
		Doc: "No append conflicts with the last entry of a snapshot (raft_server.c, RAFT_ERR_SHUTDOWN)."},
	{ID: "Shutdown", Instance: "committed", Raises: modules.Bit(ConflictsCommit),
		Doc: "No append conflicts with a committed entry (raft_server.c, RAFT_ERR_SHUTDOWN)."},
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

// committedIsReplicated compares what is in both logs. What is compacted is not there to compare.
func committedIsReplicated(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader {
			continue
		}
		have := 0
		for j := range Server(Servers) {
			if s.last(j) >= s.Commit[i] && s.agree(i, j, s.Commit[i]) {
				have++
			}
		}
		if have < Quorum {
			return false
		}
	}
	return true
}

// agree reports whether i and j have the same entries up to index k, where both logs have them.
func (s *State) agree(i, j Server, k Number) bool {
	for ; k > 0; k-- {
		if s.has(i, k) && s.has(j, k) && s.Log[i].At(int(k-s.Base[i])) != s.Log[j].At(int(k-s.Base[j])) {
			return false
		}
	}
	return true
}

func committedIsSame(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			both := min(s.Commit[i], s.Commit[j])
			if !s.agree(i, j, both) || s.SnapIndex[i] > 0 && s.SnapIndex[i] <= both && !s.knows(j, s.SnapIndex[i], s.SnapTerm[i]) {
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

func monotonicCommit(s, n *State) bool {
	for i := range Server(Servers) {
		if n.Commit[i] < s.Commit[i] {
			return false
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

// received returns the message that a step takes from the channel of j to i, if it takes one.
func received(s, n *State, j, i Server, k Kind) (Msg, bool) {
	if !s.Net.Is(j, i, k) || n.Net.Len(j, i) >= s.Net.Len(j, i) {
		return Msg{}, false
	}
	return s.Net.Head(j, i), true
}

// sent returns the last message that a step puts into the channel of i to j, if it puts one there.
func sent(s, n *State, i, j Server) (Msg, bool) {
	k := n.Net.Len(i, j)
	if k <= s.Net.Len(i, j) {
		return Msg{}, false
	}
	return n.Net.At(i, j, k), true
}

func retryHasEntries(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			answer, got := received(s, n, j, i, AppendEntriesResponse)
			again, put := sent(s, n, i, j)
			if got && put && !answer.Success && again.Kind == AppendEntries && again.Entries.Empty() {
				return false
			}
		}
	}
	return true
}

func refusedIsKnown(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			m, got := received(s, n, j, i, Snapshot)
			answer, put := sent(s, n, i, j)
			if got && put && !answer.Success && m.Term >= s.Term[i] && !s.knows(i, m.Index, m.LogTerm) {
				return false
			}
		}
	}
	return true
}

// beatReachesAll is about steps that change only channels: rounds of heartbeats.
func beatReachesAll(s, n *State) bool {
	total := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if n.Net.Len(i, j) < s.Net.Len(i, j) || s.Term[i] != n.Term[i] || s.last(i) != n.last(i) || s.Base[i] != n.Base[i] {
				return true
			}
			total += n.Net.Len(i, j) - s.Net.Len(i, j)
		}
	}
	if total == 0 {
		return true
	}
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if _, put := sent(s, n, i, j); put {
				return total == n.connected(i)
			}
		}
	}
	return true
}

// connected returns how many servers i can send to.
func (s *State) connected(i Server) int {
	count := 0
	for j := range Server(Servers) {
		if j != i && !s.Away[i] && !s.Away[j] {
			count++
		}
	}
	return count
}

func candidateHasTerm(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Net.Is(i, j, RequestVote) {
				if m := s.Net.Peek(i, j, RequestVote); m.Index > 0 && m.LogTerm == 0 {
					return false
				}
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
