package tap_test

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// TestLostAnswers: a follower may or may not have answered candidates from which it was
// disconnected and whose time-outs it does not know. Its answers are lost when it crashes, and
// their number makes no states.
func TestLostAnswers(t *testing.T) {
	x := assemble(t, "monitor-etcd.hcl")
	var stream strings.Builder
	stream.WriteString(`{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":1}}
{"event":"out","peer":1,"msg":{"Kind":"MsgHeartbeatResp","Term":1}}
`)
	for range 40 {
		stream.WriteString(`{"event":"in","peer":2,"msg":{"Kind":"MsgPreVote","Term":2,"Index":9,"LogTerm":1}}
{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":1}}
{"event":"out","peer":1,"msg":{"Kind":"MsgHeartbeatResp","Term":1}}
`)
	}
	stream.WriteString(`{"event":"restart"}
{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":1}}
{"event":"out","peer":1,"msg":{"Kind":"MsgHeartbeatResp","Term":1}}
`)
	r := x.check(t, 0, []byte(stream.String()), wire.Monitor{Total: true, Steps: true})
	if r.verdict != "holds" || r.stats.Undecided > 0 {
		t.Errorf("%s (%s), %d undecided", r.verdict, r.reason, r.stats.Undecided)
	}
	if r.stats.MostState > 4 {
		t.Errorf("there were %d states at once", r.stats.MostState)
	}
	t.Logf("%d states at most, %d records in a search at most", r.stats.MostState, r.stats.Largest)
}

// TestSentBehindEnd: a tap that ends says nothing of a node's end. What was not sent before may be
// sent after it.
func TestSentBehindEnd(t *testing.T) {
	x := assemble(t, "monitor-etcd.hcl")
	stream := `{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":2}}
{"event":"out","peer":1,"msg":{"Kind":"MsgHeartbeatResp","Term":2}}
{"event":"in","peer":2,"msg":{"Kind":"MsgPreVote","Term":1}}
{"event":"in","peer":1,"msg":{"Kind":"MsgHeartbeat","Term":2}}
{"event":"out","peer":1,"msg":{"Kind":"MsgHeartbeatResp","Term":2}}
{"event":"end"}
{"event":"out","peer":2,"msg":{"Kind":"MsgPreVoteResp","Term":2,"Reject":true}}
`
	if r := x.check(t, 0, []byte(stream), wire.Monitor{Total: true, Steps: true}); r.verdict != "holds" || r.stats.Out != 3 {
		t.Errorf("%s (%s), %d sent\n%s", r.verdict, r.reason, r.stats.Out, shown(r.alarm))
	}
}
