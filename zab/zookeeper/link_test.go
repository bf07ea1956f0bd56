package zookeeper

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// ends makes a link and a connection through it, and returns the connection's two ends.
func ends(t *testing.T, port Port, sink *Sink) (l *Link, dialler, server *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	l, err = Forward(Route{Port: port, From: -1, To: 2, Listen: "127.0.0.1:0", Target: listener.Addr().String()}, sink)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	s, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for open := false; !open; time.Sleep(time.Millisecond) { // until the link knows of it, too
		l.mu.Lock()
		open = len(l.conns) > 0
		l.mu.Unlock()
	}
	return l, c.(*net.TCPConn), s.(*net.TCPConn)
}

// drained closes a link and returns all events of its sink.
func drained(t *testing.T, l *Link, sink *Sink) []Event {
	t.Helper()
	l.Close()
	sink.Close()
	var out []Event
	if err := sink.Drain(context.Background(), func(b []Event) error {
		out = append(out, b...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// send writes b in random pieces and ends the stream.
func send(c *net.TCPConn, b []byte) {
	r := rand.New(rand.NewPCG(3, 4))
	for len(b) > 0 {
		n := min(1+r.IntN(3000), len(b))
		c.Write(b[:n])
		b = b[n:]
	}
	c.CloseWrite()
}

// TestForwardsUntouched sends what can be decoded and what cannot, both ways at once.
func TestForwardsUntouched(t *testing.T) {
	streams, _ := javaStreams(t)
	noise := make([]byte, 300_000)
	r := rand.New(rand.NewPCG(5, 6))
	for k := range noise {
		noise[k] = byte(r.Uint32())
	}
	for _, c := range []struct {
		name        string
		port        Port
		there, back []byte
		blind       int
	}{
		{"quorum", QuorumPort, joined(streams["learner"]), joined(streams["leader"]), 0},
		{"election", ElectionPort, joined(streams["v2"]), joined(streams["answer"]), 0},
		{"noise", QuorumPort, noise, joined(streams["leader"]), 1},
		{"noise on both", ElectionPort, noise, noise, 2},
		{"noise behind packets", QuorumPort, slices.Concat(joined(streams["learner"]), noise), nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			sink := NewSink(1 << 12)
			l, dialler, server := ends(t, c.port, sink)
			go send(dialler, c.there)
			go send(server, c.back)
			got := make(chan []byte)
			go func() {
				b, _ := io.ReadAll(server)
				got <- b
			}()
			back, err := io.ReadAll(dialler)
			if err != nil || !bytes.Equal(back, c.back) {
				t.Errorf("%d bytes came back, want %d, %v", len(back), len(c.back), err)
			}
			if there := <-got; !bytes.Equal(there, c.there) {
				t.Errorf("%d bytes arrived, want %d", len(there), len(c.there))
			}
			blind, closed := 0, 0
			for _, e := range drained(t, l, sink) {
				switch e.What {
				case EventBlind:
					blind++
				case EventClosed:
					closed++
				}
			}
			if blind != c.blind || closed != 2 {
				t.Errorf("%d directions are blind and %d closed, want %d and 2", blind, closed, c.blind)
			}
		})
	}
}

// TestEvents holds that a tap says who speaks to whom, and that lines of events are read as they
// were written.
func TestEvents(t *testing.T) {
	streams, _ := javaStreams(t)
	sink := NewSink(1 << 12)
	l, dialler, server := ends(t, QuorumPort, sink)
	go send(dialler, joined(streams["learner"]))
	io.ReadAll(server)
	go send(server, joined(streams["leader"]))
	io.ReadAll(dialler)
	events := drained(t, l, sink)
	if n := 1 + len(streams["learner"]) + len(streams["leader"]) + 2; len(events) != n {
		t.Fatalf("%d events, want %d", len(events), n)
	}
	for k := range events {
		e := &events[k]
		if e.Seq != uint64(k+1) {
			t.Errorf("event %d has number %d", k+1, e.Seq)
		}
		// AUTH comes before the learner says who it is: in FOLLOWERINFO.
		from := int64(4)
		if k < 2 {
			from = -1
		}
		if want := [2]int64{from, 2}; k <= len(streams["learner"]) && [2]int64{e.From, e.To} != want {
			t.Errorf("event %d goes from %d to %d, want %v", k+1, e.From, e.To, want)
		}
		if want := [2]int64{2, 4}; k > len(streams["learner"])+1 && e.What == EventPacket && [2]int64{e.From, e.To} != want {
			t.Errorf("event %d goes from %d to %d, want %v", k+1, e.From, e.To, want)
		}
	}
	var b bytes.Buffer
	if err := WriteEvents(&b, events); err != nil {
		t.Fatal(err)
	}
	var again []Event
	if err := ReadEvents(bytes.NewReader(b.Bytes()), func(e *Event) error {
		again = append(again, *e)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for k := range events {
		x, y := events[k], again[k]
		if !x.Time.Equal(y.Time) {
			t.Errorf("event %d: %v, want %v", k, y.Time, x.Time)
		}
		x.Time, y.Time = time.Time{}, time.Time{}
		x.Packet.Start = 0 // which is not written
		if x.Packet.DataLen == -1 || x.What != EventPacket || x.Packet.Type > INFORMANDACTIVATE {
			x.Packet.DataLen, y.Packet.DataLen = 0, 0
		}
		if !reflect.DeepEqual(x, y) {
			t.Errorf("event %d:\n%+v, want\n%+v", k, y, x)
		}
	}
	for _, bad := range []string{"{", `{"event":"x"}`, `{"event":"packet","type":"X"}`, `{"event":"open","port":"X"}`, `{"event":"packet","type":"ACK","zxid":"1:x"}`} {
		if err := ReadEvents(strings.NewReader(bad), func(*Event) error { return nil }); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// TestSlowReader forwards more than a sink without a reader has room for.
func TestSlowReader(t *testing.T) {
	streams, _ := javaStreams(t)
	commit := streams["leader"][9].bytes
	for _, p := range streams["leader"] {
		if p.kind == "COMMIT" {
			commit = p.bytes
		}
	}
	for _, room := range []int{1, 2, 7, 100} {
		sink := NewSink(room)
		l, dialler, server := ends(t, QuorumPort, sink)
		const packets = 5000
		go send(server, bytes.Repeat(commit, packets))
		if b, err := io.ReadAll(dialler); err != nil || len(b) != packets*len(commit) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		kept, dropped := uint64(0), uint64(0)
		last := uint64(0)
		for _, e := range drained(t, l, sink) {
			if e.What == EventDropped {
				dropped += e.Count
			} else if kept++; e.Seq != last+1 {
				t.Errorf("room %d: event %d follows %d", room, e.Seq, last)
			}
			last = e.Seq
		}
		events, lost := sink.Counts()
		if kept+dropped != events || dropped != lost || events < packets || dropped == 0 {
			t.Errorf("room %d: %d events were kept and %d dropped of %d with %d lost", room, kept, dropped, events, lost)
		}
	}
}

// TestDroppedInPlace holds that a dropped message is reported at its place.
func TestDroppedInPlace(t *testing.T) {
	sink := NewSink(3)
	for k := range 5 {
		sink.put(&Event{What: EventOpen, Conn: uint64(k)})
	}
	first, _ := sink.take(make([]Event, 0, 2))
	sink.put(&Event{What: EventOpen, Conn: 5})
	rest, _ := sink.take(make([]Event, 0, 9))
	var text []string
	for _, e := range append(first, rest...) {
		text = append(text, e.What, string('0'+rune(e.Conn)), string('0'+rune(e.Count)))
	}
	if got := strings.Join(text, " "); got != "open 0 0 open 1 0 open 2 0 dropped 0 2 open 5 0" {
		t.Error(got)
	}
}

// TestCut breaks a connection in both directions and refuses others until the link is healed.
func TestCut(t *testing.T) {
	sink := NewSink(100)
	l, dialler, server := ends(t, ElectionPort, sink)
	l.Cut()
	for _, c := range []*net.TCPConn{dialler, server} {
		if n, err := c.Read(make([]byte, 1)); err == nil {
			t.Errorf("%d bytes were read from a broken connection", n)
		}
	}
	// else it was reset before Dial could tell
	if other, err := net.Dial("tcp", l.Addr().String()); err == nil {
		defer other.Close()
		if _, err := other.Read(make([]byte, 1)); err == nil {
			t.Error("a cut link connects")
		}
	}
	l.Heal()
	healed, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer healed.Close()
	healed.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if _, err := healed.Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a healed link ends connections: %v", err)
	}
}

// TestWithhold loses a proposal and all that follows it, and nothing before it, although all came
// at once. The other direction continues. A connection that is made later can be broken.
func TestWithhold(t *testing.T) {
	streams, _ := javaStreams(t)
	before := 0
	for k := range streams["leader"] {
		if decoded, err := decodeAll("leader", joined(streams["leader"][:k+1])); err != nil {
			t.Fatal(err)
		} else if decoded[len(decoded)-1].Type == PROPOSAL {
			before = len(joined(streams["leader"][:k]))
			break
		}
	}
	if before == 0 {
		t.Fatal("the stream has no proposal, or nothing before it")
	}
	sink := NewSink(1 << 12)
	l, dialler, server := ends(t, QuorumPort, sink)
	l.Withhold(true)
	server.Write(joined(streams["leader"]))
	server.CloseWrite()
	back, err := io.ReadAll(dialler)
	if err != nil || !bytes.Equal(back, joined(streams["leader"])[:before]) {
		t.Errorf("%d bytes came back, want %d, %v", len(back), before, err)
	}
	go send(dialler, joined(streams["learner"]))
	if there, err := io.ReadAll(server); err != nil || !bytes.Equal(there, joined(streams["learner"])) {
		t.Errorf("%d bytes arrived, %v", len(there), err)
	}
	l.Withhold(false)
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	l.Break()
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a connection that was broken has sent something")
	}
	drained(t, l, sink)
}

// TestEnds holds that the death of one end reaches the other, and how.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		die  func(*net.TCPConn)
		want string
	}{
		{"in order", func(c *net.TCPConn) { c.Close() }, ""},
		{"reset", reset, "reset"},
		{"inside of a packet", func(c *net.TCPConn) {
			c.Write([]byte{0, 0})
			c.Close()
		}, "inside of a packet"},
	} {
		sink := NewSink(100)
		l, dialler, server := ends(t, QuorumPort, sink)
		c.die(server)
		dialler.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.ReadAll(dialler); c.want == "reset" != (err != nil) {
			t.Errorf("%s: the other end reads %v", c.name, err)
		}
		dialler.Close()
		events := drained(t, l, sink)
		k := slices.IndexFunc(events, func(e Event) bool { return e.What == EventClosed })
		if k < 0 || events[k].Reason != c.want || events[k].From != 2 {
			b, _ := json.Marshal(events)
			t.Errorf("%s: %s", c.name, b)
		}
	}
}

func TestParseLinks(t *testing.T) {
	got, err := parseLinks([]string{"any-2=0.0.0.0:1:2,[::1]:3:4", "1-3=a:5:6,b:7:8"})
	want := []Route{
		{QuorumPort, -1, 2, "0.0.0.0:1", "[::1]:3"}, {ElectionPort, -1, 2, "0.0.0.0:2", "[::1]:4"},
		{QuorumPort, 1, 3, "a:5", "b:7"}, {ElectionPort, 1, 3, "a:6", "b:8"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v, want %v", got, err, want)
	}
	for _, bad := range []string{"", "1-2", "1=2", "1-2=a:1:2", "1-2=a:1,b:1:2", "x-2=a:1:2,b:1:2", "1-any=a:1:2,b:1:2", "1-2=a:x:2,b:1:2", "1-2=a:1:2,b:1:-2", "1-2=:,:"} {
		if _, err := parseLinks([]string{bad}); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
