package events

// before returns the log that is left of p when the entries of its last term are taken away.
func (s *State) before(p Position) Position {
	if s.First[p.Term] == 0 {
		return Position{}
	}
	return Position{s.First[p.Term] - 1, s.Before[p.Term]}
}

// upTo returns the log p up to index k.
func (s *State) upTo(p Position, k uint16) Position {
	for p.Index > k {
		if s.First[p.Term] <= k && s.First[p.Term] > 0 {
			p.Index = k
			break
		}
		p = s.before(p)
	}
	return p
}

// termAt returns the term of the entry at index k of the log p, 0 where there is none.
func (s *State) termAt(p Position, k uint16) uint16 {
	if k == 0 || k > p.Index {
		return 0
	}
	return s.upTo(p, k).Term
}

// common returns the longest common prefix of two logs.
func (s *State) common(p, q Position) Position {
	for p != q {
		switch {
		case p.Term == q.Term:
			p.Index = min(p.Index, q.Index)
			return p
		case p.Term > q.Term:
			p = s.before(p)
		default:
			q = s.before(q)
		}
	}
	return p
}

// isUpToDate reports whether a log that ends with q is at least as up to date as i's. log.go
// isUpToDate; section 5.4.1.
func (s *State) isUpToDate(i Server, q Position) bool {
	return q.Term > s.Log[i].Term || q.Term == s.Log[i].Term && q.Index >= s.Log[i].Index
}

// conflict returns the hint of a rejection: the last entry up to index k whose term is at most the
// given one. log.go findConflictByTerm.
func (s *State) conflict(i Server, k, term uint16) Position {
	p := s.upTo(s.Log[i], k)
	for p.Index > 0 && p.Term > term {
		p = s.before(p)
	}
	return p
}

// append puts n entries of i's term after its log.
func (n *State) append(i Server, entries uint16) {
	t := n.Term[i]
	if n.First[t] == 0 {
		n.First[t], n.Before[t] = n.Log[i].Index+1, n.Log[i].Term
	}
	n.Log[i] = Position{n.Log[i].Index + entries, t}
}
