//go:build !multigrain_runtime

package replay

import (
	"context"
	"time"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
)

// Coarse grains: a step stands for several of the baseline's. It does those that the specification
// does, in the same order, as far as packets are there for them.

// adopt takes follower I through all that J has sent it in Synchronization.
func adopt(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	for {
		kept := a.ensemble.Network.Kept(int(p.J)+1, int(p.I)+1)
		if len(kept) == 0 {
			return nil
		}
		switch kept[0].Type {
		case zookeeper.DIFF, zookeeper.TRUNC, zookeeper.SNAP:
			if err := openSync(a, ctx, s); err != nil {
				return err
			}
		case zookeeper.NEWLEADER:
			return newLeader(a, ctx, s)
		case zookeeper.UPTODATE:
			return readAndLog(a, ctx, s)
		default:
			if err := read(a, ctx, s); err != nil {
				return err
			}
		}
	}
}

// replicate takes a client's write to leader I and the followers among S.
func replicate(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Party)
	one := s
	one.Params = zab.One{I: p.I}
	if err := request(a, ctx, one); err != nil {
		return err
	}
	for k := range zab.Server(zab.Servers) {
		if k == p.I || !p.S.Has(k) {
			continue
		}
		if err := a.sent(ctx, p.I, k, zookeeper.PROPOSAL); err != nil {
			return err
		}
		one.Params = zab.Pair{I: k, J: p.I}
		if err := readAndLog(a, ctx, one); err != nil {
			return err
		}
		if err := a.sent(ctx, k, p.I, zookeeper.ACK); err != nil {
			return err
		}
		if err := a.deliver(k, p.I); err != nil {
			return err
		}
	}
	return a.commitAll(ctx, s, p.I)
}

// sent waits until the first packet in flight has a type.
func (a *adapter) sent(ctx context.Context, from, to zab.Server, t zookeeper.Type) error {
	return a.ensemble.Await(ctx, func() (bool, error) { return a.waitsIn(to, from, t), a.node(from).Err() })
}

// catchUp lets follower I take the COMMITs that J has sent, and log one proposal more.
func catchUp(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	for a.waitsIn(p.I, p.J, zookeeper.COMMIT) {
		if err := read(a, ctx, s); err != nil {
			return err
		}
	}
	if a.waitsIn(p.I, p.J, zookeeper.PROPOSAL) {
		if err := readAndLog(a, ctx, s); err != nil {
			return err
		}
	}
	return a.commitAll(ctx, s, p.J)
}

// countAndCommit lets leader I count an acknowledgement of J, and all commit what it decides.
func countAndCommit(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.deliver(p.J, p.I); err != nil {
		return err
	}
	return a.commitAll(ctx, s, p.I)
}

// commitAll lets the followers of leader I that serve take its COMMITs, and the leader take
// acknowledgements of committed proposals.
func (a *adapter) commitAll(ctx context.Context, s step, i zab.Server) error {
	return a.until(s, func() (bool, error) {
		m, err := a.memory(i)
		if err != nil || m == nil || m.Leader == nil {
			return false, err
		}
		for k := range zab.Server(zab.Servers) {
			if k == i || a.ensemble.Network.LeaderOf(int(k)+1) != int(i)+1 {
				continue
			}
			if s.After.ZabState[k] == zab.BROADCAST && a.waitsIn(k, i, zookeeper.COMMIT) {
				one := s
				one.Params = zab.Pair{I: k, J: i}
				return true, read(a, ctx, one)
			}
			if kept := a.ensemble.Network.Kept(int(k)+1, int(i)+1); len(kept) > 0 && kept[0].Type == zookeeper.ACK &&
				kept[0].Zxid.Counter() > 0 && kept[0].Zxid <= m.Leader.LastCommitted {
				return true, a.deliver(k, i)
			}
		}
		return false, nil
	})
}

// discover lets leader I hear of J, and all that waited for that continue.
func discover(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := takeInfo(a, ctx, s); err != nil {
		return err
	}
	err := a.until(s, func() (bool, error) {
		for k := range zab.Server(zab.Servers) {
			one := s
			switch {
			case k == p.I:
			case a.waitsIn(k, p.I, zookeeper.LEADERINFO):
				one.Params = zab.Pair{I: k, J: p.I}
				return true, takeEpoch(a, ctx, one)
			case a.waitsIn(p.I, k, zookeeper.ACKEPOCH):
				return true, a.countEpochAck(ctx, p.I, k)
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	if s.After.State[p.I] == zab.LOOKING {
		return a.partWays(ctx, s)
	}
	return a.begunToLead(ctx, s, p.I)
}

// until does moves until the state is that after the step, or there has been none for some time.
func (a *adapter) until(s step, move func() (bool, error)) error {
	for last := time.Now(); time.Since(last) < settling; time.Sleep(5 * time.Millisecond) {
		moved, err := move()
		if err != nil {
			return err
		}
		if moved {
			last = time.Now()
			continue
		}
		var have zab.State
		if a.observe(&have) == nil && a.agrees(&have, s.After) {
			return nil
		}
	}
	return nil
}
