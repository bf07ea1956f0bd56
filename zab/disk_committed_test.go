package zab

import (
	"fmt"
	"slices"
	"testing"
)

func needsLongLogs(t *testing.T) {
	t.Helper()
	if !disksApart || MaxTransactions < 8 {
		t.Skip("disks are not apart in this build: see TestCommittedLogs")
	}
}

// leaderWith returns a state in which leader 2 serves, with what it has on disk and in memory.
func leaderWith(t *testing.T, log, committed History, last Zxid) State {
	t.Helper()
	s := synchronizing(t, History{}, History{}, History{})
	s.AcceptedEpoch[2] = 0 // so that only last is the last zxid
	s.ZabState[2] = BROADCAST
	leader := Server(2)
	d := &s.Disks[leader] // a build without disks has none
	d.Log, d.Committed = log, committed
	s.History[2], s.LastProcessed[2], s.LastCommitted[2] = committed, Number(committed.Len()), Number(committed.Len())
	d.Memory = Tail{Named: true, Zxid: last}
	return s
}

// TestLearnerHandlerStartGap: from 3.9.4 on a server with a gap within an epoch of its log does not
// start. A gap between epochs, and one after the snapshot, is none for it.
func TestLearnerHandlerStartGap(t *testing.T) {
	t.Parallel()
	needsLongLogs(t)
	first := Server(0)
	for name, c := range map[string]struct {
		log, snapshot History
		gap           bool
	}{
		"whole":                       {log: history(txn(1, 1), txn(1, 2), txn(2, 1)), gap: false},
		"within an epoch":             {log: history(txn(1, 1), txn(1, 3)), gap: true},
		"within a later epoch":        {log: history(txn(1, 1), txn(2, 1), txn(2, 3)), gap: true},
		"at the beginning":            {log: history(txn(1, 2), txn(1, 3)), gap: false},
		"at the beginning of another": {log: history(txn(1, 1), txn(2, 2)), gap: false},
		"after the snapshot":          {log: history(txn(1, 3)), snapshot: history(txn(1, 1)), gap: false},
		"before the snapshot":         {log: history(txn(1, 1), txn(1, 3), txn(1, 4)), snapshot: history(txn(1, 1), txn(1, 2), txn(1, 3)), gap: false},
		"a record twice":              {log: history(txn(1, 1), txn(1, 2), txn(1, 1), txn(1, 3)), gap: false},
	} {
		s := synchronizing(t, History{}, History{}, History{})
		s.AcceptedEpoch[0], s.CurrentEpoch[0] = 2, 2
		d := &s.Disks[first] // a build without disks has none
		d.Log, d.Snapshot.Txns = c.log, c.snapshot
		s.Status.Remove(0)
		take(t, &NodeStart, &s, One{I: 0})
		if ends := c.gap && Variant == "v3.9.5"; s.Raised.Has(LogGap) != ends || s.isOn(0) == ends {
			t.Errorf("%s: ends %v, runs %v", name, s.Raised.Has(LogGap), s.isOn(0))
		}
	}
}

// sent shows the messages from leader 2 to server 0. A snapshot is shown without its zxid.
func sent(s *State) (out []string) {
	names := map[Kind]string{DIFF: "DIFF", TRUNC: "TRUNC", SNAP: "SNAP", PROPOSAL: "PROPOSAL", COMMIT: "COMMIT"}
	for k := 1; k <= s.Msgs.Len(2, 0); k++ {
		m := s.Msgs.At(2, 0, k)
		text := names[m.Kind]
		if m.Kind == TRUNC || m.Kind == PROPOSAL || m.Kind == COMMIT {
			text += fmt.Sprintf(" %d:%d", m.Zxid.Epoch, m.Zxid.Counter)
		}
		out = append(out, text)
	}
	return out
}

// TestLearnerHandler has the cases of ZooKeeper's own test, LearnerHandlerTest.java@3.9.1, with
// what that expects to be queued.
func TestLearnerHandler(t *testing.T) {
	t.Parallel()
	needsLongLogs(t)
	of := func(counters ...Number) (h History) {
		for _, c := range counters {
			h.Append(txn(0, c))
		}
		return h
	}
	z := func(c Number) Zxid { return Zxid{0, c} }
	diff := func(op string, zs ...Zxid) []string {
		out := []string{op}
		for _, z := range zs {
			text := fmt.Sprintf(" %d:%d", z.Epoch, z.Counter)
			out = append(out, "PROPOSAL"+text, "COMMIT"+text)
		}
		return out
	}
	snap := []string{"SNAP"}
	log, committed := of(2, 3, 5, 6, 7, 8, 9), of(6, 7, 8)
	epochs, since := history(txn(0, 1), txn(1, 1), txn(1, 2)), history(txn(1, 1), txn(1, 2))
	for _, c := range []struct {
		name           string
		log, committed History
		last, peer     Zxid
		want           []string
	}{
		{"testEmptyCommittedLog, newer", of(), of(), z(1), z(3), diff("TRUNC 0:1")},
		{"testEmptyCommittedLog, in sync", of(), of(), z(1), z(1), diff("DIFF")},
		{"testEmptyCommittedLog, new machine", of(), of(), z(1), z(0), snap},
		{"testCommittedLog, never seen", of(), of(2, 3, 5), z(6), z(4), diff("TRUNC 0:3", z(5))},
		{"testCommittedLog, within", of(), of(2, 3, 5), z(6), z(2), diff("DIFF", z(3), z(5))},
		{"testCommittedLog, before it", of(), of(2, 3, 5), z(6), z(1), snap},
		{"testTxnLog, never seen", log, committed, z(9), z(4), diff("TRUNC 0:3", z(5), z(6), z(7), z(8))},
		{"testTxnLog, within", log, committed, z(9), z(3), diff("DIFF", z(5), z(6), z(7), z(8))},
		{"testTxnLogOnly, never seen", of(2, 3, 5, 6, 7, 8), of(), z(7), z(4), diff("TRUNC 0:3", z(5), z(6), z(7))},
		{"testTxnLogOnly, within", of(2, 3, 5, 6, 7, 8), of(), z(7), z(2), diff("DIFF", z(3), z(5), z(6), z(7))},
		{"testTxnLogOnly, before it", of(2, 3, 5, 6, 7, 8), of(), z(7), z(1), snap},
		{"testNewEpochZxid, epoch 0", epochs, since, Zxid{2, 0}, Zxid{0, 0}, snap},
		{"testNewEpochZxid, epoch 1", epochs, since, Zxid{2, 0}, Zxid{1, 0}, diff("DIFF", Zxid{1, 1}, Zxid{1, 2})},
		{"testNewEpochZxid, epoch 2", epochs, since, Zxid{2, 0}, Zxid{2, 0}, diff("DIFF")},
		{"testCrossEpochTrunc", history(txn(1, 1), txn(2, 1), txn(2, 2), txn(4, 1)), of(), Zxid{6, 0}, Zxid{3, 1}, snap},
		{"testTxnLogGap", of(2, 3, 4), of(7, 8), z(8), z(3), snap},
	} {
		s := leaderWith(t, c.log, c.committed, c.last)
		s.openSyncWith(2, 0, c.peer)
		if got := sent(&s); !slices.Equal(got, c.want) {
			t.Errorf("%s: the leader sends %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLearnerHandlerForwards: what is committed and not applied, and what is proposed, follows from
// the zxid on that the opening has reached (Leader.startForwarding).
func TestLearnerHandlerForwards(t *testing.T) {
	t.Parallel()
	needsLongLogs(t)
	x, y, z := txn(1, 1), txn(1, 2), txn(1, 3)
	s := leaderWith(t, history(x, y, z), history(x), x.Zxid)
	s.History[2], s.LastCommitted[2] = history(x, y, z), 2
	s.openSyncWith(2, 0, y.Zxid)
	want := []string{"TRUNC 1:1", "PROPOSAL 1:2", "COMMIT 1:2", "PROPOSAL 1:3"}
	if got := sent(&s); !slices.Equal(got, want) || !s.Forwarding[2].Has(0) {
		t.Errorf("the leader sends %v, want %v", got, want)
	}
}

// TestLearnerHandlerHole: a transaction that the leader's committedLog lacks is not sent
// (ZOOKEEPER-4925).
func TestLearnerHandlerHole(t *testing.T) {
	t.Parallel()
	needsLongLogs(t)
	x, y, z := txn(1, 1), txn(1, 2), txn(1, 3)
	s := leaderWith(t, history(x, y, z), history(x, z), z.Zxid)
	s.History[2] = history(x, y, z)
	s.LastProcessed[2], s.LastCommitted[2] = 3, 3
	s.openSyncWith(2, 0, x.Zxid)
	if got, want := sent(&s), []string{"DIFF", "PROPOSAL 1:3", "COMMIT 1:3"}; !slices.Equal(got, want) {
		t.Errorf("the leader sends %v, want %v", got, want)
	}
}

// TestLearnerHandlerOrder: from 3.9.4 on a transaction that is not after the last one of
// committedLog does not get in. TRUNC to 1:1 has left record 1:3, and the leader sends 1:2 then.
func TestLearnerHandlerOrder(t *testing.T) {
	t.Parallel()
	needsLongLogs(t)
	x, y, z := txn(1, 1), txn(1, 2), txn(1, 3)
	for name, committed := range map[string]History{
		"a restart reads the log": History{}, "the end is read again": history(x), "the last one again": history(x, z),
	} {
		s, leader := leaderWith(t, history(x, z, y), committed, x.Zxid), Server(2)
		s.noteReplayed(leader, Zxid{})
		want := []Zxid{x.Zxid, z.Zxid, y.Zxid}
		if committedLogIsComplete {
			want = want[:2]
		}
		if got := committedZxids(&s.Disks[leader].Committed); !slices.Equal(got, want) {
			t.Errorf("%s: committedLog is %v, want %v", name, got, want)
		}
	}
}

// committedZxids returns the zxids of a history.
func committedZxids(h *History) (zs []Zxid) {
	for k := 1; k <= h.Len(); k++ {
		zs = append(zs, h.At(k).Zxid)
	}
	return zs
}
