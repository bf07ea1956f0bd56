package etcdserver

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Link forwards the connections to the peer port of one member, untouched, and notes what it
// decodes. Where members talk by TLS it ends one TLS connection and begins another.
type Link struct {
	number   int // of the member
	target   string
	listener net.Listener
	note     func(Event) // is called by the backlog
	backlog  *Backlog
	config   *Certificates // nil: no TLS

	mu    sync.Mutex
	done  bool
	cut   bool
	conns map[*connection]bool
	all   sync.WaitGroup
	held  gate
	down  atomic.Bool // nobody listens at target
}

// Certificates of a tap, where members talk by TLS.
type Certificates struct {
	Server *tls.Config // for members that dial
	Client *tls.Config // for dialling
}

// gate holds back what is forwarded while it is closed.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // nil: open
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = make(chan struct{})
	}
}

func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open != nil {
		close(g.open)
		g.open = nil
	}
}

func (g *gate) wait() {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	if open != nil {
		<-open
	}
}

// Forward begins to listen at an address, host:port, and forwards to the peer port of the member
// with that number. Port 0 picks a free one. The backlog calls note for decoded messages. Links
// whose events have one order share it, and it is closed after them. The error is that of
// listening.
func Forward(number int, listen, target string, certificates *Certificates, backlog *Backlog, note func(Event)) (*Link, error) {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, err
	}
	l := &Link{number: number, target: target, listener: listener, note: note, backlog: backlog, config: certificates, conns: map[*connection]bool{}}
	l.all.Add(1)
	go l.accept()
	return l, nil
}

// Addr returns the address at which the link listens.
func (l *Link) Addr() string { return l.listener.Addr().String() }

// Hold holds back all that comes over the link, in both directions, until Release: it arrives
// later, and nothing is lost.
func (l *Link) Hold() { l.held.shut() }

// Release ends what Hold has begun.
func (l *Link) Release() { l.held.release() }

// Cut breaks all connections of the link and refuses new ones until Heal: a partition.
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

// Close breaks all connections and waits until the link adds nothing to its backlog any more.
func (l *Link) Close() {
	l.mu.Lock()
	l.done = true
	l.mu.Unlock()
	l.listener.Close()
	l.Release()
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
		l.all.Go(func() { l.connect(c) })
	}
}

// connection is a forwarded connection.
type connection struct{ dialler, other net.Conn }

func (c *connection) abort() {
	c.dialler.Close()
	c.other.Close()
}

// dialWait bounds how long a member waits for a connection to another one.
const dialWait = 5 * time.Second

// connect forwards an accepted connection until it ends.
func (l *Link) connect(dialler net.Conn) {
	other, err := net.DialTimeout("tcp", l.target, dialWait)
	l.found(err)
	if err != nil {
		dialler.Close()
		return
	}
	serial := connections.Add(1)
	defer l.probe()
	if l.config != nil {
		client := l.config.Client.Clone()
		client.ServerName, _, _ = net.SplitHostPort(l.target)
		dialler, other = tls.Server(dialler, l.config.Server), tls.Client(other, client)
	}
	c := &connection{dialler, other}
	l.mu.Lock()
	refused := l.cut || l.done
	if !refused {
		l.conns[c] = true
	}
	l.mu.Unlock()
	defer c.abort()
	if refused {
		return
	}
	x := &exchange{note: func(e Event) {
		e.Number, e.Conn = l.number, serial
		l.note(e)
	}}
	var both sync.WaitGroup
	both.Go(func() { l.pump(dialler, other, c, x.readRequests) })
	both.Go(func() { l.pump(other, dialler, c, x.readAnswers) })
	both.Wait()
	l.backlog.add(0, x.ended)
	l.mu.Lock()
	delete(l.conns, c)
	l.mu.Unlock()
}

// connections is the number of connections that came to stand, of all links.
var connections atomic.Uint64

// found notes what the error of dialling the member says of it.
func (l *Link) found(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if refused := errors.Is(err, syscall.ECONNREFUSED); l.down.Swap(refused) != refused && refused {
		l.later(Event{Kind: Down, Number: l.number, Conn: connections.Load()})
	}
}

// later notes an event after all that was forwarded before.
func (l *Link) later(e Event) { l.backlog.add(0, func() { l.note(e) }) }

// probe dials the member where a connection to it has ended: it may have ended, too, and no other
// member may dial it before it starts again.
func (l *Link) probe() {
	other, err := net.DialTimeout("tcp", l.target, dialWait)
	l.found(err)
	if err == nil {
		other.Close()
	}
}

var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// handshake is the first byte of a TLS connection.
const handshake = 0x16

// pump forwards one direction until it ends. What it reads is decoded later, in the order in which
// all links have read it. What cannot be decoded is still forwarded.
func (l *Link) pump(from, to net.Conn, c *connection, read func(io.Reader) error) {
	buf := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(buf)
	d := &decoding{link: l, parser: newParser(read)}
	defer l.backlog.add(0, d.parser.end)
	full := false // what came since is not decoded
	for first := true; ; first = false {
		n, err := from.Read(buf[:])
		if n > 0 {
			if first && l.config == nil && buf[0] == handshake {
				l.later(Event{Kind: Blind, Number: l.number, Cause: needsCertificates})
				c.abort()
				return
			}
			l.held.wait()
			piece := bytes.Clone(buf[:n])
			if !full && !l.backlog.add(n, func() { d.feed(piece) }) {
				full = true
				l.backlog.add(0, func() { d.goBlind(tooSlow) })
			}
			if _, lost := to.Write(buf[:n]); lost != nil {
				c.abort()
				return
			}
		}
		if err != nil {
			c.abort()
			return
		}
	}
}

// decoding is the work of the backlog for one direction of a connection.
type decoding struct {
	link   *Link
	parser *parser
	blind  bool
}

func (d *decoding) feed(piece []byte) {
	if d.blind {
		return
	}
	if bad := d.parser.feed(piece); bad != nil {
		d.goBlind(bad.Error())
	}
}

func (d *decoding) goBlind(cause string) {
	d.blind = true
	d.link.note(Event{Kind: Blind, Number: d.link.number, Cause: cause})
}

const tooSlow = "the tap decodes more slowly than the members talk"

const needsCertificates = "the members talk by TLS: give the tap -cert, -key and -ca, or it refuses their connections"
