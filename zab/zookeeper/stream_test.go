package zookeeper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/zab"
)

// scripted makes events of lines "FROM>TO CONN TYPE [ZXID [NUMBER]]"; "closed", "lost" and
// "restart" stand instead of a type. The number is the current epoch of ACKEPOCH and the client of
// a PROPOSAL.
func scripted(t *testing.T, script string) []Event {
	t.Helper()
	var out []Event
	for text := range strings.Lines(strings.TrimSpace(script)) {
		var e Event
		var kind, zxid string
		var number int64
		words := strings.Fields(text)
		words = append(words, []string{"none", "0"}[len(words)-3:]...)
		if _, err := fmt.Sscanf(strings.Join(words, " "), "%d>%d %d %s %s %d", &e.From, &e.To, &e.Conn, &kind, &zxid, &number); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		e.Time = time.Unix(0, int64(len(out)+1))
		e.What = EventPacket
		switch kind {
		case "closed":
			e.What = EventClosed
		case "restart":
			e.What = EventRestart
		case "lost":
			e.What, e.Count = EventDropped, uint64(e.Conn)
		}
		for k, name := range typeNames {
			if name == kind {
				e.Packet.Type = k
			}
		}
		if err := e.Packet.Zxid.UnmarshalText([]byte(zxid)); err != nil {
			t.Fatal(err)
		}
		e.Packet.CurrentEpoch = int32(number)
		e.Packet.Txn = TxnHeader{Client: number, Zxid: e.Packet.Zxid}
		if e.Packet.Type == NOTIFICATION || e.Packet.Type == HELLO {
			e.Port = ElectionPort
			e.Packet.Vote = Vote{State: FOLLOWING, Leader: number, Round: 4, PeerEpoch: 1}
		}
		out = append(out, e)
	}
	return out
}

// streamed returns the stream of server node of 1, 2 and 5, a compact line for each line.
func streamed(t *testing.T, node int64, script string) string {
	t.Helper()
	var b bytes.Buffer
	s, err := NewStream(node, []int64{5, 1, 2}, &b)
	if err != nil {
		t.Fatal(err)
	}
	s.Notifications = true
	for _, e := range scripted(t, script) {
		if err := s.Take(&e); err != nil {
			t.Fatal(err)
		}
	}
	values := map[float64]int{}
	number := func(v any) int {
		f, _ := v.(float64)
		if values[f] == 0 {
			values[f] = len(values) + 1
		}
		return values[f]
	}
	var out []string
	first, rest, _ := strings.Cut(b.String(), "\n")
	if want := string(header(3, true)); first+"\n" != want {
		t.Errorf("the stream begins with %s, want %s", first, want)
	}
	for text := range strings.Lines(rest) {
		var l struct {
			Event, Action string
			Peer          *int
			Count         int
			Msg           map[string]any
			Set           map[string]any
		}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		words := []string{l.Event}
		if l.Peer != nil {
			words = append(words, fmt.Sprint(*l.Peer), fmt.Sprint(l.Msg["Kind"]))
		}
		if z, ok := l.Msg["Zxid"].(map[string]any); ok {
			words = append(words, fmt.Sprintf("%v:%v", z["Epoch"], z["Counter"]))
		}
		switch l.Msg["Kind"] {
		case "PROPOSAL":
			words = append(words, fmt.Sprint("value", number(l.Msg["Data"])))
		case "ACKEPOCH":
			words = append(words, fmt.Sprint(l.Msg["Data"]))
		case "NOTIFICATION":
			words = append(words, fmt.Sprintf("%v %v %v %v", l.Msg["Source"], l.Msg["State"], l.Msg["Round"], l.Msg["Vote"]))
		}
		if l.Action != "" {
			words = append(words, l.Action, fmt.Sprint("value", number(l.Set["ClientRequest"])))
		}
		if l.Count > 0 {
			words = append(words, fmt.Sprint(l.Count))
		}
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, "\n")
}

const life = `
	1>5 1 FOLLOWERINFO 0:0
	5>1 1 LEADERINFO 1:0
	1>5 1 ACKEPOCH 0:0 7
	5>1 1 DIFF 0:0
	5>1 1 NEWLEADER 1:0
	1>5 1 ACK 1:0
	5>1 1 UPTODATE none
	1>5 1 ACK 1:0
	1>5 1 REQUEST none
	2>5 2 FOLLOWERINFO 0:0
	5>1 1 PROPOSAL 1:1 70
	5>2 2 PROPOSAL 1:1 70
	1>5 1 ACK 1:1
	5>1 1 COMMIT 1:1
	5>1 1 PING 1:1
	5>1 1 closed
	1>5 1 closed
`

func TestStream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		node         int64
		script, want string
	}{
		{"a follower", 1, life, `
			out 2 FOLLOWERINFO 0:0
			in 2 LEADERINFO 1:0
			out 2 ACKEPOCH 0:0 7
			in 2 DIFF 0:0
			in 2 NEWLEADER 1:0
			out 2 ACKLD 1:0
			in 2 UPTODATE 1:0
			out 2 ACK 1:0
			in 2 PROPOSAL 1:1 value1
			out 2 ACK 1:1
			in 2 COMMIT 1:1
			in 2 CLOSED 0:0
			out 2 CLOSED 0:0`},
		{"its leader, with a request before a proposal that it sends to two", 5, life, `
			in 0 FOLLOWERINFO 0:0
			out 0 LEADERINFO 1:0
			in 0 ACKEPOCH 0:0 7
			out 0 DIFF 0:0
			out 0 NEWLEADER 1:0
			in 0 ACKLD 1:0
			out 0 UPTODATE 1:0
			in 0 ACK 1:0
			in 1 FOLLOWERINFO 0:0
			input LeaderProcessRequest value1
			out 0 PROPOSAL 1:1 value1
			out 1 PROPOSAL 1:1 value1
			in 0 ACK 1:1
			out 0 COMMIT 1:1
			out 0 CLOSED 0:0
			in 0 CLOSED 0:0`},
		{"a proposal that is acknowledged before NEWLEADER", 1, `
			1>5 1 FOLLOWERINFO 0:0
			5>1 1 NEWLEADER 1:0
			1>5 1 ACK 1:3
			1>5 1 ACK 1:0
			1>5 1 ACK 1:0`, `
			out 2 FOLLOWERINFO 0:0
			in 2 NEWLEADER 1:0
			out 2 ACK 1:3
			out 2 ACKLD 1:0
			out 2 ACK 1:0`},
		{"what a leader sends again is no request", 5, `
			1>5 1 FOLLOWERINFO 0:0
			5>1 1 LEADERINFO 2:0
			5>1 1 PROPOSAL 1:9 3
			5>1 1 NEWLEADER 2:0
			5>1 1 PROPOSAL 2:1 4
			2>5 2 FOLLOWERINFO 0:0
			5>2 2 NEWLEADER 2:0
			5>2 2 PROPOSAL 2:1 4`, `
			in 0 FOLLOWERINFO 0:0
			out 0 LEADERINFO 2:0
			out 0 PROPOSAL 1:9 value1
			out 0 NEWLEADER 2:0
			input LeaderProcessRequest value2
			out 0 PROPOSAL 2:1 value2
			in 1 FOLLOWERINFO 0:0
			out 1 NEWLEADER 2:0
			out 1 PROPOSAL 2:1 value2`},
		{"an earlier connection of the same two", 5, `
			1>5 1 FOLLOWERINFO 1:0
			1>5 2 FOLLOWERINFO 1:0
			5>1 1 LEADERINFO 2:0
			1>5 1 closed
			5>1 2 LEADERINFO 2:0`, `
			in 0 FOLLOWERINFO 1:0
			in 0 FOLLOWERINFO 1:0
			out 0 LEADERINFO 2:0`},
		{"a restart, an observer, and what was lost", 1, `
			1>5 1 FOLLOWERINFO 1:0
			1>-1 0 restart
			5>1 1 closed
			9>5 3 OBSERVERINFO 1:0
			5>9 3 INFORM 1:1
			-1>-1 12 lost
			2>5 4 FOLLOWERINFO 1:0`, `
			out 2 FOLLOWERINFO 1:0
			restart
			lost 12`},
		{"notifications", 2, `
			1>2 1 NOTIFICATION 1:3 5
			2>5 1 NOTIFICATION 1:3 9
			1>5 1 NOTIFICATION 1:3 5`, `
			in 0 NOTIFICATION 0 FOLLOWING 4 map[Epoch:1 Leader:2 Zxid:map[Counter:3 Epoch:1]]
			out 2 NOTIFICATION 1 FOLLOWING 4 map[Epoch:1 Leader:-1 Zxid:map[Counter:3 Epoch:1]]`},
		{"a notification over an earlier connection", 2, `
			5>2 1 HELLO
			5>2 1 NOTIFICATION 1:3 5
			5>2 2 HELLO
			2>5 1 NOTIFICATION 1:3 5
			5>2 1 NOTIFICATION 1:3 5
			5>2 2 NOTIFICATION 1:3 5
			1>5 3 NOTIFICATION 1:3 5`, `
			input NodeMeets value1
			in 2 NOTIFICATION 2 FOLLOWING 4 map[Epoch:1 Leader:2 Zxid:map[Counter:3 Epoch:1]]
			input NodeMeets value1
			out 2 NOTIFICATION 1 FOLLOWING 4 map[Epoch:1 Leader:2 Zxid:map[Counter:3 Epoch:1]]
			in 2 NOTIFICATION 2 FOLLOWING 4 map[Epoch:1 Leader:2 Zxid:map[Counter:3 Epoch:1]]
			input NodeParts value1
			in 2 NOTIFICATION 2 FOLLOWING 4 map[Epoch:1 Leader:2 Zxid:map[Counter:3 Epoch:1]]`},
	} {
		want := strings.ReplaceAll(strings.TrimSpace(c.want), "\t", "")
		if got := streamed(t, c.node, c.script); got != want {
			t.Errorf("%s:\n%s", c.name, udiff.Unified("want", "got", want+"\n", got+"\n"))
		}
	}
}

// TestFieldsOfSpecification holds that the lines' messages have the fields of the specification's
// types, and no others.
func TestFieldsOfSpecification(t *testing.T) {
	t.Parallel()
	names := func(v any) (out []string) {
		for k := range reflect.TypeOf(v).NumField() {
			out = append(out, reflect.TypeOf(v).Field(k).Name)
		}
		return out
	}
	for _, c := range []struct{ ours, theirs any }{
		{message{}, zab.Msg{}}, {zxidFields{}, zab.Zxid{}}, {notification{}, zab.Notification{}}, {voteFields{}, zab.Vote{}},
	} {
		if got, want := names(c.ours), names(c.theirs); !reflect.DeepEqual(got, want) {
			t.Errorf("%T has %v, %T has %v", c.ours, got, c.theirs, want)
		}
	}
}

func TestServersOfStream(t *testing.T) {
	t.Parallel()
	for _, servers := range [][]int64{nil, {2, 3}, {1, 2, 2}} {
		if _, err := NewStream(1, servers, nil); err == nil {
			t.Errorf("server 1 of %v has a stream", servers)
		}
	}
}
