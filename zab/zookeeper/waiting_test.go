package zookeeper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// behindLeader returns the stream of a follower that gets `queued` transactions before NEWLEADER,
// `held` of them and as many COMMITs after it, and UPTODATE. Then it acknowledges the first `acks`.
func behindLeader(queued, held, acks int) []string {
	return []string{
		"out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0",
		each(1, queued, "in 2 PROPOSAL 1:#; in 2 COMMIT 1:#"),
		"in 2 NEWLEADER 1:0; out 2 ACKLD 1:0",
		each(queued+1, queued+held, "in 2 PROPOSAL 1:#; in 2 COMMIT 1:#"),
		"in 2 UPTODATE 1:0",
		each(1, acks, "out 2 ACK 1:#"),
	}
}

// TestUpToDateWaits: a follower has thousands of transactions to log. It acknowledges each of them
// while UPTODATE waits, which hands its log thread as many again. What the monitor reads of queues
// grows like their length, not like its square. There is no alarm because UPTODATE waits for long.
func TestUpToDateWaits(t *testing.T) {
	x := assemble(t)
	elements := func(queued int) (used float64) {
		for ack, verdict := range map[string]string{"1:0": "holds", "1:1": "violated"} {
			lines := append(behindLeader(queued, queued, queued), "out 2 ACK "+ack, each(queued+1, 2*queued, "out 2 ACK 1:#"))
			r := x.check(t, 1, script(t, lines...), wire.Monitor{})
			if r.verdict != verdict || r.stats.MostState > 20 {
				t.Errorf("%d transactions, %s: %s %s, %d states at most: %s", queued, ack, r.verdict, r.reason, r.stats.MostState, r.message())
			}
			if verdict == "holds" {
				t.Logf("%d transactions: %d elements of queues, %d records explored", queued, r.stats.Elements, r.stats.Explored)
				used = float64(r.stats.Elements) / float64(queued)
			}
		}
		return used
	}
	short, long := elements(1500), elements(6000)
	if long > 1.5*short || long > 1000 {
		t.Errorf("%.0f elements of queues for a transaction where there are 1500, %.0f where there are 6000", short, long)
	}
}

// TestWaitsForLong: a state in which a message has waited while more messages came than are kept is
// given up. Where nothing else explains what the server sends, that is undecided and no alarm.
func TestWaitsForLong(t *testing.T) {
	const queued, kept = 2500, 1 << 14
	more := each(queued+1, queued+kept+10, "in 2 PROPOSAL 1:#")
	r := assemble(t).check(t, 1, script(t, append(behindLeader(queued, 0, 10), more, each(11, queued, "out 2 ACK 1:#"), "out 2 ACK 1:0")...), wire.Monitor{})
	if r.verdict != "undecided" || !strings.Contains(r.reason, fmt.Sprint(kept)) {
		t.Errorf("%s %s: %s", r.verdict, r.reason, r.message())
	}
}
