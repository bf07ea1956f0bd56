package control

import (
	"context"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// Ballot is a vote as a server holds or sends it.
type Ballot struct {
	Sender int // of a notification
	Leader int
	Zxid   zookeeper.Zxid
	Epoch  int64  // peerEpoch: of the leader's history
	Round  int64  // electionEpoch: the round in which it was made
	State  string // the sender's QuorumPeer.ServerState
}

// ElectionMemory holds what a server knows of elections.
type ElectionMemory struct {
	Round    int64
	Proposed Ballot   // what the server proposes while it looks for a leader
	Current  Ballot   // what it was elected with, or its own vote before its first election
	Queue    []Ballot // recvqueue: notifications that it has still to handle
	// Received and Outside are recvset and outofelection, by sender. They are locals of
	// lookForLeader.
	Received, Outside map[int]Ballot
}

// election reads what a server knows of elections.
func (g *Gates) election(r *fields) *ElectionMemory {
	m := &ElectionMemory{Round: r.int("electionAlg.logicalclock")}
	m.Proposed = r.proposed()
	if v := r.object("currentVote"); !v.IsNull() {
		m.Current = r.vote(v)
	}
	for _, o := range r.items(r.at, "electionAlg.recvqueue") {
		m.Queue = append(m.Queue, Ballot{Sender: int(r.intOf(o, "sid")), Leader: int(r.intOf(o, "leader")),
			Zxid: zookeeper.Zxid(r.intOf(o, "zxid")), Epoch: r.intOf(o, "peerEpoch"), Round: r.intOf(o, "electionEpoch"),
			State: r.textOf(o, "state.name")})
	}
	s := g.Peer()
	if s == nil || s.Point.Place != Poll && s.Point.Place != Finalize {
		return m
	}
	if frame, variables := r.frame(s.Thread, "lookForLeader"); frame != nil {
		m.Received = r.votes(r.variable(frame, variables, []string{"recvset"}))
		m.Outside = r.votes(r.variable(frame, variables, []string{"outofelection"}))
	}
	return m
}

// proposed returns the proposal of a server that looks for a leader.
func (r *fields) proposed() Ballot {
	return Ballot{Leader: int(r.int("electionAlg.proposedLeader")), Zxid: zookeeper.Zxid(r.int("electionAlg.proposedZxid")),
		Epoch: r.int("electionAlg.proposedEpoch"), Round: r.int("electionAlg.logicalclock"), State: "LOOKING"}
}

// vote returns a Vote.
func (r *fields) vote(o jdwp.Object) Ballot {
	return Ballot{Leader: int(r.intOf(o, "id")), Zxid: zookeeper.Zxid(r.intOf(o, "zxid")), Epoch: r.intOf(o, "peerEpoch"),
		Round: r.intOf(o, "electionEpoch"), State: r.textOf(o, "state.name")}
}

// votes returns the votes in a map, by sender.
func (r *fields) votes(v *jdwp.Value) map[int]Ballot {
	out := map[int]Ballot{}
	if v == nil || r.err != nil {
		return out
	}
	o, err := v.Object()
	r.note(err)
	if r.err != nil || o.IsNull() {
		return out
	}
	all, err := o.Entries()
	r.note(err)
	for _, e := range all {
		sender, err := e.Key.Int64()
		r.note(err)
		vote, err := e.Value.Object()
		r.note(err)
		b := r.vote(vote)
		b.Sender = int(sender)
		out[b.Sender] = b
	}
	return out
}

// An election in two steps: one server leads, and the others follow it one by one. A server that
// has a quorum for its vote stands at Finalize, and is still looking for a leader.

// Lead lets voters, which stand at Election, elect one of them, and makes that one lead. The others
// stand at Finalize then. Votes are those with which the servers began, by server.
func (e *Ensemble) Lead(ctx context.Context, leader int, voters []int) (votes map[int]Ballot, err error) {
	votes = map[int]Ballot{}
	defer e.Network.Elect()
	if _, err := e.prefer(ctx, leader, voters, votes); err != nil {
		return votes, err
	}
	e.Network.Elect(voters...)
	for _, i := range voters {
		if err := e.Await(ctx, func() (bool, error) { return e.Stands(i, Finalize) }); err != nil {
			return votes, fmt.Errorf("waiting until server %d has a quorum of votes for %d from %v: %w; %s", i, leader, voters, err, e.proposals(voters))
		}
	}
	e.Network.Elect()
	err = e.Await(ctx, func() (bool, error) {
		if err := e.finalize(leader); err != nil {
			return false, err
		}
		m, err := e.Node(leader).Memory()
		return err == nil && m.Leader != nil && slices.Contains(m.Leader.Connecting, leader), err
	})
	if err != nil {
		err = fmt.Errorf("server %d, which has a quorum, does not lead: %w", leader, err)
	}
	return votes, err
}

// finalize releases a server that stands at Finalize.
func (e *Ensemble) finalize(server int) error {
	if s := e.Node(server).Peer(); s != nil && s.Point.Place == Finalize {
		return s.Release()
	}
	return e.Node(server).Err()
}

// Follow lets a server that looks for a leader follow one that leads, until it stands at a place. A
// server that does not stand at Finalize for that leader first hears it and others.
func (e *Ensemble) Follow(ctx context.Context, leader, server int, heard []int, until Place) error {
	b, _, err := e.Node(server).voting()
	if err != nil {
		return err
	}
	defer e.Network.Elect()
	if waits, err := e.Stands(server, Finalize); err != nil {
		return err
	} else if !waits || b.Leader != leader {
		if err := e.LooksAgain(ctx, server); err != nil {
			return err
		}
		if err := e.begin(ctx, server, map[int]Ballot{}); err != nil {
			return err
		}
		e.Network.Canvass(server, heard)
	}
	err = e.Await(ctx, func() (bool, error) {
		if err := e.finalize(server); err != nil {
			return false, err
		}
		return e.Stands(server, until)
	})
	if err != nil {
		return fmt.Errorf("server %d hears %v and does not follow %d: %w; %s; %s", server, heard, leader, err, e.proposals([]int{server}), e.elections(heard))
	}
	return nil
}

// LooksAgain takes a server that stands at Finalize back to Election. It does not reach the leader
// of its vote.
func (e *Ensemble) LooksAgain(ctx context.Context, server int) error {
	for _, n := range e.nodes {
		if n.ID != server {
			e.Network.Refuse(server, n.ID, true)
			defer e.Network.Refuse(server, n.ID, false)
		}
	}
	err := e.Await(ctx, func() (bool, error) {
		s := e.Node(server).Peer()
		if s == nil || s.Point.Place == Election {
			return s != nil, e.Node(server).Err()
		}
		return false, s.Release()
	})
	if err != nil {
		return fmt.Errorf("server %d, which waits for a better vote, does not look for a leader again: %w", server, err)
	}
	return nil
}
