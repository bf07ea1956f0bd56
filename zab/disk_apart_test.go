package zab

import (
	"slices"
	"testing"
)

// These tests need a build that keeps disks apart: TestDisksApart runs them.

func needsDisks(t *testing.T) {
	t.Helper()
	if !disksApart {
		t.Skip("disks are not apart in this build: see TestDisksApart")
	}
}

// synced returns a state in which follower 0 has got PROPOSAL (1,2) by DIFF, has logged it with
// NEWLEADER, and has acknowledged that. Its memory has (1,1).
func synced(t *testing.T) State {
	t.Helper()
	needsDisks(t)
	x, y := txn(1, 1), txn(1, 2)
	s := synchronizing(t, history(x), History{}, history(x, y))
	s.diskOf(0).Log, s.diskOf(2).Log = history(x), history(x, y)
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 0})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessPROPOSALInSync, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 0, J: 2})
	return s
}

// diskOf returns the disk of i, which a build without disks has not.
func (s *State) diskOf(i Server) *Disk { return &s.Disks[i] }

// has fails if the memory of i is not that of the zxids, or has another last zxid.
func (s *State) has(t *testing.T, i Server, last Zxid, zs ...Zxid) {
	t.Helper()
	m := s.memory(i)
	var got []Zxid
	for k := 1; k <= m.Txns.Len(); k++ {
		got = append(got, m.Txns.At(k).Zxid)
	}
	if !slices.Equal(got, zs) || s.memoryZxid(i) != last {
		t.Errorf("the memory of %d has %v with last %v, want %v with last %v", i, got, s.memoryZxid(i), zs, last)
	}
}

// TestApartShutdownKeepsMemory: before a server runs, a shutdown leaves its memory as it is
// (ZooKeeperServer.canShutdown). A restart, and a shutdown of a server that runs, read the log.
func TestApartShutdownKeepsMemory(t *testing.T) {
	t.Parallel()
	s := synced(t)
	if s.diskOf(0).Log != history(txn(1, 1), txn(1, 2)) {
		t.Fatalf("the log has %v", s.diskOf(0).Log)
	}
	s.has(t, 0, Zxid{1, 1}, Zxid{1, 1})
	kept := s
	take(t, &PartitionStart, &kept, Pair{I: 2, J: 0})
	kept.has(t, 0, Zxid{1, 1}, Zxid{1, 1})
	if !kept.isLooking(0) || kept.History[0].Len() != 1 {
		t.Errorf("follower 0 has %v", kept.History[0])
	}
	take(t, &NodeCrash, &kept, Crash{I: 0})
	take(t, &NodeStart, &kept, One{I: 0})
	kept.has(t, 0, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2})

	ran := s
	ran.ServingState[0] = RUNNING
	take(t, &PartitionStart, &ran, Pair{I: 2, J: 0})
	ran.has(t, 0, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2})
}

// TestApartTruncateAfterSnapshot: the record after a zxid that the log does not have survives
// TRUNC. The server takes TRUNC's zxid for its last one.
func TestApartTruncateAfterSnapshot(t *testing.T) {
	t.Parallel()
	s := synced(t)
	d := s.diskOf(0)
	d.Log, d.Snapshot = history(txn(1, 3)), Image{Txns: history(txn(1, 1), txn(1, 2))}
	s.load(0, d.restore())
	if !s.truncate(0, Zxid{1, 2}) {
		t.Fatal("nothing is truncated")
	}
	s.has(t, 0, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2}, Zxid{1, 3})
	if s.Raised.Has(CannotTruncate) {
		t.Error("the server says that it cannot truncate")
	}
	d.Log = History{}
	if s.truncate(0, Zxid{1, 2}) {
		t.Error("a server without a log truncates")
	}
}

// TestApartTruncateLoadsNewerSnapshot: a snapshot that is newer than TRUNC's zxid is loaded again
// (ZOOKEEPER-4837).
func TestApartTruncateLoadsNewerSnapshot(t *testing.T) {
	t.Parallel()
	s := synced(t)
	s.load(0, s.diskOf(0).restore())
	s.saveSnapshot(0)
	s.truncate(0, Zxid{1, 1})
	if s.diskOf(0).Log != history(txn(1, 1)) {
		t.Errorf("the log has %v", s.diskOf(0).Log)
	}
	s.has(t, 0, Zxid{1, 1}, Zxid{1, 1}, Zxid{1, 2})
}

// TestApartSnapshotOfEarlierZxid: after TRUNC the server writes a snapshot of TRUNC's zxid. A start
// reads the one of a later zxid all the same (FileSnap.findNValidSnapshots).
func TestApartSnapshotOfEarlierZxid(t *testing.T) {
	t.Parallel()
	s := synced(t)
	s.load(0, s.diskOf(0).restore())
	s.saveSnapshot(0)
	s.truncate(0, Zxid{1, 1})
	s.saveSnapshot(0)
	s.has(t, 0, Zxid{1, 1}, Zxid{1, 1}, Zxid{1, 2})
	take(t, &NodeCrash, &s, Crash{I: 0})
	s.has(t, 0, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2})
}

// TestApartMemoryAheadOfDisk: what a follower applies between TRUNC and NEWLEADER is on no disk
// when the connection breaks. The next DIFF is empty, the next transaction is logged, and a restart
// shows a hole (ZOOKEEPER-5094).
func TestApartMemoryAheadOfDisk(t *testing.T) {
	t.Parallel()
	s := synced(t)
	x, y, z := txn(1, 1), txn(1, 2), txn(1, 3)
	s.Msgs.Clear(2, 0)
	s.ConnectInfo[0], s.ServingState[0], s.ZabState[2], s.AcceptedEpoch[0] = ConnectInfo{}, SHUTDOWN, BROADCAST, 1
	s.LastCommitted[2], s.LastProcessed[2] = 2, 2
	for _, m := range []Msg{{Kind: TRUNC, Zxid: x.Zxid}, {Kind: PROPOSAL, Zxid: y.Zxid, Data: y.Value}, {Kind: COMMIT, Zxid: y.Zxid}} {
		s.Msgs.Send(2, 0, m)
	}
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessPROPOSALInSync, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 0, J: 2})
	take(t, &PartitionStart, &s, Pair{I: 2, J: 0})
	s.has(t, 0, y.Zxid, x.Zxid, y.Zxid)
	if s.diskOf(0).Log != history(x) {
		t.Fatalf("the log has %v", s.diskOf(0).Log)
	}
	if mode, seen := s.syncMode(2, s.memoryZxid(0)); mode != DIFF || seen != 2 {
		t.Errorf("the leader opens with %d from %d on", mode, seen)
	}
	s.State[0], s.LeaderAddr[0], s.ZabState[0] = FOLLOWING, 2, BROADCAST
	if isDurable(&s) {
		t.Error("I-15.disk holds")
	}
	s.logTxn(0, z)
	take(t, &NodeCrash, &s, Crash{I: 0})
	take(t, &NodeStart, &s, One{I: 0})
	s.has(t, 0, z.Zxid, x.Zxid, z.Zxid)
}

// TestApartSnapshotReplacesMemory: a SNAP that is not on disk yet is lost with the connection, and
// the database is read again. With NEWLEADER it is a snapshot, and the old log stays before it.
func TestApartSnapshotReplacesMemory(t *testing.T) {
	t.Parallel()
	s := synced(t)
	s.diskOf(1).Log = history(txn(1, 3))
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 1})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 1, J: 2})
	lost := s
	take(t, &PartitionStart, &lost, Pair{I: 2, J: 1})
	lost.has(t, 1, Zxid{1, 3}, Zxid{1, 3})
	take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 1, J: 2})
	s.has(t, 1, Zxid{1, 2}, Zxid{1, 1}, Zxid{1, 2})
	if d := s.diskOf(1); d.Snapshot.Txns != history(txn(1, 1), txn(1, 2)) || d.Log != history(txn(1, 3)) {
		t.Errorf("on disk: %v", *d)
	}
}

// TestApartEpochZxid: a leader that serves has at least the zxid of its epoch. Where it has no
// transaction, it sends a learner of an earlier epoch a snapshot and not TRUNC. The learner then
// has the epoch's zxid.
func TestApartEpochZxid(t *testing.T) {
	t.Parallel()
	needsDisks(t)
	s := synchronizing(t, history(txn(1, 1)), History{}, History{})
	before := s
	before.openSyncWith(2, 0, Zxid{1, 1})
	if !before.Msgs.Is(2, 0, TRUNC) {
		t.Errorf("before it serves, the leader opens with %v", before.kinds(2, 0))
	}
	s.ZabState[2] = BROADCAST
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 0})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 0, J: 2})
	s.has(t, 0, Zxid{s.AcceptedEpoch[2], 0})
	s.Msgs.Clear(2, 0)
	s.openSyncWith(2, 0, s.memoryZxid(0))
	if ks := s.kinds(2, 0); !slices.Equal(ks, []Kind{DIFF}) {
		t.Errorf("the leader opens with %v", ks)
	}
}

// TestApartProposalAfterEpochZxid: the first proposal of an epoch follows the epoch's zxid, which a
// snapshot without transactions has.
func TestApartProposalAfterEpochZxid(t *testing.T) {
	t.Parallel()
	needsDisks(t)
	s := serving(t)
	s.History[0], s.LastProcessed[0] = History{}, 0
	s.diskOf(0).Memory = Tail{Named: true, Zxid: epochZxid(s.AcceptedEpoch[2])}
	take(t, &LeaderProcessRequest, &s, One{I: 2})
	take(t, &FollowerProcessPROPOSAL, &s, Pair{I: 0, J: 2})
	if s.Raised.Has(ProposalGap) || s.History[0].Len() != 1 {
		t.Errorf("raised %v, logged %v", s.Raised, s.History[0])
	}
}

// TestApartServerTakesSnapshot: a restart finds the snapshot that a server took while it served, if
// the log has nothing more.
func TestApartServerTakesSnapshot(t *testing.T) {
	t.Parallel()
	s := synced(t)
	s.ServingState[0] = RUNNING
	take(t, &ServerTakesSnapshot, &s, One{I: 0})
	s.diskOf(0).Log = History{}
	take(t, &NodeCrash, &s, Crash{I: 0})
	s.has(t, 0, Zxid{1, 1}, Zxid{1, 1})
}

// TestApartAppliesBeforeLog: the CommitProcessor does not wait for the log (ZOOKEEPER-4882). What
// it applies is in memory only until the SyncRequestProcessor logs it, once. A crash in between
// loses it.
func TestApartAppliesBeforeLog(t *testing.T) {
	t.Parallel()
	s := synced(t)
	x, y, z := txn(1, 1), txn(1, 2), txn(2, 1)
	s.applyTo(0, 2)
	s.ServingState[0] = RUNNING
	s.logRequest(0, z)
	s.commitRequest(0, z.Zxid)
	if FollowerCommitProcessorCommit.Guard(&s, One{I: 0}) {
		t.Error("at grain follower-threads the CommitProcessor does not wait")
	}
	take(t, &FollowerCommitProcessorApply, &s, One{I: 0})
	s.has(t, 0, z.Zxid, x.Zxid, y.Zxid, z.Zxid)
	if s.diskOf(0).Log != history(x, y) {
		t.Errorf("the log has %v", s.diskOf(0).Log)
	}
	lost := s
	take(t, &NodeCrash, &lost, Crash{I: 0})
	lost.has(t, 0, y.Zxid, x.Zxid, y.Zxid)
	take(t, &FollowerSyncProcessorLogRequest, &s, Pair{I: 0, J: 2})
	s.has(t, 0, z.Zxid, x.Zxid, y.Zxid, z.Zxid)
	if s.diskOf(0).Log != history(x, y, z) {
		t.Errorf("the log has %v", s.diskOf(0).Log)
	}
}

// TestApartLossOfPower: a loss of power takes the snapshot that TRUNC wrote. One that SNAP wrote is
// forced to disk, and with forces = "none" the log goes, too.
func TestApartLossOfPower(t *testing.T) {
	t.Parallel()
	needsDisks(t)
	x, y := txn(1, 1), txn(1, 2)
	was := synced(t)
	was.diskOf(0).Snapshot = Image{Txns: history(x)}
	for _, c := range []struct {
		name  string
		mode  Kind
		saved Image // by the step
		left  Image // by the loss of power
	}{
		{"a snapshot after TRUNC", TRUNC, Image{Txns: history(x, y)}, Image{Txns: history(x)}},
		{"a snapshot after SNAP", SNAP, Image{Txns: history(x, y)}, Image{Txns: history(x, y)}},
		{"no snapshot", DIFF, Image{Txns: history(x)}, Image{Txns: history(x)}},
		{"a snapshot that a repair of TRUNC takes away", TRUNC, Image{}, Image{}},
	} {
		s := was
		s.ConnectInfo[0] = ConnectInfo{SyncMode: c.mode}
		n := s
		n.diskOf(0).Snapshot = c.saved
		n.noteUnforced(&s, 0)
		n.loseUnforced(0)
		if got := n.diskOf(0).Snapshot; got != c.left || n.Unforced[0] != (Unforced{}) {
			t.Errorf("%s: the disk has %v and %v is left to lose", c.name, got, n.Unforced[0])
		}
	}
	// A second snapshot that is not forced leaves the forced one where it is.
	s := was
	for _, txns := range []History{history(x, y), history(x, y, txn(1, 3))} {
		n := s
		n.diskOf(0).Snapshot = Image{Txns: txns}
		n.noteUnforced(&s, 0)
		s = n
	}
	if u := s.Unforced[0]; !u.Replaced || u.Forced.Txns != history(x) {
		t.Errorf("after two snapshots %v is left to lose", u)
	}
	take(t, &NodeLosesPower, &s, One{I: 0})
	if s.isOn(0) || s.diskOf(0).Log != history(x, y) {
		t.Errorf("the log has %v", s.diskOf(0).Log)
	}
	s.has(t, 0, y.Zxid, x.Zxid, y.Zxid)
}

// TestApartRolledLog: a loss of power between two files of the log leaves a hole.
func TestApartRolledLog(t *testing.T) {
	t.Parallel()
	s := synced(t)
	s.ServingState[0] = RUNNING
	if NodeLosesRolledLog.Guard(&s, One{I: 0}) {
		t.Error("nothing is queued, and a file is lost")
	}
	s.logRequest(0, txn(1, 3))
	s.logRequest(0, txn(1, 4))
	take(t, &NodeLosesRolledLog, &s, One{I: 0})
	left := []Zxid{{1, 1}, {1, 2}, {1, 4}}
	if forcesOldFile {
		left = []Zxid{{1, 1}, {1, 2}, {1, 3}, {1, 4}}
	}
	s.has(t, 0, Zxid{1, 4}, left...)

	// A leader begins new files of its log, too.
	x := txn(1, 1)
	l := synchronizing(t, History{}, history(x), history(x))
	l.ServingState[2] = RUNNING
	l.diskOf(2).Log = history(x)
	l.addTxn(2, txn(1, 2))
	l.Unlogged[2] = 1
	if NodeLosesRolledLog.Guard(&l, One{I: 2}) {
		t.Error("a leader has one transaction to log, and it is in two files")
	}
	l.addTxn(2, txn(1, 3))
	l.Unlogged[2] = 2
	take(t, &NodeLosesRolledLog, &l, One{I: 2})
	if got, want := l.diskOf(2).Log, history(x, txn(1, 3)); !forcesOldFile && got != want {
		t.Errorf("the leader's log has %v, want %v", got, want)
	}
}

// TestApartLosesNames: nothing forces the folder in which epochs get their names, nor the end that
// TRUNC gives a log. So a loss of power can give back the epochs of before, and what was truncated.
func TestApartLosesNames(t *testing.T) {
	t.Parallel()
	x, y, z := txn(1, 1), txn(1, 2), txn(2, 1)
	accepted := synced(t)
	accepted.AcceptedEpoch[0], accepted.CurrentEpoch[0] = 1, 1
	s := accepted
	s.AcceptedEpoch[0] = 2
	s.noteNames(&accepted, 0)
	before := s
	s.CurrentEpoch[0] = 2
	s.noteNames(&before, 0)
	if NodeLosesEpochs.Guard(&accepted, Renames{I: 0}) || NodeLosesEpochs.Guard(&s, Renames{I: 0}) == forcesNames {
		t.Fatalf("before a new epoch and after it: %+v and %+v", accepted.Unforced[0], s.Unforced[0])
	}
	if forcesNames || forcesEnds {
		return
	}
	for _, both := range []bool{false, true} {
		lost := s
		take(t, &NodeLosesEpochs, &lost, Renames{I: 0, Accepted: both})
		want := Number(2)
		if both {
			want = 1
		}
		if lost.isOn(0) || lost.CurrentEpoch[0] != 1 || lost.AcceptedEpoch[0] != want {
			t.Errorf("both %v: epochs %d and %d are left", both, lost.AcceptedEpoch[0], lost.CurrentEpoch[0])
		}
		take(t, &NodeStart, &lost, One{I: 0})
		if lost.Raised.Has(EpochBehind) {
			t.Errorf("both %v: the server does not start", both)
		}
	}
	// With a transaction of the new epoch currentEpoch.tmp is read. Then acceptedEpoch is too old.
	logged := s
	logged.logTxn(0, z)
	take(t, &NodeLosesEpochs, &logged, Renames{I: 0, Accepted: true})
	take(t, &NodeStart, &logged, One{I: 0})
	if !logged.Raised.Has(EpochBehind) || readsTmpEpoch && logged.CurrentEpoch[0] != 2 {
		t.Errorf("a server with epochs %d and %d starts", logged.AcceptedEpoch[0], logged.CurrentEpoch[0])
	}

	before = s
	s.diskOf(0).Log = history(x)
	s.noteNames(&before, 0)
	s.diskOf(0).write(z)
	take(t, &NodeLosesTruncation, &s, One{I: 0})
	if got := s.diskOf(0).Log; got != history(x, y, z) {
		t.Errorf("the log has %v", got)
	}
}

// TestApartCrashBeforeForce: what a process has written and not forced is read by a start, and a
// loss of power takes it, also from before records that were forced later. With forces = "all" a
// start forces it.
func TestApartCrashBeforeForce(t *testing.T) {
	t.Parallel()
	x, y, z := txn(1, 1), txn(1, 2), txn(1, 3)
	s := synced(t)
	s.ServingState[0] = RUNNING
	if NodeCrashBeforeForce.Guard(&s, Flush{I: 0, Written: 1}) {
		t.Error("nothing is queued, and something is written")
	}
	s.logRequest(0, z)
	if NodeCrashBeforeForce.Guard(&s, Flush{I: 0, Written: 2}) {
		t.Error("one transaction is queued, and two are written")
	}
	take(t, &NodeCrashBeforeForce, &s, Flush{I: 0, Written: 1})
	if u := s.Unforced[0]; s.isOn(0) || s.Msgs.Len(0, 2) != 0 || u.Records != history(z) {
		t.Errorf("on: %v, %d messages, %v is not forced", s.isOn(0), s.Msgs.Len(0, 2), u.Records)
	}
	down := s
	take(t, &NodeStart, &s, One{I: 0})
	s.has(t, 0, z.Zxid, x.Zxid, y.Zxid, z.Zxid)
	s.noteUnforced(&down, 0)
	if u := s.Unforced[0].Records; !forcesAtStart && u != history(z) || forcesAtStart && !u.Empty() {
		t.Errorf("after the start %v is not forced", u)
	}
	before, later := s, txn(2, 1)
	s.logTxn(0, later)
	s.noteUnforced(&before, 0)
	take(t, &NodeLosesPower, &s, One{I: 0})
	if !forcesAtStart {
		s.has(t, 0, later.Zxid, x.Zxid, y.Zxid, later.Zxid)
	}

	l := synchronizing(t, History{}, history(x), history(x))
	l.addTxn(2, y)
	l.diskOf(2).Log, l.Unlogged[2] = history(x), 1
	if NodeCrashBeforeForce.Guard(&l, Flush{I: 2, Written: 2}) {
		t.Error("a leader has one transaction to log, and two are written")
	}
	take(t, &NodeCrashBeforeForce, &l, Flush{I: 2, Written: 1})
	if u := l.Unforced[2].Records; u != history(y) || l.diskOf(2).Log != history(x, y) {
		t.Errorf("the log has %v, and %v is not forced", l.diskOf(2).Log, u)
	}
}

// TestApartAppendIsUnread: a full buffer writes a record to the file before the server has forced
// it. In the same process that shows nothing that one step for both does not show. Decision 0206
// lists the readers of the log.
func TestApartAppendIsUnread(t *testing.T) {
	t.Parallel()
	needsDisks(t)
	x, y, z := txn(1, 1), txn(1, 2), txn(1, 3)
	// LearnerHandler.syncFollower: a leader reads its log up to committedLog only.
	leader := synchronizing(t, History{}, history(x), history(x, y, z))
	leader.AcceptedEpoch[2], leader.ZabState[2] = 1, BROADCAST
	leader.applyTo(2, 2)
	leader.LastCommitted[2] = 2
	leader.diskOf(2).Log = history(x, y)
	for _, committed := range []History{{}, history(y), history(x, y)} {
		for _, peer := range []Zxid{{}, {1, 0}, x.Zxid, y.Zxid, z.Zxid, {1, 4}} {
			s := leader
			s.diskOf(2).Committed = committed
			written := s
			written.diskOf(2).Log = history(x, y, z)
			s.openApart(2, 0, peer)
			written.openApart(2, 0, peer)
			if s.Msgs != written.Msgs {
				t.Errorf("committedLog %v, learner at %v: the leader sends what it has not forced", committed, peer)
			}
		}
	}
	// ZKDatabase.fastForwardDataBase and truncateLog: the thread has appended what it could have
	// logged before. Its acknowledgement is lost with the connection.
	follower := synced(t)
	follower.ServingState[0] = RUNNING
	follower.logRequest(0, z)
	logged, written := follower, follower
	take(t, &FollowerSyncProcessorLogRequest, &logged, Pair{I: 0, J: 2})
	written.writeLog(0, z)
	take(t, &PartitionStart, &logged, Pair{I: 2, J: 0})
	take(t, &PartitionStart, &written, Pair{I: 2, J: 0})
	for range 2 { // before and after TRUNC
		if logged.memory(0) != written.memory(0) || *logged.diskOf(0) != *written.diskOf(0) || logged.Msgs != written.Msgs {
			t.Errorf("memory %v and %v, disk %v and %v", logged.memory(0), written.memory(0), *logged.diskOf(0), *written.diskOf(0))
		}
		logged.truncateDisk(0, y.Zxid)
		written.truncateDisk(0, y.Zxid)
	}
}

// TestApartSnapshotIsReadAgain: a leader reads the zxid of a snapshot again when it queues
// NEWLEADER. What it has committed since its decision is in the snapshot and follows it, too. The
// follower has it once, and its last zxid does not go down.
func TestApartSnapshotIsReadAgain(t *testing.T) {
	t.Parallel()
	needsDisks(t)
	x, y := txn(1, 1), txn(1, 2)
	s := synchronizing(t, History{}, History{}, history(x))
	s.AcceptedEpoch[2], s.ZabState[2], s.LastCommitted[2] = 1, BROADCAST, 1
	s.diskOf(2).Log, s.diskOf(2).Committed = history(x), History{}
	take(t, &LeaderOpensSync, &s, Pair{I: 2, J: 1})
	if got := s.kinds(2, 1); !slices.Equal(got, []Kind{SNAP}) || s.Msgs.Head(2, 1).Zxid != x.Zxid {
		t.Fatalf("the leader queues %v", got)
	}
	s.addTxn(2, y)
	s.Msgs.Send(2, 1, Msg{Kind: PROPOSAL, Zxid: y.Zxid, Data: y.Value})
	s.Msgs.Send(2, 1, Msg{Kind: COMMIT, Zxid: y.Zxid})
	s.LastCommitted[2] = 2
	s.applyTo(2, 2)
	take(t, &LeaderQueuesNEWLEADER, &s, Pair{I: 2, J: 1})
	if got := s.kinds(2, 1); !slices.Equal(got, []Kind{SNAP, PROPOSAL, COMMIT, NEWLEADER}) || s.Msgs.Head(2, 1).Zxid != y.Zxid {
		t.Fatalf("the leader sends %v, first %v", got, s.Msgs.Head(2, 1).Zxid)
	}
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 1, J: 2})
	take(t, &FollowerHoldBackPROPOSAL, &s, Pair{I: 1, J: 2})
	take(t, &FollowerProcessCOMMITInSync, &s, Pair{I: 1, J: 2})
	if s.Raised.Has(CommitMismatched) {
		t.Error("the commit does not match")
	}
	take(t, &FollowerProcessNEWLEADERTakeSnapshot, &s, Pair{I: 1, J: 2})
	s.has(t, 1, y.Zxid, x.Zxid, y.Zxid)
	s.diskOf(1).Log = history(x) // an older record, applied again
	s.applyAt(1, 1)
	s.has(t, 1, y.Zxid, x.Zxid, y.Zxid)
}
