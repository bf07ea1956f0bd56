package tap_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// readLine is a line of a stream as this test reads it.
type readLine struct {
	Event string
	Peer  int
	Msg   struct {
		Kind   string
		Term   uint64
		Reject bool
	}
	State *struct {
		Term uint64
		Vote int
	}
}

// forgotten returns the first restart in a stream that contradicts a vote which was sent before it,
// and that vote, as positions from 1; 0 where there is none.
func forgotten(t *testing.T, stream []byte) (restart, vote int64) {
	t.Helper()
	voted := map[uint64]int64{} // positions, by term
	to := map[uint64]int{}
	last := uint64(0)
	for k, line := range bytes.Split(bytes.TrimSpace(stream), []byte("\n")) {
		var e readLine
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Event == "out" && e.Msg.Kind == "MsgVoteResp" && !e.Msg.Reject:
			if voted[e.Msg.Term] == 0 {
				voted[e.Msg.Term], to[e.Msg.Term] = int64(k+1), e.Peer
			}
			last = max(last, e.Msg.Term)
		case e.Event == "restart" && e.State != nil && voted[last] > 0 && (e.State.Term < last || e.State.Term == last && e.State.Vote != to[last]):
			return int64(k + 1), voted[last]
		}
	}
	return 0, 0
}

// TestForgottenVote runs clusters whose crashes lose the vote of the term. A restart that tells so
// is an alarm that names the restart and the vote, in whole streams and after a loss.
func TestForgottenVote(t *testing.T) {
	x := assemble(t, "monitor.hcl")
	named, blind := 0, 0
	for seed := range uint64(12) {
		o := taptest.Options{Nodes: 3, Seed: seed, Messages: 500, Crash: 0.05, Cut: 0.01, Tick: 0.9, Propose: 0.2, Drop: 0.01, Inflight: 8,
			Calm: true, AtStep: true, Steps: true, Known: true, ForgetVote: true}
		cluster := taptest.New(o)
		if p := cluster.Run(); p != nil {
			t.Fatalf("the library panicked: %v", p)
		}
		for i, stream := range cluster.Streams {
			restart, vote := forgotten(t, stream)
			if restart == 0 {
				continue
			}
			named++
			r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: true})
			if r.verdict != "violated" || r.alarm.Position != restart || r.alarm.Sent != vote || !strings.Contains(r.alarm.Why, "the vote of a term") {
				t.Errorf("seed %d, node %d: %s, want an alarm at %d of the vote at %d: %s", seed, i, r.verdict, restart, vote, shown(r.alarm))
			}
			lines := bytes.SplitAfter(stream, []byte("\n"))
			lossy := bytes.Join([][]byte{bytes.Join(lines[:vote], nil), []byte("{\"event\":\"lost\",\"count\":1}\n"), bytes.Join(lines[vote:], nil)}, nil)
			if r := x.check(t, i, lossy, wire.Monitor{Total: true, Steps: true}); r.verdict != "violated" || r.alarm.Sent != vote {
				t.Errorf("seed %d, node %d, with a loss: %s: %s", seed, i, r.verdict, shown(r.alarm))
			} else {
				blind++
			}
		}
	}
	t.Logf("%d forgotten votes, %d after a loss", named, blind)
	if named < 10 {
		t.Errorf("%d votes were forgotten: too few to say anything", named)
	}
}

// TestLostEntries takes acknowledged entries off the logs that restarts tell: an alarm, or
// undecided where they were acknowledged in an earlier term.
func TestLostEntries(t *testing.T) {
	x := assemble(t, "monitor.hcl")
	alarms := 0
	for seed := range uint64(4) {
		o := taptest.Options{Nodes: 3, Seed: seed, Messages: 1000, Crash: 0.01, Tick: 0.5, Propose: 0.3, Inflight: 8, AtStep: true, Steps: true, Known: true}
		cluster := taptest.New(o)
		if p := cluster.Run(); p != nil {
			t.Fatalf("the library panicked: %v", p)
		}
		for i, stream := range cluster.Streams {
			at := bytes.Index(stream, []byte(`"event":"restart"`))
			if at < 0 {
				continue
			}
			log := at + bytes.Index(stream[at:], []byte(`"elements":[`)) + len(`"elements":[`)
			end := log + bytes.IndexByte(stream[log:], ']')
			cut := bytes.LastIndexByte(stream[log:end], '{')
			if cut <= 0 {
				continue
			}
			short := bytes.Join([][]byte{stream[:log+cut-1], stream[end:]}, nil)
			r := x.check(t, i, short, wire.Monitor{Total: true, Steps: true})
			if r.verdict == "holds" && r.stats.Unexplained == 0 {
				t.Logf("seed %d, node %d: an entry may be missing", seed, i)
			}
			if r.alarm != nil && strings.Contains(r.alarm.Why, "the acknowledged entries") {
				alarms++
			}
		}
	}
	if alarms < 2 {
		t.Errorf("%d restarts without an acknowledged entry are alarms", alarms)
	}
}
