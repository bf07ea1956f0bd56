package control

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// Network connects the servers of an ensemble, numbered from 1. It keeps the packets of
// the quorum port until they are delivered, and lets nobody vote until Elect.
//
// Invariant: of two servers at most one connection of the quorum port counts, the one begun last.
//
// A connection ends for both servers at once, and what is kept is lost. See EndsApart for the other
// way.
type Network struct {
	size int

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at each change
	open    bool
	passes  func(*zookeeper.Packet) bool
	// holdsVotes: notifications are kept. lastVotes has the last one from a server to another, and
	// queued one that its QuorumCnxManager keeps for want of a connection.
	holdsVotes bool
	lastVotes  map[[2]int][]byte
	queued     map[[2]int]queued
	refused    []bool // by pair: no learner connects
	elect      []bool // by pair: the election port is open
	// silent has who sends to whom, in this order, and is not heard on the election port.
	silent map[[2]int]bool
	// settled are servers that lead or follow. QuorumCnxManager may still have a vote of theirs
	// from when they looked for a leader. Such a vote is lost.
	settled []int
	cut     []bool // by pair: the servers are disconnected
	apart   bool   // the ends of a connection of the quorum port close one by one
	// messages counts those that were kept, and lost those that a link has lost.
	messages, lost int
	quorum         map[*conversation]bool
	votes          map[*relay]int
	ports          []*port
	closed         bool
	all            sync.WaitGroup
}

// port is where server From finds a port of server To.
type port struct {
	kind     zookeeper.Port
	from, to int
	target   string
	listener net.Listener
}

// newNetwork connects size servers. Targets are the addresses of their ports.
func newNetwork(size int, target func(kind zookeeper.Port, server int) string) (*Network, error) {
	n := &Network{
		size: size, changed: make(chan struct{}), elect: make([]bool, (size+1)*(size+1)), cut: make([]bool, (size+1)*(size+1)),
		refused: make([]bool, (size+1)*(size+1)), lastVotes: map[[2]int][]byte{}, queued: map[[2]int]queued{}, quorum: map[*conversation]bool{}, votes: map[*relay]int{}, passes: func(*zookeeper.Packet) bool { return false },
	}
	for from := 1; from <= size; from++ {
		for to := 1; to <= size; to++ {
			for _, kind := range []zookeeper.Port{zookeeper.QuorumPort, zookeeper.ElectionPort} {
				if from == to {
					continue
				}
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					n.Close()
					return nil, err
				}
				p := &port{kind: kind, from: from, to: to, target: target(kind, to), listener: l}
				n.ports = append(n.ports, p)
				n.all.Go(func() { n.accept(p) })
			}
		}
	}
	return n, nil
}

// port returns where server from finds a port of server to.
func (n *Network) port(kind zookeeper.Port, from, to int) int {
	for _, p := range n.ports {
		if p.kind == kind && p.from == from && p.to == to {
			return p.listener.Addr().(*net.TCPAddr).Port
		}
	}
	return 0
}

// pair numbers two servers, in any order.
func (n *Network) pair(i, j int) int { return min(i, j)*(n.size+1) + max(i, j) }

// notify tells all who wait that something has changed. n.mu is locked.
func (n *Network) notify() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// Open lets everything pass, or ends that. What is kept is delivered first.
func (n *Network) Open(open bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open = open
	var errs []error
	for c := range n.quorum {
		errs = append(errs, c.flow(0), c.flow(1))
	}
	if !open {
		n.closeVotes(func(int) bool { return false })
	}
	n.notify()
	return errors.Join(errs...)
}

// Passes sets which packets are delivered as soon as no other is before them. PING and its answer
// never arrive.
func (n *Network) Passes(passes func(*zookeeper.Packet) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.passes = passes
}

// EndsApart makes each server close its end of a connection of the quorum port by itself. What it
// has sent is still delivered, and then its end, a message of type Closed. Delivering that closes
// the other end. What was sent to a closed end is lost, and what is sent to it later stays in
// flight. Disconnect then loses what is in flight and what the two servers send, until Heal, and
// leaves their connection.
func (n *Network) EndsApart() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.apart = true
}

// TimeOut closes the end of a server's connection to another one: the server reads an error, as it
// does where it has heard nothing for too long.
func (n *Network) TimeOut(server, other int) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.current(server, other)
	if c == nil || c.closed[c.way(server)] {
		return fmt.Errorf("server %d has no connection to server %d", server, other)
	}
	c.shut(c.way(server))
	n.notify()
	return nil
}

// forget ends all connections of the quorum port. No server may run.
func (n *Network) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.quorum {
		c.abort()
		delete(n.quorum, c)
	}
	n.notify()
}

// Elect opens the election port between the given servers and closes it between all others.
func (n *Network) Elect(servers ...int) {
	n.quiet(nil, nil)
	n.vote(func(i, j int) bool { return slices.Contains(servers, i) && slices.Contains(servers, j) })
}

// Canvass opens the election port between one server and the others given, which lead or follow,
// and closes it between all others.
func (n *Network) Canvass(one int, settled []int) {
	n.quiet(nil, nil)
	n.mu.Lock()
	n.settled = settled
	n.mu.Unlock()
	n.canvass(one, settled)
}

func (n *Network) canvass(one int, others []int) {
	n.vote(func(i, j int) bool {
		return i == one && slices.Contains(others, j) || j == one && slices.Contains(others, i)
	})
}

// Report opens the election port between some servers and one that hears them and is not heard.
// What it sends is delivered when the election port is opened next.
func (n *Network) Report(others []int, one int) {
	n.quiet([]int{one}, others)
	n.canvass(one, others)
}

// Announce opens the election port between one server and others that hear it and are not heard.
func (n *Network) Announce(one int, others []int) {
	n.quiet(others, []int{one})
	n.canvass(one, others)
}

// quiet makes what some servers send to others wait, and nothing else.
func (n *Network) quiet(from, to []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.silent, n.settled = map[[2]int]bool{}, nil
	for _, i := range from {
		for _, j := range to {
			n.silent[[2]int{i, j}] = true
		}
	}
}

// isSilent reports whether what one server sends to another on the election port has to wait.
func (n *Network) isSilent(from, to int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.silent[[2]int{from, to}] && !n.open
}

// isStale reports whether a notification is of a server that looked for a leader then and has
// settled since.
func (n *Network) isStale(from, to int, p *zookeeper.Packet) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return p.Type == zookeeper.NOTIFICATION && p.Vote.State == zookeeper.LOOKING && slices.Contains(n.settled, from) && !n.open
}

// vote opens the election port for some pairs and closes it for all others.
func (n *Network) vote(opens func(i, j int) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := 1; i <= n.size; i++ {
		for j := 1; j < i; j++ {
			n.elect[n.pair(i, j)] = opens(i, j)
		}
	}
	n.closeVotes(func(pair int) bool { return n.elect[pair] })
}

// voting returns the servers with which a server has a connection of the election port.
func (n *Network) voting(server int) (others []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, pair := range n.votes {
		if i, j := pair/(n.size+1), pair%(n.size+1); i == server || j == server {
			others = append(others, i+j-server)
		}
	}
	slices.Sort(others)
	return others
}

// closeVotes breaks the connections of the election port for pairs that may not keep them. n.mu is
// locked.
func (n *Network) closeVotes(keeps func(pair int) bool) {
	for r, pair := range n.votes {
		if !keeps(pair) && !n.open {
			r.abort()
		}
	}
}

// Disconnect breaks the connection between two servers and all attempts to make one, until Heal.
// What is kept is lost. See EndsApart.
func (n *Network) Disconnect(i, j int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut[n.pair(i, j)] = true
	n.loseVote(i, j)
	n.loseVote(j, i)
	if c := n.current(i, j); n.apart && c != nil {
		c.queue = [2][]kept{}
	} else {
		n.breakPair(i, j)
	}
	for r, pair := range n.votes {
		if pair == n.pair(i, j) {
			r.abort()
		}
	}
	n.notify()
}

// Heal ends what Disconnect has begun.
func (n *Network) Heal(i, j int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut[n.pair(i, j)] = false
}

// Disconnected reports whether Disconnect holds for two servers.
func (n *Network) Disconnected(i, j int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cut[n.pair(i, j)]
}

// Break breaks the connection of the quorum port between two servers. What is kept is lost.
func (n *Network) Break(i, j int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.breakPair(i, j)
	n.notify()
}

func (n *Network) breakPair(i, j int) {
	last := n.current(i, j)
	for c := range n.quorum {
		if n.pair(c.learner, c.leader) == n.pair(i, j) && (c == last || !n.apart) {
			c.abort()
		}
	}
}

// current returns the conversation between two servers that counts, nil if there is none. n.mu is
// locked.
func (n *Network) current(i, j int) *conversation {
	var last *conversation
	for c := range n.quorum {
		if n.pair(c.learner, c.leader) == n.pair(i, j) && !c.ended && (last == nil || c.number > last.number) {
			last = c
		}
	}
	return last
}

// LeaderOf returns the server that a server has a connection to as its learner, 0 if there is none.
func (n *Network) LeaderOf(learner int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	for j := 1; j <= n.size; j++ {
		if j == learner {
			continue
		}
		if c := n.current(learner, j); c != nil && c.learner == learner && !c.closed[0] {
			return j
		}
	}
	return 0
}

// Acknowledged reports whether a learner has acknowledged NEWLEADER of its leader.
func (n *Network) Acknowledged(learner int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.quorum {
		if c.learner == learner && c.acked && c == n.current(c.learner, c.leader) {
			return true
		}
	}
	return false
}

// Kept returns the packets in flight from one server to another, the next to arrive first.
func (n *Network) Kept(from, to int) []Message {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kept(from, to)
}

func (n *Network) kept(from, to int) (out []Message) {
	if c := n.current(from, to); c != nil {
		for _, m := range c.queue[c.way(from)] {
			out = append(out, m.message)
		}
	}
	return out
}

// Deliver delivers the first packet in flight from one server to another, and returns it. It fails
// if the two are not connected, or nothing is in flight.
func (n *Network) Deliver(from, to int) (Message, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.current(from, to)
	if c == nil {
		return Message{}, fmt.Errorf("servers %d and %d are not connected", from, to)
	}
	way := c.way(from)
	if len(c.queue[way]) == 0 {
		return Message{}, fmt.Errorf("nothing is in flight from server %d to server %d", from, to)
	}
	m := c.queue[way][0]
	if err := c.pop(way); err != nil {
		return m.message, err
	}
	err := c.flow(way)
	n.notify()
	return m.message, err
}

// Await waits until a condition on the packets in flight holds. The condition may call its
// argument, which is Kept, and nothing else of the network. The error is that of a context that
// ends first.
func (n *Network) Await(ctx context.Context, holds func(kept func(from, to int) []Message) bool) error {
	for {
		n.mu.Lock()
		ok, changed := holds(n.kept), n.changed
		n.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// Close breaks all connections and ends listening.
func (n *Network) Close() {
	n.mu.Lock()
	n.closed = true
	for _, p := range n.ports {
		p.listener.Close()
	}
	for c := range n.quorum {
		c.abort()
	}
	for r := range n.votes {
		r.abort()
	}
	n.mu.Unlock()
	n.all.Wait()
}
