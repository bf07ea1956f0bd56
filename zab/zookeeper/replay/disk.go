//go:build !multigrain_runtime

package replay

import (
	"context"
	"slices"

	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// With option disk = "apart" a server's log, snapshot and memory are compared apart.
//
// The memory is the data tree: its nodes, by the zxids that created them, and lastProcessedZxid. A
// server that does not run, or has cleared its database, has what its files give back.
//
// History is the memory and then what is logged or proposed and not applied. That is pendingTxns of
// a follower, and outstandingProposals and toBeApplied of a leader.

// disksApart: the specification keeps log, snapshot and memory apart.
const disksApart = zab.DiskSlots > 0

// image is a database: transactions and lastProcessedZxid.
type image struct {
	txns []control.Txn
	last zookeeper.Zxid
}

// opening holds a follower's memory at the opening message of Synchronization. The specification
// applies what is committed before NEWLEADER, and takes over a snapshot, only with NEWLEADER. Its
// committedLog gets what is applied then, too.
// Before that it has shown.
type opening struct {
	shown     image
	opened    []control.Txn // the data tree after the message
	snap      bool
	committed []control.Txn // committedLog before SNAP, which clears it
}

// memoryOf returns the memory of a server. m is nil for a server that does not run.
func memoryOf(d *control.Disk, m *control.Memory) image {
	if m == nil || !m.Loaded {
		return restored(d)
	}
	return image{m.Tree, m.Applied}
}

// restored reads as a start does: the newest snapshot, and the log from the first later record on.
func restored(d *control.Disk) image {
	out := image{slices.Clone(d.Saved), d.Snapshot}
	from := slices.IndexFunc(d.Log, func(t control.Txn) bool { return t.Zxid > d.Snapshot })
	if from < 0 {
		return out
	}
	for _, t := range d.Log[from:] {
		if !slices.Contains(out.txns, t) {
			out.txns = append(out.txns, t)
		}
		out.last = max(out.last, t.Zxid)
	}
	return out
}

// image returns a database as the specification has it. A leader that serves has the zxid of its
// epoch until its first proposal. Without option epoch_zxids the specification leaves that out.
func (a *adapter) image(i zab.Server, m image) (out zab.Image) {
	out.Txns = a.history(m.txns)
	last := a.zxid(m.last)
	own := !zab.EpochZxids && last.Counter == 0 && last.Epoch > 0 && last.Epoch == a.led[i]
	if !own && last != out.Txns.Last().Zxid {
		out.Tail = zab.Tail{Named: true, Zxid: last}
	}
	return out
}

// history returns a sequence of transactions, each once, without the prelude's. Without local
// sessions the prelude has others than its node's.
func (a *adapter) history(all []control.Txn) (h zab.History) {
	for _, t := range all {
		if a.ofPrelude(t) {
			continue
		}
		if x := a.txn(t); h.Find(x) == 0 {
			if h.Len() == h.Cap() {
				odd("a server has %d transactions, and the specification has room for %d", len(all), h.Cap())
			}
			h.Append(x)
		}
	}
	return h
}

// ofPrelude reports whether a transaction is one of the prelude. Without local sessions those that
// begin and end sessions are, too.
func (a *adapter) ofPrelude(t control.Txn) bool {
	if a.jars.Version.HasLocalSessions() {
		return t.Path == control.PreludePath
	}
	return t.Zxid.Epoch() <= a.base
}

// observeDisk reads log, snapshot and memory of a server, and what is pending.
func (a *adapter) observeDisk(s *zab.State, i zab.Server, d *control.Disk, m *control.Memory) {
	disk := &s.Disks[:][i]
	disk.Log = a.history(d.Log)
	disk.Snapshot = a.image(i, image{d.Saved, d.Snapshot})
	memory := memoryOf(d, m)
	committed := committedLog(d, m)
	if o := a.openings[i]; o != nil && m != nil {
		committed = slices.DeleteFunc(slices.Clone(committed), func(t control.Txn) bool { return !slices.Contains(o.opened, t) })
		if o.snap {
			committed = o.committed
		}
		for _, t := range memory.txns {
			if !slices.Contains(o.opened, t) {
				s.PacketsSync[i].NotCommitted.Append(a.txn(t))
				s.PacketsSync[i].Committed.Append(a.zxid(t.Zxid))
			}
		}
		memory = o.shown
	}
	disk.Committed = a.history(committed)
	shown := a.image(i, memory)
	disk.Memory = shown.Tail
	s.History[i] = shown.Txns
	s.LastProcessed[i] = number(int64(shown.Txns.Len()))
	for _, t := range pending(m) {
		if x := a.txn(t); s.History[i].Find(x) == 0 {
			s.History[i].Append(x)
		}
	}
}

// committedLog has the transactions that a server keeps for learners. One without a database in
// memory reads it from
// the log after the snapshot.
func committedLog(d *control.Disk, m *control.Memory) []control.Txn {
	if m != nil && m.Loaded {
		return m.CommittedLog
	}
	from := slices.IndexFunc(d.Log, func(t control.Txn) bool { return t.Zxid > d.Snapshot })
	if from < 0 {
		return nil
	}
	return d.Log[from:]
}

// pending returns the transactions that a server has logged or proposed and not applied, by zxid.
func pending(m *control.Memory) (out []control.Txn) {
	switch {
	case m == nil:
	case m.Follower != nil:
		for _, t := range slices.Concat(m.Follower.Applying, m.Follower.Pending) {
			if !slices.Contains(m.Follower.Queued, t) {
				out = append(out, t)
			}
		}
	case m.Leader != nil:
		out = slices.Clone(m.Leader.ToBeApplied)
		for _, o := range m.Leader.Outstanding {
			out = append(out, o.Txn)
		}
		slices.SortFunc(out, func(x, y control.Txn) int { return int(x.Zxid - y.Zxid) })
	}
	return out
}

// openSync lets follower I read the opening message of Synchronization.
func openSync(a *adapter, ctx context.Context, s step) error {
	if !disksApart {
		if err := read(a, ctx, s); err != nil {
			return err
		}
		return a.readSnapshot(s.Params.(zab.Pair).I)
	}
	p := s.Params.(zab.Pair)
	mode := zookeeper.DIFF
	if kept := a.ensemble.Network.Kept(int(p.J)+1, int(p.I)+1); len(kept) > 0 {
		mode = kept[0].Type
	}
	before, err := a.node(p.I).Memory()
	if err != nil {
		return err
	}
	if err := read(a, ctx, s); err != nil {
		return err
	}
	after, err := a.node(p.I).Memory()
	if err != nil {
		return err
	}
	switch mode {
	case zookeeper.SNAP:
		last := before.Applied
		if zab.EpochZxids {
			last = after.Applied
		}
		a.openings[p.I] = &opening{image{before.Tree, last}, after.Tree, true, before.CommittedLog}
	case zookeeper.TRUNC:
		a.openings[p.I] = &opening{shown: image{after.Tree, after.Applied}, opened: after.Tree}
	}
	return nil
}
