package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Files that are written in part, with disk_faults = "files": what the end of a process or a loss
// of power leaves while a log is written, and what a start does with it. The last record of a log
// can be a Part. Its zxid is that of the transaction that was being written, and its value says
// what the file has of it. A start refuses it or passes over it, so a server that runs has none.
//
//	part         left by                start
//	emptyFile    both                   refuses before 3.9.3, else deletes the file
//	halfHeader   a loss of power        refuses
//	halfRecord   both                   passes over it
//	badChecksum  a loss of power        refuses
//	no snapshot  a loss of power        refuses from 3.5 on, if there is a log
//
// ZooKeeper: FileTxnLog.append, FileTxnLog.java:279-327@3.9.5, makes the file, flushes its header,
// and then writes records through a buffer. FileTxnLog.FileTxnIterator, 715-806@3.9.5.
// docs/results/starts.md has what real servers do with such files.
//
// Three kinds of files are never in part, or it does not matter. A snapshot that a process leaves
// in part has no valid end, so each reader takes the one before: that is the state before the step
// (FileSnap.findNValidSnapshots, FileSnap.java:167-186@3.9.5; deserialize, 81-117). The snapshot of
// SNAP gets its name when it is forced (SnapStream.getOutputStream, SnapStream.java:133@3.9.5). So
// do the files of epochs (AtomicFileOutputStream.close, AtomicFileOutputStream.java:76-92@3.9.5).

// Part says what a file has of the record that was being written. It is the value of that record.
type Part = Number

// Parts of a record. The values of transactions are not negative.
const (
	emptyFile   Part = -1 // a new file is empty
	halfHeader  Part = -2 // a new file ends in its header
	halfRecord  Part = -3 // a file ends in the record
	badChecksum Part = -4 // the record is long enough, and a part of it is missing
)

// Unfinished is a server that ends while it writes its log, and the part that is left.
type Unfinished struct {
	I    Server
	Part Part
}

// EachKilled is the domain of processes that end while they write.
func EachKilled(yield func(Unfinished) bool) {
	for i := range Server(Servers) {
		if !yield(Unfinished{i, emptyFile}) || !yield(Unfinished{i, halfRecord}) {
			return
		}
	}
}

// EachPart is the domain of losses of power during a write.
func EachPart(yield func(Unfinished) bool) {
	for i := range Server(Servers) {
		for part := badChecksum; part <= emptyFile; part++ {
			if !yield(Unfinished{i, part}) {
				return
			}
		}
	}
}

// mayLeavePart reports whether i's SyncRequestProcessor has a transaction to write that the log
// does not have. It can be the first one of a new file, since any number of transactions may have
// come since the last one.
func (s *State) mayLeavePart(i Server) bool {
	if !disksApart || !s.isOn(i) || s.State[i] == LOOKING ||
		s.State[i] == LEADING && s.Unlogged[i] == 0 || s.State[i] == FOLLOWING && s.QueuedRequests[i].Empty() {
		return false
	}
	return s.Disks[i].Log.Find(s.toForce(i, 1)) == 0
}

// leavePart adds to i's log what is left of the first record that the state before had to write.
func (n *State) leavePart(s *State, i Server, part Part) {
	t := s.toForce(i, 1)
	n.Disks[i].Log.Append(Txn{Zxid: t.Zxid, Value: part})
}

// NodeCrashInFile ends the process of a server while it writes the first record that it has to log.
// It has made a new file without its header, or the buffer has written a part of the record.
//
// ZooKeeper: FileTxnLog.append, FileTxnLog.java:279-327@3.9.5. The header is flushed in one write.
var NodeCrashInFile = Action[Unfinished]{
	Name:   "NodeCrashInFile",
	Params: EachKilled,
	Guard:  func(s *State, p Unfinished) bool { return s.mayLeavePart(p.I) },
	Effect: func(s, n *State, p Unfinished) {
		n.crash(s, Crash{I: p.I})
		n.leavePart(s, p.I, p.Part)
	},
}

// NodeLosesPowerInFile is NodeLosesPower while the server writes its log. The file system keeps
// any part of what is not forced.
//
// ZooKeeper: FileTxnLog.commit, FileTxnLog.java:394-411@3.9.5, forces what append has written.
var NodeLosesPowerInFile = Action[Unfinished]{
	Name:   "NodeLosesPowerInFile",
	Params: EachPart,
	Guard:  func(s *State, p Unfinished) bool { return s.mayLeavePart(p.I) },
	Effect: func(s, n *State, p Unfinished) {
		n.loseUnforced(p.I)
		n.crash(s, Crash{I: p.I})
		n.leavePart(s, p.I, p.Part)
	},
}

// noSnapshot returns the snapshot of a disk that has none. An empty database has another one.
func noSnapshot() Image { return Image{Tail: Tail{Named: true}} }

// NodeLosesSnapshots is NodeLosesPower of a server that has a forced log and no forced snapshot.
// The snapshot of a server's first start is not forced, nor are those that it takes.
//
// ZooKeeper: FileTxnSnapLog.restore, FileTxnSnapLog.java:300@3.9.5, saves the first one with
// syncSnap false.
var NodeLosesSnapshots = Action[One]{
	Name:   "NodeLosesSnapshots",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		if !disksApart || forcesSnapshots || !s.isOn(p.I) {
			return false
		}
		d := s.forced(p.I)
		return d.Snapshot == (Image{}) && !d.Log.Empty()
	},
	Effect: func(s, n *State, p One) {
		n.loseUnforced(p.I)
		n.crash(s, Crash{I: p.I})
		n.Disks[p.I].Snapshot = noSnapshot()
	},
}

// NodeStartReadsFiles is NodeStart, and ends the process where a file is written in part: see the
// table above. The files stay, so that each later start ends, too.
//
// ZooKeeper: FileTxnLog.FileTxnIterator.goToNextLog, FileTxnLog.java:715-738@3.9.5, and next,
// 780-817; FileTxnSnapLog.restore, FileTxnSnapLog.java:284-296@3.9.5; QuorumPeer.loadDataBase.
var NodeStartReadsFiles = Action[One]{
	Name:   "NodeStartReadsFiles",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return !s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		if disksApart && s.Disks[p.I].isRefused() {
			n.Raised.Raise(FileInPart)
			return
		}
		if disksApart {
			n.Disks[p.I].dropPart()
		}
		whole := *n
		NodeStart.Effect(&whole, n, p)
	},
}

// isRefused reports whether a start refuses the disk because a file is written in part.
func (d *Disk) isRefused() bool {
	switch d.Log.Last().Value {
	case halfHeader, badChecksum:
		return true
	case emptyFile:
		return !deletesEmptyLog
	}
	return needsSnapshot && d.Snapshot == noSnapshot()
}

// dropPart takes away what a start passes over.
func (d *Disk) dropPart() {
	if d.Log.Last().Value < 0 {
		d.Log.Truncate(d.Log.Len() - 1)
	}
	if d.Snapshot == noSnapshot() {
		d.Snapshot = Image{}
	}
}

var faultsPowerFiles = grains.Refine(grains.Grain[State]{
	Node:     nodeFaults,
	Name:     "crash-partition disk_faults=files",
	Was:      []string{"power-files"},
	Picked:   grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "files"},
	Doc:      "As power, and a process that ends or a loss of power leaves files that are written in part. For option disk = \"apart\".",
	Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"}},
	Actions: Actions{&NodeCrash, &NodeStartReadsFiles, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
		&LeaderTimesOutAtNEWLEADER, &NodeLosesPower, &NodeCrashInFile, &NodeLosesPowerInFile, &NodeLosesSnapshots},
	Rules: []modules.Rule[State]{keepsUnforced,
		// as in shutdowns
		modules.When(&NodeCrashInFile, func(s *State, p Unfinished) bool { return s.mayCrash(p.I) }),
		modules.When(&NodeLosesPowerInFile, func(s *State, p Unfinished) bool { return s.mayCrash(p.I) }),
		modules.When(&NodeLosesSnapshots, func(s *State, p One) bool { return s.mayCrash(p.I) }),
		modules.After(&NodeCrashInFile, func(s, n *State, p Unfinished) { n.leaveThreads(s) }),
		modules.After(&NodeLosesPowerInFile, func(s, n *State, p Unfinished) { n.leaveThreads(s) }),
		modules.After(&NodeLosesSnapshots, func(s, n *State, p One) { n.leaveThreads(s) }),
	},
	Invariants: slices.Concat(faultsPower.Invariants, []modules.Invariant[State]{
		{ID: "I-11", Instance: "files", Raises: modules.Bit(FileInPart),
			Doc: "Bad state: a server starts with a log whose last file is written in part, or with a log and no snapshot, and its process " +
				"ends (FileTxnLog.java:715-806@3.9.5, FileTxnSnapLog.java:290@3.9.5)."},
	}),
	Budgets: slices.Concat([]modules.Budget[State]{
		modules.Spend[State]("crashes", &NodeCrash, &NodeCrashInFile),
		modules.Spend[State]("losses", &NodeLosesPower, &NodeLosesPowerInFile, &NodeLosesSnapshots)},
		faultsCrashPartitionDisk.Budgets[1:]),
	Models: slices.Concat(faultsPower.Models, []string{
		logAppended, "org.apache.zookeeper.server.persistence.FileTxnSnapLog.restore",
	}),
}, faultsPower)
