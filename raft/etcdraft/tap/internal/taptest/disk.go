package taptest

import (
	"bytes"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// disk is a Storage with the cluster's configuration.
type disk struct {
	*raft.MemoryStorage
	conf *pb.ConfState
}

func (d disk) InitialState() (*pb.HardState, *pb.ConfState, error) {
	h, _, err := d.MemoryStorage.InitialState()
	return h, d.conf, err
}

// silent is a logger of one node that notes where a changed library says by Debug, which the
// library does not use, that it departs from what it was.
type silent struct {
	raft.Logger
	c *Cluster
	i int
}

func (s silent) Debug(...any) {
	if s.c.Departed[s.i] < 0 {
		s.c.Departed[s.i] = bytes.Count(s.c.Streams[s.i], []byte("\n"))
	}
}

func (silent) Debugf(string, ...any) {}

func (silent) Info(...any) {}

func (silent) Infof(string, ...any) {}

func (silent) Warning(...any) {}

func (silent) Warningf(string, ...any) {
}

func (silent) Error(...any) {}

func (silent) Errorf(string, ...any) {}

func (silent) Panic(v ...any) { panic(v) }

func (silent) Panicf(f string, _ ...any) {
	panic(f)
}

func (silent) Fatal(v ...any) { panic(v) }

func (silent) Fatalf(f string, _ ...any) { panic(f) }

func (c *Cluster) persist(i int, rd *raft.Ready) {
	if len(rd.ReadStates) > 0 {
		c.nodes[i].reads = false
	}
	if !raft.IsEmptyHardState(rd.HardState) {
		c.nodes[i].disk.SetHardState(rd.HardState)
	}
	if !raft.IsEmptySnap(rd.Snapshot) {
		c.install(i, rd.Snapshot)
	}
	c.append(i, rd.Entries)
}

func (c *Cluster) append(i int, entries []*pb.Entry) {
	if err := c.nodes[i].disk.Append(entries); err != nil {
		panic(err)
	}
}

func (c *Cluster) crash(i int) {
	c.Crashes++
	n := c.nodes[i]
	for j := range n.inbox {
		n.inbox[j] = nil
		if c.chance(0.5) {
			c.wire[j][i] = nil
		}
	}
	if h, _, err := n.disk.MemoryStorage.InitialState(); err == nil && h.GetVote() != 0 && c.o.ForgetVote {
		silent{c: c, i: i}.Debug()
		n.disk.SetHardState(&pb.HardState{Term: h.Term, Commit: h.Commit})
	}
	n.held, n.own, n.reads = nil, tap.Own{}, false
	if c.o.FromSnapshot {
		c.rewind(i)
	}
	if c.o.Kill > 0 && c.chance(c.o.Kill) {
		c.kill(i)
	}
	if !c.o.Known {
		c.Streams[i] = tap.AppendRestart(c.Streams[i], 0)
	} else {
		c.startFrom(i)
	}
	c.boot(i)
}

// startFrom notes that node i starts from what is on its disk.
func (c *Cluster) startFrom(i int) {
	var err error
	if c.Streams[i], err = tap.AppendRestartFrom(c.Streams[i], c.nodes[i].disk, c.nodes[i].applied, 0); err != nil {
		panic(err)
	}
}

// bootstrap gives node i a snapshot and no HardState, as a cluster that is restored from a backup.
func (c *Cluster) bootstrap(i int) {
	const index, term = 10, 5
	n := c.nodes[i]
	err := n.disk.ApplySnapshot(&pb.Snapshot{Metadata: &pb.SnapshotMetadata{Index: new(uint64(index)), Term: new(uint64(term)), ConfState: c.conf}})
	if err != nil {
		panic(err)
	}
	n.applied = index
	c.startFrom(i)
}

// attach adds the taps: each node restarts, and its stream begins there.
func (c *Cluster) attach() {
	for i := range c.nodes {
		c.crash(i)
		c.Streams[i], c.Departed[i] = nil, -1
		c.startFrom(i)
	}
}

// kill takes some lines off the end of the stream of i, as a process that is killed does that has
// not written them.
func (c *Cluster) kill(i int) {
	s := c.Streams[i]
	for lines := 1 + c.rng.IntN(20); lines > 0 && len(s) > 0; lines-- {
		s = s[:bytes.LastIndexByte(s[:len(s)-1], '\n')+1]
	}
	c.Streams[i] = tap.AppendLost(s, 1, "killed")
}
