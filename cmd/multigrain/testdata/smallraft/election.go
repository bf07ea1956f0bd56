package smallraft

// campaign asks all servers for their votes in the next term.
func (s *Server) campaign() {
	s.becomeFollower(s.term + 1)
	s.role, s.voted = Candidate, s.id
	s.votes = map[int]bool{s.id: true}
	for _, p := range s.peers {
		if p != s.id {
			s.send(Message{Kind: Vote, To: p, Index: s.lastIndex(), LogTerm: s.termAt(s.lastIndex())})
		}
	}
	s.countVotes()
}

func (s *Server) handleVote(m Message) {
	grant := m.Term == s.term && (s.voted == 0 || s.voted == m.From) && s.upToDate(m)
	if grant {
		s.voted = m.From
	}
	s.send(Message{Kind: VoteResp, To: m.From, Reject: !grant})
}

// upToDate reports whether a candidate's log has all that this server's has committed (section 5.4.1 of the Raft paper).
func (s *Server) upToDate(m Message) bool {
	last := s.termAt(s.lastIndex())
	return m.LogTerm > last || m.LogTerm == last && m.Index >= s.lastIndex()
}

func (s *Server) handleVoteResp(m Message) {
	if s.role != Candidate || m.Term != s.term || m.Reject {
		return
	}
	s.votes[m.From] = true
	s.countVotes()
}

func (s *Server) countVotes() {
	if len(s.votes) < s.majority() {
		return
	}
	s.role = Leader
	s.next, s.match = map[int]uint64{}, map[int]uint64{}
	for _, p := range s.peers {
		s.next[p] = s.lastIndex() + 1
	}
	s.log = append(s.log, Entry{Term: s.term}) // so that something of this term can be committed
	s.match[s.id] = s.lastIndex()
	s.broadcast()
}
