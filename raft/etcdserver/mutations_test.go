package etcdserver

import (
	"bytes"
	"fmt"
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
