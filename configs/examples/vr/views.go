package vr

import "github.com/multigrain/multigrain/grains"

// Suspect begins a change to the next view.
var Suspect = Action[One]{
	Name:   "Suspect",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.up(p.I) && !s.leads(p.I) && s.View[p.I] < MaxViews },
	Effect: func(s, n *State, p One) { n.change(p.I, s.View[p.I]+1) },
}

// change lets i take part in a change to a view.
func (n *State) change(i Node, view uint8) {
	n.enter(i, view, Changing)
	n.tell(i, Msg{Kind: CHANGE, View: view})
}

// enter sets view and status of i, and forgets what it knew of others.
func (n *State) enter(i Node, view uint8, status Status) {
	n.View[i] = view
	n.Status[i] = status
	n.Votes[i].Clear()
	n.Answers[i].Clear()
	n.Responses[i].Clear()
	n.Stored[i] = [Replicas]uint8{}
	if status == Normal {
		n.Last[i] = view
	}
}

// Vote takes CHANGE. With those of a quorum, itself among them, a replica sends its log.
var Vote = Action[At]{
	Name:   "Vote",
	Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), CHANGE) && s.joins(p.I, s.Msgs.Peek(p.J, p.I, int(p.K), CHANGE).View)
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), CHANGE)
		if m.View > s.View[p.I] {
			n.change(p.I, m.View)
		}
		had := n.Votes[p.I].With(p.I)
		n.Votes[p.I].Add(p.J)
		if had.IsQuorum(Replicas) || !had.With(p.J).IsQuorum(Replicas) {
			return
		}
		answer := Msg{Kind: DOCHANGE, View: m.View, Last: s.Last[p.I], Log: s.Log[p.I], Commit: s.Commit[p.I]}
		if primaryOf(m.View) == p.I {
			n.collect(p.I, p.I, answer)
		} else {
			n.Msgs.Send(p.I, primaryOf(m.View), answer)
		}
	},
}

// Collect takes DOCHANGE.
var Collect = Action[At]{
	Name:   "Collect",
	Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), DOCHANGE) && s.joins(p.I, s.Msgs.Peek(p.J, p.I, int(p.K), DOCHANGE).View)
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), DOCHANGE)
		if m.View > s.View[p.I] {
			n.change(p.I, m.View)
		}
		n.collect(p.I, p.J, m)
	},
}

// collect counts the answer of j. With a quorum, itself among them, i begins the view.
func (n *State) collect(i, j Node, m Msg) {
	n.Answers[i].Put(j, m)
	if !n.Answers[i].Keys().IsQuorum(Replicas) || !n.Answers[i].Has(i) {
		return
	}
	best := n.Answers[i].At(i)
	commit := best.Commit
	for k := range Node(Replicas) {
		if !n.Answers[i].Has(k) {
			continue
		}
		a := n.Answers[i].At(k)
		commit = max(commit, a.Commit)
		longer := a.Log.Len() > best.Log.Len()
		if Takes == "latest" && (a.Last > best.Last || a.Last == best.Last && longer) {
			best = a
		}
	}
	n.enter(i, n.View[i], Normal)
	n.Log[i] = best.Log
	n.Commit[i] = commit
	n.tell(i, Msg{Kind: START, View: n.View[i], Log: best.Log, Commit: commit})
}

// Start takes START: a backup takes over the log.
var Start = Action[At]{
	Name:   "Start",
	Params: received,
	Guard: func(s *State, p At) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K), START) && s.joins(p.I, s.Msgs.Peek(p.J, p.I, int(p.K), START).View)
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), START)
		n.enter(p.I, m.View, Normal)
		n.Log[p.I] = m.Log
		n.Commit[p.I] = max(s.Commit[p.I], m.Commit)
		if int(n.Commit[p.I]) < m.Log.Len() {
			n.Msgs.Send(p.I, p.J, Msg{Kind: PREPAREOK, View: m.View, Op: uint8(m.Log.Len())})
		}
	},
}

var viewsBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"views"},
	Actions: Actions{&Suspect, &Vote, &Collect, &Start},
}
