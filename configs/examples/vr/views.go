package vr

import "github.com/multigrain/multigrain/grains"

// Suspect begins a change to the next view.
var Suspect = Action[One]{
	Name:   "Suspect",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.up(p.I) && !s.leads(p.I) && s.R[p.I].View < MaxViews },
	Effect: func(s, n *State, p One) { n.change(p.I, s.R[p.I].View+1) },
}

// Join takes STARTVIEWCHANGE of a later view.
var Join = Action[In]{
	Name:   "Join",
	Params: inView,
	Guard:  func(s *State, p In) bool { return s.up(p.I) && s.R[p.I].View < p.K && s.Changes[p.K].Has(p.J) },
	Effect: func(s, n *State, p In) { n.change(p.I, p.K) },
}

// change lets i take part in a change to a view, and send STARTVIEWCHANGE.
func (n *State) change(i Node, view uint8) {
	r := &n.R[i]
	r.Status = Changing
	r.View = view
	r.Stored = [Replicas]uint8{}
	n.Changes[view].Add(i)
}

// Vote takes STARTVIEWCHANGE of a quorum, and sends DOVIEWCHANGE.
var Vote = Action[One]{
	Name:   "Vote",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.R[p.I].Status == Changing && s.Changes[s.R[p.I].View].IsQuorum(Replicas)
	},
	Effect: func(s, n *State, p One) {
		r := s.R[p.I]
		n.Votes[r.View].Put(p.I, Letter{View: r.View, Last: r.Last, Commit: r.Commit, Log: r.Log})
	},
}

// Begin takes DOVIEWCHANGE of a quorum S, and sends STARTVIEW: a new primary begins its view.
var Begin = Action[Party]{
	Name:   "Begin",
	Params: quorums,
	Guard: func(s *State, p Party) bool {
		view := s.R[p.I].View
		return s.R[p.I].Status == Changing && primaryOf(view) == p.I && p.S.Within(s.Votes[view].Keys())
	},
	Effect: func(s, n *State, p Party) {
		votes := s.Votes[s.R[p.I].View]
		best := votes.At(p.I)
		commit := best.Commit
		for k := range Node(Replicas) {
			if !p.S.Has(k) {
				continue
			}
			v := votes.At(k)
			commit = max(commit, v.Commit)
			longer := v.Log.Len() > best.Log.Len()
			if Takes == "latest" && (v.Last > best.Last || v.Last == best.Last && longer) {
				best = v
			}
		}
		m := Letter{View: s.R[p.I].View, Commit: commit, Log: best.Log}
		n.enter(p.I, m)
		n.Starts[m.View] = m
	},
}

// enter lets i take over view and log of a message.
func (n *State) enter(i Node, m Letter) {
	commit := max(n.R[i].Commit, m.Commit)
	n.R[i] = Replica{View: m.View, Last: m.View, Commit: commit, Nonce: n.R[i].Nonce, Log: m.Log}
}

// Start takes STARTVIEW: a backup takes over the log, and sends PREPAREOK.
var Start = Action[In]{
	Name:   "Start",
	Params: inView,
	Guard: func(s *State, p In) bool {
		r := &s.R[p.I]
		return s.Starts[p.K].View == p.K && primaryOf(p.K) == p.J && s.up(p.I) &&
			(r.View < p.K || r.View == p.K && r.Status == Changing)
	},
	Effect: func(s, n *State, p In) {
		m := s.Starts[p.K]
		n.enter(p.I, m)
		n.Oks[p.K][p.I] = uint8(m.Log.Len())
	},
}

var viewsBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"views"},
	Actions: Actions{&Suspect, &Join, &Vote, &Begin, &Start},
}
