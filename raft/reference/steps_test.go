package reference

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// A stepCase is a step in isolation. The state after is given as changes of the state before, so
// that a case also fails on what RaftS lists as UNCHANGED.
type stepCase struct {
	name  string
	step  func(*State) (bool, State)
	given func(*State)
	want  func(*State) // nil: the action is not enabled
}

func of[P any](a *Action[P], p P) func(*State) (bool, State) {
	return func(s *State) (bool, State) {
		if a.Guard != nil && !a.Guard(s, p) {
			return false, State{}
		}
		n := *s
		a.Effect(s, &n, p)
		return true, n
	}
}

func runSteps(t *testing.T, cases []stepCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var s State
			Init(func(init State) bool { s = init; return true })
			if c.given != nil {
				c.given(&s)
			}
			before := s
			enabled, got := c.step(&s)
			if s != before {
				t.Fatal("the step wrote the state before")
			}
			if enabled != (c.want != nil) {
				t.Fatalf("enabled is %v", enabled)
			}
			if !enabled {
				return
			}
			want := s
			c.want(&want)
			if got != want {
				t.Errorf("got %s", differences(&want, &got))
			}
		})
	}
}

// differences lists the variables in which two states differ.
func differences(want, got *State) (out string) {
	w, g := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for k := range w.NumField() {
		a, b := modules.ViewOf(w.Field(k).Interface(), nil), modules.ViewOf(g.Field(k).Interface(), nil)
		if !reflect.DeepEqual(a, b) {
			out += fmt.Sprintf("\n%s = %v, want %v", w.Type().Field(k).Name, b, a)
		}
	}
	return out
}

func (s *State) role(i Server, r Role, term uint8) { s.Role[i], s.Term[i] = r, term }

func (s *State) log(i Server, es ...Entry) {
	s.Log[i].Clear()
	for _, e := range es {
		s.Log[i].Append(e)
	}
}

func (s *State) follows(i Server) {
	s.Role[i], s.Votes[i] = Follower, 0
	s.resetProgress(i)
}

var i0, to1 = One{I: 0}, Pair{I: 0, J: 1} // server 0 acts, with 1 as its peer

func TestElectionSteps(t *testing.T) {
	t.Parallel()
	runSteps(t, []stepCase{
		{"Timeout of a follower", of(&Timeout, i0), func(s *State) { s.Voted[0] = 2 },
			func(n *State) { n.role(0, Candidate, 2); n.Voted[0], n.Votes[0] = 0, modules.SetOf[Server](0) }},
		{"Timeout of a candidate", of(&Timeout, i0), func(s *State) { s.role(0, Candidate, 1); s.Votes[0] = modules.SetOf[Server](0, 2) },
			func(n *State) { n.Term[0] = 2; n.Voted[0], n.Votes[0] = 0, modules.SetOf[Server](0) }},
		{"Timeout of a leader", of(&Timeout, i0), func(s *State) { s.role(0, Leader, 1) }, nil},
		{"Timeout in the last term", of(&Timeout, i0), func(s *State) { s.role(0, Candidate, MaxTerm) }, nil},

		{"SendRV tells the end of the log", of(&SendRV, to1), func(s *State) { s.role(0, Candidate, 2); s.log(0, Entry{1, 1}, Entry{1, 2}) },
			func(n *State) { n.Msgs.Send(0, 1, Msg{Kind: RV, Term: 2, Index: 2, LogTerm: 1}) }},
		{"SendRV with an empty log", of(&SendRV, to1), func(s *State) { s.role(0, Candidate, 2) },
			func(n *State) { n.Msgs.Send(0, 1, Msg{Kind: RV, Term: 2}) }},
		{"SendRV to one who voted", of(&SendRV, to1), func(s *State) { s.role(0, Candidate, 2); s.Votes[0].Add(1) }, nil},
		{"SendRV of a follower", of(&SendRV, to1), nil, nil},
		{"SendRV without room", of(&SendRV, to1), func(s *State) {
			s.role(0, Candidate, 2)
			for range MaxQueue {
				s.Msgs.Send(0, 1, Msg{Kind: RV, Term: 1})
			}
		}, nil},

		{"BecomeLeader with a quorum", of(&BecomeLeader, i0), func(s *State) {
			s.role(0, Candidate, 2)
			s.Votes[0] = modules.SetOf[Server](0, 2)
			s.log(0, Entry{1, 1})
			s.Match[0] = [Servers]uint8{0, 1, 0}
		}, func(n *State) {
			n.Role[0], n.Votes[0] = Leader, 0
			n.Next[0], n.Match[0] = [Servers]uint8{2, 2, 2}, [Servers]uint8{}
		}},
		{"BecomeLeader with its own vote", of(&BecomeLeader, i0), func(s *State) { s.role(0, Candidate, 2); s.Votes[0].Add(0) }, nil},
		{"BecomeLeader of a follower", of(&BecomeLeader, i0), func(s *State) { s.Votes[0] = modules.SetOf[Server](0, 1) }, nil},
	})
}

func TestUpdateTermSteps(t *testing.T) {
	t.Parallel()
	newer := func(m Msg) stepCase {
		return stepCase{fmt.Sprintf("newer term in kind %d", m.Kind), of(&UpdateTerm, to1), func(s *State) {
			s.role(0, Leader, 1)
			s.Voted[0] = 0
			s.Votes[0].Add(2)
			s.Next[0], s.Match[0] = [Servers]uint8{3, 3, 3}, [Servers]uint8{0, 1, 2}
			s.Msgs.Send(1, 0, m)
		}, func(n *State) { n.Term[0], n.Voted[0] = 2, Nil; n.follows(0) }}
	}
	runSteps(t, []stepCase{
		newer(Msg{Kind: RV, Term: 2}), newer(Msg{Kind: RVR, Term: 2}), newer(Msg{Kind: AE, Term: 2}), newer(Msg{Kind: AER, Term: 2}),
		{"same term", of(&UpdateTerm, to1), func(s *State) { s.Msgs.Send(1, 0, Msg{Kind: RV, Term: 1}) }, nil},
		{"older term", of(&UpdateTerm, to1), func(s *State) { s.Term[0] = 2; s.Msgs.Send(1, 0, Msg{Kind: RV, Term: 1}) }, nil},
		{"no message", of(&UpdateTerm, to1), nil, nil},
		{"message on the way back", of(&UpdateTerm, to1), func(s *State) { s.Msgs.Send(0, 1, Msg{Kind: RV, Term: 2}) }, nil},
	})
}

func TestVoteSteps(t *testing.T) {
	t.Parallel()
	request := Msg{Kind: RV, Term: 2, Index: 1, LogTerm: 1}
	// asked is server 0, a follower of term 2 that has the candidate's log, with 1's request before
	// it.
	asked := func(change func(*State)) func(*State) {
		return func(s *State) {
			s.Term[0] = 2
			s.log(0, Entry{1, 1})
			s.Msgs.Send(1, 0, request)
			if change != nil {
				change(s)
			}
		}
	}
	granted := func(n *State) { n.Msgs.Pop(1, 0); n.Msgs.Send(0, 1, Msg{Kind: RVR, Term: 2, OK: true}); n.Voted[0] = 1 }
	refused := func(n *State) { n.Msgs.Pop(1, 0); n.Msgs.Send(0, 1, Msg{Kind: RVR, Term: 2}) }
	runSteps(t, []stepCase{
		{"granted", of(&RecvRV, to1), asked(nil), granted},
		{"granted again", of(&RecvRV, to1), asked(func(s *State) { s.Voted[0] = 1 }), granted},
		{"granted to a longer log", of(&RecvRV, to1), asked(func(s *State) { s.log(0) }), granted},
		{"granted to a shorter log of a newer term", of(&RecvRV, to1), asked(func(s *State) {
			s.log(0, Entry{1, 1}, Entry{1, 2})
			s.Msgs.Pop(1, 0)
			s.Msgs.Send(1, 0, Msg{Kind: RV, Term: 2, Index: 1, LogTerm: 2})
		}), granted},
		{"refused to a shorter log", of(&RecvRV, to1), asked(func(s *State) { s.log(0, Entry{1, 1}, Entry{1, 2}) }), refused},
		{"refused to a log of an older term", of(&RecvRV, to1), asked(func(s *State) { s.log(0, Entry{2, 1}) }), refused},
		{"refused after a vote for another", of(&RecvRV, to1), asked(func(s *State) { s.Voted[0] = 2 }), refused},
		{"refused by a candidate", of(&RecvRV, to1), asked(func(s *State) { s.Role[0] = Candidate }), refused},
		{"refused in an older term", of(&RecvRV, to1), asked(func(s *State) { s.Term[0] = 3 }),
			func(n *State) { n.Msgs.Pop(1, 0); n.Msgs.Send(0, 1, Msg{Kind: RVR, Term: 3}) }},
		{"not before UpdateTerm", of(&RecvRV, to1), asked(func(s *State) { s.Term[0] = 1 }), nil},
		{"not without room for the answer", of(&RecvRV, to1), asked(func(s *State) { s.Msgs.Send(0, 1, Msg{Kind: RV, Term: 2}) }), nil},
		{"not another kind", of(&RecvRV, to1), func(s *State) { s.Msgs.Send(1, 0, Msg{Kind: AE, Term: 1}) }, nil},
		{"not without a message", of(&RecvRV, to1), nil, nil},

		{"a vote counts", of(&RecvRVR, to1), answer(Candidate, Msg{Kind: RVR, Term: 2, OK: true}),
			func(n *State) { n.Msgs.Pop(1, 0); n.Votes[0].Add(1) }},
		{"a refusal does not", of(&RecvRVR, to1), answer(Candidate, Msg{Kind: RVR, Term: 2}), func(n *State) { n.Msgs.Pop(1, 0) }},
		{"a vote of an older term does not", of(&RecvRVR, to1), answer(Candidate, Msg{Kind: RVR, Term: 1, OK: true}), func(n *State) { n.Msgs.Pop(1, 0) }},
		{"a vote for a leader does not", of(&RecvRVR, to1), answer(Leader, Msg{Kind: RVR, Term: 2, OK: true}), func(n *State) { n.Msgs.Pop(1, 0) }},
		{"a vote of a newer term waits for UpdateTerm", of(&RecvRVR, to1), answer(Candidate, Msg{Kind: RVR, Term: 3, OK: true}), nil},
		{"an answer to AE is not a vote", of(&RecvRVR, to1), answer(Candidate, Msg{Kind: AER, Term: 2, OK: true}), nil},
	})
}

// answer puts server 0 into a role in term 2 with m from server 1 before it.
func answer(r Role, m Msg) func(*State) {
	return func(s *State) { s.role(0, r, 2); s.Votes[0].Add(0); s.Msgs.Send(1, 0, m) }
}
