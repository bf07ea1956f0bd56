package raft

import "testing"

// TestOverlap: logs agree up to the first difference after what either has folded away.
func TestOverlap(t *testing.T) {
	t.Parallel()
	logOf := func(terms ...Number) (l Log) {
		for _, x := range terms {
			l.Append(term(x))
		}
		return l
	}
	for _, c := range []struct {
		a    Log
		x    Number
		b    Log
		y    Number
		want Number
	}{
		{logOf(), 0, logOf(1), 0, 0},
		{logOf(1, 2), 0, logOf(1, 3), 0, 1},
		{logOf(2), 1, logOf(1, 2, 3), 0, 2},
		{logOf(2), 1, logOf(1, 3), 0, 1},
		{logOf(), 3, logOf(1, 2), 0, 2},
		{logOf(4), 3, logOf(1, 2), 0, 2},
	} {
		if got := overlap(&c.a, c.x, &c.b, c.y); got != c.want {
			t.Errorf("%v behind %d and %v behind %d agree up to %d, want %d", c.a, c.x, c.b, c.y, got, c.want)
		}
	}
}

// raft.go restore: a snapshot without the server in its configuration is not taken. Without
// Membership there is none to look at.
func TestSnapshotForOthers(t *testing.T) {
	t.Parallel()
	var s Snapshot
	check(t, s.has(1) || ChangeSlots == 1, "a snapshot without a configuration is for everybody")
}
