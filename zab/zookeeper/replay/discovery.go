//go:build !multigrain_runtime

package replay

import (
	"context"
	"slices"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// Discovery at its baseline. A follower rests before it connects to the leader that it has elected.
// A leader and its LearnerHandlers wait for a quorum in the monitors of getEpochToPropose and
// waitForEpochAck, or for a packet.

// ofDiscovery are the variables that are compared with Discovery at its baseline.
var ofDiscovery = []string{"Connecting", "TempMaxEpoch"}

// connect lets follower J connect to its leader I and send FOLLOWERINFO.
func connect(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	a.informed[p.I].Remove(p.J)
	if err := a.moves(ctx, p.J, control.Connect, control.Read); err != nil {
		return err
	}
	return a.ensemble.Await(ctx, func() (bool, error) {
		return len(a.ensemble.Network.Kept(int(p.J)+1, int(p.I)+1)) > 0, a.node(p.J).Err()
	})
}

// takeInfo lets leader I read FOLLOWERINFO of J.
func takeInfo(a *adapter, _ context.Context, s step) error {
	p := s.Params.(zab.Pair)
	a.informed[p.I].Add(p.J)
	return a.deliver(p.J, p.I)
}

// takeEpoch lets follower I read LEADERINFO of J, and answer or give up.
func takeEpoch(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if s.After.State[p.I] != zab.LOOKING {
		return read(a, ctx, s)
	}
	if err := a.deliver(p.J, p.I); err != nil {
		return err
	}
	return a.followsNoMore(ctx, p.I)
}

// takeAck lets leader I read ACKEPOCH of J.
func takeAck(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.countEpochAck(ctx, p.I, p.J); err != nil {
		return err
	}
	if s.After.State[p.I] == zab.LOOKING {
		return a.partWays(ctx, s)
	}
	return a.begunToLead(ctx, s, p.I)
}

// countEpochAck lets a leader that has acknowledged its own epoch read ACKEPOCH of a follower.
func (a *adapter) countEpochAck(ctx context.Context, leader, follower zab.Server) error {
	if err := a.leads(ctx, leader, func(l *control.LeaderMemory) bool { return slices.Contains(l.Electing, int(leader)+1) }); err != nil {
		return err
	}
	if kept := a.ensemble.Network.Kept(int(follower)+1, int(leader)+1); len(kept) > 0 {
		a.peerLast[follower] = a.zxid(kept[0].Zxid)
	}
	a.joined[leader].Add(follower)
	a.heard[leader].Remove(follower)
	return a.deliver(follower, leader)
}

// begunToLead waits until a leader that has begun Synchronization has acknowledged its own epoch.
func (a *adapter) begunToLead(ctx context.Context, s step, i zab.Server) error {
	if s.Before.ZabState[i] != zab.DISCOVERY || s.After.ZabState[i] != zab.SYNCHRONIZATION {
		return nil
	}
	a.led[i] = s.After.AcceptedEpoch[i]
	if err := a.leads(ctx, i, func(l *control.LeaderMemory) bool { return slices.Contains(l.Acked, int(i)+1) }); err != nil {
		return err
	}
	return a.ensemble.Await(ctx, a.node(i).PeerWaits)
}

// leads waits until a condition on a leader holds.
func (a *adapter) leads(ctx context.Context, i zab.Server, holds func(*control.LeaderMemory) bool) error {
	return a.ensemble.Await(ctx, func() (bool, error) {
		m, err := a.memory(i)
		return err == nil && m != nil && m.Leader != nil && holds(m.Leader), err
	})
}

// turnsToLeading notes that a server leads, and waits until it waits for FOLLOWERINFO.
func (a *adapter) turnsToLeading(ctx context.Context, i zab.Server) error {
	only := zab.Set(0).With(i)
	a.joined[i], a.heard[i], a.informed[i] = only, only, only
	return a.leads(ctx, i, func(l *control.LeaderMemory) bool { return slices.Contains(l.Connecting, int(i)+1) })
}

// followerWaits lets a follower fail to connect to its leader.
func followerWaits(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	for k := range zab.Servers {
		if k != int(i) {
			a.ensemble.Network.Refuse(int(i)+1, k+1, true)
			defer a.ensemble.Network.Refuse(int(i)+1, k+1, false)
		}
	}
	return a.followsNoMore(ctx, i)
}

// leaderWaits lets a leader give up waiting for a quorum.
func leaderWaits(a *adapter, ctx context.Context, s step) error { return a.partWays(ctx, s) }

// observeDiscovery reads what a leader has heard in Discovery. A server counts itself.
func (a *adapter) observeDiscovery(s *zab.State, i zab.Server, l *control.LeaderMemory) {
	for k := range zab.Server(zab.Servers) {
		if k != i && a.ensemble.Network.LeaderOf(int(k)+1) == int(i)+1 && a.waitsIn(i, k, zookeeper.FOLLOWERINFO) {
			s.Learners[i].Add(k) // its LearnerHandler does not know it yet
		}
	}
	sids := setOf(l.Connecting).With(i)
	s.Connecting[:][i] = zab.Contacts{Sids: sids, Connected: a.informed[i].Intersect(sids).Intersect(s.Learners[i])}
	s.TempMaxEpoch[:][i] = a.epoch(l.Epoch)
	if s.ZabState[i] == zab.DISCOVERY {
		s.AckldRecv[i] = zab.Contacts{Sids: s.AckldRecv[i].Sids.With(i), Connected: s.AckldRecv[i].Connected.With(i)}
	}
}

// waitsIn reports whether the first packet from a learner to its leader is of a type.
func (a *adapter) waitsIn(leader, learner zab.Server, t zookeeper.Type) bool {
	kept := a.ensemble.Network.Kept(int(learner)+1, int(leader)+1)
	return len(kept) > 0 && kept[0].Type == t
}
