package wraft

// Compact lets a server replace what it has committed by a snapshot. A leader sends it to who
// lacks entries.
//
// Section 7. Code: raft_begin_snapshot, raft_end_snapshot, raft_get_num_snapshottable_logs.
var Compact = Action[One]{
	Name:   "Compact",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Log[p.I].Len() > 1 && s.Commit[p.I] > s.Base[p.I] },
	Effect: func(s, n *State, p One) {
		n.SnapIndex[p.I] = s.Commit[p.I]
		n.SnapTerm[p.I] = s.termAt(p.I, s.Commit[p.I])
		for n.Base[p.I] < s.Commit[p.I] {
			n.Log[p.I].PopFront()
			n.Base[p.I]++
		}
		for j := range Server(Servers) {
			if s.Role[p.I] == Leader && j != p.I && n.needsSnapshot(p.I, j) {
				n.sendSnapshot(p.I, j)
			}
		}
	},
}

// needsSnapshot reports whether i sends its snapshot to j. The entry of the snapshot's own index is
// not there either.
func (s *State) needsSnapshot(i, j Server) bool {
	return s.Next[i][j] < s.SnapIndex[i] || repairsSend && s.Next[i][j] == s.SnapIndex[i]
}

func (n *State) sendSnapshot(i, j Server) {
	n.send(i, j, Msg{Kind: Snapshot, Term: n.Term[i], Index: n.SnapIndex[i], LogTerm: n.SnapTerm[i]})
}

// HandleSnapshot replaces the log by a snapshot, which also sets the term. Who has a longer log
// refuses it, whatever the log has.
//
// Section 7. Code: raft_begin_load_snapshot, log_load_from_snapshot.
var HandleSnapshot = Action[Pair]{
	Name:   "HandleSnapshot",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.Net.Is(p.J, p.I, Snapshot) },
	Effect: func(s, n *State, p Pair) {
		m := n.Net.Recv(p.J, p.I, Snapshot)
		answer := Msg{Kind: AppendEntriesResponse, Index: s.last(p.I)}
		switch {
		case m.Term < s.Term[p.I] || s.refuses(p.I, &m):
		case repairsRefuse && s.knows(p.I, m.Index, m.LogTerm):
			answer.Index = m.Index
			answer.Success = true
		default:
			n.load(p.I, &m)
			answer.Index = m.Index
			answer.Success = true
		}
		answer.Term = n.Term[p.I]
		n.send(p.I, p.J, answer)
	},
}

// refuses reports whether raft_begin_load_snapshot has an error for a snapshot.
func (s *State) refuses(i Server, m *Msg) bool {
	if repairsRefuse {
		return m.Index < s.SnapIndex[i]
	}
	return m.Index < s.last(i) || m.Index == s.SnapIndex[i] && m.LogTerm == s.SnapTerm[i]
}

func (n *State) load(i Server, m *Msg) {
	n.become(i, Follower)
	if !repairsTerm || m.LogTerm > n.Term[i] {
		n.Term[i] = m.LogTerm
		n.Vote[i] = None
	}
	n.Log[i].Clear()
	n.Base[i] = m.Index
	n.SnapIndex[i] = m.Index
	n.SnapTerm[i] = m.LogTerm
	n.Commit[i] = max(n.Commit[i], m.Index)
}
