package zab

// electionFinished reports whether a quorum with leader i itself has acknowledged its epoch:
// Leader.electionFinished.
func (s *State) electionFinished(i Server) bool {
	q := Set(0)
	for k := range Server(Servers) {
		if s.Electing[i].Has(k) && s.Electing[i].At(k).InQuorum {
			q.Add(k)
		}
	}
	return q.Has(i) && q.IsQuorum(Servers)
}

func quorumFormed(i Server, acks Set) bool { return acks.Has(i) && acks.IsQuorum(Servers) }

func mayTakeFirstACK(s *State, p Pair) bool {
	return s.leads(p.I, p.J) && !s.AckldRecv[p.I].Connected.Has(p.J) && s.Msgs.Is(p.J, p.I, ACKLD, ACK)
}

func isNextACK(s *State, p Pair) bool {
	return s.leads(p.I, p.J) && s.ZabState[p.I] == BROADCAST && s.AckldRecv[p.I].Connected.Has(p.J) &&
		s.Msgs.Is(p.J, p.I, ACK, ACKLD)
}

// ackIsOld reports whether an ACK of z changes nothing at leader i: it is of UPTODATE, nothing is
// outstanding, or z is committed.
func (s *State) ackIsOld(i Server, z Zxid) bool {
	done := s.committedByLeader(i)
	return z.Counter == 0 || done == s.History[i].Len() || !z.After(zxidAt(&s.History[i], done))
}

// ackIsUnknown reports whether leader i has no proposal z that it could count an ACK for.
func (s *State) ackIsUnknown(i Server, z Zxid) bool {
	return !s.ackIsOld(i, z) && position(&s.History[i], z) > s.History[i].Len()
}
