package control

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// packet is a QuorumPacket without data.
func packet(kind zookeeper.Type, zxid zookeeper.Zxid) (b []byte) {
	b = binary.BigEndian.AppendUint32(b, uint32(kind))
	b = binary.BigEndian.AppendUint64(b, uint64(zxid))
	b = binary.BigEndian.AppendUint32(b, 0xffffffff) // no data
	return binary.BigEndian.AppendUint32(b, 0xffffffff)
}

const packetLen = 4 + 8 + 4 + 4

// ends are the two ends of a connection of server 1, a learner, to server 2.
type ends struct {
	learner, leader net.Conn
	listener        net.Listener // where the leader listens
}

// networkOf connects two servers that this test plays.
func networkOf(t *testing.T) (*Network, func() ends) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	n, err := newNetwork(2, func(zookeeper.Port, int) string { return listener.Addr().String() })
	check(t, err)
	t.Cleanup(func() {
		n.Close()
		listener.Close()
	})
	return n, func() (e ends) {
		e.listener, e.learner = listener, connectTo(t, n, zookeeper.QuorumPort, 1, 2)
		check(t, listener.(*net.TCPListener).SetDeadline(time.Now().Add(30*time.Second)))
		e.leader, err = listener.Accept()
		check(t, err)
		check(t, e.leader.SetDeadline(time.Now().Add(30*time.Second)))
		t.Cleanup(func() { e.leader.Close() })
		return e
	}
}

// connectTo connects to where a server finds a port of another one.
func connectTo(t *testing.T, n *Network, kind zookeeper.Port, from, to int) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", n.port(kind, from, to)))
	check(t, err)
	check(t, c.SetDeadline(time.Now().Add(30*time.Second)))
	t.Cleanup(func() { c.Close() })
	return c
}

// awaitKept waits until so many packets are in flight.
func awaitKept(t *testing.T, n *Network, from, to, count int) []Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	check(t, n.Await(ctx, func(kept func(from, to int) []Message) bool { return len(kept(from, to)) == count }))
	return n.Kept(from, to)
}

// next reads a packet without data.
func next(t *testing.T, c net.Conn) (zookeeper.Type, zookeeper.Zxid) {
	t.Helper()
	b := make([]byte, packetLen)
	if _, err := io.ReadFull(c, b); err != nil {
		t.Fatal(err)
	}
	return zookeeper.Type(binary.BigEndian.Uint32(b)), zookeeper.Zxid(binary.BigEndian.Uint64(b[4:]))
}

// TestKept sends packets that come in pieces. They arrive one by one, in order, without PING, and
// those that pass arrive as soon as they are first.
func TestKept(t *testing.T) {
	t.Parallel()
	n, connect := networkOf(t)
	n.Passes(func(p *zookeeper.Packet) bool { return p.Type == zookeeper.ACK && p.Zxid.Counter() == 0 })
	e := connect()
	var all []byte
	for _, z := range []zookeeper.Zxid{Zxid(1, 0), Zxid(1, 1), Zxid(1, 0), Zxid(1, 2)} {
		all = append(all, packet(zookeeper.PING, 7)...)
		all = append(all, packet(zookeeper.ACK, z)...)
	}
	for k := 0; k < len(all); k += 3 {
		_, err := e.learner.Write(all[k:min(k+3, len(all))])
		check(t, err)
	}
	kept := awaitKept(t, n, 1, 2, 4)
	for k, again := range []bool{false, false, true, false} {
		if kept[k].Type != zookeeper.ACK || kept[k].Again != again {
			t.Errorf("packet %d is %+v", k, kept[k])
		}
	}
	if n.LeaderOf(1) != 2 || n.LeaderOf(2) != 0 {
		t.Errorf("the leaders are %d and %d", n.LeaderOf(1), n.LeaderOf(2))
	}
	for _, want := range []zookeeper.Zxid{Zxid(1, 0), Zxid(1, 1)} {
		m, err := n.Deliver(1, 2)
		check(t, err)
		if kind, z := next(t, e.leader); m.Zxid != want || kind != zookeeper.ACK || z != want {
			t.Errorf("delivered %v, and %v %v arrived; want %v", m.Zxid, kind, z, want)
		}
	}
	if _, z := next(t, e.leader); z != Zxid(1, 0) { // it passes after the one before it
		t.Errorf("%v arrived; want the second acknowledgement of the epoch", z)
	}
	if left := n.Kept(1, 2); len(left) != 1 || left[0].Zxid != Zxid(1, 2) {
		t.Errorf("still kept is %v", left)
	}
	check(t, n.Open(true))
	if _, z := next(t, e.leader); z != Zxid(1, 2) {
		t.Errorf("%v arrived when everything passes", z)
	}
}

// mustEnd expects that a connection ends within its deadline, without another byte.
func mustEnd(t *testing.T, name string, c net.Conn) {
	t.Helper()
	n, err := c.Read(make([]byte, 1))
	if n != 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%s does not end: %d bytes, %v", name, n, err)
	}
}

// TestDisconnect breaks the connections of two servers: what is kept is lost, all ends notice, and
// so does a goroutine that waits. No new connection lasts until Heal, and a connection after it
// begins with nothing in flight.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	n, connect := networkOf(t)
	e := connect()
	n.Elect(1, 2)
	votes := connectTo(t, n, zookeeper.ElectionPort, 1, 2)
	taken, err := e.listener.Accept()
	check(t, err)
	defer taken.Close()
	check(t, taken.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = e.leader.Write(packet(zookeeper.COMMIT, Zxid(1, 1)))
	check(t, err)
	awaitKept(t, n, 2, 1, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	waiting, lost := make(chan bool), make(chan error, 1)
	go func() {
		asked := 0
		lost <- n.Await(ctx, func(kept func(from, to int) []Message) bool {
			if asked++; asked == 1 {
				close(waiting) // it has seen the packet, and waits for a change now
			}
			return len(kept(2, 1)) == 0
		})
	}()
	<-waiting
	n.Disconnect(1, 2)
	if err := <-lost; err != nil {
		t.Errorf("a goroutine that waits does not notice: %v", err)
	}
	if !n.Disconnected(2, 1) || len(n.Kept(2, 1)) != 0 || n.LeaderOf(1) != 0 {
		t.Errorf("after the break %v is kept, and the leader is %d", n.Kept(2, 1), n.LeaderOf(1))
	}
	mustEnd(t, "the learner's connection", e.learner)
	mustEnd(t, "the leader's connection", e.leader)
	mustEnd(t, "the voter's connection", votes)
	mustEnd(t, "the connection of whom it voted to", taken)
	if _, err := n.Deliver(2, 1); err == nil {
		t.Error("something is delivered over no connection")
	}
	for _, kind := range []zookeeper.Port{zookeeper.QuorumPort, zookeeper.ElectionPort} {
		// The connection is reset, which may be noticed before it is made or after.
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", n.port(kind, 1, 2))); err == nil {
			check(t, c.SetDeadline(time.Now().Add(30*time.Second)))
			mustEnd(t, "a connection while the servers are disconnected", c)
			c.Close()
		}
	}
	n.Heal(1, 2)
	e = connect()
	_, err = e.leader.Write(packet(zookeeper.COMMIT, Zxid(1, 2)))
	check(t, err)
	if kept := awaitKept(t, n, 2, 1, 1); kept[0].Zxid != Zxid(1, 2) {
		t.Errorf("kept is %v", kept)
	}
}

// TestVotes opens the election port between some servers only.
func TestVotes(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { // it echoes what follows the first packet, which names the dialling server
				io.CopyN(io.Discard, c, 8)
				io.Copy(c, c)
			}()
		}
	}()
	n, err := newNetwork(3, func(zookeeper.Port, int) string { return listener.Addr().String() })
	check(t, err)
	defer n.Close()
	// first returns the state of the first notification that arrives of those that a server sends.
	first := func(from, to int, states ...zookeeper.ServerState) zookeeper.ServerState {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", n.port(zookeeper.ElectionPort, from, to)))
		if err != nil {
			return -1
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(30 * time.Second))
		b := binary.BigEndian.AppendUint64(nil, uint64(from))
		for _, state := range states {
			b = binary.BigEndian.AppendUint32(b, 28)
			b = binary.BigEndian.AppendUint32(b, uint32(state))
			b = append(b, make([]byte, 24)...) // leader, zxid and round
		}
		if _, err := c.Write(b); err != nil {
			return -1
		}
		b = make([]byte, 4+28)
		if _, err := io.ReadFull(c, b); err != nil {
			return -1
		}
		return zookeeper.ServerState(binary.BigEndian.Uint32(b[4:]))
	}
	reaches := func(from, to int) bool { return first(from, to, zookeeper.FOLLOWING) == zookeeper.FOLLOWING }
	for _, x := range []struct {
		name string
		set  func()
		want [3]bool // 1 to 2, 1 to 3, 2 to 3
	}{
		{"at first", func() {}, [3]bool{}},
		{"all", func() { n.Elect(1, 2, 3) }, [3]bool{true, true, true}},
		{"with 3 only", func() { n.Canvass(3, []int{1, 2}) }, [3]bool{false, true, true}},
		{"two", func() { n.Elect(1, 2) }, [3]bool{true, false, false}},
		{"none", func() { n.Elect() }, [3]bool{}},
		{"open", func() { n.Open(true) }, [3]bool{true, true, true}},
	} {
		x.set()
		if got := [3]bool{reaches(1, 2), reaches(1, 3), reaches(2, 3)}; got != x.want {
			t.Errorf("%s: %v; want %v", x.name, got, x.want)
		}
	}
	n.Open(false)
	for _, x := range []struct {
		name string
		set  func()
		want zookeeper.ServerState
	}{
		{"a voter", func() { n.Elect(1, 3) }, zookeeper.LOOKING},
		{"a server that has settled", func() { n.Canvass(3, []int{1, 2}) }, zookeeper.FOLLOWING},
		{"a voter again", func() { n.Elect(1, 3) }, zookeeper.LOOKING},
	} {
		x.set()
		if got := first(1, 3, zookeeper.LOOKING, zookeeper.FOLLOWING); got != x.want {
			t.Errorf("%s: the first vote that arrives is of a server that is %v; want %v", x.name, got, x.want)
		}
	}
}
