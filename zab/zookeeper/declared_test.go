package zookeeper_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/checker/wire"
)

// What zab.Runtime declares to prune schedules (Lazy, Eager, Hidden, Says) is compared with its
// conditions, and with a search without it.

// TestDeclared tries the conditions at every state that recorded streams and projected walks lead
// through, or at a third of them without MULTIGRAIN_SLOW. A declaration that does not hold ends the
// monitor with an error.
func TestDeclared(t *testing.T) {
	x := assemble(t)
	var all spectest.Verification
	every := int64(number(3, 1, 1)) // one of so many states is checked
	try := func(t *testing.T, node int, stream []byte, want string) {
		r, err := x.try(t, node, stream, wire.Monitor{Verify: int(every)})
		if err != nil {
			t.Fatal(err)
		}
		if want == "holds" && !bytes.Contains(stream, []byte(`"event":"out"`)) {
			want = "undecided" // nothing was judged
		}
		if r.verdict != want {
			t.Errorf("%s, %s: %+v\n%s", r.verdict, r.reason, r.alarm, stream)
		}
		all.Eager, all.Lazy, all.Hidden, all.Says = all.Eager+r.verified.Eager, all.Lazy+r.verified.Lazy, all.Hidden+r.verified.Hidden, all.Says+r.verified.Says
	}
	names, nodes, streams := recorded(t)
	for k, name := range names {
		want := "holds"
		if filepath.Base(name) == "zk-1154-0.ndjson" {
			want = "violated" // a bug
		}
		t.Run(filepath.Base(name), func(t *testing.T) { try(t, nodes[k], streams[k], want) })
	}
	for name, stream := range leftQueues(t) {
		t.Run(name, func(t *testing.T) { try(t, 1, stream, "holds") })
	}
	number := number(12, 40, 150)
	for w, trace := range walks(t, number, 80, "bugs/zk-1154.hcl", "bug=none", "transactions=5") {
		for i := range 3 {
			t.Run(fmt.Sprintf("walk %d, server %d", w, i), func(t *testing.T) { try(t, i, project(trace, i), "holds") })
		}
	}
	if all.Eager*every < 300 || all.Lazy*every < 1000 || all.Hidden*every < 400 || all.Says*every < 1000 {
		t.Errorf("%+v: too few to say anything", all)
	}
	t.Logf("pairs of steps: %d eager, %d lazy, %d hidden; %d states in which something is denied", all.Eager, all.Lazy, all.Hidden, all.Says)
}

// leftQueues are streams of a follower that loses its leader, or is killed, while its log thread
// has transactions to log, and comes back. Random walks rarely leave a queue.
func leftQueues(t *testing.T) map[string][]byte {
	follows := "out 2 FOLLOWERINFO 0:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 0:0; in 2 DIFF 0:0; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0"
	joins := func(last, to int) string {
		return fmt.Sprintf("out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 1:0; out 2 ACKEPOCH 1:%d -1; in 2 DIFF 0:0;", last) + each(last+1, to, "in 2 PROPOSAL 1:#") +
			"; in 2 NEWLEADER 1:0; out 2 ACKLD 1:0; in 2 UPTODATE 1:0; out 2 ACK 1:0;" + each(last+1, to-2, "out 2 ACK 1:#")
	}
	streams := map[string][]byte{}
	for name, ends := range map[string]string{"loses its leader": "in 2 CLOSED 0:0; out 2 CLOSED 0:0", "hangs up": "out 2 CLOSED 0:0", "is killed": "restart"} {
		streams[name] = script(t, follows, "in 2 PROPOSAL 1:1; out 2 ACK 1:1", each(2, 12, "in 2 PROPOSAL 1:#"), ends, joins(6, 12), ends, joins(11, 16), ends, joins(15, 20), ends, joins(18, 24))
	}
	return streams
}

// allStates is for the figures of docs/results/monitor-zookeeper.md.
var allStates = flag.Bool("all", false, "with MULTIGRAIN_SLOW=1: test declarations at all states, and more walks")

// number returns how many of something are tested: in the quick suite, in the slow one, and there
// with -all.
func number(quick, slow, most int) int {
	switch {
	case os.Getenv("MULTIGRAIN_SLOW") == "1" && *allStates:
		return most
	case os.Getenv("MULTIGRAIN_SLOW") == "1":
		return slow
	}
	return quick
}

// TestUndeclared checks recorded streams, and ones in which a message is changed, dropped, doubled
// or moved, with and without the declarations. They say the same.
func TestUndeclared(t *testing.T) {
	x := assemble(t)
	number := number(3, 15, 60)
	alarms, same := 0, 0
	names, nodes, streams := recorded(t)
	for k, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(k)))
			for n := range number {
				// The conditions of the declarations hold where peers follow the protocol. A
				// mutated stream can have the ACK of a NEWLEADER that was not sent yet.
				stream, what, verify := streams[k], "as it is", 25
				if n > 0 {
					stream, what = mutated(stream, random)
					verify = 0
				}
				a, b := x.check(t, nodes[k], stream, wire.Monitor{Verify: verify}), x.check(t, nodes[k], stream, wire.Monitor{Undeclared: true})
				if got, want := a.text(), b.text(); got != want {
					t.Errorf("%s: with declarations %s, without %s\n%s", what, got, want, stream)
				}
				if same++; a.alarm != nil {
					alarms++
				}
			}
		})
	}
	t.Logf("%d streams, %d of them with an alarm", same, alarms)
}

// TestBeforeCrash kills servers at some place of recorded streams. The states after the crash are
// those to which all steps before it lead. There are more only where an election is not followed
// vote by vote.
func TestBeforeCrash(t *testing.T) {
	number := number(2, 10, 40)
	random, all := rand.New(rand.NewPCG(5, 1)), int64(0)
	try := func(name string, x *monitored, node int, lines [][]byte) {
		exact, behind := int64(0), int64(0)
		for range number {
			cut := slices.Clone(lines[:1+random.IntN(len(lines)-1)])
			stream := bytes.Join(append(cut, []byte("{\"event\":\"restart\"}\n")), nil)
			r := x.check(t, node, stream, wire.Monitor{Verify: 1 << 40})
			if r.verified.Broken != "" {
				t.Errorf("%s, %d events: %s", name, len(cut), r.verified.Broken)
			}
			exact, behind = exact+r.verified.Crash, behind+r.verified.Behind
		}
		t.Logf("%s: %d states by all steps, %d by those that are taken", name, exact, behind)
		all += exact
	}
	names, nodes, streams := recorded(t)
	for k, name := range names {
		try(filepath.Base(name), assemble(t), nodes[k], bytes.SplitAfter(bytes.TrimSuffix(streams[k], []byte("\n")), []byte("\n")))
	}
	x := elections(t)
	for node, lines := range recordedElections(t) {
		try(fmt.Sprint("elections, server ", node), x, node, lines)
	}
	if all < 30 {
		t.Errorf("%d states are too few to say anything", all)
	}
}

// text returns the part of a result that does not depend on how much is explored.
func (o *outcome) text() string {
	switch {
	case o.alarm != nil:
		return fmt.Sprintf("an alarm at event %d", o.alarm.Position)
	case o.stats.Undecided > 0:
		return fmt.Sprintf("%d undecided (%s)", o.stats.Undecided, o.reason)
	}
	return fmt.Sprintf("%d decided", o.stats.Decided)
}

var counter = regexp.MustCompile(`"Counter":(\d+)`)

// mutated changes a message of a stream.
func mutated(stream []byte, random *rand.Rand) ([]byte, string) {
	lines := bytes.SplitAfter(bytes.Clone(stream), []byte("\n"))
	k := random.IntN(len(lines) - 3)
	for !bytes.Contains(lines[k], []byte(`"msg"`)) {
		k = random.IntN(len(lines) - 3)
	}
	what := ""
	switch random.IntN(4) {
	case 0:
		what = "changed"
		lines[k] = counter.ReplaceAllFunc(lines[k], func(b []byte) []byte {
			n, _ := strconv.Atoi(string(counter.FindSubmatch(b)[1]))
			return fmt.Appendf(nil, `"Counter":%d`, n+1)
		})
	case 1:
		what = "dropped"
		lines = slices.Delete(lines, k, k+1)
	case 2:
		what = "doubled"
		lines = slices.Insert(lines, k, lines[k])
	case 3:
		what = "moved"
		line, to := lines[k], min(k+1+random.IntN(6), len(lines)-3)
		lines = slices.Insert(slices.Delete(lines, k, k+1), to, line)
	}
	return bytes.Join(lines, nil), fmt.Sprintf("event %d %s", k+1, what)
}

// early is the stream of a leader that has decided how to synchronise learner 2 before the quorum
// made it serve. The message of that decision is seen after the UPTODATE to the other learner. A
// leader that serves sends a SNAP to one that has nothing.
const early = `{"event":"in","peer":1,"msg":{"Kind":"FOLLOWERINFO"}}
{"event":"out","peer":1,"msg":{"Kind":"LEADERINFO","Zxid":{"Epoch":1}}}
{"event":"in","peer":1,"msg":{"Kind":"ACKEPOCH"}}
{"event":"in","peer":2,"msg":{"Kind":"FOLLOWERINFO"}}
{"event":"out","peer":2,"msg":{"Kind":"LEADERINFO","Zxid":{"Epoch":1}}}
{"event":"in","peer":2,"msg":{"Kind":"ACKEPOCH","Data":-1}}
{"event":"out","peer":1,"msg":{"Kind":"DIFF"}}
{"event":"out","peer":1,"msg":{"Kind":"NEWLEADER","Zxid":{"Epoch":1}}}
{"event":"in","peer":1,"msg":{"Kind":"ACKLD","Zxid":{"Epoch":1}}}
{"event":"out","peer":1,"msg":{"Kind":"UPTODATE","Zxid":{"Epoch":1}}}
{"event":"out","peer":2,"msg":{"Kind":"DIFF"}}
{"event":"out","peer":2,"msg":{"Kind":"NEWLEADER","Zxid":{"Epoch":1}}}
{"event":"end"}
`

// TestDecidedEarly holds that the moment at which a learner's synchronisation is decided makes a
// difference. ZooKeeper decides it in the thread of the learner's handler (LearnerHandler.run,
// syncFollower), and the leader begins to serve in its own.
func TestDecidedEarly(t *testing.T) {
	if r := assemble(t).check(t, 0, []byte(early), wire.Monitor{Verify: 25}); r.verdict != "holds" || r.stats.Decided != 7 {
		t.Errorf("%s, %d decided: %+v", r.verdict, r.stats.Decided, r.alarm)
	}
}

// TestBlame holds that an alarm names the first message that cannot be explained, also where the
// monitor sees earlier that one comes. Here a follower's ACKEPOCH stands before its FOLLOWERINFO.
// What it says to another server before that needs what it receives meanwhile.
func TestBlame(t *testing.T) {
	stream, err := os.ReadFile("testdata/streams/calm-0.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(stream, []byte("\n"))
	moved := lines[45] // the first line is a header
	lines = slices.Insert(slices.Delete(lines, 45, 46), 48, moved)
	r := assemble(t).check(t, 0, bytes.Join(lines, nil), wire.Monitor{Verify: 25})
	if r.alarm == nil || r.alarm.Position != 47 || len(r.alarm.Last) == 0 || r.alarm.Last[len(r.alarm.Last)-1].Event != "in" {
		t.Errorf("%s: %+v", r.verdict, r.alarm)
	}
}

// TestElectionWalks: projected walks of all phases at their baseline, with crashes and partitions,
// raise no alarm next to Election at its baseline. Declarations are tested at some states.
func TestElectionWalks(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") != "1" {
		t.Skip("builds a large composition and walks it: set MULTIGRAIN_SLOW=1")
	}
	x := elections(t)
	sent, eager := int64(0), int64(0)
	for w, trace := range walks(t, number(8, 8, 30), 120, "phases/baseline.hcl", "transactions=3", "crashes=2", "partitions=1") {
		for i := range 3 {
			stream := project(trace, i)
			r, err := x.try(t, i, stream, wire.Monitor{Verify: 20})
			if err != nil {
				t.Fatalf("walk %d, server %d: %v\n%s", w, i, err, stream)
			}
			eager += r.verified.Eager
			sent += r.stats.Out
			if r.verdict != "holds" || r.stats.Decided != r.stats.Out {
				t.Errorf("walk %d, server %d: %s, %s, %d of %d decided: %s\n%s", w, i, r.verdict, r.reason, r.stats.Decided, r.stats.Out, r.message(), stream)
			}
		}
	}
	t.Logf("%d messages sent, %d pairs of steps with an eager one", sent, eager)
}
