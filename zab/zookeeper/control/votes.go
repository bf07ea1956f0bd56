package control

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// ballots are the notifications in flight over a connection of the election port: way 0 is from the
// server that dials, 1 to it.
type ballots struct {
	from, to int
	number   uint64
	queue    [2][]kept
	first    [2]bool // a notification was sent
	ended    bool
}

// HoldVotes keeps notifications until DeliverVote. The election port is then open between all
// servers that are not disconnected.
func (n *Network) HoldVotes() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.holdsVotes = true
}

// ForgetVotes makes the network forget which notifications were sent, before servers start anew.
func (n *Network) ForgetVotes() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lastVotes, n.queued = map[[2]int][]byte{}, map[[2]int]queued{}
}

// queued says what becomes of the notification that QuorumCnxManager keeps for a server that it has
// no connection with. It keeps the last one, and sends it first over the next connection.
type queued int

const (
	none queued = iota
	due         // it is to arrive
	lost        // it was made for a server that could not be reached, so the network drops it
)

// MakesVote says that a server makes a notification for another one, before it does so. Where
// reached is false, the notification is lost.
func (n *Network) MakesVote(from, to int, reached bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	pair := [2]int{from, to}
	switch r, _ := n.ballotsBetween(from, to); {
	case !reached:
		n.queued[pair] = lost
	case r == nil:
		n.queued[pair] = due
	default:
		delete(n.queued, pair)
	}
}

// HaveDelivered is QuorumCnxManager.haveDelivered of a server: it keeps no notification for one of
// the others.
func (n *Network) HaveDelivered(server int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for to := 1; to <= n.size; to++ {
		if to != server && n.queued[[2]int{server, to}] == none {
			return true
		}
	}
	return false
}

// StartVotes says that a server starts anew. It keeps no notification, and those that others keep
// for it are lost.
func (n *Network) StartVotes(server int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for other := 1; other <= n.size; other++ {
		delete(n.queued, [2]int{server, other})
		delete(n.lastVotes, [2]int{server, other})
		n.loseVote(other, server)
	}
}

// loseVote loses the notification that a server keeps for another one. n.mu is locked.
func (n *Network) loseVote(from, to int) {
	if pair := [2]int{from, to}; n.queued[pair] == due {
		n.queued[pair] = lost
	}
}

// KeptVotes returns the notifications in flight from one server to another, the next one first.
func (n *Network) KeptVotes(from, to int) (out []zookeeper.Packet) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r, way := n.ballotsBetween(from, to); r != nil {
		for _, m := range r.ballots.queue[way] {
			out = append(out, m.message.Packet)
		}
	}
	return out
}

// DeliverVote delivers the first notification in flight from one server to another.
func (n *Network) DeliverVote(from, to int) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	r, way := n.ballotsBetween(from, to)
	if r == nil || len(r.ballots.queue[way]) == 0 {
		return fmt.Errorf("no notification is in flight from server %d to server %d", from, to)
	}
	m := r.ballots.queue[way][0]
	r.ballots.queue[way] = r.ballots.queue[way][1:]
	_, err := r.ends[1-way].Write(m.bytes)
	n.notify()
	return err
}

// ballotsBetween returns the last connection between two servers, with its direction from the first
// one. n.mu is locked.
func (n *Network) ballotsBetween(from, to int) (last *relay, way int) {
	for r, pair := range n.votes {
		if pair == n.pair(from, to) && r.ballots != nil && !r.ballots.ended && (last == nil || r.ballots.number > last.ballots.number) {
			last = r
		}
	}
	if last != nil && last.ballots.from != from {
		way = 1
	}
	return last, way
}

// keepVotes takes the notifications of a connection until it ends. What is no notification passes.
func (n *Network) keepVotes(r *relay) {
	var both sync.WaitGroup
	for way := range r.ends {
		both.Go(func() {
			n.takeVotes(r, way)
			n.mu.Lock()
			r.ballots.ended = true
			r.abort()
			n.notify()
			n.mu.Unlock()
		})
	}
	both.Wait()
}

func (n *Network) takeVotes(r *relay, way int) {
	r.packets(way, func(p *zookeeper.Packet, b []byte) error {
		if p.Type != zookeeper.NOTIFICATION {
			_, err := r.ends[1-way].Write(b)
			return err
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		n.takeVote(r.ballots, way, kept{message: Message{Packet: *p}, bytes: bytes.Clone(b)})
		return nil
	})
}

// takeVote keeps a notification. Over a new connection QuorumCnxManager sends the one that it has
// kept, or else the last one of the connection before again, which the network drops. n.mu is
// locked.
func (n *Network) takeVote(b *ballots, way int, m kept) {
	pair := [2]int{b.from, b.to}
	if way == 1 {
		pair = [2]int{b.to, b.from}
	}
	drop := false
	if !b.first[way] {
		kept := n.queued[pair]
		drop = kept == lost || kept == none && bytes.Equal(n.lastVotes[pair], m.bytes)
		delete(n.queued, pair)
	}
	b.first[way] = true
	n.lastVotes[pair] = m.bytes
	if !drop {
		b.queue[way] = append(b.queue[way], m)
		n.notify()
	}
}

// Refuse makes attempts of a learner to connect to a leader fail, or ends that.
func (n *Network) Refuse(learner, leader int, refuse bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.refused[n.pair(learner, leader)] = refuse
}
