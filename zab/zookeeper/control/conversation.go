package control

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// conversation is a connection of the quorum port. Its two ways are 0, from learner to leader, and
// 1.
type conversation struct {
	network         *Network
	number          uint64
	learner, leader int
	ends            [2]*net.TCPConn // ends[0] is the learner's
	queue           [2][]kept
	acked           bool // the learner has acknowledged NEWLEADER
	ended           bool
	closed          [2]bool // by end: where ends count apart, the server's end is closed
}

// Message is a packet in flight.
type Message struct {
	zookeeper.Packet
	Path string // PROPOSAL: of the node that it creates
	// Again says of an ACK with counter 0 that the learner has sent one before: NEWLEADER's comes
	// first, then UPTODATE's.
	Again bool
	// Number tells the messages of a network apart, from 1. It is 0 for what is not sent yet.
	Number int
}

// Closed is the type of a message that no server writes: the sender has closed the connection. See
// Network.EndsApart.
const Closed zookeeper.Type = 120

// kept is a message in flight, with all its bytes.
type kept struct {
	message Message
	bytes   []byte
	passes  bool
}

// way returns the direction of what a server sends.
func (c *conversation) way(from int) int {
	if from == c.learner {
		return 0
	}
	return 1
}

// dialPatience bounds how long a connection waits for the leader to listen. It listens some time
// after it is elected.
const dialPatience = 5 * time.Second

// writePatience bounds how long a server takes to read what is delivered. Sockets buffer more than
// an ensemble without load sends, so only a process that is suspended as a whole exceeds it.
const writePatience = 5 * time.Second

// conversations numbers the connections of a process.
var conversations struct {
	sync.Mutex
	last uint64
}

func nextConversation() uint64 {
	conversations.Lock()
	defer conversations.Unlock()
	conversations.last++
	return conversations.last
}

// accept serves a port until it is closed.
func (n *Network) accept(p *port) {
	for {
		c, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // no file descriptors are left
			continue
		}
		conn := c.(*net.TCPConn)
		n.all.Go(func() {
			if p.kind == zookeeper.QuorumPort {
				n.converse(p, conn)
			} else {
				n.relay(p, conn)
			}
		})
	}
}

// admits reports whether a connection of a port may be.
func (n *Network) admits(p *port) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.admitted(p)
}

func (n *Network) admitted(p *port) bool {
	pair := n.pair(p.from, p.to)
	if n.closed || n.cut[pair] {
		return false
	}
	if p.kind == zookeeper.QuorumPort {
		return !n.refused[pair]
	}
	return n.open || n.holdsVotes || n.elect[pair]
}

// dial connects to the target of a port, or returns nil.
func (n *Network) dial(p *port) *net.TCPConn {
	for end := time.Now().Add(dialPatience); n.admits(p); time.Sleep(2 * time.Millisecond) {
		c, err := net.DialTimeout("tcp", p.target, time.Second)
		if err == nil {
			return c.(*net.TCPConn)
		}
		if p.kind == zookeeper.ElectionPort || !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(end) {
			return nil
		}
	}
	return nil
}

// converse forwards a connection of the quorum port until it ends.
func (n *Network) converse(p *port, learner *net.TCPConn) {
	c := &conversation{network: n, number: nextConversation(), learner: p.from, leader: p.to}
	leader := n.dial(p)
	if leader == nil {
		reset(learner)
		return
	}
	c.ends = [2]*net.TCPConn{learner, leader}
	n.mu.Lock()
	if !n.admitted(p) {
		c.abort()
		n.mu.Unlock()
		return
	}
	n.quorum[c] = true
	n.notify()
	n.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { c.read(0) })
	both.Go(func() { c.read(1) })
	both.Wait()
	n.mu.Lock()
	if c.ended { // else what is kept is still in flight
		delete(n.quorum, c)
	}
	n.notify()
	n.mu.Unlock()
}

// shut closes the end of a server, whose packets go this way. Where ends do not count apart, that
// is the end of the connection. Else what the server has sent is still in flight, and then the end
// itself; what was sent to it is lost. network.mu is locked.
func (c *conversation) shut(way int) {
	n := c.network
	if !n.apart || n.open {
		c.abort()
		return
	}
	if c.ended || c.closed[way] {
		return
	}
	c.closed[way] = true
	c.queue[1-way] = nil
	if !n.cut[n.pair(c.learner, c.leader)] {
		c.append(way, kept{message: Message{Packet: zookeeper.Packet{Type: Closed}}})
	}
	reset(c.ends[way])
}

// append adds a message to what is in flight. network.mu is locked.
func (c *conversation) append(way int, m kept) {
	c.network.messages++
	m.message.Number = c.network.messages
	c.queue[way] = append(c.queue[way], m)
}

// abort breaks the connection for both servers and loses what is kept. network.mu is locked.
func (c *conversation) abort() {
	c.ended = true
	c.queue = [2][]kept{}
	for _, end := range c.ends {
		if end != nil {
			reset(end)
		}
	}
}

// read takes packets of one way until the connection ends.
func (c *conversation) read(way int) {
	defer func() {
		c.network.mu.Lock()
		c.shut(way)
		c.network.notify()
		c.network.mu.Unlock()
	}()
	r := reader{conversation: c, way: way}
	d := zookeeper.NewQuorum(r.take)
	buf := make([]byte, 64<<10)
	for {
		n, err := c.ends[way].Read(buf)
		r.stream = append(r.stream, buf[:n]...)
		if bad := d.Decode(buf[:n]); bad != nil || r.failed != nil || err != nil {
			return
		}
	}
}

// packetHead is the length of a packet before its data: type, zxid and length of the data.
const packetHead = 4 + 8 + 4

// reader cuts a stream into packets.
type reader struct {
	*conversation
	way    int
	stream []byte // what no packet has taken yet
	snap   *kept  // a SNAP whose snapshot is still to come
	failed error
}

// take takes the next packet of the stream.
func (r *reader) take(p *zookeeper.Packet) {
	bytes := r.stream[:p.Bytes:p.Bytes]
	r.stream = r.stream[p.Bytes:]
	m := kept{message: Message{Packet: *p}, bytes: bytes}
	switch p.Type {
	case zookeeper.PROPOSAL:
		if t, ok := readTxn(bytes[packetHead:]); ok {
			m.message.Path = t.Path
		}
	case zookeeper.PING:
		return
	case zookeeper.SNAP:
		r.snap = &m
		return
	case zookeeper.SNAPSHOT:
		m = kept{message: r.snap.message, bytes: append(r.snap.bytes, bytes...)}
		m.message.Snapshot = p.Snapshot
	}
	r.network.mu.Lock()
	defer r.network.mu.Unlock()
	r.failed = r.put(m)
}

// put keeps a packet. network.mu is locked.
func (r *reader) put(m kept) error {
	if r.ended || r.closed[r.way] {
		return net.ErrClosed
	}
	if r.way == 0 && m.message.Type == zookeeper.ACK && m.message.Zxid.Counter() == 0 {
		m.message.Again = r.acked
		m.passes = r.acked && r.network.passes(&m.message.Packet)
		r.acked = true
	} else {
		m.passes = r.network.passes(&m.message.Packet)
	}
	if r.network.cut[r.network.pair(r.learner, r.leader)] {
		r.network.lost++
		r.network.notify()
		return nil
	}
	r.append(r.way, m)
	err := r.flow(r.way)
	r.network.notify()
	return err
}

// flow delivers what no longer has to be kept. network.mu is locked.
func (c *conversation) flow(way int) error {
	for len(c.queue[way]) > 0 && (c.network.open || c.queue[way][0].passes) {
		if err := c.pop(way); err != nil {
			return err
		}
	}
	return nil
}

// pop delivers the first packet of a way. network.mu is locked.
func (c *conversation) pop(way int) error {
	m := c.queue[way][0]
	c.queue[way] = c.queue[way][1:]
	if m.message.Type == Closed {
		c.shut(1 - way)
		return nil
	}
	if c.closed[1-way] {
		return nil
	}
	end := c.ends[1-way]
	end.SetWriteDeadline(time.Now().Add(writePatience))
	_, err := end.Write(m.bytes)
	return err
}

// relay is a connection of the election port.
type relay struct {
	ends    [2]*net.TCPConn
	ballots *ballots // nil where notifications are not kept
	ended   atomic.Bool
}

func (r *relay) abort() {
	r.ended.Store(true)
	reset(r.ends[0])
	reset(r.ends[1])
}

// relay forwards a connection of the election port until it ends.
func (n *Network) relay(p *port, dialler *net.TCPConn) {
	other := n.dial(p)
	if other == nil {
		reset(dialler)
		return
	}
	r := &relay{ends: [2]*net.TCPConn{dialler, other}}
	n.mu.Lock()
	if !n.admitted(p) {
		r.abort()
		n.mu.Unlock()
		return
	}
	n.votes[r] = n.pair(p.from, p.to)
	if n.holdsVotes && !n.open {
		r.ballots = &ballots{from: p.from, to: p.to, number: nextConversation()}
	}
	n.mu.Unlock()
	if r.ballots != nil {
		n.keepVotes(r)
		n.mu.Lock()
		delete(n.votes, r)
		n.mu.Unlock()
		return
	}
	var both sync.WaitGroup
	for k := range r.ends {
		both.Go(func() {
			n.forward(p, r, k)
			r.abort()
		})
	}
	both.Wait()
	n.mu.Lock()
	delete(n.votes, r)
	n.mu.Unlock()
}

// forward forwards one way of a connection of the election port until it ends: way 0 is from the
// server that dials. What a silent server sends after its hello waits until it no longer is silent.
// A vote of a settled server from the time when it looked for a leader is lost.
func (n *Network) forward(p *port, r *relay, way int) {
	from, to := p.from, p.to
	if way == 1 {
		from, to = to, from
	}
	r.packets(way, func(p *zookeeper.Packet, bytes []byte) error {
		if p.Type != zookeeper.HELLO {
			for n.isSilent(from, to) && !r.ended.Load() {
				time.Sleep(time.Millisecond)
			}
			if n.isStale(from, to, p) {
				return nil
			}
		}
		_, err := r.ends[1-way].Write(bytes)
		return err
	})
}

// packets takes the packets of one way, with their bytes, until the connection ends or an error.
func (r *relay) packets(way int, take func(p *zookeeper.Packet, bytes []byte) error) {
	var stream []byte
	var failed error
	d := zookeeper.NewElection(way == 0, func(p *zookeeper.Packet) {
		bytes := stream[:p.Bytes:p.Bytes]
		stream = stream[p.Bytes:]
		if failed == nil {
			failed = take(p, bytes)
		}
	})
	buf := make([]byte, 64<<10)
	for {
		k, err := r.ends[way].Read(buf)
		stream = append(stream, buf[:k]...)
		if bad := d.Decode(buf[:k]); bad != nil || failed != nil || err != nil {
			return
		}
	}
}

// reset closes a connection so that its other end reads an error.
func reset(c *net.TCPConn) {
	c.SetLinger(0)
	c.Close()
}
