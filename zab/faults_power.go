package zab

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// A loss of power takes from a disk what is written and not forced to it. A crash of the process
// leaves that.
//
// FileTxnLog.commit forces the log before the server acknowledges a transaction. So a transaction
// that is appended and not yet flushed is one that waits in the queue of the SyncRequestProcessor.
// Decisions 0156 and 0206 have the argument. Four things differ:
//
//   - The process can crash after FileTxnLog.commit has written the log and before it has forced
//     it, or after a full buffer was written. The restarted server reads the transactions, and
//     nothing forces them any more: the next record goes to a new file. NodeCrashBeforeForce.
//   - Only the snapshot of SNAP is forced. That of TRUNC is not, and it can be the only copy of a
//     transaction that the leader committed before NEWLEADER.
//   - The SyncRequestProcessor can begin a new file before it forces the old one. A file system may
//     write the new one first.
//   - Nothing forces the folder in which a file gets its name, nor the end that TRUNC gives a log.
//     So a file system may keep the epochs of before, and the records that were truncated.
//   - With forceSync=no nothing is forced.

// What is forced to disk: what the code forces, or no log either (forceSync=no). The others are
// repairs, which force more:
//
//	snapshots  every snapshot
//	start      the log that a start reads
//	old-file   the old file of the log before the new one gets its first record
//	names      the names of epochs
//	ends       the end of a truncated log, and that its later files are deleted
//	all        all of it
const (
	forcesLog       = Forces != "none"
	forcesSnapshots = Forces == "snapshots" || Forces == "all"
	forcesAtStart   = Forces == "start" || Forces == "all"
	forcesOldFile   = Forces == "old-file" || Forces == "all"
	forcesNames     = Forces == "names" || Forces == "all"
	forcesEnds      = Forces == "ends" || Forces == "all"
)

// NodeLosesPower stops a server, and its disk keeps what was forced. The file of a snapshot that
// was not forced is not valid, so a start reads an older one.
//
// ZooKeeper: Learner.syncWithLeader, syncSnapshot, Learner.java:555, 591 and 745@3.9.1; 559, 595
// and 749@3.7.2; FileTxnLog.commit, FileTxnLog.java:382-424@3.9.1; FileSnap.findNValidSnapshots.
//
// Deviation: all that is not forced is lost. A disk can keep a part of it. That hides what a part
// does with forces = "none"; else the part is a snapshot or none, as after a crash.
//
// Deviation: 3.4.14 does not force the snapshot of SNAP either (Learner.java:452@3.4.14, until
// ZOOKEEPER-2872). That hides what a loss of power takes there.
//
// Deviation: a truncation of the log and the name of an epoch's file are on disk at once. That
// hides truncated records that come back and epochs that are forgotten, where a file system does
// not order changes of two files. Grain crash-partition disk_faults=names has both.
//
// Deviation: a record is on disk as a whole or not at all. If its beginning or its end is missing,
// ZooKeeper's log ends before it (Util.readTxnBytes). If only its middle is missing, the checksum
// differs, and the server does not start (FileTxnLog.java:778@3.9.1). That hides a server that does
// not start.
var NodeLosesPower = Action[One]{
	Name:   "NodeLosesPower",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return s.isOn(p.I) },
	Effect: func(s, n *State, p One) {
		n.loseUnforced(p.I)
		n.crash(s, Crash{I: p.I})
	},
}

// loseUnforced leaves on i's disk what is forced.
func (n *State) loseUnforced(i Server) {
	if !disksApart {
		return
	}
	n.Disks[i] = n.forced(i)
	n.Unforced[i] = Unforced{}
}

// forced returns i's disk as a loss of power leaves it.
func (s *State) forced(i Server) Disk {
	d, u := s.Disks[i], &s.Unforced[i]
	d.Log = History{}
	for k := 1; k <= s.Disks[i].Log.Len(); k++ {
		if t := s.Disks[i].Log.At(k); u.Records.Find(t) == 0 {
			d.Log.Append(t)
		}
	}
	if u.Replaced {
		d.Snapshot = u.Forced
	}
	return d
}

// NodeLosesRolledLog is NodeLosesPower while the SyncRequestProcessor flushes two transactions that
// are in two files. The file system has written the second file, and not the end of the first one.
// None of the two is acknowledged. The start reads the second transaction, and misses the first.
// With the repair the first file is forced before the second one has a record, so the start reads
// both.
//
// ZooKeeper: SyncRequestProcessor.run, SyncRequestProcessor.java:183-187@3.9.1, where rollLog
// comes before flush; FileTxnLog.commit, FileTxnLog.java:382-424@3.9.1, which forces one file after
// the other. At 181-185@3.8.0. A start does not look for gaps: FileTxnSnapLog.fastForwardFromEdits,
// FileTxnSnapLog.java:326-377@3.9.1.
var NodeLosesRolledLog = Action[One]{
	Name:   "NodeLosesRolledLog",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		if !disksApart || !s.isOn(p.I) || s.ServingState[p.I] != RUNNING {
			return false
		}
		if s.State[p.I] == LEADING {
			return s.Unlogged[p.I] > 1
		}
		return s.State[p.I] == FOLLOWING && s.QueuedRequests[p.I].Len() > 1
	},
	Effect: func(s, n *State, p One) {
		n.loseUnforced(p.I)
		if forcesOldFile {
			n.writeLog(p.I, s.toForce(p.I, 1))
		}
		n.writeLog(p.I, s.toForce(p.I, 2))
		n.crash(s, Crash{I: p.I})
	},
}

// Flush is a server whose process crashes while it flushes its log, and the number of transactions
// that it has written.
type Flush struct {
	I       Server
	Written Number
}

// EachFlush is the domain of such crashes.
func EachFlush(yield func(Flush) bool) {
	for i := range Server(Servers) {
		for k := Number(1); k <= MaxHistory; k++ {
			if !yield(Flush{I: i, Written: k}) {
				return
			}
		}
	}
}

// NodeCrashBeforeForce stops the process of a server after its SyncRequestProcessor has written
// transactions to the log and before it has forced them. None of them is acknowledged. The
// operating system keeps them: a start reads them, and a loss of power takes them.
//
// A follower has written all that it has queued. If it had written less, the other transactions
// could as well be in the channel, and the crash loses them there, too.
//
// ZooKeeper: FileTxnLog.commit, FileTxnLog.java:387-404@3.9.1, where logStream.flush comes before
// channel.force; 394-411@3.9.5. FileTxnLog.append, FileTxnLog.java:269-329@3.9.1, writes a full
// buffer earlier. After a start it makes a new file, so streamsToFlush does not have the old one.
//
// Deviation: only a thread that a shutdown has not left writes so. That hides what a crash does in
// a flush of LeftRequests, and what TRUNC writes when it closes the log of such a thread.
var NodeCrashBeforeForce = Action[Flush]{
	Name:   "NodeCrashBeforeForce",
	Params: EachFlush,
	Guard: func(s *State, p Flush) bool {
		if !disksApart || !s.isOn(p.I) {
			return false
		}
		if s.State[p.I] == LEADING {
			return p.Written <= s.Unlogged[p.I]
		}
		return s.State[p.I] == FOLLOWING && int(p.Written) == s.QueuedRequests[p.I].Len()
	},
	Effect: func(s, n *State, p Flush) {
		for k := 1; k <= int(p.Written); k++ {
			t := s.toForce(p.I, k)
			if s.Disks[p.I].Log.Find(t) == 0 {
				n.writeLog(p.I, t)
				n.Unforced[p.I].Records.Append(t)
			}
		}
		n.crash(s, Crash{I: p.I})
	},
}

// toForce returns the k-th transaction that i's SyncRequestProcessor has to log.
func (s *State) toForce(i Server, k int) Txn {
	if s.State[i] == LEADING {
		return s.History[i].At(s.lenOnDisk(i) + k)
	}
	return s.QueuedRequests[i].At(k)
}

// keepsUnforced notes what each step writes and does not force. A crash of the process leaves it in
// the memory of the operating system.
var keepsUnforced = modules.AfterAny(func(s, n *State) {
	for i := range Server(Servers) {
		n.noteUnforced(s, i)
	}
})

// noteUnforced compares i's disk with the one before the step.
func (n *State) noteUnforced(s *State, i Server) {
	if !disksApart {
		return
	}
	u, before, after := &n.Unforced[i], &s.Disks[i], &n.Disks[i]
	was := u.Records
	u.Records = History{}
	for k := 1; k <= after.Log.Len(); k++ {
		t := after.Log.At(k)
		if was.Find(t) > 0 || !forcesLog && before.Log.Find(t) == 0 {
			u.Records.Append(t)
		}
	}
	if forcesAtStart && !s.isOn(i) && n.isOn(i) {
		u.Records = History{} // a start forces what it has read
	}
	switch {
	case after.Snapshot == before.Snapshot, s.isOn(i) && !n.isOn(i):
	case forcesSnapshots, s.inSnapshot(i), before.Snapshot.lastZxid().After(after.Snapshot.lastZxid()):
		u.Replaced, u.Forced = false, Image{} // forced, or a repair of TRUNC
	case !u.Replaced:
		u.Replaced, u.Forced = true, before.Snapshot
	}
}

// Renames is a server that loses power, and the epochs that the file system has not renamed: the
// current one, or both.
type Renames struct {
	I        Server
	Accepted bool
}

// EachRenames is the domain of such losses.
func EachRenames(yield func(Renames) bool) {
	for i := range Server(Servers) {
		if !yield(Renames{I: i}) || !yield(Renames{I: i, Accepted: true}) {
			return
		}
	}
}

// NodeLosesEpochs is NodeLosesPower where the file system has not kept the names of the files
// acceptedEpoch and currentEpoch of the last epoch. The server has forgotten that it accepted it.
//
// ZooKeeper: AtomicFileOutputStream.close, AtomicFileOutputStream.java:75-105@3.9.1, forces the
// temporary file and renames it. It does not force the folder. QuorumPeer.loadDataBase,
// QuorumPeer.java:1168-1182@3.9.1, reads currentEpoch.tmp where the last transaction is of a later
// epoch.
//
// Deviation: the epochs of the last rename of acceptedEpoch alone can be lost, not earlier ones.
// That hides a file system that keeps none of several.
var NodeLosesEpochs = Action[Renames]{
	Name:   "NodeLosesEpochs",
	Params: EachRenames,
	Guard:  func(s *State, p Renames) bool { return disksApart && s.isOn(p.I) && s.Unforced[p.I].Renamed },
	Effect: func(s, n *State, p Renames) {
		n.loseUnforced(p.I)
		n.crash(s, Crash{I: p.I})
		tmp := n.CurrentEpoch[p.I]
		n.CurrentEpoch[p.I] = s.Unforced[p.I].Current
		if p.Accepted {
			n.AcceptedEpoch[p.I] = s.Unforced[p.I].Accepted
		}
		if readsTmpEpoch && n.epochIsBehind(p.I) {
			n.CurrentEpoch[p.I] = tmp
		}
	},
}

// NodeLosesTruncation is NodeLosesPower where the file system has not kept the end that TRUNC gave
// the log: the records that it took come back, and later ones follow them.
//
// ZooKeeper: FileTxnLog.truncate, FileTxnLog.java:474-494@3.9.1, sets the length of one file and
// deletes the later ones. It forces neither.
var NodeLosesTruncation = Action[One]{
	Name:   "NodeLosesTruncation",
	Params: EachServer,
	Guard:  func(s *State, p One) bool { return disksApart && s.isOn(p.I) && !s.Unforced[p.I].Truncated.Empty() },
	Effect: func(s, n *State, p One) {
		n.loseUnforced(p.I)
		n.Disks[p.I].Log = merged(&n.Disks[p.I].Log, &s.Unforced[p.I].Truncated)
		n.crash(s, Crash{I: p.I})
	},
}

// merged returns the records of two logs by their zxids. Files of a log are read in this order.
func merged(a, b *History) (all History) {
	k, l := 1, 1
	for k <= a.Len() || l <= b.Len() {
		if l > b.Len() || k <= a.Len() && !a.At(k).Zxid.After(b.At(l).Zxid) {
			if all.Find(a.At(k)) == 0 {
				all.Append(a.At(k))
			}
			k++
			continue
		}
		if all.Find(b.At(l)) == 0 {
			all.Append(b.At(l))
		}
		l++
	}
	return all
}

// keepsNames notes which names and ends of files a step changes. ZooKeeper forces none of them.
var keepsNames = modules.AfterAny(func(s, n *State) {
	for i := range Server(Servers) {
		n.noteNames(s, i)
	}
})

// noteNames compares i's epochs and its log with those before the step.
func (n *State) noteNames(s *State, i Server) {
	if !disksApart || !s.isOn(i) || !n.isOn(i) {
		return
	}
	u := &n.Unforced[i]
	if !forcesNames && n.AcceptedEpoch[i] > s.AcceptedEpoch[i] {
		u.Renamed, u.Accepted, u.Current = true, s.AcceptedEpoch[i], s.CurrentEpoch[i]
	}
	truncated := History{}
	for k := 1; !forcesEnds && k <= s.Disks[i].Log.Len(); k++ {
		if t := s.Disks[i].Log.At(k); n.Disks[i].Log.Find(t) == 0 {
			truncated.Append(t)
		}
	}
	if !truncated.Empty() {
		u.Truncated = truncated
	}
}

// powerInvariants are I-15.disk for a loss of power.
var powerInvariants = []modules.Invariant[State]{
	{ID: "I-15", Instance: "power", State: outlivesPower,
		Doc: "Durability: once a follower has acknowledged NEWLEADER, reading its disk after a loss of power yields everything that " +
			"it has applied (Zab, step f.2.1: the follower accepts the history before it acknowledges; zookeeperAdmin.md, forceSync: updates " +
			"are synced to media before their processing ends)."},
}

func outlivesPower(s *State) bool {
	for i := range Server(Servers) {
		if !disksApart || !s.isFollower(i) || s.ZabState[i] != BROADCAST && !s.ConnectInfo[i].NlRcv {
			continue
		}
		d := s.forced(i)
		m := d.restore()
		for k := 1; k <= int(s.LastProcessed[i]); k++ {
			if m.Txns.Find(s.History[i].At(k)) == 0 {
				return false
			}
		}
	}
	return true
}

var (
	faultsPower = grains.Refine(grains.Grain[State]{
		Node:   nodeFaults,
		Name:   "crash-partition disk_faults=power",
		Was:    []string{"power"},
		Picked: grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "power"},
		Doc:    "As crash-partition disk_faults=snapshots, and a loss of power takes what is not forced to disk. For option disk = \"apart\".",
		Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
			&LeaderTimesOutAtNEWLEADER, &NodeLosesPower},
		Rules:      []modules.Rule[State]{keepsUnforced},
		Invariants: slices.Concat(faultsCrashPartitionDisk.Invariants, powerInvariants),
		Budgets:    slices.Concat(faultsCrashPartitionDisk.Budgets, []modules.Budget[State]{modules.Spend[State]("losses", &NodeLosesPower)}),
		Models:     slices.Concat(faultsCrashPartitionDisk.Models, modelsPower),
	}, faultsCrashPartitionDisk)

	faultsPowerThreads = grains.Refine(grains.Grain[State]{
		Node:     nodeFaults,
		Name:     "crash-partition disk_faults=rolled",
		Was:      []string{"power-threads"},
		Picked:   grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "rolled"},
		Doc:      "As power, and a loss of power can take the end of a log's file and leave the next file. For option disk = \"apart\".",
		Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"}},
		Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
			&LeaderTimesOutAtNEWLEADER, &NodeLosesPower, &NodeLosesRolledLog},
		Rules:      []modules.Rule[State]{keepsUnforced},
		Invariants: faultsPower.Invariants,
		Budgets: slices.Concat(faultsCrashPartitionDisk.Budgets, []modules.Budget[State]{
			modules.Spend[State]("losses", &NodeLosesPower, &NodeLosesRolledLog),
		}),
		Models: slices.Concat(faultsPower.Models, []string{"org.apache.zookeeper.server.persistence.FileTxnLog.rollLog"}),
	}, faultsPower)

	faultsPowerFlush = grains.Refine(grains.Grain[State]{
		Node:     nodeFaults,
		Name:     "crash-partition disk_faults=flush",
		Was:      []string{"power-flush"},
		Picked:   grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "flush"},
		Doc:      "As power, and a process can crash after it has written its log and before it has forced it. For option disk = \"apart\".",
		Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"}},
		Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
			&LeaderTimesOutAtNEWLEADER, &NodeLosesPower, &NodeCrashBeforeForce},
		Rules:      []modules.Rule[State]{keepsUnforced},
		Invariants: faultsPower.Invariants,
		Budgets: slices.Concat([]modules.Budget[State]{
			modules.Spend[State]("crashes", &NodeCrash, &NodeCrashBeforeForce),
			modules.Spend[State]("losses", &NodeLosesPower)},
			faultsCrashPartitionDisk.Budgets[1:]),
		Models: slices.Concat(faultsPower.Models, []string{
			logAppended, "org.apache.zookeeper.server.SyncRequestProcessor.flush",
		}),
	}, faultsPower)

	faultsPowerNames = grains.Refine(grains.Grain[State]{
		Node:   nodeFaults,
		Name:   "crash-partition disk_faults=names",
		Was:    []string{"power-names"},
		Picked: grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "names"},
		Doc: "As power, and a loss of power can take names and ends of files: the epochs of before are read, or truncated records. " +
			"For option disk = \"apart\".",
		Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
			&LeaderTimesOutAtNEWLEADER, &NodeLosesPower, &NodeLosesEpochs, &NodeLosesTruncation},
		Rules:      []modules.Rule[State]{keepsUnforced, keepsNames},
		Invariants: faultsPower.Invariants,
		Budgets: slices.Concat(faultsCrashPartitionDisk.Budgets, []modules.Budget[State]{
			modules.Spend[State]("losses", &NodeLosesPower, &NodeLosesEpochs, &NodeLosesTruncation),
		}),
		Models: slices.Concat(faultsPower.Models, []string{epochsOnDisk}),
	}, faultsPower)

	faultsPowerAll = grains.Refine(grains.Grain[State]{
		Node:     nodeFaults,
		Name:     "crash-partition disk_faults=all",
		Was:      []string{"power-all"},
		Picked:   grains.Pick{Grain: "crash-partition", Option: "disk_faults", Value: "all"},
		Doc:      "As crash-partition disk_faults=rolled, crash-partition disk_faults=flush and crash-partition disk_faults=names together. For option disk = \"apart\".",
		Requires: []grains.Ref{{Module: "synchronization", Grain: "follower-threads"}},
		Actions: Actions{&NodeCrash, &NodeStart, &PartitionStart, &PartitionRecover, &ServerTakesSnapshot,
			&LeaderTimesOutAtNEWLEADER, &NodeLosesPower, &NodeLosesRolledLog, &NodeCrashBeforeForce, &NodeLosesEpochs,
			&NodeLosesTruncation},
		Rules:      []modules.Rule[State]{keepsUnforced, keepsNames},
		Invariants: faultsPower.Invariants,
		Budgets: slices.Concat([]modules.Budget[State]{
			modules.Spend[State]("crashes", &NodeCrash, &NodeCrashBeforeForce),
			modules.Spend[State]("losses", &NodeLosesPower, &NodeLosesRolledLog, &NodeLosesEpochs, &NodeLosesTruncation)},
			faultsCrashPartitionDisk.Budgets[1:]),
		Models: slices.Concat(faultsPower.Models, []string{
			"org.apache.zookeeper.server.persistence.FileTxnLog.rollLog",
			logAppended, "org.apache.zookeeper.server.SyncRequestProcessor.flush", epochsOnDisk,
		}),
	}, faultsPowerFlush)

	modelsPower = []string{
		logForced,
		"org.apache.zookeeper.server.persistence.FileSnap.serialize",
	}
)
