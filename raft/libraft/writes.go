package libraft

// CompleteWrite completes the oldest write of a server. It is a step of the grain writes.
//
// Code: the callback of raft_io.append.
var CompleteWrite = Action[One]{
	Name:   "CompleteWrite",
	Params: each,
	Guard:  func(s *State, p One) bool { return !s.Pending[p.I].Empty() },
	Effect: func(s, n *State, p One) { n.complete(p.I) },
}

// settle completes the write of a step, where that is part of the step.
func (n *State) settle(i Server) {
	if !Writes && !n.Pending[i].Empty() {
		n.complete(i)
	}
}

// complete puts the entries of the oldest write on disk. A leader counts itself, and a follower
// answers the leader that it knows then.
//
// Code: appendLeaderCb, appendFollowerCb, updateLastStored.
func (n *State) complete(i Server) {
	w := n.Pending[i].PopFront()
	n.Disk[i].Truncate(int(w.First) - 1)
	for k := 1; k <= w.Entries.Len(); k++ {
		n.Disk[i].Append(w.Entries.At(k))
	}
	if n.Role[i] == Unavailable && !w.Own {
		return
	}
	still := Number(0) // entries that were not dropped since
	for int(still) < w.Entries.Len() && n.termAt(i, w.First+still) == w.Entries.At(int(still)+1).Term {
		still++
	}
	n.Stored[i] += still
	switch {
	case w.Own && n.Role[i] == Leader:
		n.Match[i][i] = n.Stored[i]
		n.commit(i)
	case !w.Own && n.Role[i] == Follower && still > 0:
		n.follow(i, w.Commit)
		n.acknowledge(i, w.First+Number(w.Entries.Len())-1)
	}
}

// acknowledge tells the leader that i knows what is on disk. It may know none: the term that it has
// now can be a later one than that of the message.
//
// Code: sendAppendEntriesResult.
func (n *State) acknowledge(i Server, last Number) {
	m := Msg{Kind: AppendEntriesResult, Term: n.Term[i], Index: n.Stored[i]}
	if repaired {
		m.Index = min(m.Index, last)
	}
	switch {
	case n.Lead[i] != None:
		n.Net.Send(i, n.Lead[i], m)
	case !repaired:
		n.Raised.Raise(AnswerToNobody)
	}
}
