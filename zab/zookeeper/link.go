package zookeeper

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Port is one of the two ports between servers.
type Port uint8

// Ports of a server line in zoo.cfg, in its order.
const (
	QuorumPort Port = iota
	ElectionPort
)

func (p Port) String() string {
	if p == ElectionPort {
		return "election"
	}
	return "quorum"
}

// Route says what a link forwards: connections to Listen go to Target, which is the port of server
// To. From is the server that dials, or -1 where it is learned from what it says first.
type Route struct {
	Port     Port
	From, To int64
	Listen   string // host:port; port 0 picks a free one
	Target   string // host:port
}

// Link forwards the connections of a route, untouched, and takes events of them down.
type Link struct {
	Route
	sink     *Sink
	listener net.Listener

	mu        sync.Mutex
	cut       bool
	withholds bool
	done      bool
	conns     map[*connection]bool
	all       sync.WaitGroup
}

// connection is a forwarded connection: server From of the route has dialled.
type connection struct {
	link           *Link
	id             uint64
	dialler, other *net.TCPConn
	from           atomic.Int64
	// last is where in the stream of the server that was dialled the part begins that is withheld;
	// -1: nowhere. Only the goroutine that forwards this stream uses it.
	last int64
}

// dialWait bounds how long a connection that was accepted waits for the target to listen. A leader
// opens its quorum port some time after it was elected; a follower that dials it directly is
// refused and dials again.
const dialWait = time.Second

// connections numbers the connections of a process.
var connections atomic.Uint64

// Forward begins to listen for a route.
func Forward(r Route, sink *Sink) (*Link, error) {
	listener, err := net.Listen("tcp", r.Listen)
	if err != nil {
		return nil, err
	}
	l := &Link{Route: r, sink: sink, listener: listener, conns: map[*connection]bool{}}
	l.all.Add(1)
	go l.accept()
	return l, nil
}

// Addr returns the address that the link listens at.
func (l *Link) Addr() *net.TCPAddr { return l.listener.Addr().(*net.TCPAddr) }

// Cut breaks all connections of the link, and new ones until Heal: a partition.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
	for c := range l.conns {
		c.abort()
	}
}

// Heal ends what Cut has begun.
func (l *Link) Heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
}

// Break breaks all connections of the link once. New ones can be made at once.
func (l *Link) Break() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.abort()
	}
}

// Withhold begins or ends that proposals of the server that was dialled do not arrive. On the
// quorum port its next PROPOSAL and all that follows it on the connection is lost. What comes
// before arrives, as does what the other server sends.
func (l *Link) Withhold(yes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.withholds = yes
}

// Close breaks all connections, ends listening and waits until nothing of the link takes events
// down.
func (l *Link) Close() {
	l.mu.Lock()
	l.done = true
	l.mu.Unlock()
	l.listener.Close()
	l.Cut()
	l.all.Wait()
}

func (l *Link) accept() {
	defer l.all.Done()
	for {
		c, err := l.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // no more file descriptors
			continue
		}
		l.all.Add(1)
		go func() {
			defer l.all.Done()
			l.connect(c.(*net.TCPConn))
		}()
	}
}

// connect forwards an accepted connection until it ends.
func (l *Link) connect(dialler *net.TCPConn) {
	other := l.dial()
	if other == nil {
		reset(dialler)
		return
	}
	c := &connection{link: l, id: connections.Add(1), dialler: dialler, other: other, last: -1}
	c.from.Store(l.From)
	l.mu.Lock()
	refused := l.cut || l.done
	if !refused {
		l.conns[c] = true
	}
	l.mu.Unlock()
	if refused {
		c.abort()
		return
	}
	c.put(&Event{What: EventOpen}, true)
	var both sync.WaitGroup
	both.Go(func() { c.pump(dialler, other, true) })
	both.Go(func() { c.pump(other, dialler, false) })
	both.Wait()
	c.dialler.Close()
	c.other.Close()
	l.mu.Lock()
	delete(l.conns, c)
	l.mu.Unlock()
}

// dial connects to the target, or returns nil.
func (l *Link) dial() *net.TCPConn {
	for end := time.Now().Add(dialWait); ; {
		l.mu.Lock()
		refused := l.cut || l.done
		l.mu.Unlock()
		if refused {
			return nil
		}
		c, err := net.DialTimeout("tcp", l.Target, dialWait)
		if err == nil {
			return c.(*net.TCPConn)
		}
		// Only where nobody listens is dialled again: a target that has accepted and broken the
		// connection has had it.
		if l.Port == ElectionPort || !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(end) {
			return nil
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// put takes an event of the connection down; forth says that it goes from the server that dials to
// the other one.
func (c *connection) put(e *Event, forth bool) {
	e.Port, e.Conn = c.link.Port, c.id
	e.From, e.To = c.from.Load(), c.link.To
	if !forth {
		e.From, e.To = e.To, e.From
	}
	c.link.sink.put(e)
}

// abort breaks the connection for both servers.
func (c *connection) abort() {
	reset(c.dialler)
	reset(c.other)
}

// reset closes a connection so that its other end reads an error.
func reset(c *net.TCPConn) {
	c.SetLinger(0)
	c.Close()
}

// decoder reads a stream: Quorum or Election.
type decoder interface {
	Decode(p []byte) error
	Inside() bool
}

var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// pump forwards one direction, decoding what it forwards, until it ends.
func (c *connection) pump(src, dst *net.TCPConn, forth bool) {
	buf := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buf)
	d := c.decoder(forth)
	at := int64(0) // in the stream
	for {
		n, err := src.Read(buf[:])
		if n > 0 {
			if d != nil {
				if bad := decode(d, buf[:n]); bad != nil {
					d = nil
					c.put(&Event{What: EventBlind, Reason: bad.Error()}, forth)
				}
			}
			arrives := buf[:n]
			if !forth && c.last >= 0 {
				arrives = buf[:min(max(c.last-at, 0), int64(n))]
			}
			at += int64(n)
			if _, lost := dst.Write(arrives); lost != nil {
				c.put(&Event{What: EventClosed, Reason: "not delivered: " + cause(lost)}, forth)
				c.abort()
				return
			}
		}
		if err == nil {
			continue
		}
		c.ended(d, dst, err, forth)
		return
	}
}

// ended ends one direction that the sender, or its death, has ended.
func (c *connection) ended(d decoder, dst *net.TCPConn, err error, forth bool) {
	reason := ""
	switch {
	case err != io.EOF:
		reason = cause(err)
	case d != nil && d.Inside():
		reason = "inside of a packet"
	}
	c.put(&Event{What: EventClosed, Reason: reason}, forth)
	if err == io.EOF {
		dst.CloseWrite()
	} else {
		c.abort()
	}
}

// decode reads the next bytes of a stream. A decoder that panics must not stop what is forwarded.
func decode(d decoder, p []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("fault of the decoder: %v", r)
		}
	}()
	return d.Decode(p)
}

func (c *connection) decoder(forth bool) decoder {
	emit := func(p *Packet) {
		if forth {
			c.learn(p)
		} else if p.Type == PROPOSAL && c.last < 0 && c.link.isWithholding() {
			c.last = p.Start
		}
		c.put(&Event{What: EventPacket, Packet: *p}, forth)
	}
	if c.link.Port == ElectionPort {
		return NewElection(forth, emit)
	}
	return NewQuorum(emit)
}

func (l *Link) isWithholding() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.withholds
}

// learn takes in who has dialled.
func (c *connection) learn(p *Packet) {
	if c.link.From >= 0 {
		return
	}
	switch p.Type {
	case HELLO:
		c.from.Store(p.Server)
	case FOLLOWERINFO, OBSERVERINFO:
		if p.Odd == "" {
			c.from.Store(p.Learner.Server)
		}
	}
}

// cause returns a short text of an error of the network.
func cause(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, syscall.EPIPE):
		return "broken pipe"
	case errors.Is(err, net.ErrClosed):
		return "cut"
	}
	return err.Error()
}
