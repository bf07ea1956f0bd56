package kv

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// notLeader is the answer of a server that does not lead, or does not any more.
var notLeader = []byte("\x00not leader")

// serve answers a client, one request after the other.
func (s *Server) serve(conn net.Conn, r *bufio.Reader) {
	reply := make(chan []byte, 1)
	for {
		b, err := frame(r)
		if err != nil || len(b) < 2 {
			return
		}
		n := int(binary.LittleEndian.Uint16(b))
		if len(b) < 2+n {
			return
		}
		select {
		case s.asked <- request{op{string(b[2 : 2+n]), b[2+n:]}, reply}:
		case <-s.stop:
			return
		}
		select {
		case answer := <-reply:
			out := binary.LittleEndian.AppendUint32(nil, uint32(len(answer)))
			if _, err := conn.Write(append(out, answer...)); err != nil {
				return
			}
		case <-s.stop:
			return
		}
	}
}

// client has one connection, to the server that it takes for the leader.
type client struct {
	servers []string
	at      int
	conn    net.Conn
	r       *bufio.Reader
}

// ask writes a value, or reads one where value is empty, and looks for the leader until one has answered or stop is closed.
func (c *client) ask(key string, value []byte, stop <-chan struct{}) error {
	for {
		err := c.try(key, value)
		if err == nil {
			return nil
		}
		c.close()
		c.at = (c.at + 1) % len(c.servers)
		select {
		case <-stop:
			return err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (c *client) try(key string, value []byte) error {
	if c.conn == nil {
		conn, err := net.Dial("tcp", c.servers[c.at])
		if err != nil {
			return err
		}
		c.conn, c.r = conn, bufio.NewReader(conn)
		if _, err := conn.Write([]byte{helloClient}); err != nil {
			return err
		}
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(2+len(key)+len(value)))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(key)))
	b = append(append(b, key...), value...)
	c.conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := c.conn.Write(b); err != nil {
		return err
	}
	answer, err := frame(c.r)
	if err == nil && string(answer) == string(notLeader) {
		return errors.New("no leader")
	}
	return err
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// Load is a number of clients that read and write values. Each client waits for the answer to its
// request before it sends the next one.
type Load struct {
	done  sync.WaitGroup
	stop  chan struct{}
	read  float64
	count atomic.Int64
	mu    sync.Mutex
	took  []Request
}

// Request is an answered request: when the client sent it, and how long the answer took.
type Request struct {
	Began time.Time
	Took  time.Duration
}

// StartLoad starts clients. A client waits for pause between requests; keys are drawn of a million, values have 100 bytes.
// read is the share of requests that read.
func StartLoad(servers []string, clients int, pause time.Duration, read float64) *Load {
	l := &Load{stop: make(chan struct{}), read: read}
	for k := range clients {
		l.done.Go(func() { l.client(&client{servers: servers, at: k % len(servers)}, pause) })
	}
	return l
}

func (l *Load) client(c *client, pause time.Duration) {
	defer c.close()
	value := make([]byte, 100)
	for {
		select {
		case <-l.stop:
			return
		default:
		}
		for k := 0; k+8 <= len(value); k += 8 {
			binary.LittleEndian.PutUint64(value[k:], rand.Uint64())
		}
		asked := value
		if rand.Float64() < l.read {
			asked = nil
		}
		began := time.Now()
		if c.ask(fmt.Sprintf("key-%06d", rand.IntN(1_000_000)), asked, l.stop) != nil {
			return
		}
		took := time.Since(began)
		l.count.Add(1)
		l.mu.Lock()
		l.took = append(l.took, Request{began, took})
		l.mu.Unlock()
		if pause > 0 {
			select {
			case <-l.stop:
				return
			case <-time.After(pause/2 + rand.N(pause)):
			}
		}
	}
}

// Count returns how many requests were answered.
func (l *Load) Count() int64 { return l.count.Load() }

// Took returns the requests that were answered since the last call.
func (l *Load) Took() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	took := l.took
	l.took = nil
	return took
}

// Stop ends the clients.
func (l *Load) Stop() {
	close(l.stop)
	l.done.Wait()
}

// Quantile returns the q-quantile of how long requests took, which it sorts by that; 0 where there are none.
func Quantile(took []Request, q float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.SortFunc(took, func(a, b Request) int { return cmp.Compare(a.Took, b.Took) })
	return took[min(int(q*float64(len(took))), len(took)-1)].Took
}
