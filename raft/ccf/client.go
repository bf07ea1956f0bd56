package ccf

// ClientRequest appends what a client requests. A log has at most MaxRequests requests.
//
// TLA+: MCClientRequest of MCccfraft.tla. Code: raft.h replicate.
var ClientRequest = Action[One]{
	Name:   "ClientRequest",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.mayAppend(p.I) && (Judged || s.requests(p.I) < MaxRequests)
	},
	Effect: func(s, n *State, p One) {
		n.Log[p.I].Append(Entry{Term: s.CurrentTerm[p.I], Type: TypeEntry})
	},
}

// requests returns the number of requests in i's log.
func (s *State) requests(i Server) (count int) {
	for k := 1; k <= s.Log[i].Len(); k++ {
		if s.Log[i].At(k).Type == TypeEntry {
			count++
		}
	}
	return count
}
