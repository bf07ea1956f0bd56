package zookeeper_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// Streams of real servers under load, shortened by hand to the part that made the monitor wrong or
// slow.

// each is a line for each number from a to b.
func each(a, b int, format string) string {
	var out []string
	for k := a; k <= b; k++ {
		out = append(out, strings.ReplaceAll(format, "#", fmt.Sprint(k)))
	}
	return strings.Join(out, ";")
}

// script makes a stream of lines "in PEER KIND EPOCH:COUNTER [DATA]", "out ...", "request" and
// "restart". For a server that looks for a leader there is "vote PEER ROUND LEADER EPOCH:COUNTER
// EPOCH", a vote that somebody sends. A vote that server I sends is the line
// `told I PEER ROUND LEADER EPOCH:COUNTER EPOCH`.
func script(t *testing.T, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range strings.Split(strings.Join(lines, ";"), ";") {
		text = strings.TrimSpace(text)
		switch text {
		case "":
		case "request":
			b.WriteString(`{"event":"input","action":"LeaderProcessRequest","set":{"ClientRequest":0}}` + "\n")
		case "restart":
			b.WriteString(`{"event":"restart"}` + "\n")
		default:
			var event, kind string
			if vote, ok := notification(text); ok {
				b.WriteString(vote)
				continue
			}
			var peer, epoch, counter, data int64
			if n, err := fmt.Sscanf(text, "%s %d %s %d:%d %d", &event, &peer, &kind, &epoch, &counter, &data); n < 5 {
				t.Fatalf("%q: %v", text, err)
			}
			fmt.Fprintf(&b, `{"event":%q,"peer":%d,"msg":{"Kind":%q,"Zxid":{"Epoch":%d,"Counter":%d},"Data":%d}}`+"\n", event, peer, kind, epoch, counter, data)
		}
	}
	b.WriteString(`{"event":"end"}` + "\n")
	return b.Bytes()
}

// notification is the line of `vote` and `told`.
func notification(text string) (string, bool) {
	var source, peer, round, leader, epoch, counter, voted int64
	event := "in"
	n, _ := fmt.Sscanf(text, "vote %d %d %d %d:%d %d", &source, &round, &leader, &epoch, &counter, &voted)
	if peer = source; n != 6 {
		event = "out"
		if n, _ = fmt.Sscanf(text, "told %d %d %d %d %d:%d %d", &source, &peer, &round, &leader, &epoch, &counter, &voted); n != 7 {
			return "", false
		}
	}
	return fmt.Sprintf(`{"event":%q,"peer":%d,"msg":{"Kind":"NOTIFICATION","Source":%d,"State":"LOOKING","Round":%d,"Vote":{"Leader":%d,"Zxid":{"Epoch":%d,"Counter":%d},"Epoch":%d}}}`+"\n",
		event, peer, source, round, leader, epoch, counter, voted), true
}

// leads is how server 2 comes to lead epoch 1 with both others.
const leads = `in 0 FOLLOWERINFO 0:0; out 0 LEADERINFO 1:0; in 1 FOLLOWERINFO 0:0; out 1 LEADERINFO 1:0; in 0 ACKEPOCH 0:0; in 1 ACKEPOCH 0:0;
	out 0 DIFF 0:0; out 0 NEWLEADER 1:0; out 1 DIFF 0:0; out 1 NEWLEADER 1:0; in 0 ACKLD 1:0; out 0 UPTODATE 1:0; in 0 ACK 1:0; in 1 ACKLD 1:0; out 1 UPTODATE 1:0; in 1 ACK 1:0`

// TestNEWLEADERDecidedEarlier: a leader decides what comes before NEWLEADER, and commits more
// before the first of it is on the wire. What it had when its epoch began comes before NEWLEADER in
// any case.
func TestNEWLEADERDecidedEarlier(t *testing.T) {
	x := assemble(t)
	rejoins := `in 1 CLOSED 0:0; out 1 CLOSED 0:0; in 1 FOLLOWERINFO 1:0; out 1 LEADERINFO 1:0; in 1 ACKEPOCH 1:2 -1`
	goes := "request; out 0 PROPOSAL 1:#; in 0 ACK 1:#; out 0 COMMIT 1:#"
	r := x.check(t, 2, script(t, leads, each(1, 2, goes+"; out 1 PROPOSAL 1:#; out 1 COMMIT 1:#"), rejoins, each(3, 40, goes),
		"out 1 DIFF 0:0", each(3, 10, "out 1 PROPOSAL 1:#; out 1 COMMIT 1:#"), "out 1 PROPOSAL 1:11; out 1 NEWLEADER 1:0", "out 1 COMMIT 1:11"), wire.Monitor{})
	if r.verdict != "holds" {
		t.Errorf("%s %s: %s", r.verdict, r.reason, r.message())
	}
	again := `in 0 CLOSED 0:0; in 1 CLOSED 0:0; out 0 CLOSED 0:0; out 1 CLOSED 0:0; in 0 FOLLOWERINFO 1:0; out 0 LEADERINFO 2:0; in 0 ACKEPOCH 1:2 1;
		out 0 DIFF 0:0; out 0 PROPOSAL 1:3; out 0 COMMIT 1:3; %sout 0 NEWLEADER 2:0`
	all := "out 0 PROPOSAL 1:4; out 0 COMMIT 1:4; out 0 PROPOSAL 1:5; out 0 COMMIT 1:5; "
	for sent, verdict := range map[string]string{all: "holds", strings.Replace(all, "out 0 COMMIT 1:5; ", "", 1): "violated", "": "violated"} {
		r := x.check(t, 2, script(t, leads, each(1, 5, goes), fmt.Sprintf(again, sent)), wire.Monitor{})
		if r.verdict != verdict || verdict == "violated" && !strings.Contains(r.message(), "NEWLEADER") {
			t.Errorf("with %q before NEWLEADER: %s %s: %s", sent, r.verdict, r.reason, r.message())
		}
	}
}

// TestLeftQueue: a follower loses its leader while its log thread has much to do, and is killed
// later. How much of it was logged is not known; that the log has no gap is.
func TestLeftQueue(t *testing.T) {
	x := assemble(t)
	const queued = 70
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	ends := "in 2 CLOSED 0:0; out 2 CLOSED 0:0; restart; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0"
	for last, verdict := range map[int]string{0: "violated", 1: "holds", 35: "holds", queued: "holds", queued + 1: "violated"} {
		r := x.check(t, 1, script(t, follows, "in 2 PROPOSAL 1:1; out 2 ACK 1:1", each(2, queued, "in 2 PROPOSAL 1:#"), ends, fmt.Sprintf("out 2 ACKEPOCH 1:%d 1", last)), wire.Monitor{})
		if r.verdict != verdict || r.stats.Largest > 2000 {
			t.Errorf("up to 1:%d: %s %s; %d records explored: %s", last, r.verdict, r.reason, r.stats.Largest, r.message())
		}
	}
}

// TestProposalNotLogged: a leader proposes first and logs then. Killed in between it has lost what
// it proposed last; or it has taken some more requests that nobody has heard of.
func TestProposalNotLogged(t *testing.T) {
	x := assemble(t)
	goes := each(1, 3, "request; out 0 PROPOSAL 1:#; in 0 ACK 1:#; out 0 COMMIT 1:#") + "; request; out 0 PROPOSAL 1:4"
	for last, verdict := range map[int]string{3: "holds", 4: "holds", 5: "holds", 30: "violated"} {
		r := x.check(t, 2, script(t, leads, goes, "restart; out 0 FOLLOWERINFO 1:0; in 0 LEADERINFO 2:0", fmt.Sprintf("out 0 ACKEPOCH 1:%d 1", last)), wire.Monitor{})
		if r.verdict != verdict {
			t.Errorf("up to 1:%d: %s %s: %s", last, r.verdict, r.reason, r.message())
		}
	}
}

// TestAsideLog: a server leads in vain with what it has in memory; the rest of its log comes up
// when it is killed.
func TestAsideLog(t *testing.T) {
	x := assemble(t)
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	in := "in 2 PROPOSAL 1:1; out 2 ACK 1:1; in 2 PROPOSAL 1:2; in 2 PROPOSAL 1:3; in 2 CLOSED 0:0; out 2 CLOSED 0:0"
	vain := "in 0 FOLLOWERINFO 1:0; out 0 LEADERINFO 2:0; in 0 CLOSED 0:0; out 0 CLOSED 0:0"
	again := "restart; out 2 FOLLOWERINFO 2:0; in 2 LEADERINFO 3:0; out 2 ACKEPOCH 1:%d 1"
	for last, verdict := range map[int]string{1: "holds", 2: "holds", 3: "holds", 4: "violated"} {
		if r := x.check(t, 1, script(t, follows, in, vain, fmt.Sprintf(again, last)), wire.Monitor{}); r.verdict != verdict {
			t.Errorf("up to 1:%d: %s %s: %s", last, r.verdict, r.reason, r.message())
		}
	}
}

// TestAsideLogVoted is TestAsideLog with the votes: a server that has logged two transactions, and
// has none of them in memory, wins an election with what it has in memory. They are in its log when
// it is killed.
func TestAsideLogVoted(t *testing.T) {
	x := elections(t)
	follows := `vote 2 1 2 0:0 0; out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 PROPOSAL 1:1; in 2 PROPOSAL 1:2;
		in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; out 2 ACK 1:1; out 2 ACK 1:2; in 2 CLOSED 0:0; out 2 CLOSED 0:0`
	vain := "vote 0 2 1 0:0 1; in 0 FOLLOWERINFO 1:0; out 0 LEADERINFO 2:0; in 0 CLOSED 0:0; out 0 CLOSED 0:0"
	again := "restart; vote 2 1 2 1:2 1; out 2 FOLLOWERINFO 2:0; in 2 LEADERINFO 3:0; out 2 ACKEPOCH 1:%d 1"
	for last, verdict := range map[int]string{1: "violated", 2: "holds", 3: "violated"} {
		if r := x.check(t, 1, script(t, follows, vain, fmt.Sprintf(again, last)), wire.Monitor{}); r.verdict != verdict {
			t.Errorf("up to 1:%d: %s %s: %s", last, r.verdict, r.reason, r.message())
		}
	}
}

// logged is a follower that has acknowledged the first two of three transactions of its log, and
// loses its leader before it serves.
const logged = `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 PROPOSAL 1:1; in 2 PROPOSAL 1:2; in 2 PROPOSAL 1:3;
	in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; out 2 ACK 1:1; out 2 ACK 1:2; in 2 CLOSED 0:0; out 2 CLOSED 0:0; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0`

// TestMemoryOrLog: a server that is shut down before it serves keeps its memory, or reads its whole
// log. No shutdown reads a part of what is known to be logged.
func TestMemoryOrLog(t *testing.T) {
	x := assemble(t)
	for last, verdict := range map[int]string{0: "holds", 1: "violated", 2: "holds", 3: "holds", 4: "violated"} {
		epoch := min(last, 1)
		r := x.check(t, 1, script(t, logged, fmt.Sprintf("out 2 ACKEPOCH %d:%d 1", epoch, last)), wire.Monitor{})
		if r.verdict != verdict {
			t.Errorf("up to %d:%d: %s %s: %s", epoch, last, r.verdict, r.reason, r.message())
		}
	}
}

// TestLogIsLeft: a leader that lacks the transactions of TestMemoryOrLog sends DIFF to the server,
// which has them in its log and not in memory. The server logs later transactions, and is killed.
// The log still has the earlier ones, so the server sends them when it leads. It is the bug that
// configs/zab/bugs/memory-behind-log.hcl reproduces.
func TestLogIsLeft(t *testing.T) {
	x := assemble(t)
	serves := `out 2 ACKEPOCH 0:0 1; in 2 DIFF 0:0; in 2 NEWLEADER 2:0; out 2 ACKLD 2:0; in 2 UPTODATE 2:0; out 2 ACK 2:0; in 2 PROPOSAL 2:1; out 2 ACK 2:1; in 2 COMMIT 2:1;
		restart; in 0 FOLLOWERINFO 2:0; out 0 LEADERINFO 3:0; in 0 ACKEPOCH 1:%d 1`
	for acknowledged, sent := range map[int]string{
		1: "out 0 DIFF 0:0; out 0 PROPOSAL 1:2",
		2: "out 0 DIFF 0:0; out 0 PROPOSAL 2:1",
	} {
		if r := x.check(t, 1, script(t, logged, fmt.Sprintf(serves, acknowledged), sent), wire.Monitor{}); r.verdict != "holds" {
			t.Errorf("a learner with 1:%d: %s %s: %s", acknowledged, r.verdict, r.reason, r.message())
		}
	}
	r := x.check(t, 1, script(t, logged, fmt.Sprintf(serves, 1), "out 0 DIFF 0:0; out 0 PROPOSAL 2:1"), wire.Monitor{})
	if r.verdict != "violated" {
		t.Errorf("without 1:2: %s %s", r.verdict, r.reason)
	}
}

// TestFoldedLog: a follower's log is folded away with its history. A shutdown, a restart and a
// truncation do not need what is folded.
func TestFoldedLog(t *testing.T) {
	x := assemble(t)
	const last = 6000
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	ends := `in 2 CLOSED 0:0; out 2 CLOSED 0:0; %sout 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0; out 2 ACKEPOCH 1:%d 1;
		in 2 TRUNC 1:%d; in 2 NEWLEADER 2:0; out 2 ACKLD 2:0; in 2 CLOSED 0:0; out 2 CLOSED 0:0; out 2 FOLLOWERINFO 2:0; in 2 LEADERINFO 3:0; out 2 ACKEPOCH 1:%[3]d 2`
	for _, restart := range []string{"", "restart; "} {
		r := x.check(t, 1, script(t, follows, each(1, last, "in 2 PROPOSAL 1:#; out 2 ACK 1:#; in 2 COMMIT 1:#"), fmt.Sprintf(ends, restart, last, last-3)), wire.Monitor{History: 256})
		if r.verdict != "holds" || r.stats.Entries > 2000 {
			t.Errorf("%q: %s %s: %d entries, %s", restart, r.verdict, r.reason, r.stats.Entries, r.message())
		}
	}
}

// TestLeftQueueVoted is TestLeftQueue with the votes: a server looks for a leader with whatever it
// has logged and brought into memory, may follow one and lose it, and is killed. What it has sent
// about itself does not limit what it finds on its disk.
func TestLeftQueueVoted(t *testing.T) {
	x := elections(t)
	const queued = 120
	follows := `vote 2 1 2 0:0 0; out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0;
		in 2 UPTODATE 1:0; out 2 ACK 1:0; in 2 PROPOSAL 1:1; out 2 ACK 1:1`
	ends := "in 2 CLOSED 0:0; out 2 CLOSED 0:0; vote 2 2 2 1:900 1; restart; vote 2 1 2 1:900 1; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0"
	for last, verdict := range map[int]string{0: "violated", 1: "holds", 60: "holds", queued: "holds", queued + 1: "violated"} {
		r := x.check(t, 1, script(t, follows, each(2, queued, "in 2 PROPOSAL 1:#"), ends, fmt.Sprintf("out 2 ACKEPOCH 1:%d 1", last)), wire.Monitor{})
		if r.verdict != verdict || r.stats.Largest > 5000 {
			t.Errorf("up to 1:%d: %s %s; %d records explored: %s", last, r.verdict, r.reason, r.stats.Largest, r.message())
		}
	}
}

// TestSnapshotReadEarly: a leader begins to serve while it synchronises a learner. The zxid of the
// snapshot was read before, or is read after that; it is of before the epoch only for a learner
// that was there then.
func TestSnapshotReadEarly(t *testing.T) {
	x := assemble(t)
	serves := `in 1 FOLLOWERINFO 0:0; out 1 LEADERINFO 1:0; in 1 ACKEPOCH 0:0; out 1 DIFF 0:0; out 1 NEWLEADER 1:0; in 1 ACKLD 1:0; out 1 UPTODATE 1:0;
		in 1 ACK 1:0; request; out 1 PROPOSAL 1:1; in 1 ACK 1:1; out 1 COMMIT 1:1; in 1 CLOSED 0:0; out 1 CLOSED 0:0`
	again := `in 1 FOLLOWERINFO 1:0; out 1 LEADERINFO 2:0; in 1 ACKEPOCH 1:1 1; out 1 DIFF 0:0; out 1 NEWLEADER 2:0; in 2 FOLLOWERINFO 0:0; out 2 LEADERINFO 2:0`
	joins, begins, ends := "in 2 ACKEPOCH 0:0 0", "in 1 ACKLD 2:0; out 1 UPTODATE 2:0", "out 2 NEWLEADER 2:0"
	goes := "request; out 1 PROPOSAL 2:1; in 1 ACK 2:1; out 1 COMMIT 2:1"
	for _, c := range []struct {
		what, verdict string
		lines         []string
	}{
		{"read and sent before", "holds", []string{joins, "out 2 SNAP 1:1", begins, ends}},
		{"read before, sent behind", "holds", []string{joins, begins, "out 2 SNAP 1:1", ends}},
		{"read before, sent behind a commit", "holds", []string{joins, begins, goes, "out 2 SNAP 1:1; out 2 PROPOSAL 2:1; out 2 COMMIT 2:1", ends}},
		{"read behind", "holds", []string{joins, begins, "out 2 SNAP 2:0", ends}},
		{"read behind, sent before", "violated", []string{joins, "out 2 SNAP 2:0", begins, ends}},
		{"a learner that joins behind", "violated", []string{begins, joins, "out 2 SNAP 1:1", ends}},
		{"one that joins again behind", "violated", []string{joins, begins, "in 2 CLOSED 0:0; out 2 CLOSED 0:0; in 2 FOLLOWERINFO 0:0; out 2 LEADERINFO 2:0", joins, "out 2 SNAP 1:1", ends}},
	} {
		stream := script(t, append([]string{serves, again}, c.lines...)...)
		if r := x.check(t, 0, stream, wire.Monitor{Verify: 1}); r.verdict != c.verdict || r.verdict == "violated" && !strings.Contains(r.message(), "SNAP") {
			t.Errorf("%s: %s %s: %s", c.what, r.verdict, r.reason, r.message())
		}
	}
}

// TestLeftQueueLed: a server loses its leader while its log thread has much to do, tells the next
// one how far it is, and leads itself then. Of what it might have logged only that is left.
func TestLeftQueueLed(t *testing.T) {
	const queued = 200
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	ends := `in 2 CLOSED 0:0; out 2 CLOSED 0:0; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0; out 2 ACKEPOCH 1:100 1; in 2 CLOSED 0:0; out 2 CLOSED 0:0`
	leads := `in 0 FOLLOWERINFO 2:0; out 0 LEADERINFO 3:0; in 0 ACKEPOCH 1:100 1; out 0 DIFF 0:0; out 0 NEWLEADER 3:0; in 0 ACKLD 3:0; out 0 UPTODATE 3:0; in 0 ACK 3:0`
	r := assemble(t).check(t, 1, script(t, follows, each(1, queued, "in 2 PROPOSAL 1:#"), ends, leads,
		each(1, 50, "request; out 0 PROPOSAL 3:#; in 0 ACK 3:#; out 0 COMMIT 3:#")), wire.Monitor{})
	if mean := float64(r.stats.SumStates) / float64(r.stats.Decided); r.verdict != "holds" || mean > 10 {
		t.Errorf("%s %s, %.1f states on average: %s", r.verdict, r.reason, mean, r.message())
	}
}

// TestComesBack: a follower throws at a COMMIT that follows NEWLEADER (ZOOKEEPER-4394), looks for a
// leader and joins again, four times in a row. testdata/back has the beginning of its stream, from
// a server of 3.8.0 under load. What it had logged at each shutdown is one state and not one for
// each position of its log.
func TestComesBack(t *testing.T) {
	f, err := os.Open("testdata/back/joins.ndjson.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	r := assemble(t).check(t, 1, stream, wire.Monitor{})
	mean := float64(r.stats.SumStates) / float64(r.stats.Decided)
	t.Logf("%.2f states on average, %d at most, %d records and %d steps", mean, r.stats.MostState, r.stats.Explored, r.stats.Steps)
	if r.verdict != "holds" || mean > 8 || r.stats.MostState > 40 || r.stats.Explored > 50_000 {
		t.Errorf("%s %s, %.2f states on average, %d at most, %d records: %s", r.verdict, r.reason, mean, r.stats.MostState, r.stats.Explored, r.message())
	}
}

// TestLeftQueueTold: a server that looks for a leader tells how much of what it had to log it has
// in memory. It may not be heard, elect a leader that does not answer, and look again. Then it has
// neither more nor less: a server that has not run is not shut down (ZooKeeperServer.canShutdown).
// Where it was closed during a snapshot it reads its log again (ZooKeeperServer.shutdown).
func TestLeftQueueTold(t *testing.T) {
	x := elections(t)
	const queued = 200
	follows := `vote 2 1 2 0:0 0; out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0;
		in 2 UPTODATE 1:0; out 2 ACK 1:0`
	amid := `vote 2 2 2 1:900 1; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0; out 2 ACKEPOCH 1:50 1; in 2 SNAP 1:900`
	ends := "in 2 CLOSED 0:0; out 2 CLOSED 0:0"
	told := "told 1 0 %d 1 1:%d 1; vote 2 %d 2 1:900 1; told 1 0 %[1]d 2 1:900 1"
	for _, w := range []struct {
		name, stream, verdict string
	}{
		{"once", fmt.Sprintf(told, 2, 100, 2), "holds"},
		{"again", fmt.Sprintf(told, 2, 100, 2) + ";" + fmt.Sprintf(told, 3, 100, 3), "holds"},
		{"more the second time", fmt.Sprintf(told, 2, 100, 2) + ";" + fmt.Sprintf(told, 3, 101, 3), "violated"},
		{"amid a snapshot", amid + ";" + ends + ";" + fmt.Sprintf(told, 3, 100, 3) + ";" + fmt.Sprintf(told, 4, 101, 4), "holds"},
	} {
		r := x.check(t, 1, script(t, follows, each(1, queued, "in 2 PROPOSAL 1:#"), ends, w.stream), wire.Monitor{})
		if r.verdict != w.verdict || r.stats.Largest > 5000 {
			t.Errorf("%s: %s %s; %d records explored: %s", w.name, r.verdict, r.reason, r.stats.Largest, r.message())
		}
	}
}

// TestToldAgain: a server that has joined others takes over their round. Over a new connection it
// sends its earlier vote, with the round of then.
func TestToldAgain(t *testing.T) {
	x := elections(t)
	joins := `told 1 0 1 1 0:0 0; vote 0 2 0 0:0 0; told 1 0 2 1 0:0 0`
	follows := func(from, round int, state string) string {
		return fmt.Sprintf(`{"event":"in","peer":%d,"msg":{"Kind":"NOTIFICATION","Source":%[1]d,"State":%q,"Round":%d,"Vote":{"Leader":2}}}`+"\n", from, state, round)
	}
	begins := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	// before it for longer than the window, and after it
	const goes = "in 2 PROPOSAL 1:#; out 2 ACK 1:#"
	meets := `{"event":"input","action":"NodeMeets","params":{"J":0}}` + "\n"
	end := "{\"event\":\"end\"}\n"
	part := func(lines string) string { return strings.TrimSuffix(string(script(t, lines)), end) }
	for round, verdict := range map[int]string{1: "holds", 2: "holds", 3: "violated"} {
		stream := part(joins) + follows(2, 1, "LEADING") + follows(0, 1, "FOLLOWING") + part(begins) + part(each(1, 600, goes)) + meets + part(fmt.Sprintf("told 1 0 %d 1 0:0 0", round)) + part(each(601, 603, goes)) + end
		if r := x.check(t, 1, []byte(stream), wire.Monitor{}); r.verdict != verdict {
			t.Errorf("round %d: %s %s: %s", round, r.verdict, r.reason, r.message())
		}
	}
}

// TestJoinsFarBack: a follower that was closed before it has logged anything comes back, and may
// have any part of its log in memory. Where that shows nothing yet, no part is chosen. What its log
// thread has left to do is not copied at each message of the next connection.
func TestJoinsFarBack(t *testing.T) {
	x := assemble(t)
	const queued = 1500
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	ends := "in 2 CLOSED 0:0; out 2 CLOSED 0:0; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 1:0"
	again := "in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0"
	for last, verdict := range map[int]string{queued / 2: "holds", queued: "holds", queued + 1: "violated"} {
		lines := []string{follows, each(1, queued, "in 2 PROPOSAL 1:#"), ends, fmt.Sprintf("out 2 ACKEPOCH 1:%d -1", last)}
		if verdict == "holds" {
			lines = append(lines, strings.Replace(again, "in 2 NEWLEADER", each(last+1, queued, "in 2 PROPOSAL 1:#")+"; in 2 NEWLEADER", 1),
				each(last+1, queued, "out 2 ACK 1:#"), each(queued+1, queued+200, "in 2 PROPOSAL 1:#; out 2 ACK 1:#"))
		}
		r := x.check(t, 1, script(t, lines...), wire.Monitor{})
		t.Logf("up to 1:%d: %s, %d records explored, %d for one message, %d states at most", last, r.verdict, r.stats.Explored, r.stats.Largest, r.stats.MostState)
		if r.verdict != verdict || verdict == "holds" && r.stats.Explored > 8*queued || r.stats.MostState > 20 {
			t.Errorf("up to 1:%d: %s %s: %s", last, r.verdict, r.reason, r.message())
		}
	}
}

// TestAcksAtOnce: a leader with a hundred open proposals takes acknowledgements as they come. In
// which order it takes those of two followers makes no states.
func TestAcksAtOnce(t *testing.T) {
	const open = 100
	proposes := each(1, open, "request; out 0 PROPOSAL 1:#; out 1 PROPOSAL 1:#")
	acks := each(1, open, "in 0 ACK 1:#; in 1 ACK 1:#")
	commits := each(1, open, "out 0 COMMIT 1:#; out 1 COMMIT 1:#")
	r := assemble(t).check(t, 2, script(t, leads, proposes, acks, commits), wire.Monitor{})
	if each := float64(r.stats.Explored) / float64(r.stats.Decided); r.verdict != "holds" || each > 3 || r.stats.MostState > 4 {
		t.Errorf("%s %s, %.1f records for a message, %d states at most: %s", r.verdict, r.reason, each, r.stats.MostState, r.message())
	}
}

// TestDecidedBeforeAcks: while a learner waits, a leader commits more than it may have committed
// and not applied. It decides on what its COMMITs show, or on more that is acknowledged by then.
func TestDecidedBeforeAcks(t *testing.T) {
	x := assemble(t)
	goes := each(1, 100, "request; out 0 PROPOSAL 1:#; in 0 ACK 1:#; out 0 COMMIT 1:#")
	joins := "in 1 CLOSED 0:0; out 1 CLOSED 0:0; in 1 FOLLOWERINFO 1:0; out 1 LEADERINFO 1:0; in 1 ACKEPOCH 0:0 -1"
	open := each(101, 110, "request; out 0 PROPOSAL 1:#") + ";" + each(101, 110, "in 0 ACK 1:#")
	for last, verdict := range map[int]string{30: "violated", 36: "holds", 100: "holds", 110: "holds", 111: "violated"} {
		if r := x.check(t, 2, script(t, leads, goes, joins, open, fmt.Sprintf("out 1 SNAP 1:%d", last)), wire.Monitor{}); r.verdict != verdict {
			t.Errorf("1:%d: %s %s: %s", last, r.verdict, r.reason, r.message())
		}
	}
}

// TestKilledFarBack: a follower is killed with thousands of transactions in its log thread's queue,
// and again before any message shows how many of them it has logged. All numbers of them are one
// state up to that message. The second of its connections ends before the follower has answered.
func TestKilledFarBack(t *testing.T) {
	x := assemble(t)
	const queued = 3696
	follows := `out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0`
	fails := "out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 1:0; in 2 CLOSED 0:0; out 2 CLOSED 0:0"
	joins := "out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 1:0"
	again := "in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0"
	for last, verdict := range map[int]string{0: "violated", 1: "holds", queued / 2: "holds", queued: "holds", queued + 1: "violated"} {
		lines := []string{follows, "in 2 PROPOSAL 1:1; out 2 ACK 1:1", each(2, queued, "in 2 PROPOSAL 1:#"), "restart", joins, "restart", fails, fails, joins, fmt.Sprintf("out 2 ACKEPOCH 1:%d -1", last)}
		if verdict == "holds" {
			lines = append(lines, strings.Replace(again, "in 2 NEWLEADER", each(last+1, queued, "in 2 PROPOSAL 1:#")+"; in 2 NEWLEADER", 1),
				each(last+1, queued, "out 2 ACK 1:#"), each(queued+1, queued+50, "in 2 PROPOSAL 1:#; out 2 ACK 1:#"))
		}
		r := x.check(t, 1, script(t, lines...), wire.Monitor{})
		t.Logf("up to 1:%d: %s, %d records explored, %d for one message, %d states at most", last, r.verdict, r.stats.Explored, r.stats.Largest, r.stats.MostState)
		if r.verdict != verdict || r.stats.MostState > 20 || verdict == "holds" && r.stats.Explored > 9*queued {
			t.Errorf("up to 1:%d: %s %s: %d records explored, %d states at most: %s", last, r.verdict, r.reason, r.stats.Explored, r.stats.MostState, r.message())
		}
	}
}

// TestCrashBeforeSync kills a leader that has taken ACKEPOCH and sent nothing to synchronise a
// learner. It may have logged requests of its last term that nobody has seen. With the steps left
// out that choose them, the leader lost them there, which raised a false alarm.
func TestCrashBeforeSync(t *testing.T) {
	x := assemble(t)
	served := leads + "; request; out 0 PROPOSAL 1:1; in 0 CLOSED 0:0; out 0 CLOSED 0:0; in 1 CLOSED 0:0; out 1 CLOSED 0:0"
	killed := "in 1 FOLLOWERINFO 1:0; out 1 LEADERINFO 2:0; in 1 ACKEPOCH 0:0 0; restart; out 0 FOLLOWERINFO 2:0; in 0 LEADERINFO 3:0"
	for answer, verdict := range map[string]string{"1:1 2": "holds", "1:2 2": "holds", "1:9 2": "holds", "1:9 1": "holds", "1:50 2": "violated", "1:1 3": "violated", "2:1 2": "violated"} {
		stream := script(t, served, killed, "out 0 ACKEPOCH "+answer)
		r, all := x.check(t, 2, stream, wire.Monitor{Verify: 1 << 40}), x.check(t, 2, stream, wire.Monitor{Undeclared: true})
		if r.verdict != verdict || all.verdict != verdict {
			t.Errorf("ACKEPOCH %s: %s, and %s with all steps: %s", answer, r.verdict, all.verdict, r.message())
		}
	}
}

// TestUnseenBeforeRequest kills a leader that has lost its last learner and got another one. It may
// have taken requests unseen, and after them a request of the stream. With the steps left out that
// take them, the request of the stream came first, which is another log.
func TestUnseenBeforeRequest(t *testing.T) {
	x := assemble(t)
	alone := leads + "; request; in 0 CLOSED 0:0; out 0 CLOSED 0:0; in 1 CLOSED 0:0; out 1 CLOSED 0:0; in 1 FOLLOWERINFO 1:0; restart"
	stream := bytes.ReplaceAll(script(t, alone), []byte(`"ClientRequest":0`), []byte(`"ClientRequest":7`))
	r := x.check(t, 2, stream, wire.Monitor{Verify: 1 << 40})
	if r.verdict != "holds" || r.verified.Broken != "" || r.verified.Crash < 2 {
		t.Errorf("%s, %d states after the crash: %s", r.verdict, r.verified.Crash, r.verified.Broken)
	}
}
