package raft

import "testing"

// cluster returns the initial state, changed.
func cluster(change func(s *State)) State {
	var s State
	Init(func(init State) bool { s = init; return true })
	change(&s)
	return s
}

// log gives i entries of these terms; those with a value are commands.
func (n *State) log(i Server, es ...Entry) {
	n.Log[i].Clear()
	for _, e := range es {
		n.Log[i].Append(e)
	}
	if len(es) > 0 {
		n.Term[i] = max(n.Term[i], es[len(es)-1].Term)
	}
}

func term(t Number) Entry { return Entry{Term: t} }

// lead makes i the leader of a term without the entry that begins it, with everybody's log where
// j's is known to match.
func (n *State) lead(i Server, t Number) {
	n.Term[i] = t
	n.Vote[i] = i
	n.Lead[i] = i
	n.Role[i] = Leader
	for j := range Server(Servers) {
		n.Pr[i][j] = Progress{Next: n.lastIndex(i) + 1}
	}
	n.Pr[i][i] = Progress{Match: n.lastIndex(i), Next: n.lastIndex(i) + 1, State: Replicate}
}

// step takes an action that must be enabled, and checks that it leaves the state before alone.
func step[P any](t *testing.T, s State, a *Action[P], p P) State {
	t.Helper()
	if a.Guard != nil && !a.Guard(&s, p) {
		t.Fatalf("%s%v is not enabled", a.Name, p)
	}
	before, n := s, s
	a.Effect(&s, &n, p)
	if s != before {
		t.Fatalf("%s%v wrote the state before", a.Name, p)
	}
	return n
}

// receive sends m from j to i and takes the step by which i gets it.
func receive(t *testing.T, s State, i, j Server, m Msg) State {
	t.Helper()
	s.Bag.Clear(j, i)
	s.send(j, i, m)
	handle := map[Kind]*Action[At]{
		MsgVote: &HandleVote, MsgVoteResp: &HandleVoteResp, MsgApp: &HandleApp, MsgAppResp: &HandleAppResp,
		MsgHeartbeat: &HandleHeartbeat, MsgHeartbeatResp: &HandleHeartbeatResp, MsgPreVote: &HandlePreVote,
		MsgPreVoteResp: &HandlePreVoteResp, MsgTimeoutNow: &HandleTimeoutNow,
	}
	return step(t, s, handle[m.Kind], At{I: i, J: j, K: 1})
}

// sent returns the only message from i to j; ok is false where there is not exactly one.
func (s *State) sent(i, j Server) (m Msg, ok bool) {
	if s.inFlight(i, j) != 1 {
		return Msg{}, false
	}
	for k := MsgVote; k <= MsgTimeoutNow; k++ {
		if s.Bag.Is(i, j, 1, k) {
			return s.Bag.Peek(i, j, 1, k), true
		}
	}
	return Msg{}, false
}

func wantSent(t *testing.T, s State, i, j Server, want Msg) {
	t.Helper()
	if m, ok := s.sent(i, j); !ok || m != want {
		t.Errorf("%d messages from %d to %d, %+v; want %+v", s.inFlight(i, j), i, j, m, want)
	}
}

func check(t *testing.T, ok bool, what string) {
	t.Helper()
	if !ok {
		t.Error(what)
	}
}
