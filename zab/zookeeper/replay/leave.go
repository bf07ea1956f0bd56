//go:build !multigrain_runtime

package replay

import (
	"context"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// partWays lets the servers that a fault has separated notice it. Those that lose their leader or
// their quorum come to rest before an election; a leader that continues loses a LearnerHandler.
func (a *adapter) partWays(ctx context.Context, s step) error {
	for i := range zab.Server(zab.Servers) {
		if a.node(i).Gates == nil || s.Before.State[i] != zab.LEADING {
			continue
		}
		gone := s.Before.Learners[i].Minus(s.After.Learners[i])
		for k := range zab.Server(zab.Servers) {
			if k == i || !gone.Has(k) {
				continue
			}
			if err := a.releaseGone(ctx, i, k); err != nil {
				return err
			}
		}
		if s.After.State[i] == zab.LOOKING {
			if err := a.leadsNoMore(ctx, i, s); err != nil {
				return err
			}
		}
	}
	for i := range zab.Server(zab.Servers) {
		if a.node(i).Gates != nil && s.Before.State[i] == zab.FOLLOWING && s.After.State[i] == zab.LOOKING {
			if err := a.followsNoMore(ctx, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// releaseGone releases the LearnerHandler of a learner that leader i has lost. If it stands at Sync
// it comes to Opened, too, or finds before that that the connection is broken.
func (a *adapter) releaseGone(ctx context.Context, i, k zab.Server) error {
	decides, err := a.node(i).Handler(int(k)+1, control.Sync)
	if err != nil {
		return err
	}
	if decides != nil {
		if err := decides.Release(); err != nil || !a.opens {
			return err
		}
	}
	err = a.ensemble.Await(ctx, func() (bool, error) {
		if h, err := a.node(i).Handler(int(k)+1, control.Opened); h != nil || err != nil {
			if err == nil {
				err = h.Release()
			}
			return true, err
		}
		if decides == nil {
			return true, nil
		}
		m, err := a.memory(i)
		return err == nil && (m == nil || m.Leader == nil || !slices.Contains(m.Leader.Learners, int(k)+1)), err
	})
	if err != nil {
		return fmt.Errorf("the LearnerHandler of server %d at its leader %d, which has lost it: %w", k, i, err)
	}
	return nil
}

// leadsNoMore lets a leader without a quorum give up. One that serves looks for its quorum by
// itself. One that waits for acknowledgements of NEWLEADER gives up when its time is over.
func (a *adapter) leadsNoMore(ctx context.Context, i zab.Server, s step) error {
	left, err := a.node(i).Left()
	if err != nil {
		return err
	}
	committers, err := a.node(i).LeftCommitters()
	if err != nil {
		return err
	}
	left = append(left, committers...)
	if s.Before.ZabState[i] != zab.BROADCAST {
		if err := a.node(i).TimeOut(); err != nil {
			return err
		}
	}
	// The shutdown of the server waits for its SyncRequestProcessor.
	err = a.ensemble.Await(ctx, func() (bool, error) {
		for _, stop := range slices.Concat(a.node(i).Standing(control.Append), a.node(i).Standing(control.Commit), a.node(i).Standing(control.GiveUp)) {
			if slices.Contains(left, stop) {
				continue
			}
			if err := stop.Release(); err != nil {
				return false, err
			}
		}
		return a.ensemble.Stands(int(i)+1, control.Election)
	})
	if err != nil {
		return fmt.Errorf("server %d, which leads no more: %w", i, err)
	}
	return nil
}

// followsNoMore releases a follower without a connection until it is about to look for a leader.
// Before it shuts its server down, its SyncRequestProcessor ends its work. With disks apart that of
// a server that does not serve ends it later. Then its failure does not bring the memory up to the
// log.
func (a *adapter) followsNoMore(ctx context.Context, i zab.Server) error {
	a.taken[i], a.openings[i] = nil, nil
	later := false
	err := a.ensemble.Await(ctx, func() (bool, error) {
		stop := a.node(i).Peer()
		if stop == nil {
			return false, a.node(i).Err()
		}
		switch stop.Point.Place {
		case control.Election:
			return true, nil
		case control.Shutdown:
			if a.threads {
				break // what it has not logged is left to it
			}
			if disksApart {
				m, err := a.memory(i)
				if err != nil {
					return false, err
				}
				if later = m.Serving != "RUNNING"; later {
					break
				}
			}
			if err := a.log(ctx, i); err != nil {
				return false, err
			}
		}
		return false, stop.Release()
	})
	if err != nil {
		return fmt.Errorf("server %d, which has lost its leader: %w", i, err)
	}
	if later {
		return a.logAllLeft(ctx, i)
	}
	return nil
}

// logAllLeft lets the SyncRequestProcessors that a shutdown has left running log all they have.
func (a *adapter) logAllLeft(ctx context.Context, i zab.Server) error {
	return a.ensemble.Await(ctx, func() (bool, error) {
		left, err := a.node(i).Left()
		for _, stop := range left {
			if err := stop.Release(); err != nil {
				return false, err
			}
		}
		return len(left) == 0, err
	})
}
