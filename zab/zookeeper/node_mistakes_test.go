package zookeeper_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// Mistakes of the steps that run next to a server, found by exploring them with all servers:
// configs/zab/node.hcl.

// back is how learner 0 of server 2 comes back with transaction 1:1, which the leader has not
// committed.
const back = `request; out 0 PROPOSAL 1:1; out 1 PROPOSAL 1:1; in 0 CLOSED 0:0; out 0 CLOSED 0:0;
	in 0 FOLLOWERINFO 1:0; out 0 LEADERINFO 1:0; in 0 ACKEPOCH 1:1 -1`

// TestTruncatesToEpoch: a leader that has committed nothing truncates a learner to the last zxid
// that it has processed. That is the start of its epoch (LearnerHandler.syncFollower, where
// committedLog is empty).
func TestTruncatesToEpoch(t *testing.T) {
	x := assemble(t)
	for zxid, verdict := range map[string]string{"1:0": "holds", "0:0": "violated", "1:1": "violated"} {
		if r := x.check(t, 2, script(t, leads, back, "out 0 TRUNC "+zxid), wire.Monitor{}); r.verdict != verdict {
			t.Errorf("TRUNC %s: %s %s: %s", zxid, r.verdict, r.reason, r.message())
		}
	}
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	again := `in 2 PROPOSAL 1:1; out 2 ACK 1:1; in 2 CLOSED 0:0; out 2 CLOSED 0:0; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 1:1 -1;
		in 2 TRUNC 1:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	if r := x.check(t, 0, script(t, follows, again), wire.Monitor{}); r.verdict != "holds" {
		t.Errorf("the follower: %s %s: %s", r.verdict, r.reason, r.message())
	}
}

// TestSnapshotBeforeNEWLEADER: what a leader sends again although its snapshot has it comes before
// NEWLEADER, which is queued after the snapshot is written (LearnerHandler.run).
func TestSnapshotBeforeNEWLEADER(t *testing.T) {
	x := assemble(t)
	goes := each(1, 3, "request; out 0 PROPOSAL 1:#; in 0 ACK 1:#; out 0 COMMIT 1:#")
	joins := "in 1 CLOSED 0:0; out 1 CLOSED 0:0; in 1 FOLLOWERINFO 1:0; out 1 LEADERINFO 1:0; in 1 ACKEPOCH 0:0 -1; out 1 SNAP 1:3"
	for rest, verdict := range map[string]string{
		"out 1 NEWLEADER 1:0": "holds",
		"out 1 PROPOSAL 1:3; out 1 COMMIT 1:3; out 1 NEWLEADER 1:0":                   "holds",
		"out 1 PROPOSAL 1:3; out 1 NEWLEADER 1:0":                                     "violated",
		"out 1 NEWLEADER 1:0; out 1 PROPOSAL 1:3":                                     "violated",
		"out 1 NEWLEADER 1:0; in 1 ACKLD 1:0; out 1 UPTODATE 1:0; out 1 PROPOSAL 1:3": "violated",
		"out 1 NEWLEADER 1:0; request; out 0 PROPOSAL 1:4; out 1 PROPOSAL 1:4":        "holds",
		"request; out 0 PROPOSAL 1:4; out 1 PROPOSAL 1:4; out 1 NEWLEADER 1:0":        "holds",
		"request; out 0 PROPOSAL 1:4; out 1 PROPOSAL 1:3; out 1 NEWLEADER 1:0":        "violated",
	} {
		if r := x.check(t, 2, script(t, leads, goes, joins, rest), wire.Monitor{}); r.verdict != verdict {
			t.Errorf("%s: %s %s: %s", rest, r.verdict, r.reason, r.message())
		}
	}
}
