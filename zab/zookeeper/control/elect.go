package control

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// ElectedError says that the servers have elected another leader than the one that was asked for.
type ElectedError struct{ Want, Have int }

func (e *ElectedError) Error() string {
	return fmt.Sprintf("the servers elected %d, not %d", e.Have, e.Want)
}

// VotesError says that the votes of the servers cannot elect the leader that was asked for: one of
// them is greater than the vote of that leader.
type VotesError struct {
	Want  int
	Votes []Ballot // the greatest one first
}

func (e *VotesError) Error() string {
	var votes []string
	for _, b := range e.Votes {
		votes = append(votes, fmt.Sprintf("server %d with epoch %d and zxid %v", b.Leader, b.Epoch, b.Zxid))
	}
	return fmt.Sprintf("the votes elect %d, not %d: %s", e.Votes[0].Leader, e.Want, strings.Join(votes, ", "))
}

// JoinError says that a server does not follow a leader: it hears no quorum of equal votes for it.
type JoinError struct {
	Leader, Joiner int
	Heard          map[int]Ballot // by server that leads or follows
}

func (e *JoinError) Error() string {
	var votes []string
	for _, i := range slices.Sorted(maps.Keys(e.Heard)) {
		b := e.Heard[i]
		votes = append(votes, fmt.Sprintf("server %d for %d with epoch %d", i, b.Leader, b.Epoch))
	}
	return fmt.Sprintf("server %d hears no quorum of equal votes for %d: %s", e.Joiner, e.Leader, strings.Join(votes, ", "))
}

// Equal reports whether two votes of servers that lead or follow are equal for a server that looks
// for a leader (Vote.equals).
func (b *Ballot) Equal(c *Ballot) bool { return b.Leader == c.Leader && b.Epoch == c.Epoch }

// Compare orders votes as FastLeaderElection.totalOrderPredicate does: by epoch, zxid and identity.
// It returns a positive number if b is greater than c.
func (b *Ballot) Compare(c *Ballot) int {
	return cmp.Or(cmp.Compare(b.Epoch, c.Epoch), cmp.Compare(b.Zxid, c.Zxid), cmp.Compare(b.Leader, c.Leader))
}

// Elect lets voters, which stand at Election and among which the leader is, elect the leader, and
// then the given servers run Discovery with it. Servers that do not vote follow the votes of the
// others. Voters that are not among the servers do not reach the leader and look for one again.
//
// At first all vote and nobody hears of it: what a server has not sent of an earlier election gives
// way to its new vote. Then the leader hears the others until it is in the last round of all. Next
// they hear the leader until all vote for it. Otherwise two servers could elect one of them before
// the votes of a third one arrive. ZooKeeper waits 200 ms for better votes, and a connection takes
// longer on a machine under load.
//
// Discovery takes FOLLOWERINFO in the order of accepted epochs, the greatest first. It takes
// ACKEPOCH in the order of identities: the leader and the first ones make the quorum.
//
// If a voter's own vote is greater than the leader's, the servers cannot elect the leader. The
// error is then a *VotesError, and the voters look for a leader in vain. If a server that does not
// vote cannot hear a quorum of votes for the leader, the error is a *JoinError, and the voters have
// elected the leader.
//
// At the end each follower stands at Read and each LearnerHandler at Sync, and the leader waits for
// a quorum to acknowledge NEWLEADER. Votes are those with which the servers began, by server.
func (e *Ensemble) Elect(ctx context.Context, leader int, voters, servers []int) (votes map[int]Ballot, err error) {
	votes = map[int]Ballot{}
	return votes, e.elect(ctx, leader, voters, servers, votes)
}

func (e *Ensemble) elect(ctx context.Context, leader int, voters, servers []int, votes map[int]Ballot) error {
	defer e.Network.Elect()
	first, err := e.prefer(ctx, leader, voters, votes)
	if err != nil {
		return err
	}
	e.Network.Elect(voters...)
	if err := e.Await(ctx, func() (bool, error) { return e.elected(leader, first) }); err != nil {
		return fmt.Errorf("electing %d among %v: %w; %s", leader, voters, err, e.proposals(voters))
	}
	e.Network.Elect()
	followers := others(leader, servers)
	for _, i := range followers {
		if !slices.Contains(voters, i) {
			if err := e.hear(ctx, leader, i, votes); err != nil {
				return err
			}
		}
	}
	for _, i := range first {
		if !slices.Contains(servers, i) {
			if err := e.turnAway(ctx, leader, i); err != nil {
				return err
			}
		}
	}
	if err := e.proposeEpoch(ctx, leader, followers); err != nil {
		return err
	}
	return e.acknowledgeEpoch(ctx, leader, followers)
}

// others returns all servers but one, in order.
func others(one int, all []int) []int {
	out := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return i == one })
	slices.Sort(out)
	return out
}

// prefer lets voters, which stand at Election, vote until all vote for the leader. It returns the
// others, and adds the votes with which the servers began to votes.
func (e *Ensemble) prefer(ctx context.Context, leader int, voters []int, votes map[int]Ballot) (first []int, err error) {
	first = others(leader, voters)
	for _, i := range append([]int{leader}, first...) {
		if err := e.begin(ctx, i, votes); err != nil {
			return nil, err
		}
	}
	order := slices.Collect(maps.Values(votes))
	slices.SortFunc(order, func(b, c Ballot) int { return c.Compare(&b) })
	if order[0].Leader != leader {
		return nil, &VotesError{leader, order}
	}
	if last := slices.MaxFunc(order, func(b, c Ballot) int { return cmp.Compare(b.Round, c.Round) }).Round; last > votes[leader].Round {
		e.Network.Report(first, leader)
		if err := e.Await(ctx, func() (bool, error) { return e.inRound(leader, last) }); err != nil {
			return nil, fmt.Errorf("round %d at %d, among %v: %w; %s", last, leader, voters, err, e.proposals(voters))
		}
	}
	e.Network.Announce(leader, first)
	if err := e.Await(ctx, func() (bool, error) { return e.preferred(leader, first) }); err != nil {
		return nil, fmt.Errorf("votes for %d among %v: %w; %s", leader, voters, err, e.proposals(voters))
	}
	return first, nil
}

// begin releases a server from Election and waits until its vote is queued for all others. It adds
// the vote to votes.
func (e *Ensemble) begin(ctx context.Context, server int, votes map[int]Ballot) error {
	n := e.Node(server)
	if n.Gates == nil {
		return fmt.Errorf("server %d does not run", server)
	}
	before, _, err := n.voting()
	if err != nil {
		return err
	}
	if err := e.release(server, Election); err != nil {
		return err
	}
	return e.Await(ctx, func() (bool, error) {
		b, waits, err := n.voting()
		if err != nil || !waits || b.Round <= before.Round {
			return false, err
		}
		votes[server] = b
		return true, nil
	})
}

// proposals says what servers propose, for people.
func (e *Ensemble) proposals(servers []int) string {
	var out []string
	for _, i := range servers {
		b, waits, err := e.Node(i).voting()
		if err != nil {
			out = append(out, fmt.Sprintf("server %d: %v", i, err))
			continue
		}
		out = append(out, fmt.Sprintf("server %d proposes %d with epoch %d and zxid %v in round %d, has connections to %v, and %s", i, b.Leader, b.Epoch, b.Zxid, b.Round,
			e.Network.voting(i), map[bool]string{true: "waits", false: "runs"}[waits]))
	}
	return strings.Join(out, "; ")
}

// elections says what servers were elected with, or follow, for people.
func (e *Ensemble) elections(servers []int) string {
	var out []string
	for _, i := range servers {
		if b, some, err := e.Node(i).settled(); some && err == nil {
			out = append(out, fmt.Sprintf("server %d votes for %d with epoch %d and zxid %v in round %d, has connections to %v", i, b.Leader, b.Epoch, b.Zxid, b.Round, e.Network.voting(i)))
		}
	}
	return strings.Join(out, "; ")
}

// settled returns the vote that a server tells those that look for a leader, and whether it has
// one.
func (n *Node) settled() (b Ballot, some bool, err error) {
	g := n.Gates
	if g == nil {
		return b, false, nil
	}
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	v := r.object("currentVote")
	if r.err != nil || v.IsNull() {
		return b, false, r.err
	}
	return r.vote(v), true, r.err
}

// heard returns the votes of the servers that lead or follow a leader, as far as a joiner reaches
// them. It reports whether a quorum of all servers has equal ones with the leader's among them.
func (e *Ensemble) heard(leader, joiner int) (votes map[int]Ballot, quorum bool, err error) {
	votes = map[int]Ballot{}
	for _, n := range e.nodes {
		if n.ID == joiner || e.Network.Disconnected(joiner, n.ID) || n.ID != leader && e.Network.LeaderOf(n.ID) != leader {
			continue
		}
		b, some, err := n.settled()
		if err != nil {
			return votes, false, err
		}
		if some {
			votes[n.ID] = b
		}
	}
	return votes, equalQuorum(votes, leader, e.Servers), nil
}

// equalQuorum reports whether more than half of all servers have equal votes for a leader, and the
// leader is heard.
//
// ZooKeeper: FastLeaderElection.receivedFollowingNotification, FastLeaderElection.checkLeader.
func equalQuorum(votes map[int]Ballot, leader, servers int) bool {
	if _, heard := votes[leader]; !heard {
		return false
	}
	for _, b := range votes {
		equal := 0
		for _, c := range votes {
			if b.Equal(&c) {
				equal++
			}
		}
		if b.Leader == leader && 2*equal > servers {
			return true
		}
	}
	return false
}

// PeerWaits reports whether the QuorumPeer of a server waits: a leader that has acknowledged its
// own epoch for a quorum of acknowledgements, or, once it serves, for the next tick.
func (g *Gates) PeerWaits() (bool, error) {
	g.mu.Lock()
	peer := g.peer
	g.mu.Unlock()
	state, _, err := jdwp.Thread(peer).Status()
	return state == jdwp.Waiting || state == jdwp.Sleeping, err
}

// voting returns what a server proposes in its last election. It reports whether the server waits
// for notifications and QuorumCnxManager has got all of its own.
func (g *Gates) voting() (b Ballot, waits bool, err error) {
	if err := g.Err(); err != nil {
		return b, false, err
	}
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	// The thread is looked at first. It waits only after it has proposed and sent.
	state, _, err := jdwp.Thread(r.at).Status()
	r.note(err)
	waits = state == jdwp.Waiting && r.int("electionAlg.sendqueue.count") == 0
	b = r.proposed()
	return b, waits, r.err
}

// hear lets a server that stands at Election hear from a leader and from those that follow it,
// until it has connected to the leader. It adds the server's own vote to votes. If the server
// cannot hear a quorum of equal votes for the leader, it does not begin, and the error is a
// *JoinError.
func (e *Ensemble) hear(ctx context.Context, leader, server int, votes map[int]Ballot) error {
	heard, quorum, err := e.heard(leader, server)
	if err != nil {
		return err
	}
	if !quorum {
		return &JoinError{leader, server, heard}
	}
	var settled []int
	for _, n := range e.nodes {
		if n.ID == leader || e.Network.LeaderOf(n.ID) == leader {
			settled = append(settled, n.ID)
		}
	}
	if err := e.begin(ctx, server, votes); err != nil {
		return err
	}
	e.Network.Canvass(server, settled)
	defer e.Network.Elect()
	if err := e.Await(ctx, func() (bool, error) { return e.elected(leader, []int{server}) }); err != nil {
		return fmt.Errorf("server %d among %v: %w; %s; %s", server, settled, err, e.proposals([]int{server}), e.elections(settled))
	}
	return nil
}

// turnAway ends a follower's connection to its leader in Discovery, and lets it look for a leader.
func (e *Ensemble) turnAway(ctx context.Context, leader, follower int) error {
	e.Network.Break(follower, leader)
	return e.Await(ctx, func() (bool, error) {
		s := e.Node(follower).Peer()
		if s == nil {
			return false, e.Node(follower).Err()
		}
		if s.Point.Place == Election {
			return true, nil
		}
		return false, s.Release()
	})
}

// Join lets a server that stands at Election follow a leader that has its quorum. At the end the
// server stands at Read and its LearnerHandler at Sync. The vote is that with which it began. If it
// cannot hear a quorum of equal votes for the leader, the error is a *JoinError.
func (e *Ensemble) Join(ctx context.Context, leader, joiner int) (vote Ballot, err error) {
	votes := map[int]Ballot{}
	if err := e.hear(ctx, leader, joiner, votes); err != nil {
		return votes[joiner], err
	}
	followers := []int{joiner}
	if err := e.proposeEpoch(ctx, leader, followers); err != nil {
		return votes[joiner], err
	}
	return votes[joiner], e.acknowledgeEpoch(ctx, leader, followers)
}

// release releases the QuorumPeer of a server, which must stand at a place.
func (e *Ensemble) release(server int, at Place) error {
	n := e.Node(server)
	if n.Gates == nil {
		return fmt.Errorf("server %d does not run", server)
	}
	s := n.Peer()
	if s == nil || s.Point.Place != at {
		return fmt.Errorf("the QuorumPeer of server %d does not stand at %v", server, at)
	}
	return s.Release()
}

// Stands reports whether the QuorumPeer of a server stands at a place.
func (e *Ensemble) Stands(server int, at Place) (bool, error) {
	n := e.Node(server)
	if n.Gates == nil {
		return false, fmt.Errorf("server %d does not run", server)
	}
	s := n.Peer()
	return s != nil && s.Point.Place == at, n.Err()
}

// inRound reports whether a server that looks for a leader does so in a round, or in a later one.
func (e *Ensemble) inRound(server int, round int64) (bool, error) {
	b, _, err := e.Node(server).voting()
	return b.Round >= round, err
}

// preferred reports whether every follower votes for the leader, or has already connected to one.
func (e *Ensemble) preferred(leader int, followers []int) (bool, error) {
	for _, i := range followers {
		g := e.Node(i).Gates
		if err := g.Err(); err != nil {
			return false, err
		}
		g.mu.Lock()
		r := fields{at: g.peer}
		g.mu.Unlock()
		vote := int(r.int("electionAlg.proposedLeader"))
		if r.err != nil || vote != leader && e.Network.LeaderOf(i) == 0 {
			return false, r.err
		}
	}
	return true, e.Node(leader).Err()
}

// elected reports whether every follower has connected to the leader and waits for its epoch.
func (e *Ensemble) elected(leader int, followers []int) (bool, error) {
	for _, i := range followers {
		if err := e.Node(i).Err(); err != nil {
			return false, err
		}
		switch l := e.Network.LeaderOf(i); l {
		case leader:
		case 0:
			return false, e.Node(leader).Err()
		default:
			return false, &ElectedError{leader, l}
		}
		kept := e.Network.Kept(i, leader)
		if ok, err := e.Stands(i, Read); !ok || len(kept) == 0 || kept[0].Type != zookeeper.FOLLOWERINFO {
			return false, err
		}
	}
	return true, e.Node(leader).Err()
}

// proposeEpoch delivers FOLLOWERINFO and waits until all followers are sent LEADERINFO.
func (e *Ensemble) proposeEpoch(ctx context.Context, leader int, followers []int) error {
	order := slices.Clone(followers)
	accepted := func(i int) int64 { return e.Network.Kept(i, leader)[0].Zxid.Epoch() }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(accepted(j), accepted(i)) })
	for _, i := range order {
		if _, err := e.Network.Deliver(i, leader); err != nil {
			return err
		}
		// A quorum that is not complete yet must count before the next one comes.
		if err := e.Await(ctx, func() (bool, error) { return e.counted(leader, i, "connectingFollowers") }); err != nil {
			return fmt.Errorf("FOLLOWERINFO of server %d at its leader %d: %w", i, leader, err)
		}
	}
	for _, i := range followers {
		if err := e.await(ctx, leader, i, zookeeper.LEADERINFO); err != nil {
			return err
		}
	}
	return nil
}

// acknowledgeEpoch lets the followers accept the epoch and delivers ACKEPOCH.
func (e *Ensemble) acknowledgeEpoch(ctx context.Context, leader int, followers []int) error {
	for _, i := range followers {
		if _, err := e.Network.Deliver(leader, i); err != nil {
			return err
		}
		if err := e.release(i, Read); err != nil {
			return err
		}
		if err := e.await(ctx, i, leader, zookeeper.ACKEPOCH); err != nil {
			return err
		}
		if err := e.Await(ctx, func() (bool, error) { return e.Stands(i, Read) }); err != nil {
			return fmt.Errorf("server %d after it accepted the epoch: %w", i, err)
		}
	}
	// Until the leader counts itself there is no quorum, so all acknowledgements count.
	if err := e.Await(ctx, func() (bool, error) { return e.counted(leader, leader, "electingFollowers") }); err != nil {
		return fmt.Errorf("the epoch of leader %d at itself: %w", leader, err)
	}
	for _, i := range followers {
		if _, err := e.Network.Deliver(i, leader); err != nil {
			return err
		}
		err := e.Await(ctx, func() (bool, error) {
			if s, err := e.Node(leader).Handler(i, Sync); s != nil || err != nil {
				return s != nil, err
			}
			return e.counted(leader, i, "electingFollowers")
		})
		if err != nil {
			return fmt.Errorf("ACKEPOCH of server %d at its leader %d: %w", i, leader, err)
		}
	}
	for _, i := range followers {
		err := e.Await(ctx, func() (bool, error) {
			s, err := e.Node(leader).Handler(i, Sync)
			return s != nil, err
		})
		if err != nil {
			return fmt.Errorf("the LearnerHandler of server %d at its leader %d: %w", i, leader, err)
		}
	}
	err := e.Await(ctx, func() (bool, error) {
		m, err := e.Node(leader).Memory()
		if err != nil || m.Leader == nil || !slices.Contains(m.Leader.Acked, leader) {
			return false, err
		}
		return e.Node(leader).PeerWaits()
	})
	if err != nil {
		return fmt.Errorf("leader %d after a quorum has accepted its epoch: %w", leader, err)
	}
	return nil
}

// await waits until the first packet in flight from one server to another has a type.
func (e *Ensemble) await(ctx context.Context, from, to int, want zookeeper.Type) error {
	err := e.Await(ctx, func() (bool, error) {
		kept := e.Network.Kept(from, to)
		return len(kept) > 0 && kept[0].Type == want, errOr(e.Node(from), e.Node(to))
	})
	if err != nil {
		return fmt.Errorf("waiting for %v from server %d to server %d: %w", want, from, to, err)
	}
	return nil
}

// errOr returns the first error of servers.
func errOr(nodes ...*Node) error {
	for _, n := range nodes {
		if n.Gates != nil {
			if err := n.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// counted reports whether a leader's set of servers has a follower, or no longer grows since it is
// a quorum.
func (e *Ensemble) counted(leader, follower int, set string) (bool, error) {
	g := e.Node(leader).Gates
	if err := g.Err(); err != nil {
		return false, err
	}
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	l := r.object("leader")
	if r.err != nil || l.IsNull() {
		return false, r.err
	}
	have := r.servers(l, set)
	return slices.Contains(have, follower) || 2*len(have) > e.Servers && slices.Contains(have, leader), r.err
}
