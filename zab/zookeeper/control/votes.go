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
	n.lastVotes = map[[2]int][]byte{}
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

// takeVote keeps a notification. QuorumCnxManager sends the last one of the connection before again
// over a new one, which the network drops. n.mu is locked.
func (n *Network) takeVote(b *ballots, way int, m kept) {
	pair := [2]int{b.from, b.to}
	if way == 1 {
		pair = [2]int{b.to, b.from}
	}
	again := !b.first[way] && bytes.Equal(n.lastVotes[pair], m.bytes)
	b.first[way] = true
	n.lastVotes[pair] = m.bytes
	if !again {
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
