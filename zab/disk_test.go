package zab

import "testing"

// zxids returns those of a history.
func zxids(h *History) (zs []Zxid) {
	for k := 1; k <= h.Len(); k++ {
		zs = append(zs, h.At(k).Zxid)
	}
	return zs
}

// TestTruncateLog: FileTxnLog.truncate keeps the first record whose zxid is not before the one it
// is given, and fails where there is no log.
func TestTruncateLog(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		log  History
		at   Zxid
		left History
	}{
		{"the log has the zxid", history(txn(1, 1), txn(1, 2)), Zxid{1, 1}, history(txn(1, 1))},
		{"the zxid came by SNAP", history(txn(1, 2)), Zxid{1, 1}, history(txn(1, 2))},
		{"no transaction is to stay", history(txn(1, 1), txn(1, 2)), Zxid{}, history(txn(1, 1))},
		{"an epoch's zxid", history(txn(1, 1), txn(2, 1)), Zxid{2, 0}, history(txn(1, 1), txn(2, 1))},
		{"the log ends before", history(txn(1, 1)), Zxid{1, 2}, history(txn(1, 1))},
		{"no log", history(), Zxid{1, 1}, history()},
	} {
		d := Disk{Log: c.log}
		if d.truncateAt(c.at); d.Log != c.left {
			t.Errorf("%s: left %v, want %v", c.name, zxids(&d.Log), zxids(&c.left))
		}
	}
}

// TestRestore: the snapshot comes first, then all records from the first later one on.
func TestRestore(t *testing.T) {
	t.Parallel()
	named := func(z Zxid, ts ...Txn) Image { return Image{Txns: history(ts...), Tail: Tail{Named: true, Zxid: z}} }
	for _, c := range []struct {
		name     string
		snapshot Image
		log      History
		want     History
		last     Zxid
	}{
		{"no snapshot", Image{}, history(txn(1, 1), txn(1, 2)), history(txn(1, 1), txn(1, 2)), Zxid{1, 2}},
		{"a snapshot of all", Image{Txns: history(txn(1, 1))}, history(txn(1, 1)), history(txn(1, 1)), Zxid{1, 1}},
		{"a later record", Image{Txns: history(txn(1, 1))}, history(txn(1, 1), txn(2, 1)), history(txn(1, 1), txn(2, 1)), Zxid{2, 1}},
		{"a hole before it", Image{Txns: history(txn(1, 1))}, history(txn(1, 3)), history(txn(1, 1), txn(1, 3)), Zxid{1, 3}},
		{"a record that the snapshot is past", Image{Txns: history(txn(2, 1))}, history(txn(1, 2)), history(txn(2, 1)), Zxid{2, 1}},
		{"the snapshot has more than its zxid says", named(Zxid{1, 1}, txn(1, 1), txn(1, 2)), history(txn(1, 1)),
			history(txn(1, 1), txn(1, 2)), Zxid{1, 1}},
		{"and the log has that", named(Zxid{1, 1}, txn(1, 1), txn(1, 2)), history(txn(1, 2)), history(txn(1, 1), txn(1, 2)), Zxid{1, 2}},
		{"nothing but an epoch", named(Zxid{2, 0}), history(txn(1, 1)), history(), Zxid{2, 0}},
	} {
		d := Disk{Snapshot: c.snapshot, Log: c.log}
		if m := d.restore(); m.Txns != c.want || m.lastZxid() != c.last {
			t.Errorf("%s: %v with last %v, want %v with last %v", c.name, zxids(&m.Txns), m.lastZxid(), zxids(&c.want), c.last)
		}
	}
}

// TestForward: a shutdown reads the log from the memory's last zxid on, so a record before it stays
// unread.
func TestForward(t *testing.T) {
	t.Parallel()
	d := Disk{Log: history(txn(1, 2))}
	if m := d.forward(Image{Txns: history(txn(1, 1))}); m.Txns != history(txn(1, 1), txn(1, 2)) {
		t.Errorf("a record after the last zxid is not read: %v", zxids(&m.Txns))
	}
	if m := d.forward(Image{Txns: history(txn(2, 1))}); m.Txns != history(txn(2, 1)) {
		t.Errorf("a record before the last zxid is read: %v", zxids(&m.Txns))
	}
}

// TestDisksApart runs the tests of disk_apart_test.go in a build that keeps disks apart.
func TestDisksApart(t *testing.T) {
	t.Parallel()
	withSizes(t, "^TestApart", map[string]string{"Storage": `"apart"`, "MaxTransactions": "4", "MaxRequests": "4"},
		"cluster_test.go", "disk_apart_test.go", "synchronization_logs_test.go", "faults_files_test.go")
}

// TestCommittedLogs runs disk_committed_test.go in builds that keep disks apart, before 3.9.4 and
// after it.
func TestCommittedLogs(t *testing.T) {
	t.Parallel()
	for _, variant := range []string{`"v3.9.1"`, `"v3.9.5"`} {
		withSizes(t, "^TestLearnerHandler", map[string]string{"Storage": `"apart"`, "MaxTransactions": "8", "MaxRequests": "8", "Variant": variant},
			"cluster_test.go", "disk_committed_test.go")
	}
}
