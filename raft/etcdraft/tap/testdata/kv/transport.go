package kv

import (
	"bufio"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// transport carries messages over one connection to each other server, and takes those of servers and clients.
type transport struct {
	s     *Server
	peers []chan *pb.Message
	stop  chan struct{}
	done  sync.WaitGroup

	mu     sync.Mutex
	conns  map[net.Conn]bool
	closed bool
}

// The first byte of a connection says who is there.
const (
	helloServer = 's'
	helloClient = 'c'
)

// queue is how many messages may wait for a connection.
const queue = 4096

func newTransport(s *Server) *transport {
	t := &transport{s: s, stop: make(chan struct{}), conns: map[net.Conn]bool{}}
	for j, address := range s.c.Peers {
		c := make(chan *pb.Message, queue)
		t.peers = append(t.peers, c)
		if j != s.c.ID {
			t.done.Go(func() { t.dial(address, c) })
		}
	}
	t.done.Go(t.accept)
	return t
}

func (t *transport) close() {
	close(t.stop)
	t.s.c.Listener.Close()
	t.mu.Lock()
	t.closed = true
	for c := range t.conns {
		c.Close()
	}
	t.mu.Unlock()
	t.done.Wait()
}

// keep has a connection closed with the transport. It reports false, and closes it, where that is closed already.
func (t *transport) keep(c net.Conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		c.Close()
		return false
	}
	t.conns[c] = true
	return true
}

func (t *transport) forget(c net.Conn) {
	c.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.conns, c)
}

// offer queues a message and notes it in the tap. It reports false where there is no room: the message is dropped before the tap.
func (t *transport) offer(m *pb.Message, x *tap.Tap) bool {
	c := t.peers[m.GetTo()-1]
	if len(c) == cap(c) { // the server's goroutine is the only one that sends
		return false
	}
	if x != nil {
		x.Send(m)
	}
	c <- m
	return true
}

// dial writes the messages for one server. What is written to a connection that then breaks is lost, as networks lose it.
func (t *transport) dial(address string, from <-chan *pb.Message) {
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil && t.keep(conn) {
			t.write(conn, from)
			t.forget(conn)
		}
		select {
		case <-t.stop:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (t *transport) write(conn net.Conn, from <-chan *pb.Message) {
	w := bufio.NewWriterSize(conn, 64<<10)
	w.WriteByte(helloServer)
	var buf []byte
	for {
		var m *pb.Message
		select {
		case <-t.stop:
			return
		case m = <-from:
		default:
			if w.Flush() != nil {
				return
			}
			select {
			case <-t.stop:
				return
			case m = <-from:
			}
		}
		b, err := proto.MarshalOptions{}.MarshalAppend(append(buf[:0], 0, 0, 0, 0), m)
		if err != nil {
			panic(err) // the library's own message
		}
		buf = b
		binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
		if _, err := w.Write(b); err != nil {
			return
		}
	}
}

func (t *transport) accept() {
	for {
		conn, err := t.s.c.Listener.Accept()
		if err != nil {
			return
		}
		if !t.keep(conn) {
			return
		}
		t.done.Go(func() {
			defer t.forget(conn)
			r := bufio.NewReaderSize(conn, 64<<10)
			switch hello, _ := r.ReadByte(); hello {
			case helloServer:
				t.receive(r)
			case helloClient:
				t.s.serve(conn, r)
			}
		})
	}
}

// receive gives a server's messages to the node, but for those that are lost on purpose.
func (t *transport) receive(r *bufio.Reader) {
	for {
		b, err := frame(r)
		if err != nil {
			return
		}
		m := &pb.Message{}
		if proto.Unmarshal(b, m) != nil {
			return
		}
		if t.s.c.Drop > 0 && rand.Float64() < t.s.c.Drop {
			continue
		}
		select {
		case t.s.in <- m:
		case <-t.stop:
			return
		}
	}
}

// frame reads what stands behind its length.
func frame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > 1<<20 {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}
