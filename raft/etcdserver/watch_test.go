package etcdserver

import (
	"bytes"
	"encoding/json"
	"testing"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// TestSlots: the next request of a stream comes after the answer to the one before it. Requests
// without an answer are in different streams, as long as there are any.
func TestSlots(t *testing.T) {
	var s slots
	if a, b := s.take(1), s.take(2); a == b {
		t.Errorf("two requests without an answer are both in stream %d", a)
	}
	for conn := uint64(3); conn <= 4; conn++ {
		s.take(conn)
	}
	s.free(2)
	if k := s.take(5); s[k].conn != 5 || k != 1 {
		t.Errorf("the request is in stream %d, and only 1 has an answer", k)
	}
}

// streamOf returns the messages of a stream for events of two members. Member 0 is 10, 1 is 11.
func streamOf(t *testing.T, events ...Event) (lines []string) {
	t.Helper()
	to := make(chan []byte, 100)
	s := NewStream(0, tap.New(tap.Channel(to), tap.Options{Messages: true}))
	s.begun = true
	w := NewWatch(nil)
	w.Add(s)
	for _, e := range append([]Event{
		{Kind: Attached, Number: 0, From: 10, To: 11, Conn: 1, Version: "3.6.16"}, {Kind: Attached, Number: 1, From: 11, To: 10, Conn: 2, Version: "3.6.16"},
	}, events...) {
		w.Note(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var all []byte
	for b := range to {
		all = append(all, b...)
	}
	for line := range bytes.Lines(all) {
		var e struct {
			Event, Action string
			Stream        int
			Options       map[string]string
			Msg           struct{ Kind string }
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Options != nil:
			lines = append(lines, e.Options["variant"])
		case e.Msg.Kind != "" && e.Stream != 0:
			lines = append(lines, e.Event+" by another stream")
		case e.Msg.Kind != "" || e.Event == "restart":
			lines = append(lines, e.Event)
		}
	}
	return lines
}

func beat(kind EventKind, conn uint64, single bool) Event {
	m := &pb.Message{Type: pb.MsgHeartbeat.Enum(), From: new(uint64(10)), To: new(uint64(11)), Term: new(uint64(2))}
	return Event{Kind: kind, From: 10, To: 11, Conn: conn, Single: single, Message: m, Number: 1}
}

// TestConnections: which messages a stream has, and by which streams they are stated to come.
func TestConnections(t *testing.T) {
	for name, c := range map[string]struct {
		events []Event
		want   []string
	}{
		"a stream": {[]Event{beat(Sent, 1, false)}, []string{"v3.6.0", "out"}},
		"a request of its own": {[]Event{beat(Sent, 5, true), beat(Delivered, 5, true)},
			[]string{"v3.6.0", "out by another stream"}},
		"the old connection of a stream": {
			[]Event{{Kind: Attached, Number: 0, From: 10, To: 11, Conn: 3, Version: "3.6.16"}, beat(Sent, 1, false), beat(Sent, 3, false)},
			[]string{"v3.6.0", "out"}},
		"a member that has ended": {
			[]Event{{Kind: Down, Number: 0, Conn: 4}, beat(Sent, 1, false)},
			[]string{"v3.6.0", "restart"}},
		"another member has ended": {
			[]Event{{Kind: Down, Number: 1, Conn: 4}, beat(Sent, 1, false)},
			[]string{"v3.6.0", "out"}},
	} {
		t.Run(name, func(t *testing.T) {
			have := streamOf(t, c.events...)
			if len(have) != len(c.want) {
				t.Fatalf("the stream has %q, and %q was expected", have, c.want)
			}
			for k := range have {
				if have[k] != c.want[k] {
					t.Errorf("the stream has %q, and %q was expected", have, c.want)
				}
			}
		})
	}
}
