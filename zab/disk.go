package zab

// What a server has on disk and what it has in memory, apart. History alone cannot say where they
// differ: it stands for the log, the snapshot and the memory at the same time. With option disk =
// "apart" they are three things:
//
//	memory    the first LastProcessed transactions of History, and DataTree.lastProcessedZxid
//	on disk   Disk.Log, the records of FileTxnLog, and Disk.Snapshot, that of the latest zxid
//	pending   the other transactions of History: the server has logged or proposed them, and its
//	          memory does not have them yet
//
// restore reads the snapshot and then the later records of the log. A server reads its disk when it
// starts and when TRUNC comes. A shutdown of a server that serves reads only the end of the log. A
// shutdown before that reads nothing: the memory stays as it is.
//
// Example: a follower has logged 1:2 with NEWLEADER and not applied it. Its connection breaks.
//
//	History 1:1 1:2, LastProcessed 1, Log 1:1 1:2   before
//	History 1:1,     LastProcessed 1, Log 1:1 1:2   after the shutdown: it votes with 1:1
//	History 1:1 1:2, LastProcessed 2, Log 1:1 1:2   after a restart
//
// Deviation: a record that is written twice is in the log once. That hides nothing: applying it
// again does nothing.
//
// Deviation: a snapshot has one moment's memory, and only that of the latest zxid is kept.
// ZooKeeper writes it during transactions, and keeps three. A crash while it is written leaves the
// one before: that is the state before the step. That hides what a snapshot of several moments
// does.

// disksApart: option disk keeps log, snapshot and memory apart.
const disksApart = Storage == "apart"

// Repairs: TRUNC takes every record after its zxid from the log, and every snapshot that is newer.
// Pull request 2172 passes over newer snapshots when TRUNC reads the disk again, and leaves them.
// With "pr-2172" TRUNC takes every record, too, so that the log keeps none. These repairs are not
// enough: what SNAP has replaced is still in the log, and comes back where the snapshot of SNAP is
// not read (docs/results/findings/zk-4837.md). With "snap" a leader sends SNAP where it would send
// TRUNC, and what a follower writes then is all that it has on disk.
//
// Deviation: without its newer snapshots a disk gives back the rest of the newest one. In ZooKeeper
// an older snapshot and the log after it give something back, or the follower cannot truncate. That
// hides a repair that finds no older snapshot, or one from before SNAP. "snap" reads no older
// snapshot.
const (
	truncatesLog       = Truncation == "log" || Truncation == "both" || leavesNewSnapshots || snapsForTRUNC
	dropsNewSnapshots  = Truncation == "snapshots" || Truncation == "both" || leavesNewSnapshots
	leavesNewSnapshots = Truncation == "pr-2172"
	snapsForTRUNC      = Truncation == "snap"
)

// namesEpochs: a leader that serves takes the zxid of its epoch for its lastProcessedZxid. It keeps
// that when it no longer leads, and SNAP carries it. ZooKeeper does so. Without it the memory of
// such a leader has the name of its last transaction: see lastProcessedZxid.
const namesEpochs = disksApart && EpochZxids

// DiskSlots is Servers where disks are apart, else 0: the name of the other value is shorter.
const DiskSlots = Servers * (len(Storage) / len("apart"))

// Tail is DataTree.lastProcessedZxid where this is not the zxid of the last transaction. TRUNC sets
// it to its own zxid, whatever the disk still has.
type Tail struct {
	Named bool
	Zxid  Zxid // zero if not Named
}

// Image is a database: in memory, or as a snapshot has it.
type Image struct {
	Txns History
	Tail Tail
}

// Disk holds the log and the snapshot of a server, and the tail of its memory.
type Disk struct {
	Log       History // records, in the order in which they were written
	Snapshot  Image   // the valid snapshot of the latest zxid
	Memory    Tail    // volatile
	Committed History // ZKDatabase.committedLog, volatile: see disk_committed.go and NodeState
}

// lastZxid is lastProcessedZxid of the database.
func (m *Image) lastZxid() Zxid {
	if m.Tail.Named {
		return m.Tail.Zxid
	}
	return m.Txns.Last().Zxid
}

// nameLast makes z the lastProcessedZxid of the database.
func (m *Image) nameLast(z Zxid) {
	m.Tail = Tail{}
	if z != m.Txns.Last().Zxid {
		m.Tail = Tail{Named: true, Zxid: z}
	}
}

// write adds a record to the end of the log. ZooKeeper: FileTxnLog.append, which warns of an older
// zxid and writes the record.
func (d *Disk) write(t Txn) {
	if d.isLater(t) {
		d.Log.Append(t)
	}
}

// truncateAt truncates the log. The iterator stands on the first record whose zxid is not before z,
// and the file ends after that record. Where the log does not have z, that is a record that should
// go. A snapshot that is newer than z stays, too, and restore loads it (ZOOKEEPER-4837).
//
// ZooKeeper: FileTxnLog.truncate, FileTxnLog.java:474-494@3.9.1, FileTxnIterator, 643-655. The same
// code is at 456-476@3.8.0.
func (d *Disk) truncateAt(z Zxid) {
	if dropsNewSnapshots && d.Snapshot.lastZxid().After(z) {
		d.Snapshot = Image{Txns: upTo(&d.Snapshot.Txns, z)}
	}
	if truncatesLog {
		d.Log = upTo(&d.Log, z)
		return
	}
	d.Log.Truncate(firstFrom(&d.Log, z))
}

// upTo returns the transactions of a history whose zxids are not after z.
func upTo(h *History, z Zxid) (kept History) {
	for k := 1; k <= h.Len(); k++ {
		if t := h.At(k); !t.Zxid.After(z) {
			kept.Append(t)
		}
	}
	return kept
}

// restore reads the disk. ZooKeeper: FileTxnSnapLog.restore, FileTxnSnapLog.java:252-313@3.9.1.
func (d *Disk) restore() Image {
	if NodeSteps {
		return d.whole()
	}
	return d.forward(d.Snapshot)
}

// forward adds the later records of the log to a database. The log is read from the first record
// with a later zxid on. ZooKeeper: FileTxnSnapLog.fastForwardFromEdits,
// FileTxnSnapLog.java:326-377@3.9.1.
func (d *Disk) forward(m Image) Image {
	last := m.lastZxid()
	for k := firstAfter(&d.Log, last); k <= d.Log.Len(); k++ {
		t := d.Log.At(k)
		if lacks(&m.Txns, t) {
			m.Txns.Append(t)
		}
		if t.Zxid.After(last) {
			last = t.Zxid
		}
	}
	m.nameLast(last)
	return m
}

// Unforced names the contents of a disk that a loss of power takes.
type Unforced struct {
	Records  History // records of the log
	Replaced bool    // the last snapshot: a start then reads the forced one instead
	Forced   Image   // that one

	// Only grain crash-partition disk_faults=names has the rest.
	Renamed           bool    // acceptedEpoch and currentEpoch: a start then reads those of before
	Accepted, Current Number  // those
	Truncated         History // records that TRUNC has taken and that can come back
}

// memoryZxid returns the zxid of the last transaction that i has applied. ZooKeeper:
// ZKDatabase.getDataTreeLastProcessedZxid.
func (s *State) memoryZxid(i Server) Zxid {
	if disksApart && s.Disks[i].Memory.Named {
		return s.Disks[i].Memory.Zxid
	}
	return zxidAt(&s.History[i], int(s.LastProcessed[i]))
}

// memory returns the transactions that i has applied.
func (s *State) memory(i Server) Image {
	return Image{Txns: s.History[i].Prefix(int(s.LastProcessed[i])), Tail: s.Disks[i].Memory}
}

// isRead reports whether a start reads a record that is logged now. In the grains node the log
// has only such records: those after the snapshot.
func (d *Disk) isRead(t Txn) bool { return !NodeSteps || t.Zxid.After(d.Snapshot.lastZxid()) }

// isLater reports whether the log does not have a record, and a start reads it.
func (d *Disk) isLater(t Txn) bool { return lacks(&d.Log, t) && d.isRead(t) }

// whole returns what a start reads from a disk of the grains node, whose log also has what its
// snapshot has: see NodeState.
func (d *Disk) whole() Image {
	m := Image{Txns: d.Log}
	m.nameLast(later(d.Snapshot.lastZxid(), m.Txns.Last().Zxid))
	return m
}

// save writes a database to the snapshot. In the grains node the log gets its transactions,
// and the snapshot keeps the last zxid where that is not a transaction's.
func (d *Disk) save(m Image) {
	if !NodeSteps {
		d.Snapshot = m
		return
	}
	log := d.Log
	d.Log = m.Txns
	for k := firstAfter(&log, m.lastZxid()); k <= log.Len(); k++ {
		d.write(log.At(k))
	}
	d.Snapshot = Image{Tail: m.Tail}
}

// OpenEnd is the end of a log that no message has shown. The log has the first of the transactions
// Rest, in their order: any number of them. Rest is empty where nothing is open. Log and History
// end with the first Chosen of Rest: 0 except during a choice, see NodeBringsUpMemory,
// NodeBringsUpLog and NodeTakesUnseenRequest. Tail is Disk.Memory as it was before the choice.
// Crash says that a crash left the end open, so nothing has stayed in memory.
type OpenEnd struct {
	Rest   Requests
	Chosen Number
	Tail   Tail
	Crash  bool
}
