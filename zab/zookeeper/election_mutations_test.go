package zookeeper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// elections assembles the monitor with Election at its baseline.
func elections(t *testing.T) *monitored {
	t.Helper()
	comp := resolve(t, "zookeeper-election.hcl")
	program, diags := comp.AssembleMonitor(context.Background())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return &monitored{program.Path, program.Choice, program.Footprints, program.Settings}
}

// recordedElections are two servers' streams of TestElections of package ensemble, with 14 faults,
// of ZooKeeper 3.8.0.
func recordedElections(t *testing.T) (streams [2][][]byte) {
	t.Helper()
	for node := range streams {
		b, err := os.ReadFile(fmt.Sprintf("testdata/elections/%d.ndjson", node))
		if err != nil {
			t.Fatal(err)
		}
		streams[node] = bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	}
	return streams
}

// TestRecordedElections has every message of both ports explained. Declarations are tested at some
// states.
func TestRecordedElections(t *testing.T) {
	x := elections(t)
	for node, lines := range recordedElections(t) {
		stream := bytes.Join(lines, nil)
		r := x.check(t, node, stream, wire.Monitor{})
		if r.verdict != "holds" || r.stats.Out < 100 || r.stats.Undecided != 0 {
			t.Errorf("server %d: %s, %s; %d messages, %d undecided; %+v", node, r.verdict, r.reason, r.stats.Out, r.stats.Undecided, r.alarm)
		}
		v, err := x.try(t, node, stream, wire.Monitor{Verify: number(20, 7, 3)})
		if err != nil || v.verified.Broken != "" {
			t.Errorf("server %d: %v %s", node, err, v.verified.Broken)
		}
	}
}

// notice is an event of a stream as far as elections go.
type notice struct {
	Event string `json:"event"`
	Peer  int    `json:"peer"`
	Msg   struct {
		Kind, State string
		Source      int
		Round       int64
		Vote        struct {
			Leader int
			Zxid   struct{ Epoch, Counter int64 }
			Epoch  int64
		}
	} `json:"msg"`
	At int64 `json:"at"`
}

func noticeOf(line []byte) (n notice, ok bool) {
	err := json.Unmarshal(line, &n)
	return n, err == nil && n.Msg.Kind == "NOTIFICATION"
}

// TestElectionMutations changes one notification that a server has sent, drops, doubles or moves
// it. A field that was changed without an alarm must be that of another notification of the same
// process. Which of its votes a server sends to whom, and when, is not known.
func TestElectionMutations(t *testing.T) {
	number := 4
	if os.Getenv("MULTIGRAIN_SLOW") == "1" {
		number = 30 // a monitor is started for each
	}
	if n, err := strconv.Atoi(os.Getenv("MULTIGRAIN_MUTATIONS")); err == nil {
		number = n
	}
	x := elections(t)
	streams := recordedElections(t)
	rnd := rand.New(rand.NewPCG(3, 1))
	made, noticed, missed := map[string]int{}, map[string]int{}, map[string]int{}
	for range number {
		node := rnd.IntN(2)
		what, at, lines := mutateNotice(rnd, streams[node])
		made[what]++
		r := x.check(t, node, bytes.Join(lines, nil), wire.Monitor{})
		switch {
		case r.verdict == "violated":
			noticed[what]++
		case r.verdict != "holds":
			t.Errorf("server %d, %s at line %d: %s, %s", node, what, at+1, r.verdict, r.reason)
		default:
			why := mayTell(what, at, lines)
			if why == "" {
				t.Errorf("not noticed: server %d, %s at line %d: %s", node, what, at+1, bytes.TrimSpace(lines[at]))
			}
			missed[what+": "+why]++
		}
	}
	t.Logf("made %v, noticed %v, legal %v", made, noticed, missed)
}

// mayTell is why a mutation is one that the order of messages allows; "" where nothing says so.
func mayTell(what string, at int, lines [][]byte) string {
	m, _ := noticeOf(lines[at])
	switch what {
	case "dropped":
		return "a newer one takes its place, or it is lost with a connection"
	case "moved":
		return "sent by a thread of its own, whose order with others is not known"
	case "doubled":
		if m.Msg.State == "LOOKING" {
			return "repeated, since nothing has arrived for a while"
		}
		return "told over a new connection, or in answer to another notification"
	}
	others, own := false, false
	for step := -1; step <= 1; step += 2 { // in the life of the process
		for k := at + step; k >= 0 && k < len(lines) && !bytes.Contains(lines[k], []byte(`"restart"`)); k += step {
			n, ok := noticeOf(lines[k])
			switch {
			case !ok:
			case n.Event == "out" && n.Msg == m.Msg:
				return "what it tells at that time, while what it has told was lost"
			case n.Event == "in" && k < at:
				others = others || n.Msg.State != "LOOKING" && n.Msg.Round == m.Msg.Round
			case n.Event == "out":
				own = own || n.Msg.State == "LOOKING" && n.Msg.Vote == m.Msg.Vote
			}
		}
	}
	if what == "round" && m.Msg.State == "LOOKING" && others && own {
		return "its last vote, with the round of others that it went to follow in vain"
	}
	return ""
}

// mutateNotice makes a stream with one mutation, and says at which line.
func mutateNotice(rnd *rand.Rand, lines [][]byte) (what string, at int, out [][]byte) {
	var sent []int
	for k, l := range lines {
		if n, ok := noticeOf(l); ok && n.Event == "out" {
			sent = append(sent, k)
		}
	}
	at = sent[rnd.IntN(len(sent))]
	n, _ := noticeOf(lines[at])
	out = slices.Clone(lines)
	step := int64(1 - 2*rnd.IntN(2))
	switch what = []string{"leader", "zxid", "epoch", "round", "state", "dropped", "doubled", "moved"}[rnd.IntN(8)]; what {
	case "leader":
		n.Msg.Vote.Leader = (n.Msg.Vote.Leader + 1 + rnd.IntN(2)) % 3
	case "zxid":
		n.Msg.Vote.Zxid.Counter += step
	case "epoch":
		n.Msg.Vote.Epoch += step
	case "round":
		n.Msg.Round += step
	case "state":
		states := []string{"LOOKING", "FOLLOWING", "LEADING"}
		n.Msg.State = states[(slices.Index(states, n.Msg.State)+1+rnd.IntN(2))%3]
	case "dropped":
		return what, min(at, len(lines)-2), slices.Delete(out, at, at+1)
	case "doubled":
		return what, at, slices.Insert(out, at, lines[at])
	case "moved":
		to := min(max(at+int(step)*(1+rnd.IntN(20)), 0), len(lines)-2)
		return what, to, slices.Insert(slices.Delete(out, at, at+1), to, lines[at])
	}
	b, err := json.Marshal(n)
	if err != nil {
		panic(err)
	}
	out[at] = append(b, '\n')
	return what, at, out
}
