package reference

// ElectionSafety: at most one leader in a term. RaftS ElectionSafety; figure 3, "Election Safety".
func ElectionSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.Role[i] == Leader && s.Role[j] == Leader && s.Term[i] == s.Term[j] {
				return false
			}
		}
	}
	return true
}

// LogMatching: entries of the same index and term are equal. RaftS LogMatching; figure 3, "Log
// Matching", without its part on the entries before.
func LogMatching(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			for k := 1; k <= min(s.Log[i].Len(), s.Log[j].Len()); k++ {
				a, b := s.Log[i].At(k), s.Log[j].At(k)
				if a.Term == b.Term && a != b {
					return false
				}
			}
		}
	}
	return true
}

// CommitAgree: what two servers both know to be committed is the same. RaftS CommitAgree; figure 3,
// "State Machine Safety".
func CommitAgree(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			for k := 1; k <= int(min(s.Commit[i], s.Commit[j])); k++ {
				if s.Log[i].At(k) != s.Log[j].At(k) {
					return false
				}
			}
		}
	}
	return true
}
