package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// ElectedError says that the servers have elected another leader than the one that was asked for.
type ElectedError struct{ Want, Have int }

func (e *ElectedError) Error() string {
	return fmt.Sprintf("the servers elected %d, not %d: their epochs and transactions order them so", e.Have, e.Want)
}

// Elect lets voters, which stand at Election and among which the leader is, elect the leader, and
// then the given servers run Discovery with it. Servers that do not vote follow the votes of the
// others. Voters that are not among the servers do not reach the leader and look for one again.
//
// At first all vote and nobody hears of it: what a server has not sent of an earlier election gives
// way to its new vote. Then the voters exchange votes with the leader only, until all vote for it.
// Otherwise two of them could elect one of them before the leader's votes arrive: ZooKeeper waits
// 200 ms for better ones. Discovery takes FOLLOWERINFO in the order of accepted epochs, the
// greatest first, and ACKEPOCH in the order of identities: the first ones make the quorum.
//
// At the end each follower stands at Read and each LearnerHandler at Sync, and the leader waits for
// a quorum to acknowledge NEWLEADER.
func (e *Ensemble) Elect(ctx context.Context, leader int, voters, servers []int) error {
	others := func(all []int) []int {
		out := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return i == leader })
		slices.Sort(out)
		return out
	}
	defer e.Network.Elect()
	first := others(voters)
	for _, i := range append([]int{leader}, first...) {
		if err := e.begin(ctx, i); err != nil {
			return err
		}
	}
	e.Network.Canvass(leader, first)
	if err := e.Await(ctx, func() (bool, error) { return e.preferred(leader, first) }); err != nil {
		return fmt.Errorf("votes for %d among %v: %w", leader, voters, err)
	}
	e.Network.Elect(voters...)
	if err := e.Await(ctx, func() (bool, error) { return e.elected(leader, first) }); err != nil {
		return fmt.Errorf("electing %d among %v: %w", leader, voters, err)
	}
	e.Network.Elect()
	followers := others(servers)
	for _, i := range followers {
		if !slices.Contains(voters, i) {
			if err := e.hear(ctx, leader, i); err != nil {
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

// begin releases a server from Election and waits until its vote is queued for all others.
func (e *Ensemble) begin(ctx context.Context, server int) error {
	n := e.Node(server)
	if n.Gates == nil {
		return fmt.Errorf("server %d does not run", server)
	}
	before, _, err := n.round()
	if err != nil {
		return err
	}
	if err := e.release(server, Election); err != nil {
		return err
	}
	return e.Await(ctx, func() (bool, error) {
		round, unsent, err := n.round()
		return round > before && unsent == 0, err
	})
}

// round is the round of a server's last election, and how many notifications QuorumCnxManager has
// not got yet.
func (g *Gates) round() (round, unsent int64, err error) {
	if err := g.Err(); err != nil {
		return 0, 0, err
	}
	g.mu.Lock()
	r := fields{at: g.peer}
	g.mu.Unlock()
	return r.int("electionAlg.logicalclock"), r.int("electionAlg.sendqueue.count"), r.err
}

// hear lets a server that stands at Election hear from a leader and from those that follow it,
// until it has connected to the leader.
func (e *Ensemble) hear(ctx context.Context, leader, server int) error {
	var settled []int
	for _, n := range e.nodes {
		if n.ID == leader || e.Network.LeaderOf(n.ID) == leader {
			settled = append(settled, n.ID)
		}
	}
	if err := e.begin(ctx, server); err != nil {
		return err
	}
	e.Network.Canvass(server, settled)
	defer e.Network.Elect()
	if err := e.Await(ctx, func() (bool, error) { return e.elected(leader, []int{server}) }); err != nil {
		return fmt.Errorf("server %d among %v: %w", server, settled, err)
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
// server stands at Read and its LearnerHandler at Sync.
func (e *Ensemble) Join(ctx context.Context, leader, joiner int) error {
	if err := e.hear(ctx, leader, joiner); err != nil {
		return err
	}
	followers := []int{joiner}
	if err := e.proposeEpoch(ctx, leader, followers); err != nil {
		return err
	}
	return e.acknowledgeEpoch(ctx, leader, followers)
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
		return err == nil && m.Leader != nil && slices.Contains(m.Leader.Acked, leader), err
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

// errOr is the first error of servers.
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
