package kv

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// Options are a cluster's.
type Options struct {
	Servers  int
	Inflight int
	Drop     float64
	Tick     time.Duration // 0: 10 ms
	// Taps are the servers' own, nil for none.
	Taps []*tap.Tap
	// Tap, where it is not nil, is asked instead of Taps for each event.
	Tap func(i int) *tap.Tap
}

// Cluster is a number of servers in one process, each with its own log and connections.
type Cluster struct {
	Servers   []*Server
	Addresses []string
	o         Options
	dir       string
}

// StartCluster starts servers whose logs are in dir.
func StartCluster(dir string, o Options) (*Cluster, error) {
	if o.Tick == 0 {
		o.Tick = 10 * time.Millisecond
	}
	if o.Tap == nil {
		o.Tap = func(i int) *tap.Tap {
			if o.Taps == nil {
				return nil
			}
			return o.Taps[i]
		}
	}
	c := &Cluster{o: o, dir: dir, Servers: make([]*Server, o.Servers)}
	var listeners []net.Listener
	for range o.Servers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		listeners = append(listeners, l)
		c.Addresses = append(c.Addresses, l.Addr().String())
	}
	for i, l := range listeners {
		if err := c.start(i, l, false); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Cluster) start(i int, l net.Listener, again bool) error {
	s, err := Start(Config{ID: i, Peers: c.Addresses, Listener: l, WAL: filepath.Join(c.dir, fmt.Sprintf("wal-%d", i)),
		Inflight: c.o.Inflight, Tick: c.o.Tick, Again: again, Drop: c.o.Drop, Tap: func() *tap.Tap { return c.o.Tap(i) }})
	c.Servers[i] = s
	return err
}

// Crash ends server i and starts it again from its log, after a pause.
func (c *Cluster) Crash(i int, pause time.Duration) error {
	if err := c.Servers[i].Stop(); err != nil {
		return err
	}
	time.Sleep(pause)
	l, err := net.Listen("tcp", c.Addresses[i])
	if err != nil {
		return err
	}
	return c.start(i, l, true)
}

// Leader waits for a leader and returns which server it is, -1 where there is none for the time given.
func (c *Cluster) Leader(wait time.Duration) int {
	for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for i, s := range c.Servers {
			if s.Leads() {
				return i
			}
		}
	}
	return -1
}

// Sent returns how many messages each server has sent.
func (c *Cluster) Sent() (sent []int64) {
	for _, s := range c.Servers {
		sent = append(sent, s.Sent())
	}
	return sent
}

// Stop ends all servers.
func (c *Cluster) Stop() error {
	var first error
	for _, s := range c.Servers {
		if err := s.Stop(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Discard returns a tap's sink that throws away what it gets.
func Discard() (io.WriteCloser, error) { return discard{}, nil }

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) Close() error                { return nil }
