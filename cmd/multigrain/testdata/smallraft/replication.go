package smallraft

import "slices"

// broadcast sends every follower what it lacks.
func (s *Server) broadcast() {
	for _, p := range s.peers {
		if p != s.id {
			s.sendAppend(p)
		}
	}
}

func (s *Server) sendAppend(to int) {
	before := s.next[to] - 1
	s.send(Message{Kind: Append, To: to, Index: before, LogTerm: s.termAt(before), Entries: slices.Clone(s.log[before:]), Commit: s.commit})
}

func (s *Server) handleAppend(m Message) {
	if m.Term < s.term {
		s.send(Message{Kind: AppendResp, To: m.From, Reject: true})
		return
	}
	s.role = Follower
	if m.Index > s.lastIndex() || s.termAt(m.Index) != m.LogTerm {
		s.send(Message{Kind: AppendResp, To: m.From, Reject: true, Index: m.Index})
		return
	}
	for k, e := range m.Entries {
		index := m.Index + uint64(k) + 1
		if s.termAt(index) != e.Term {
			s.log = append(s.log[:index-1], e)
		}
	}
	last := m.Index + uint64(len(m.Entries))
	s.commit = max(s.commit, min(m.Commit, last))
	s.send(Message{Kind: AppendResp, To: m.From, Index: last})
}

func (s *Server) handleAppendResp(m Message) {
	if s.role != Leader || m.Term != s.term {
		return
	}
	if m.Reject {
		s.next[m.From] = max(1, min(s.next[m.From]-1, m.Index))
		s.sendAppend(m.From)
		return
	}
	s.match[m.From] = max(s.match[m.From], m.Index)
	s.next[m.From] = s.match[m.From] + 1
	s.maybeCommit()
}

// maybeCommit commits what a majority has.
func (s *Server) maybeCommit() {
	for index := s.lastIndex(); index > s.commit; index-- {
		if s.replicated(index) {
			s.commit = index
			s.broadcast()
			return
		}
	}
}

// replicated reports whether an entry is on so many servers that it may be committed: of entries of earlier terms that cannot be
// said (section 5.4.2 of the Raft paper, figure 8).
func (s *Server) replicated(index uint64) bool {
	have := 0
	for _, p := range s.peers {
		if s.match[p] >= index {
			have++
		}
	}
	return have >= s.majority() && s.termAt(index) == s.term
}
