package zab

import "testing"

// TestDiskInvariantsCanFail: I-15 holds where a follower has what its leader has committed,
// and fails in states that break it in one place. TestApartMemoryAheadOfDisk is about
// I-15.disk.
func TestDiskInvariantsCanFail(t *testing.T) {
	t.Parallel()
	good := delivering(t)
	for i := range Server(Servers) {
		good.LastProcessed[i] = 2
	}
	x, y := good.History[2].At(1), good.History[2].At(2)
	for _, c := range []struct {
		name  string
		holds func(*State) bool
		spoil func(*State)
	}{
		{"a transaction that nobody proposed", hasNoPhantom, func(s *State) { s.History[0] = history(x, txn(2, 1)) }},
		{"a transaction that is not committed", hasNoPhantom, func(s *State) { s.LastCommitted[2] = 1 }},
		{"no first transaction", hasNoHole, func(s *State) { s.History[0], s.LastProcessed[0] = history(y), 1 }},
		{"the first transaction is not applied", hasNoHole, func(s *State) { s.History[0], s.LastProcessed[0] = history(y, x), 1 }},
	} {
		if !c.holds(&good) {
			t.Errorf("%s: fails where it holds", c.name)
		}
		bad := good
		c.spoil(&bad)
		if c.holds(&bad) {
			t.Errorf("%s: holds", c.name)
		}
	}
	late := good
	late.LastProcessed[0] = 1
	if !hasNoHole(&late) {
		t.Error("a follower that is late has a hole")
	}
}

// TestTruncationOfDelivered: I-16 fails where a leader opens with TRUNC for a transaction that was
// delivered, and holds for one that was not.
func TestTruncationOfDelivered(t *testing.T) {
	t.Parallel()
	s := opened(t)
	n := s
	s.Forwarding[2].Remove(1)
	s.Electing[2].Put(1, Elector{PeerLastZxid: Zxid{1, 2}})
	s.CommittedLog = n.History[2].Prefix(1)
	if !truncatesNothingDelivered(&s, &n) {
		t.Error("fails where it holds")
	}
	s.CommittedLog = n.History[2].Prefix(2)
	if truncatesNothingDelivered(&s, &n) {
		t.Error("holds")
	}
}

// TestMarked runs TestMark in a build with pull request 1109.
func TestMarked(t *testing.T) {
	t.Parallel()
	withSizes(t, "^TestMark$", map[string]string{"Fix": `"pr-1109"`}, "cluster_test.go", "mark_test.go")
}

// TestAcksTakenBack runs TestAcksBack in a build with the repair.
func TestAcksTakenBack(t *testing.T) {
	t.Parallel()
	withSizes(t, "^TestAcksBack$", map[string]string{"Fix": `"acks-taken-back"`, "Closings": "1"}, "cluster_test.go", "acks_back_test.go")
}

// TestQueueLoggedFirst runs TestQueueLogged in a build with the fix of ZOOKEEPER-4712.
func TestQueueLoggedFirst(t *testing.T) {
	t.Parallel()
	withSizes(t, "^TestQueueLogged$", map[string]string{"Fix": `"zk-4712"`, "Closings": "1"}, "cluster_test.go", "queue_logged_test.go")
}
