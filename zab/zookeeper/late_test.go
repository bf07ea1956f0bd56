package zookeeper_test

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/checker/wire"
)

// TestLateTap feeds live streams that rest before the tap of one connection says what server 1 sent
// over it earlier. The server gives up as a leader, follows server 0 twice in vain, and then server
// 2, whose epoch it accepts. What it sent to server 0 has the epoch of before. A self-test found
// the false alarms. The last stream is wrong: the server follows server 0 again with that epoch
// before it could notice the end of the connection.
func TestLateTap(t *testing.T) {
	x := assemble(t)
	leads := "in 0 FOLLOWERINFO 0:0; out 0 LEADERINFO 1:0; in 0 ACKEPOCH 0:0"
	to2 := "out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0; out 2 ACKEPOCH 0:0 1"
	to0 := "out 0 CLOSED 0:0; out 0 FOLLOWERINFO 1:0; out 0 CLOSED 0:0; out 0 FOLLOWERINFO 1:0"
	for k, stream := range []struct {
		events  string
		rest    int // after so many events
		verdict string
	}{
		{leads + ";" + to2 + ";" + to0, 6, "holds"},
		{leads + ";" + to2 + ";" + to0, 5, "holds"},
		{leads + "; out 0 CLOSED 0:0; out 2 FOLLOWERINFO 1:0; in 2 LEADERINFO 2:0; out 0 FOLLOWERINFO 1:0; out 2 ACKEPOCH 0:0 1; out 0 CLOSED 0:0; out 0 FOLLOWERINFO 1:0", 6, "holds"},
		{leads + ";" + to2 + "; out 0 CLOSED 0:0; in 0 CLOSED 0:0; out 0 FOLLOWERINFO 1:0; out 0 CLOSED 0:0; out 0 FOLLOWERINFO 1:0", 8, "holds"},
		{leads + ";" + to2 + "; out 0 CLOSED 0:0; out 0 FOLLOWERINFO 1:0; out 0 FOLLOWERINFO 1:0", 6, "violated"},
	} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			lines := bytes.SplitAfter(bytes.TrimSpace(script(t, stream.events)), []byte("\n"))
			lines = slices.Delete(lines, len(lines)-1, len(lines)) // it does not end
			if got := x.live(t, 1, lines[:stream.rest], lines[stream.rest:]); got != stream.verdict {
				t.Errorf("%s, want %s", got, stream.verdict)
			}
		})
	}
}

// live feeds the parts of a live stream, each after the part before it is checked. It returns the
// verdict.
func (x *monitored) live(t *testing.T, node int, parts ...[][]byte) string {
	t.Helper()
	socket, stop, checked := filepath.Join(t.TempDir(), "s"), make(chan struct{}), make(chan int64, 1)
	p := wire.Program{Path: x.path, Stop: stop, Refinement: func(r wire.Refinement) {
		if r.Stats == nil {
			return
		}
		var stats spectest.Stats
		decode(t, r.Stats, &stats)
		select {
		case <-checked: // nobody has taken it
		default:
		}
		checked <- stats.Events
	}}
	go func() {
		defer close(stop)
		var tap net.Conn
		for tap == nil && t.Context().Err() == nil {
			if tap, _ = net.Dial("unix", socket); tap == nil {
				time.Sleep(10 * time.Millisecond)
			}
		}
		if tap == nil {
			return
		}
		defer tap.Close()
		events := int64(0)
		for _, lines := range parts {
			if _, err := tap.Write(bytes.Join(lines, nil)); err != nil {
				t.Error(err)
				return
			}
			for events += int64(len(lines)); t.Context().Err() == nil; {
				if <-checked == events {
					break
				}
			}
		}
	}()
	r, err := p.Run(t.Context(), wire.Request{Verb: "monitor", Choice: x.choice, Options: wire.Options{Monitor: &wire.Monitor{Node: node, Source: "unix:" + socket, Footprints: x.prints}}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict
}
