package events

// Mail is a message that i sends or receives, and its peer.
type Mail struct {
	I, J                                        Server
	Kind                                        Kind
	Term, Index, LogTerm, Commit, Entries, Hint uint16
	Reject                                      bool
}

// observed is the domain of parameters that are bound from events and not enumerated.
func observed[P any](func(P) bool) {}

func (p Mail) msg() Msg {
	m := Msg{Kind: p.Kind, Term: p.Term, Index: p.Index, LogTerm: p.LogTerm, Commit: p.Commit, Entries: p.Entries, Hint: p.Hint}
	if p.Reject {
		m.Reject = 1
	}
	return m
}

// bare reports whether a message has nothing but kind, term and what is named: index, log term,
// commit index, entries, rejection.
func (p Mail) bare(index, logTerm, commit, entries, reject bool) bool {
	return (index || p.Index == 0) && (logTerm || p.LogTerm == 0) && (commit || p.Commit == 0) && (entries || p.Entries == 0) &&
		(reject || !p.Reject && p.Hint == 0)
}

// onWire returns where a message from j to i like p is in flight, -1 where there is none.
func (s *State) onWire(p Mail) int {
	want := p.msg()
	for k := range int(s.WireCount) {
		w := &s.Wire[k]
		if w.Sent == 1 && w.From == p.J && w.To == p.I && w.Kind == want.Kind {
			have := w.Msg
			have.Last = 0
			if have == want {
				return k
			}
		}
	}
	return -1
}

// send queues a message until the next Ready of i. last is the term of its last entry. If the wire
// is full, the oldest message in flight counts as lost.
func (n *State) send(p Mail, last uint16) {
	m := p.msg()
	m.Last = last
	if n.WireCount == MaxWire {
		n.lose()
	}
	n.Wire[n.WireCount] = Packet{Msg: m, From: p.I, To: p.J}
	n.WireCount++
}

// lose takes away the oldest packet in flight, or, if there is none, the oldest one.
func (n *State) lose() {
	for k := range int(n.WireCount) {
		if n.Wire[k].Sent == 1 {
			n.take(k)
			return
		}
	}
	n.take(0)
}

// take takes a packet away.
func (n *State) take(k int) Packet {
	w := n.Wire[k]
	n.WireCount--
	for x := k; x < int(n.WireCount); x++ {
		n.Wire[x] = n.Wire[x+1]
	}
	n.Wire[n.WireCount] = Packet{}
	return w
}

// Ready hands what i has queued to the transport and what it has changed to its storage.
//
// TLA+: Ready. Code: rawnode.go acceptReady.
var Ready = Action[One]{
	Name:   "Ready",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.begun(p.I) && s.idle(p.I) },
	Effect: func(s, n *State, p One) {
		n.Begun = n.Begun.With(p.I)
		for k := range int(n.WireCount) {
			if n.Wire[k].From == p.I {
				n.Wire[k].Sent = 1
			}
		}
		n.DiskTerm[1][p.I], n.DiskCommit[1][p.I], n.DiskVote[1][p.I], n.DiskLog[1][p.I] =
			s.DiskTerm[0][p.I], s.DiskCommit[0][p.I], s.DiskVote[0][p.I], s.DiskLog[0][p.I]
		n.writeDisk(p.I)
	},
}

// writeDisk makes what i has the content of its disk.
func (n *State) writeDisk(i Server) {
	n.DiskTerm[0][i], n.DiskCommit[0][i], n.DiskVote[0][i], n.DiskLog[0][i] = n.Term[i], n.Commit[i], n.Vote[i], n.Log[i]
}
