package taptest

import (
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// install takes over a snapshot from the leader.
func (c *Cluster) install(i int, snap *pb.Snapshot) {
	n := c.nodes[i]
	if err := n.disk.ApplySnapshot(snap); err != nil {
		return // a wrong library may hand out an old one
	}
	n.disk.conf, n.applied = snap.GetMetadata().GetConfState(), snap.GetMetadata().GetIndex()
	c.Snaps++
}

// snapshot makes node i fold away what it has applied, and tells it of what it has sent.
func (c *Cluster) snapshot(i int) {
	n := c.nodes[i]
	if c.o.Report > 0 && c.chance(c.o.Report) {
		to := uint64((i+1+c.rng.IntN(c.o.Nodes-1))%c.o.Nodes + 1)
		switch status := raft.SnapshotFinish; c.rng.IntN(3) {
		case 0:
			status = raft.SnapshotFailure
			fallthrough
		case 1:
			c.Streams[i] = tap.AppendReport(c.Streams[i], to, status, 0)
			n.rn.ReportSnapshot(to, status)
		default:
			c.Streams[i] = tap.AppendUnreachable(c.Streams[i], to, 0)
			n.rn.ReportUnreachable(to)
		}
	}
	if c.o.Compact == 0 || !c.chance(c.o.Compact) {
		return
	}
	// A snapshot that is taken over and not applied is in the storage already.
	snap, err := n.disk.CreateSnapshot(n.applied, n.disk.conf, nil)
	if err != nil {
		return // there is one
	}
	c.Streams[i] = tap.AppendSnapshot(c.Streams[i], snap.GetMetadata(), 0)
	to := n.applied - min(n.applied, uint64(c.rng.IntN(20)))
	if c.chance(0.8) && n.disk.Compact(to) == nil {
		c.Streams[i] = tap.AppendCompact(c.Streams[i], to, 0)
	}
}

// rewind makes the storage of node i begin with its snapshot.
func (c *Cluster) rewind(i int) {
	n := c.nodes[i]
	snap, err := n.disk.Snapshot()
	if err != nil {
		panic(err)
	}
	n.applied = snap.GetMetadata().GetIndex()
	n.disk.conf = c.conf
	if n.applied > 0 {
		n.disk.conf = snap.GetMetadata().GetConfState()
		_ = n.disk.Compact(n.applied) // an error where it begins there already
	}
}
