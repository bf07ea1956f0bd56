package zab

import (
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// TestLinkMended: a link is mended only when neither end takes itself for connected. Otherwise a
// connection that continues would have lost messages, and TCP loses none.
func TestLinkMended(t *testing.T) {
	t.Parallel()
	if Servers < 2 {
		t.Skip("a link has two servers")
	}
	endpoints := []grains.Ref{{Module: "election", Grain: "coarse-join"}, {Module: "synchronization", Grain: "follower-threads"},
		{Module: "broadcast", Grain: "follower-threads"}, {Module: "faults", Grain: "endpoints"}}
	var asNode []grains.Ref
	for _, m := range System.Modules {
		asNode = append(asNode, grains.Ref{Module: m.Name, Grain: "node"})
	}
	for _, c := range []struct {
		name   string
		grains []grains.Ref
	}{{"endpoints", endpoints}, {"node", asNode}} {
		spec := compose(t, grains.Choice{Grains: c.grains, Budgets: map[string]int{"partitions": 1}})
		for _, ends := range []struct {
			follows, leads, mended bool
		}{{true, true, false}, {true, false, false}, {false, true, false}, {false, false, true}} {
			n := node{State: initial()}
			s := &n.State
			s.Msgs.Cut(0, 1)
			s.Msgs.Cut(1, 0)
			if ends.follows {
				s.State[0], s.LeaderAddr[0] = FOLLOWING, 1
			}
			if ends.leads {
				s.State[1], s.Learners[1] = LEADING, Set(0).With(0).With(1)
			}
			mended := false
			for k, in := range spec.Instances {
				mended = mended || spec.Actions[in.Action].Name == PartitionRecover.Name && spec.Enabled(&n, k)
			}
			if mended != ends.mended {
				t.Errorf("%s: follower %v, leader %v: mended %v", c.name, ends.follows, ends.leads, mended)
			}
		}
	}
}

// TestFollowsNoneThatIsConnected: a server connects again only after its leader has noticed that
// their last connection has ended, and nothing of that is in flight then.
func TestFollowsNoneThatIsConnected(t *testing.T) {
	t.Parallel()
	if Servers < 2 {
		t.Skip("a connection has two servers")
	}
	s := initial()
	s.State[0], s.CurrentVote[0] = FOLLOWING, Vote{Leader: 1}
	s.State[1], s.Learners[1] = LEADING, Set(0).With(0).With(1)
	s.Msgs.Send(1, 0, Msg{Kind: CLOSED})
	p := Pair{I: 0, J: 1}
	if NodeConnects.Guard(&s, p) {
		t.Error("server 0 connects, and server 1 has not noticed the end of the last connection")
	}
	s.Learners[1].Remove(0)
	if !NodeConnects.Guard(&s, p) {
		t.Fatal("server 0 does not connect")
	}
	n := s
	NodeConnects.Effect(&s, &n, p)
	if n.Msgs.Len(1, 0) != 0 || !n.Msgs.Is(0, 1, FOLLOWERINFO) || n.LeaderAddr[0] != 1 {
		t.Errorf("in flight to server 0 are %d messages, and server 0 follows %d", n.Msgs.Len(1, 0), n.LeaderAddr[0])
	}
}
