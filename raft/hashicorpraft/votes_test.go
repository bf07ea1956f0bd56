package hashicorpraft

import "testing"

// TestVoteInTwoWrites takes the steps of hashicorp/raft issue 661. Server 1 has voted for server 2
// in term 2, and server 0 leads in term 3 and commits with server 1. Then server 1 crashes between
// the two writes of its vote in term 4. It so votes for server 2, whose log has no entry of term 3.
func TestVoteInTwoWrites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		crash bool
		holds bool
	}{{"a crash between the writes", true, false}, {"both writes", false, true}} {
		var s State
		Init(func(init State) bool { s = init; return false })
		timeout := func(i Server) {
			n := s
			if Timeout.Guard(&s, One{I: i}) {
				Timeout.Effect(&s, &n, One{I: i})
			} else {
				t.Fatalf("%s: server %d does not time out", c.name, i)
			}
			s = n
		}
		// deliver handles the first message of a kind from j to i that a has a use for.
		deliver := func(a *Action[At], i, j Server, want func(m Msg) bool, kind Kind) {
			for k := range uint8(MaxCalls) {
				p := At{I: i, J: j, K: k}
				if !s.Net.Is(j, i, int(k), kind) || !want(s.Net.Peek(j, i, int(k), kind)) || !a.Guard(&s, p) {
					continue
				}
				n := s
				a.Effect(&s, &n, p)
				s = n
				return
			}
			t.Fatalf("%s: %s from %d to %d cannot be taken", c.name, a.Name, j, i)
		}
		in := func(term Number) func(Msg) bool { return func(m Msg) bool { return m.Call == term } }
		timeout(2)
		deliver(&HandleVote, 1, 2, in(2), RequestVote)
		deliver(&HandleVote, 0, 2, in(2), RequestVote)
		timeout(0)
		deliver(&HandleVote, 2, 0, in(3), RequestVote)
		deliver(&HandleVoteReply, 0, 2, in(3), VoteReply)
		for range 2 {
			deliver(&HandleAppend, 1, 0, in(3), AppendEntries)
			deliver(&HandleAppendReply, 0, 1, in(3), AppendReply)
		}
		if s.Role[0] != Leader || s.Commit[0] != 2 || s.Vote[1] != 2 {
			t.Fatalf("%s: no commit: %+v", c.name, s)
		}
		s.Committed, s.CommittedIn = s.Log[0], s.Term[0] // as remember does with History
		restart := func(i Server) {
			n := s
			Restart.Effect(&s, &n, One{I: i})
			s = n
		}
		restart(0)
		timeout(0)
		if c.crash {
			deliver(&CrashInVote, 1, 0, in(4), RequestVote)
		} else {
			deliver(&HandleVote, 1, 0, in(4), RequestVote)
			restart(1)
		}
		timeout(2)
		deliver(&HandleVote, 1, 2, in(4), RequestVote)
		deliver(&HandleVoteReply, 2, 1, in(4), VoteReply)
		if got := leaderCompleteness(&s); got != c.holds || (s.Role[2] == Leader) == c.holds {
			t.Errorf("%s: LeaderCompleteness is %t, server 2 has role %d", c.name, got, s.Role[2])
		}
	}
}
