package control

import (
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/jdwp"
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

// vote is a Vote.
func (r *fields) vote(o jdwp.Object) Ballot {
	return Ballot{Leader: int(r.intOf(o, "id")), Zxid: zookeeper.Zxid(r.intOf(o, "zxid")), Epoch: r.intOf(o, "peerEpoch"),
		Round: r.intOf(o, "electionEpoch"), State: r.textOf(o, "state.name")}
}

// votes are the votes in a map, by sender.
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
