package etcdserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMutations changes one message of a recorded stream. Each of these changes is an alarm.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("it assembles a monitor")
	}
	x := assemble(t, "v3.6")
	leader := leaderOf(t)
	follower := (leader + 1) % 3
	add := func(field string, n float64) func(m map[string]any) {
		return func(m map[string]any) {
			old, _ := m[field].(float64)
			m[field] = old + n
		}
	}
	for _, c := range []struct {
		name       string
		node       int
		kind       string
		change     func(m map[string]any)
		everywhere []int
	}{
		{"append, commit index beyond the log", leader, `"Kind":"MsgApp",`, add("Commit", 1000), []int{10, 40, 80}},
		{"append, later term", leader, `"Kind":"MsgApp",`, add("Term", 1), []int{10, 40, 80}},
		{"append, other term before it", leader, `"Kind":"MsgApp",`, add("LogTerm", 1), []int{10, 40, 80}},
		{"append, other entry before it", leader, `"Kind":"MsgApp",`, add("Index", 40), []int{10, 40}},
		{"heartbeat, commit index beyond the log", leader, `"Kind":"MsgHeartbeat"`, add("Commit", 1000), []int{3, 5}},
		{"heartbeat, later term", leader, `"Kind":"MsgHeartbeat"`, add("Term", 1), []int{3, 5}},
		{"acknowledgement of an entry that it does not have", follower, `"Kind":"MsgAppResp"`, add("Index", 100), []int{5, 20, 40}},
		{"acknowledgement, later term", follower, `"Kind":"MsgAppResp"`, add("Term", 1), []int{5, 20, 40}},
		{"acknowledgement becomes a rejection", follower, `"Kind":"MsgAppResp"`, func(m map[string]any) { m["Reject"] = true }, []int{5, 20}},
		{"answer to a heartbeat, later term", follower, `"Kind":"MsgHeartbeatResp"`, add("Term", 1), []int{2, 4}},
	} {
		for _, k := range c.everywhere {
			t.Run(fmt.Sprint(c.name, "-", k), func(t *testing.T) {
				lines := bytes.Split(bytes.TrimSpace(recorded(t, c.node)), []byte("\n"))
				changed := edit(t, lines, `"event":"out"`, c.kind, k, c.change)
				r := x.check(t, c.node, append(bytes.Join(changed, []byte("\n")), '\n'))
				if r.alarm == nil {
					t.Errorf("%s %s, and it must be an alarm", r.verdict, r.reason)
				}
			})
		}
	}
}

// TestRandomMutations changes, drops or doubles one message of a recorded stream, a hundred times.
// Each is an alarm, or a rule that knows the order of messages alone says why it may be none:
//
//   - A dropped acknowledgement may be one that etcd left out, since a later one says as much. Or
//     it is still to come. It must be no alarm.
//   - A dropped answer to a heartbeat must be none either. The next one is equal, and the last
//     heartbeat may not be read yet.
//   - A doubled append may be sent again after a report that its follower is not reachable, if it
//     begins after an entry that the follower has acknowledged.
//   - A doubled acknowledgement may be the answer to another append, if the follower has received
//     more appends than it has answered.
func TestRandomMutations(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it judges a hundred streams; set MULTIGRAIN_SLOW=1")
	}
	x := assemble(t, "v3.6")
	rng := rand.New(rand.NewPCG(43, 2))
	seen := map[string][2]int{} // by what was done: alarms, and none
	for n := range 100 {
		node := rng.IntN(3)
		lines := bytes.Split(bytes.TrimSpace(recorded(t, node)), []byte("\n"))
		m := mutate(t, rng, lines)
		r := x.check(t, node, append(bytes.Join(m.lines, []byte("\n")), '\n'))
		count := seen[m.what]
		if r.alarm != nil {
			count[0]++
		} else {
			count[1]++
		}
		seen[m.what] = count
		if r.alarm == nil && m.legal == "" || r.alarm != nil && m.harmless || r.alarm == nil && r.stats.Undecided > 0 {
			t.Errorf("mutation %d, node %d, line %d, %s: %s %s; the rule says %q", n, node, m.line+1, m.what, r.verdict, r.reason, m.legal)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%s: %d alarms, %d legal", what, seen[what][0], seen[what][1])
	}
}

// mutation is a stream with one change.
type mutation struct {
	what     string
	line     int
	lines    [][]byte
	legal    string // why it may be no alarm; "": it must be one
	harmless bool   // it must be no alarm
}

// message is a line of a stream with a message.
type message struct {
	Event string
	Peer  int
	Msg   struct {
		Kind   string
		Index  uint64
		Reject bool
		Entry  *struct{}
	}
}

func messageOf(t *testing.T, line []byte) (m message) {
	t.Helper()
	if err := json.Unmarshal(line, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// mutate makes a random change of a message that the node sends.
func mutate(t *testing.T, rng *rand.Rand, lines [][]byte) mutation {
	t.Helper()
	add := func(field string, n float64) func(m map[string]any) {
		return func(m map[string]any) {
			old, _ := m[field].(float64)
			m[field] = old + n
		}
	}
	changes := map[string][]func(m map[string]any){
		"MsgApp":           {add("Commit", 1000), add("Term", 1), add("LogTerm", 1), add("Index", 100_000)},
		"MsgHeartbeat":     {add("Commit", 1000), add("Term", 1)},
		"MsgAppResp":       {add("Index", 100), add("Term", 1), func(m map[string]any) { m["Reject"] = true }},
		"MsgHeartbeatResp": {add("Term", 1)},
	}
	for {
		at := rng.IntN(len(lines))
		m := messageOf(t, lines[at])
		kind := m.Msg.Kind
		if m.Event != "out" || changes[kind] == nil {
			continue
		}
		before := func(event, kind string) (ms []message) {
			for _, l := range lines[:at] {
				if x := messageOf(t, l); x.Event == event && x.Peer == m.Peer && x.Msg.Kind == kind {
					ms = append(ms, x)
				}
			}
			return ms
		}
		later := slices.ContainsFunc(lines[at+1:], func(l []byte) bool {
			x := messageOf(t, l)
			return x.Event == "out" && x.Peer == m.Peer && x.Msg.Kind == kind
		})
		out := mutation{line: at}
		switch way := rng.IntN(5); {
		case way == 0 && kind == "MsgApp" && m.Msg.Entry != nil && later:
			out.what = "dropped append with an entry"
		case way == 0 && kind == "MsgAppResp" && !m.Msg.Reject:
			out.what, out.legal, out.harmless = "dropped acknowledgement", "a later one says as much, or it is still to come", true
		case way == 0 && kind == "MsgHeartbeatResp":
			out.what, out.legal, out.harmless = "dropped answer to a heartbeat", "the next one is equal, or it is still to come", true
		case way == 1 && kind == "MsgApp" && m.Msg.Entry != nil:
			out.what = "doubled append with an entry"
			if slices.ContainsFunc(before("in", "MsgAppResp"), func(x message) bool { return x.Msg.Index == m.Msg.Index }) {
				out.legal = "it is sent again, after what the follower has acknowledged"
			}
		case way == 1 && kind == "MsgAppResp":
			out.what = "doubled acknowledgement"
			if len(before("out", kind))+2 <= len(before("in", "MsgApp")) {
				out.legal = "it answers another append"
			}
		case way == 1 && kind == "MsgHeartbeatResp":
			out.what = "doubled answer to a heartbeat"
		case way > 1:
			out.what = "changed " + kind
			out.lines = edit(t, lines, string(lines[at]), "", 0, changes[kind][rng.IntN(len(changes[kind]))])
			return out
		default:
			continue
		}
		if strings.HasPrefix(out.what, "dropped") {
			out.lines = slices.Delete(slices.Clone(lines), at, at+1)
		} else {
			out.lines = slices.Insert(slices.Clone(lines), at+1, lines[at])
		}
		return out
	}
}
