package ccf

func logConfigurationConsistent(s *State) bool {
	for i := range Server(Servers) {
		q := &s.Configurations[i]
		if s.LeadershipState[i] == None || s.LeadershipState[i] == Follower && q.Empty() {
			continue
		}
		if !s.configurationsAreOfLog(i) {
			return false
		}
		if q.Len() > 1 && s.CommitIndex[i] >= q.At(2).Index {
			return false
		}
		for k := 1; k <= s.Log[i].Len(); k++ {
			if s.Log[i].At(k).Type != TypeReconfiguration {
				continue
			}
			committed := Number(k) <= s.CommitIndex[i]
			if committed && !q.Empty() && Number(k) > q.At(1).Index || !committed && !s.isActive(i, Number(k)) {
				return false
			}
		}
	}
	return true
}

// configurationsAreOfLog reports whether i's log has the entries of its active configurations. One
// that nodes were given together has index 0 and no entry.
func (s *State) configurationsAreOfLog(i Server) bool {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		c := s.Configurations[i].At(k)
		if Initial == "any" && c.Index == 0 {
			continue
		}
		if c.Index > s.last(i) {
			return false
		}
		if e := s.Log[i].At(int(c.Index)); e.Type != TypeReconfiguration || e.Nodes != c.Nodes {
			return false
		}
	}
	return true
}

// isActive reports whether i has an active configuration of an index.
func (s *State) isActive(i Server, index Number) bool {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if s.Configurations[i].At(k).Index == index {
			return true
		}
	}
	return false
}

func membershipStateConsistent(s *State) bool {
	for i := range Server(Servers) {
		at := retirementIndex(&s.Log[i], i)
		signed := committable(&s.Log[i])
		noted := isRetiredCommitted(&s.Log[i], s.CommitIndex[i], i)
		ok := false
		switch s.MembershipState[i] {
		case Active:
			ok = at == 0
		case RetirementOrdered:
			ok = at != 0 && at > signed
		case RetirementSigned:
			ok = at != 0 && at <= signed
		case RetirementCompleted:
			ok = at != 0 && at <= s.CommitIndex[i] && !noted
		case RetiredCommitted:
			ok = at != 0 && at <= s.CommitIndex[i] && noted && s.LeadershipState[i] != Candidate && s.LeadershipState[i] != Leader
		}
		if !ok {
			return false
		}
	}
	return true
}

func commitCommittable(s *State) bool {
	for i := range Server(Servers) {
		k := s.CommitIndex[i]
		if k == 0 && committable(&s.Log[i]) != 0 || k != 0 && (k > s.last(i) || s.Log[i].At(int(k)).Type != TypeSignature) {
			return false
		}
	}
	return true
}

func replication(s *State) bool {
	longest := Number(0)
	for i := range Server(Servers) {
		longest = max(longest, s.CommitIndex[i])
	}
	for i := range Server(Servers) {
		if s.CommitIndex[i] == longest && s.isReplicated(i) {
			return true
		}
	}
	return false
}

// isReplicated reports whether a quorum of the last configuration that i has committed has what i
// has committed.
func (s *State) isReplicated(i Server) bool {
	committed := s.committedLog(i)
	last := s.lastConfiguration(i)
	have := Nodes(0)
	for j := range Server(Servers) {
		if s.Log[j].HasPrefix(&committed) {
			have.Add(j)
		}
	}
	return last != 0 && quorum(have, last)
}

func retiredCommitted(s *State) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.Log[i].Len(); k++ {
			e := s.Log[i].At(k)
			if e.Type != TypeRetired {
				continue
			}
			for j := range Server(Servers) {
				at := retirementIndex(&s.Log[i], j)
				if e.Nodes.Has(j) && (at == 0 || at > Number(k) || at > s.CommitIndex[i]) {
					return false
				}
			}
		}
	}
	return true
}

func completedNotInConfigurations(s *State) bool {
	for i := range Server(Servers) {
		if s.nodes(i).Intersects(s.RetirementCompleted[i]) {
			return false
		}
	}
	return true
}

func completedAreCompleted(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.RetirementCompleted[i].Has(j) && membership(&s.Log[i], s.CommitIndex[i], j) != RetirementCompleted {
				return false
			}
		}
	}
	return true
}

func matchBelowSent(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if s.LeadershipState[i] == Leader && s.SentIndex[i][j] < s.MatchIndex[i][j] {
				return false
			}
		}
	}
	return true
}
