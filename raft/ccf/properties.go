package ccf

func committedLogAppendOnly(s, n *State) bool {
	for i := range Server(Servers) {
		was, is := s.committedLog(i), n.committedLog(i)
		if !is.HasPrefix(&was) {
			return false
		}
	}
	return true
}

func monotonicCommitIndex(s, n *State) bool {
	for i := range Server(Servers) {
		if n.CommitIndex[i] < s.CommitIndex[i] {
			return false
		}
	}
	return true
}

func monotonicTerm(s, n *State) bool {
	for i := range Server(Servers) {
		if n.CurrentTerm[i] < s.CurrentTerm[i] {
			return false
		}
	}
	return true
}

func monotonicMatchIndex(s, n *State) bool {
	for i := range Server(Servers) {
		if s.LeadershipState[i] == Candidate && n.LeadershipState[i] == Leader {
			continue
		}
		for j := range Server(Servers) {
			if n.MatchIndex[i][j] < s.MatchIndex[i][j] {
				return false
			}
		}
	}
	return true
}

func permittedLogChanges(s, n *State) bool {
	for i := range Server(Servers) {
		if s.Log[i] == n.Log[i] || n.LeadershipState[i] == None || n.LeadershipState[i] == Follower {
			continue
		}
		signed := s.Log[i].Prefix(int(committable(&s.Log[i])))
		adds := s.LeadershipState[i] == Leader && n.LeadershipState[i] == Leader && n.Log[i].HasPrefix(&s.Log[i])
		elected := s.LeadershipState[i] == Candidate && n.LeadershipState[i] == Leader && n.Log[i] == signed
		if !adds && !elected {
			return false
		}
	}
	return true
}

func stateTransitions(s, n *State) bool {
	for i := range Server(Servers) {
		if !mayBecome(s.LeadershipState[i], n.LeadershipState[i], s.PreVoteStatus[i] == PreVoteEnabled) {
			return false
		}
	}
	return true
}

// mayBecome reports whether figure 1 of the paper has a transition, or the role stays.
func mayBecome(from, to Leadership, preVote bool) bool {
	if from == to {
		return preVote || from != PreVoteCandidate
	}
	switch from {
	case None, Leader:
		return to == Follower
	case Follower:
		return to == Candidate || preVote && to == PreVoteCandidate
	case PreVoteCandidate:
		return preVote && (to == Follower || to == Candidate)
	case Candidate:
		return to == Follower || to == Leader || preVote && to == PreVoteCandidate
	}
	return false
}

func membershipStateTransitions(s, n *State) bool {
	for i := range Server(Servers) {
		if s.MembershipState[i] == RetiredCommitted && n.MembershipState[i] != RetiredCommitted {
			return false
		}
	}
	return true
}

func pendingBecomesFollower(s, n *State) bool {
	for i := range Server(Servers) {
		if s.LeadershipState[i] == None && n.nodes(i).Has(i) && n.LeadershipState[i] != Follower {
			return false
		}
	}
	return true
}

func neverCommitEntryPrevTerms(s, n *State) bool {
	for i := range Server(Servers) {
		k := n.CommitIndex[i]
		if s.LeadershipState[i] == Leader && k > s.CommitIndex[i] && s.termAt(i, k) != n.CurrentTerm[i] {
			return false
		}
	}
	return true
}

func votesGrantedMonotonic(s, n *State) bool {
	for i := range Server(Servers) {
		same := s.LeadershipState[i] == n.LeadershipState[i] && s.CurrentTerm[i] == n.CurrentTerm[i]
		if same && !s.VotesGranted[i].Within(n.VotesGranted[i]) {
			return false
		}
	}
	return true
}

// refinementToAbs says that a step is one of abs.tla, or changes the terms of no committed log.
//
// TLA+: abs.tla Copy, ExtendAxiom, CopyMaxAndExtendAxiom.
func refinementToAbs(s, n *State) bool {
	changed := Nil
	longest := Server(0)
	for i := range Server(Servers) {
		if s.CommitIndex[i] > s.CommitIndex[longest] {
			longest = i
		}
		if s.CommitIndex[i] == n.CommitIndex[i] && s.termsBegin(i, n, i, s.CommitIndex[i]) {
			continue
		}
		if changed != Nil {
			return false
		}
		changed = i
	}
	if changed == Nil {
		return true
	}
	return s.copies(n, changed) || s.extendsLongest(n, changed)
}

// termsBegin reports whether the first k terms of i's log are those of j's log in another state,
// which has them.
func (s *State) termsBegin(i Server, of *State, j Server, k Number) bool {
	if of.last(j) < k {
		return false
	}
	for x := Number(1); x <= k; x++ {
		if s.termAt(i, x) != of.termAt(j, x) {
			return false
		}
	}
	return true
}

// copies reports whether i's committed log gets more of another node's longer one.
func (s *State) copies(n *State, i Server) bool {
	was, is := s.CommitIndex[i], n.CommitIndex[i]
	for j := range Server(Servers) {
		if is <= was || is > s.CommitIndex[j] || !s.termsBegin(i, n, i, was) {
			continue
		}
		same := true
		for x := was + 1; x <= is; x++ {
			same = same && s.termAt(j, x) == n.termAt(i, x)
		}
		if same {
			return true
		}
	}
	return false
}

// extendsLongest reports whether i's committed log becomes one of the longest ones, or more.
func (s *State) extendsLongest(n *State, i Server) bool {
	for j := range Server(Servers) {
		isLongest := true
		for k := range Server(Servers) {
			isLongest = isLongest && s.CommitIndex[k] <= s.CommitIndex[j]
		}
		if isLongest && s.CommitIndex[j] <= n.CommitIndex[i] && s.termsBegin(j, n, i, s.CommitIndex[j]) {
			return true
		}
	}
	return false
}
