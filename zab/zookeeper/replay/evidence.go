//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// Evidence has values of the servers in the last step that no variable of the specification has.
// The conditions of known differences name it, so that they hold only where ZooKeeper has the
// reason that they give. Numbers count as in zab.State, see the package's comment.
type Evidence struct {
	// Votes are the votes with which servers began the election of the step, each for itself; zero
	// for servers that began none. Elected is the server whose vote is the greatest.
	Votes   [zab.Servers]zab.Vote
	Elected zab.Server
	// Hears are the servers that lead or follow and that a server reaches which should follow a
	// leader in the step and does not. Heard are their votes.
	Hears zab.Set
	Heard [zab.Servers]zab.Vote
	// CommittedFrom is, in a step in which a leader decides how it synchronises a learner, the
	// first zxid of its committedLog: lastProcessedZxid if that is empty. A learner with an earlier
	// one needs the leader's log or gets a snapshot.
	CommittedFrom zab.Zxid
	// Snapshot is the zxid of a follower's newest snapshot after the opening message of
	// Synchronization. Saved has the transactions of that snapshot.
	Snapshot zab.Zxid
	Saved    zab.History
	// LeftFailed reports that a SyncRequestProcessor which a shutdown had left running has logged
	// one transaction and then failed with a NullPointerException.
	LeftFailed bool
	// LeftLogged is the last transaction in the log of a server, in a step in which such a
	// SyncRequestProcessor logs.
	LeftLogged zab.Zxid
}

// Evidence is that of the last step.
func (a *adapter) Evidence() any {
	if x := &a.leftLogs; x.logs {
		a.evidence.LeftFailed = a.node(x.server).LoggedSince(x.size, "NullPointerException")
		if d, err := a.node(x.server).Disk(); err == nil && len(d.Log) > 0 {
			a.evidence.LeftLogged = a.zxid(d.Log[len(d.Log)-1].Zxid)
		}
	}
	return &a.evidence
}

// leftLogs is a server whose SyncRequestProcessor that was left logs in this step, and how much the
// server had written to its own log before.
type leftLogs struct {
	logs   bool
	server zab.Server
	size   int64
}

// readCommittedLog reads where the committedLog of a leader begins, once the LearnerHandler of the
// learner stands before its decision.
func (a *adapter) readCommittedLog(ctx context.Context, p zab.Pair) error {
	return a.ensemble.Await(ctx, func() (bool, error) {
		h, err := a.node(p.I).Handler(int(p.J)+1, control.Sync)
		if h == nil || err != nil {
			return false, errors.Join(err, a.node(p.I).Err())
		}
		z, err := a.node(p.I).CommittedFrom()
		a.evidence.CommittedFrom = a.zxid(z)
		return true, err
	})
}

// readSnapshot reads the newest snapshot of a follower.
func (a *adapter) readSnapshot(i zab.Server) error {
	d, err := a.node(i).Disk()
	a.evidence.Snapshot, a.evidence.Saved = a.zxid(d.Snapshot), a.history(d.Saved)
	return err
}
