package control

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// greater is FastLeaderElection.totalOrderPredicate as its comment says. A vote wins if its epoch
// is greater. Of votes with the same epoch the one with the greater zxid wins, and then the one
// with the greater identity.
func greater(b, c Ballot) bool {
	return b.Epoch > c.Epoch ||
		b.Epoch == c.Epoch && b.Zxid > c.Zxid ||
		b.Epoch == c.Epoch && b.Zxid == c.Zxid && b.Leader > c.Leader
}

// TestCompare compares the order of votes with the predicate, for all pairs of some votes.
func TestCompare(t *testing.T) {
	var all []Ballot
	for _, epoch := range []int64{0, 1, 2} {
		for _, zxid := range []zookeeper.Zxid{0, Zxid(1, 1), Zxid(2, 0), Zxid(2, 1)} {
			for leader := 1; leader <= 3; leader++ {
				all = append(all, Ballot{Leader: leader, Epoch: epoch, Zxid: zxid})
			}
		}
	}
	for _, b := range all {
		for _, c := range all {
			if got := b.Compare(&c); (got > 0) != greater(b, c) || (got < 0) != greater(c, b) {
				t.Errorf("%+v compared with %+v is %d", b, c, got)
			}
		}
	}
	// A server that led in epoch 2 and made no transaction wins over one that has 1:1 and a greater
	// identity.
	votes := []Ballot{{Leader: 3, Epoch: 2, Zxid: Zxid(1, 1)}, {Leader: 1, Epoch: 2, Zxid: Zxid(2, 0)}}
	slices.SortFunc(votes, func(b, c Ballot) int { return c.Compare(&b) })
	if err := (&VotesError{Want: 3, Votes: votes}).Error(); votes[0].Leader != 1 || err != "the votes elect 1, not 3: server 1 with epoch 2 and zxid 2:0, server 3 with epoch 2 and zxid 1:1" {
		t.Error(err)
	}
}

// TestEqualQuorum counts the votes that server 3 hears for leader 1 of three servers. Servers that
// lead or follow have equal votes if leader and epoch are equal, whatever their rounds and zxids
// (Vote.equals). The leader has to be heard (checkLeader).
func TestEqualQuorum(t *testing.T) {
	for name, x := range map[string]struct {
		votes map[int]Ballot
		want  bool
	}{
		"equal":                         {map[int]Ballot{1: {Leader: 1, Epoch: 2}, 2: {Leader: 1, Epoch: 2}}, true},
		"equal with other rounds":       {map[int]Ballot{1: {Leader: 1, Epoch: 2, Round: 1}, 2: {Leader: 1, Epoch: 2, Round: 5, Zxid: Zxid(1, 1)}}, true},
		"the epoch of the election":     {map[int]Ballot{1: {Leader: 1, Epoch: 2}, 2: {Leader: 1, Epoch: 1}}, false},
		"another leader":                {map[int]Ballot{1: {Leader: 1, Epoch: 2}, 2: {Leader: 2, Epoch: 2}}, false},
		"the leader alone":              {map[int]Ballot{1: {Leader: 1, Epoch: 2}}, false},
		"a quorum without their leader": {map[int]Ballot{2: {Leader: 1, Epoch: 2}, 3: {Leader: 1, Epoch: 2}}, false},
	} {
		if got := equalQuorum(x.votes, 1, 3); got != x.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	err := (&JoinError{Leader: 1, Joiner: 3, Heard: map[int]Ballot{2: {Leader: 1, Epoch: 1}, 1: {Leader: 1, Epoch: 2}}}).Error()
	if err != "server 3 hears no quorum of equal votes for 1: server 1 for 1 with epoch 2, server 2 for 1 with epoch 1" {
		t.Error(err)
	}
}

// TestVotesOverNewConnections: over a new connection QuorumCnxManager sends first what it has kept
// for want of one, or else its last notification again. The network keeps what the specification
// has in flight: neither what is sent again, nor what was made for a server out of reach.
func TestVotesOverNewConnections(t *testing.T) {
	const from, to = 1, 2
	var n *Network
	connect := func() *relay {
		r := &relay{ballots: &ballots{from: from, to: to}}
		n.votes[r] = n.pair(from, to)
		return r
	}
	for name, x := range map[string]struct {
		between func() // a connection broke, and before the next one
		first   string // what comes first over the next one
		want    bool   // it is kept
	}{
		"the last one again":                {func() {}, "a", false},
		"another one":                       {func() {}, "b", true},
		"made for nobody":                   {func() { n.MakesVote(from, to, false) }, "b", false},
		"made, an equal one":                {func() { n.MakesVote(from, to, true) }, "a", true},
		"made for nobody, and made":         {func() { n.MakesVote(from, to, false); n.MakesVote(from, to, true) }, "b", true},
		"made, and disconnected":            {func() { n.MakesVote(from, to, true); n.Disconnect(to, from); n.Heal(from, to) }, "b", false},
		"made, and the receiver restarts":   {func() { n.MakesVote(from, to, true); n.StartVotes(to) }, "b", false},
		"the sender restarts, an equal one": {func() { n.StartVotes(from) }, "a", true},
	} {
		t.Run(name, func(t *testing.T) {
			n = &Network{size: 3, changed: make(chan struct{}), cut: make([]bool, 16), lastVotes: map[[2]int][]byte{},
				queued: map[[2]int]queued{}, votes: map[*relay]int{}}
			r := connect()
			n.takeVote(r.ballots, 0, kept{bytes: []byte("a")})
			r.ballots.ended = true
			delete(n.votes, r)
			x.between()
			r = connect()
			n.takeVote(r.ballots, 0, kept{bytes: []byte(x.first)})
			n.takeVote(r.ballots, 0, kept{bytes: []byte("c")})
			if got := len(r.ballots.queue[0]) == 2; got != x.want {
				t.Errorf("kept: %t", got)
			}
		})
	}
}

// TestHaveDelivered: a server that keeps a notification for each of the others makes no new one.
func TestHaveDelivered(t *testing.T) {
	n := &Network{size: 3, votes: map[*relay]int{}, queued: map[[2]int]queued{}}
	if n.MakesVote(1, 2, false); !n.HaveDelivered(1) {
		t.Error("server 3 has had all")
	}
	if n.MakesVote(1, 3, false); n.HaveDelivered(1) {
		t.Error("nobody has had all")
	}
	if !n.HaveDelivered(2) {
		t.Error("server 2 keeps nothing")
	}
}
