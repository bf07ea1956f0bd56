package events

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

// leaderCompleteness: what a server knows to be committed was committed in its term or before.
func leaderCompleteness(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.Role[i] == Leader && s.Term[j] <= s.Term[i] && s.common(s.Log[i], s.Log[j]).Index < s.Commit[j] {
				return false
			}
		}
	}
	return true
}

func stateMachineSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.common(s.Log[i], s.Log[j]).Index < min(s.Commit[i], s.Commit[j]) {
				return false
			}
		}
	}
	return true
}

func commitInLog(s *State) bool {
	for i := range Server(Servers) {
		if s.Commit[i] > s.Log[i].Index {
			return false
		}
	}
	return true
}
