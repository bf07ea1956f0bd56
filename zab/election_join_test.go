package zab

import "testing"

// equalVotes counts votes as FastLeaderElection does for a server that looks for a leader: votes
// are equal only with the same epoch, and a quorum of equal ones is needed. A vote of 0 is not
// heard.
func equalVotes(votes ...Number) bool {
	for _, v := range votes {
		n := 0
		for _, w := range votes {
			if v != 0 && w == v {
				n++
			}
		}
		if 2*n > Servers {
			return true
		}
	}
	return false
}

// TestHearsQuorum changes who serves and who is heard where server 1 looks for its leader 2, which
// follower 0 has. The votes have the epoch of the election, 1, until their server serves. Then they
// have that of the leader, 2 (QuorumPeer.updateElectionVote). The late follower has joined when the
// leader served, so it has either.
func TestHearsQuorum(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		leader, follower bool // they serve
		late, cut, off   bool // follower 0 joined late, is not reached, has crashed
		other            bool // follower 0 follows another leader
		votes            [][]Number
	}{
		"nobody serves":               {votes: [][]Number{{1, 1}}},
		"only the leader serves":      {leader: true, votes: [][]Number{{2, 1}}},
		"both serve":                  {leader: true, follower: true, votes: [][]Number{{2, 2}}},
		"the late follower may count": {leader: true, late: true, votes: [][]Number{{2, 1}, {2, 2}}},
		"the follower is cut off":     {cut: true, votes: [][]Number{{1, 0}}},
		"the follower is down":        {leader: true, follower: true, off: true, votes: [][]Number{{2, 0}}},
		"the follower has left":       {leader: true, follower: true, other: true, votes: [][]Number{{2, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := synchronizing(t, History{}, History{}, History{})
			s.goLooking(1, false)
			s.Learners[2].Remove(1)
			for i, serves := range map[Server]bool{0: x.follower, 2: x.leader} {
				if serves {
					s.ZabState[i] = BROADCAST
				}
			}
			if x.late {
				s.Electing[2].Put(0, Elector{PeerLastZxid: Synced()})
			}
			if x.cut {
				s.Msgs.Cut(1, 0)
				s.Msgs.Cut(0, 1)
			}
			if x.off {
				s.Status.Remove(0)
			}
			if x.other {
				s.LeaderAddr[0] = 1
			}
			want := false
			for _, votes := range x.votes {
				want = want || equalVotes(votes...)
			}
			if got := s.hearsQuorum(1, 2); got != want {
				t.Errorf("hearsQuorum is %v, want %v", got, want)
			}
			if got := JoinLeader.Guard(&s, Pair{I: 2, J: 1}); got != want {
				t.Errorf("JoinLeader is enabled: %v, want %v", got, want)
			}
		})
	}
}

// TestQuorumElectionHearsVotes elects server 1, by its own vote and that of server 0. Server 2 has
// the greater identity and the same history. So it follows 1 only if it hears both votes
// (FastLeaderElection.receivedFollowingNotification). Server 0 only has to hear 1.
func TestQuorumElectionHearsVotes(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		with Server
		cut  [][2]Server
		off  bool // server 0 has crashed
		want bool
	}{
		"2 hears both":      {with: 2, want: true},
		"2 does not hear 0": {with: 2, cut: [][2]Server{{0, 2}}},
		"2 does not hear 1": {with: 2, cut: [][2]Server{{1, 2}}},
		"1 does not hear 0": {with: 2, cut: [][2]Server{{0, 1}}},
		"0 has crashed":     {with: 2, off: true},
		"0 hears 1 only":    {with: 0, cut: [][2]Server{{0, 2}}, want: true},
		"1 hears 0 only":    {with: 0, cut: [][2]Server{{1, 2}}, want: true},
		"0 does not hear 1": {with: 0, cut: [][2]Server{{0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := initial()
			for _, c := range x.cut {
				s.Msgs.Cut(c[0], c[1])
				s.Msgs.Cut(c[1], c[0])
			}
			if x.off {
				s.Status.Remove(0)
			}
			if got := QuorumElection.Guard(&s, Party{I: 1, S: Set(0).With(1).With(x.with)}); got != x.want {
				t.Errorf("1 leads and %d follows: %v, want %v", x.with, got, x.want)
			}
		})
	}
}
