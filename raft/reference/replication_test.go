package reference

import (
	"testing"

	"github.com/multigrain/multigrain/modules"
)

func TestLeaderSteps(t *testing.T) {
	t.Parallel()
	// leads makes server 0 the leader of term 2 with a log, and next the index to send to server 1.
	leads := func(next uint8, commit uint8, es ...Entry) func(*State) {
		return func(s *State) { s.role(0, Leader, 2); s.log(0, es...); s.Next[0][1], s.Commit[0] = next, commit }
	}
	sends := func(m Msg) func(*State) {
		return func(n *State) { m.Kind, m.Term = AE, 2; n.Msgs.Send(0, 1, m) }
	}
	both := []Entry{{1, 1}, {2, 2}}
	runSteps(t, []stepCase{
		{"ClientReq", of(&ClientReq, i0), func(s *State) { leads(1, 0, Entry{1, 1})(s); s.Reqs = 1 },
			func(n *State) { n.Reqs = 2; n.Log[0].Append(Entry{2, 2}) }},
		{"ClientReq after the last request", of(&ClientReq, i0), func(s *State) { leads(1, 0)(s); s.Reqs = MaxRequests }, nil},
		{"ClientReq to a follower", of(&ClientReq, i0), nil, nil},

		{"SendAE with an empty log", of(&SendAE, to1), leads(1, 0), sends(Msg{})},
		{"SendAE of the first entry", of(&SendAE, to1), leads(1, 0, both...), sends(Msg{Entry: both[0]})},
		{"SendAE of the second entry", of(&SendAE, to1), leads(2, 0, both...), sends(Msg{Index: 1, LogTerm: 1, Entry: both[1]})},
		{"SendAE behind the last entry", of(&SendAE, to1), leads(3, 0, both...), sends(Msg{Index: 2, LogTerm: 2})},
		{"SendAE tells no more than it vouches for", of(&SendAE, to1), leads(1, 2, both...), sends(Msg{Entry: both[0], Commit: 1})},
		{"SendAE tells all that is committed", of(&SendAE, to1), leads(3, 2, both...), sends(Msg{Index: 2, LogTerm: 2, Commit: 2})},
		{"SendAE without room", of(&SendAE, to1), func(s *State) {
			leads(1, 0)(s)
			for range MaxQueue {
				s.Msgs.Send(0, 1, Msg{Kind: RV, Term: 1})
			}
		}, nil},
		{"SendAE of a candidate", of(&SendAE, to1), func(s *State) { s.role(0, Candidate, 2) }, nil},

		{"AdvanceCommit to the last replicated entry", of(&AdvanceCommit, i0),
			func(s *State) { leads(1, 0, Entry{2, 1}, Entry{2, 2})(s); s.Match[0][2] = 2 }, func(n *State) { n.Commit[0] = 2 }},
		{"AdvanceCommit stops at what a quorum has", of(&AdvanceCommit, i0),
			func(s *State) { leads(1, 0, Entry{2, 1}, Entry{2, 2})(s); s.Match[0][1] = 1 }, func(n *State) { n.Commit[0] = 1 }},
		{"AdvanceCommit takes older entries along", of(&AdvanceCommit, i0),
			func(s *State) { leads(1, 0, both...)(s); s.Match[0][1] = 2 }, func(n *State) { n.Commit[0] = 2 }},
		{"AdvanceCommit not to an entry of an older term", of(&AdvanceCommit, i0),
			func(s *State) { leads(1, 0, both...)(s); s.Match[0][1], s.Match[0][2] = 1, 1 }, nil},
		{"AdvanceCommit not twice", of(&AdvanceCommit, i0),
			func(s *State) { leads(1, 2, both...)(s); s.Match[0][1] = 2 }, nil},
		{"AdvanceCommit not alone", of(&AdvanceCommit, i0), leads(1, 0, Entry{2, 1}), nil},
		{"AdvanceCommit of a follower", of(&AdvanceCommit, i0),
			func(s *State) { leads(1, 0, Entry{2, 1})(s); s.Role[0] = Follower; s.Match[0][1] = 1 }, nil},
	})
}

func TestAppendSteps(t *testing.T) {
	t.Parallel()
	// asked is server 0 with a log in term 2 and m from the leader of term 2 before it.
	asked := func(r Role, m Msg, es ...Entry) func(*State) {
		return func(s *State) {
			s.role(0, r, 2)
			s.log(0, es...)
			s.Votes[0] = modules.SetOf[Server](0)
			m.Kind = AE
			if m.Term == 0 {
				m.Term = 2
			}
			s.Msgs.Send(1, 0, m)
		}
	}
	// answers is the state after of a follower that took the message.
	answers := func(m Msg, change func(*State)) func(*State) {
		return func(n *State) {
			m.Kind, m.Term = AER, 2
			n.Msgs.Pop(1, 0)
			n.Msgs.Send(0, 1, m)
			n.Role[0], n.Votes[0] = Follower, 0
			if change != nil {
				change(n)
			}
		}
	}
	log := func(es ...Entry) func(*State) { return func(n *State) { n.log(0, es...) } }
	a1, b1, b2, c2 := Entry{1, 1}, Entry{1, 2}, Entry{2, 2}, Entry{2, 1}
	runSteps(t, []stepCase{
		{"heartbeat to an empty log", of(&RecvAE, to1), asked(Candidate, Msg{}), answers(Msg{OK: true}, nil)},
		{"heartbeat leaves the log", of(&RecvAE, to1), asked(Follower, Msg{Index: 1, LogTerm: 1}, a1, b2), answers(Msg{OK: true, Index: 1}, nil)},
		{"first entry", of(&RecvAE, to1), asked(Follower, Msg{Entry: a1}), answers(Msg{OK: true, Index: 1}, log(a1))},
		{"second entry", of(&RecvAE, to1), asked(Follower, Msg{Index: 1, LogTerm: 1, Entry: b2}, a1), answers(Msg{OK: true, Index: 2}, log(a1, b2))},
		{"entry that is there", of(&RecvAE, to1), asked(Follower, Msg{Entry: a1}, a1, b2), answers(Msg{OK: true, Index: 1}, nil)},
		{"conflict at the end", of(&RecvAE, to1), asked(Follower, Msg{Index: 1, LogTerm: 1, Entry: b2}, a1, b1), answers(Msg{OK: true, Index: 2}, log(a1, b2))},
		{"conflict takes all behind with it", of(&RecvAE, to1), asked(Follower, Msg{Entry: c2}, a1, b1), answers(Msg{OK: true, Index: 1}, log(c2))},
		{"gap", of(&RecvAE, to1), asked(Candidate, Msg{Index: 1, LogTerm: 1, Entry: b2, Commit: 1}), answers(Msg{}, nil)},
		{"other term before the entry", of(&RecvAE, to1), asked(Follower, Msg{Index: 1, LogTerm: 2, Entry: b2, Commit: 1}, a1), answers(Msg{}, nil)},
		{"commit index follows", of(&RecvAE, to1), asked(Follower, Msg{Index: 1, LogTerm: 1, Commit: 1}, a1),
			answers(Msg{OK: true, Index: 1}, func(n *State) { n.Commit[0] = 1 })},
		{"commit index does not go back", of(&RecvAE, to1), func(s *State) { asked(Follower, Msg{}, a1)(s); s.Commit[0] = 1 },
			answers(Msg{OK: true}, nil)},
		{"older term", of(&RecvAE, to1), asked(Candidate, Msg{Term: 1, Entry: a1, Commit: 1}),
			func(n *State) { n.Msgs.Pop(1, 0); n.Msgs.Send(0, 1, Msg{Kind: AER, Term: 2}) }},
		{"not before UpdateTerm", of(&RecvAE, to1), asked(Follower, Msg{Term: 3}), nil},
		{"not without room for the answer", of(&RecvAE, to1), func(s *State) { asked(Follower, Msg{})(s); s.Msgs.Send(0, 1, Msg{Kind: RV, Term: 1}) }, nil},
		{"not another kind", of(&RecvAE, to1), answer(Follower, Msg{Kind: AER, Term: 2}), nil},

		{"confirmed", of(&RecvAER, to1), answer(Leader, Msg{Kind: AER, Term: 2, OK: true, Index: 2}),
			func(n *State) { n.Msgs.Pop(1, 0); n.Next[0][1], n.Match[0][1] = 3, 2 }},
		{"confirmed less than before", of(&RecvAER, to1),
			func(s *State) {
				answer(Leader, Msg{Kind: AER, Term: 2, OK: true, Index: 1})(s)
				s.Next[0][1], s.Match[0][1] = 3, 2
			},
			func(n *State) { n.Msgs.Pop(1, 0); n.Next[0][1], n.Match[0][1] = 2, 1 }},
		{"refused", of(&RecvAER, to1), func(s *State) { answer(Leader, Msg{Kind: AER, Term: 2})(s); s.Next[0][1], s.Match[0][1] = 3, 1 },
			func(n *State) { n.Msgs.Pop(1, 0); n.Next[0][1] = 2 }},
		{"refused at the first entry", of(&RecvAER, to1), answer(Leader, Msg{Kind: AER, Term: 2}), func(n *State) { n.Msgs.Pop(1, 0) }},
		{"stale answer", of(&RecvAER, to1), answer(Leader, Msg{Kind: AER, Term: 1, OK: true, Index: 1}), func(n *State) { n.Msgs.Pop(1, 0) }},
		{"answer to a former leader", of(&RecvAER, to1), answer(Follower, Msg{Kind: AER, Term: 2, OK: true, Index: 1}), func(n *State) { n.Msgs.Pop(1, 0) }},
		{"answer of a newer term", of(&RecvAER, to1), answer(Leader, Msg{Kind: AER, Term: 3}), nil},
	})
}

func TestFaultSteps(t *testing.T) {
	t.Parallel()
	runSteps(t, []stepCase{
		{"Restart of a leader", of(&Restart, i0), func(s *State) {
			s.role(0, Leader, 2)
			s.log(0, Entry{2, 1})
			s.Voted[0], s.Commit[0] = 0, 1
			s.Next[0], s.Match[0] = [Servers]uint8{2, 2, 2}, [Servers]uint8{0, 1, 1}
			s.Msgs.Send(0, 1, Msg{Kind: AE, Term: 2})
		}, func(n *State) { n.Commit[0] = 0; n.follows(0) }},
		{"Restart of a follower without a past", of(&Restart, i0), nil, func(*State) {}},
		{"Drop", of(&Drop, to1), func(s *State) { s.Msgs.Send(0, 1, Msg{Kind: RV, Term: 2}) }, func(n *State) { n.Msgs.Clear(0, 1) }},
		{"Drop of nothing", of(&Drop, to1), func(s *State) { s.Msgs.Send(1, 0, Msg{Kind: RV, Term: 2}) }, nil},
	})
}

// TestInvariantsCanFail breaks each invariant by hand.
func TestInvariantsCanFail(t *testing.T) {
	t.Parallel()
	two := func(change func(*State)) State {
		var s State
		Init(func(init State) bool { s = init; return true })
		change(&s)
		return s
	}
	for _, c := range []struct {
		name  string
		holds func(*State) bool
		state State
		want  bool
	}{
		{"two leaders of a term", ElectionSafety, two(func(s *State) { s.role(0, Leader, 2); s.role(2, Leader, 2) }), false},
		{"two leaders of two terms", ElectionSafety, two(func(s *State) { s.role(0, Leader, 1); s.role(2, Leader, 2) }), true},
		{"same term, other command", LogMatching, two(func(s *State) { s.log(0, Entry{1, 1}); s.log(1, Entry{1, 2}) }), false},
		{"other term, other command", LogMatching, two(func(s *State) { s.log(0, Entry{1, 1}); s.log(1, Entry{2, 2}) }), true},
		{"beyond the shorter log", LogMatching, two(func(s *State) { s.log(0, Entry{1, 1}, Entry{1, 2}); s.log(1, Entry{1, 1}) }), true},
		{"committed entries differ", CommitAgree, two(func(s *State) {
			s.log(1, Entry{1, 1})
			s.log(2, Entry{2, 2})
			s.Commit[1], s.Commit[2] = 1, 1
		}), false},
		{"an uncommitted entry differs", CommitAgree, two(func(s *State) {
			s.log(1, Entry{1, 1})
			s.log(2, Entry{2, 2})
			s.Commit[1] = 1
		}), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := c.holds(&c.state); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
