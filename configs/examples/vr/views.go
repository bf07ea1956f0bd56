package vr

// Suspect begins a change to the next view.
var Suspect = Action[One]{Name: "Suspect", Params: each,
	Guard:  func(s *State, p One) bool { return !s.Lost.Has(p.I) && !s.leads(p.I) && s.R[p.I].View < MaxViews },
	Effect: func(s, n *State, p One) { n.change(p.I, s.R[p.I].View+1) },
}

// Join takes STARTVIEWCHANGE of a later view.
var Join = Action[In]{Name: "Join", Params: inView,
	Guard:  func(s *State, p In) bool { return !s.Lost.Has(p.I) && s.R[p.I].View < p.K && s.Changes[p.K].Has(p.J) },
	Effect: func(s, n *State, p In) { n.change(p.I, p.K) },
}

// change lets i take part in a change to a view, and send STARTVIEWCHANGE.
func (n *State) change(i Node, view uint8) {
	n.R[i].View, n.Stored[i] = view, [Replicas]uint8{}
	n.Changes[view].Add(i)
}

// Vote takes STARTVIEWCHANGE of a quorum, and sends DOVIEWCHANGE.
var Vote = Action[One]{Name: "Vote", Params: each,
	Guard:  func(s *State, p One) bool { return s.changing(p.I) && s.Changes[s.R[p.I].View].IsQuorum(Replicas) },
	Effect: func(s, n *State, p One) { n.Votes[s.R[p.I].View].Put(p.I, s.R[p.I]) },
}

// Begin takes DOVIEWCHANGE of a quorum S, and sends STARTVIEW: a new primary begins its view.
var Begin = Action[Party]{Name: "Begin", Params: quorums,
	Guard: func(s *State, p Party) bool {
		return s.changing(p.I) && s.primary(p.I) && p.S.Within(s.Votes[s.R[p.I].View].Keys())
	},
	Effect: func(s, n *State, p Party) {
		votes := s.Votes[s.R[p.I].View]
		m := votes.At(p.I)
		for k := range Node(Replicas) {
			if p.S.Has(k) {
				v, commit := votes.At(k), max(m.Commit, votes.At(k).Commit)
				if !OwnLog && (v.Last > m.Last || v.Last == m.Last && v.Log.Len() > m.Log.Len()) {
					m = v
				}
				m.Commit = commit
			}
		}
		m.Last = m.View
		n.become(p.I, m)
		n.Starts[m.View] = m
	},
}

// Start takes STARTVIEW: a backup takes over the log, and sends PREPAREOK.
var Start = Action[In]{Name: "Start", Params: inView,
	Guard: func(s *State, p In) bool {
		return s.Starts[p.K].View == p.K && primaryOf(p.K) == p.J && !s.Lost.Has(p.I) && s.R[p.I].View <= p.K && s.R[p.I].Last < p.K
	},
	Effect: func(s, n *State, p In) {
		m := s.Starts[p.K]
		m.Commit = max(m.Commit, s.R[p.I].Commit)
		n.become(p.I, m)
		n.Oks[p.K][p.I] = uint8(m.Log.Len())
	},
}
