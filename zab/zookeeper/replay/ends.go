//go:build !multigrain_runtime

package replay

import (
	"context"
	"fmt"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// Faults where each end of a connection notices by itself that it has ended. The network keeps the
// end of a connection as it keeps a packet, after what was sent before. A leader that serves and
// has lost its quorum stands before it shuts itself down. Its other threads continue meanwhile.

// readEnd lets server I read the end of its connection to J.
func readEnd(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if kept := a.ensemble.Network.Kept(int(p.J)+1, int(p.I)+1); len(kept) == 0 || kept[0].Type != control.Closed {
		return fmt.Errorf("server %d has not closed its connection to server %d, or has sent something before that", p.J, p.I)
	}
	if err := a.deliver(p.J, p.I); err != nil {
		return err
	}
	return a.partWays(ctx, s)
}

// followerTimesOut lets follower I read an error instead of the next packet of its leader.
func followerTimesOut(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	if err := a.ensemble.Network.TimeOut(int(i)+1, int(s.Before.LeaderAddr[i])+1); err != nil {
		return err
	}
	return a.partWays(ctx, s)
}

// dropLearner lets the LearnerHandler of J at its leader I read an error instead of the next
// packet.
func dropLearner(a *adapter, ctx context.Context, s step) error {
	p := s.Params.(zab.Pair)
	if err := a.ensemble.Network.TimeOut(int(p.I)+1, int(p.J)+1); err != nil {
		return err
	}
	return a.partWays(ctx, s)
}

// giveUpLeading lets leader I, which has lost its quorum, look for a leader again. One that serves
// has noticed that by itself.
func giveUpLeading(a *adapter, ctx context.Context, s step) error {
	i := s.Params.(zab.One).I
	if s.Before.ZabState[i] == zab.BROADCAST {
		err := a.ensemble.Await(ctx, func() (bool, error) { return a.ensemble.Stands(int(i)+1, control.GiveUp) })
		if err != nil {
			return fmt.Errorf("leader %d without a quorum does not give up: %w", i, err)
		}
	}
	return a.partWays(ctx, s)
}
