package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Reading says whether the composition has reads.
const Reading = MaxReads > 0

// ReadMessages says whether reads are confirmed by messages.
const ReadMessages = Reading && ReadOnlyOption != "at-once"

// Phase is how far a client's read has come.
type Phase uint8

// Phases of a read.
const (
	Unused   Phase = iota
	Asked          // by ReadIndex
	Indexed        // the server knows up to where it must have applied: ReadState
	Answered       // the client has the value
	Lost           // with the server that it was asked of
)

// Read is a client's read and what its history needs: how new a value it must return, and how new
// the one is that it got. Values of the register are known by the index of the command that wrote
// them, 0 for none.
type Read struct {
	Server Server // that was asked
	Phase  Phase
	Index  Number // ReadState.Index
	Floor  Number // the newest value that any client had written or read when this read began
	Value  Number
}

// Request is a read that a leader has not confirmed yet: readIndexRequest in read_only.go.
type Request struct{ ID, Index Number }

// ReadOnly is a leader's book of reads: readOnly in read_only.go. Contexts of heartbeats are the
// number of reads that they confirm. A read that the network duplicates is there twice.
type ReadOnly struct {
	Unconfirmed modules.Seq[Request, [2 * MaxReads]Request]
	Confirmed   Number
	Acks        [Servers]Number
}

// ReadIDs are the reads that wait for a leader's first commit: pendingReadIndexMessages.
type ReadIDs = modules.Seq[Number, [2 * MaxReads]Number]

// ID numbers reads.
type ID struct{ ID Number }

func eachRead(yield func(ID) bool) {
	for k := range MaxReads {
		if !yield(ID{Number(k)}) {
			return
		}
	}
}

// ReadIndex asks a server for a read: a leader treats it, a follower passes it on to its leader.
//
// Dissertation, section 6.4. Code: raft.go stepLeader and stepFollower, MsgReadIndex, by
// RawNode.ReadIndex.
var ReadIndex = Action[One]{
	Name:   "ReadIndex",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.unusedRead() < MaxReads && (s.Role[p.I] == Leader || s.Role[p.I] == Follower && s.Lead[p.I] != None)
	},
	Effect: func(s, n *State, p One) {
		id := s.unusedRead()
		n.Reads[id] = Read{Server: p.I, Phase: Asked, Floor: s.Completed}
		n.passRead(p.I, id)
	},
}

func (s *State) unusedRead() Number {
	for k := range MaxReads {
		if s.Reads[k].Phase == Unused {
			return Number(k)
		}
	}
	return MaxReads
}

// passRead lets a server process a read: raft.go stepLeader and stepFollower, MsgReadIndex. A
// candidate drops it.
func (n *State) passRead(i Server, id Number) {
	switch {
	case n.Role[i] == Follower && n.Lead[i] != None:
		n.send(i, n.Lead[i], Msg{Kind: MsgReadIndex, Context: id})
	case n.Role[i] == Leader && n.isSingleton(i): // asks nobody, waits for no commit
		n.answerRead(i, Request{id, n.Commit[i]})
	case n.Role[i] == Leader && !n.committedInTerm(i) && Mistake != ReadBeforeCommit:
		n.PendingReads[i].Append(id)
	case n.Role[i] == Leader:
		n.confirmRead(i, id)
	}
}

// committedInTerm reports whether the leader i has committed an entry of its term. raft.go
// committedEntryInCurrentTerm.
func (s *State) committedInTerm(i Server) bool {
	return s.matchTerm(i, s.Commit[i], s.Term[i])
}

// confirmRead begins to confirm that i still leads, by a round of heartbeats; with a lease it is
// treated as granted. raft.go sendMsgReadIndexResponse.
func (n *State) confirmRead(i Server, id Number) {
	if ReadOnlyOption == "lease" || Mistake == ReadWithoutQuorum {
		n.answerRead(i, Request{id, n.Commit[i]})
		return
	}
	n.ReadOnly[i].Unconfirmed.Append(Request{id, n.Commit[i]})
	n.ReadOnly[i].Acks[i] = n.readContext(i)
	n.bcastHeartbeat(i)
}

// readContext returns the context with which heartbeats confirm all reads that wait. read_only.go
// heartbeatCtx.
func (s *State) readContext(i Server) Number {
	if !ReadMessages || s.ReadOnly[i].Unconfirmed.Empty() {
		return 0
	}
	return s.ReadOnly[i].Confirmed + Number(s.ReadOnly[i].Unconfirmed.Len())
}

// releaseReads treats the reads that waited for the leader's first commit. raft.go
// releasePendingReadIndexMessages.
func (n *State) releaseReads(i Server) {
	if !ReadMessages || n.PendingReads[i].Empty() || !n.committedInTerm(i) {
		return
	}
	ids := n.PendingReads[i]
	n.PendingReads[i].Clear()
	for k := 1; k <= ids.Len(); k++ {
		n.confirmRead(i, ids.At(k))
	}
}

// ackReads notes that j answered a heartbeat of that context, and answers the reads that a quorum
// has confirmed. raft.go stepLeader, MsgHeartbeatResp; read_only.go recvAck, maybeAdvance.
func (n *State) ackReads(i, j Server, context Number) {
	if !ReadMessages || ReadOnlyOption == "lease" || context == 0 {
		return
	}
	n.ReadOnly[i].Acks[j] = max(n.ReadOnly[i].Acks[j], context)
	for !n.ReadOnly[i].Unconfirmed.Empty() {
		var have Set
		for x := range Server(Servers) {
			if n.ReadOnly[i].Acks[x] > n.ReadOnly[i].Confirmed {
				have.Add(x)
			}
		}
		if !n.isQuorum(i, have) {
			return
		}
		n.ReadOnly[i].Confirmed++
		n.answerRead(i, n.ReadOnly[i].Unconfirmed.PopFront())
	}
}

// answerRead tells the server that was asked the index. raft.go responseToReadIndexReq.
func (n *State) answerRead(i Server, r Request) {
	if j := n.reader(r.ID); j != i {
		n.send(i, j, Msg{Kind: MsgReadIndexResp, Term: n.Term[i], Index: r.Index, Context: r.ID})
		return
	}
	n.indexRead(r)
}

// reader returns the server that was asked for a read.
func (n *State) reader(id Number) Server {
	if LocalReads {
		return Server(id % Readers)
	}
	return n.Reads[id].Server
}

// Readers is larger than any number of servers. With LocalReads the number of a read is k*Readers +
// i, where i is the server that was asked.
const Readers = 8

func (n *State) indexRead(r Request) {
	if !LocalReads && n.Reads[r.ID].Phase == Asked {
		n.Reads[r.ID].Phase = Indexed
		n.Reads[r.ID].Index = r.Index
	}
}

// HandleReadIndex treats a read that a follower has passed on. It has no term.
//
// Code: raft.go stepLeader and stepFollower, MsgReadIndex.
var HandleReadIndex = Action[At]{
	Name:   "HandleReadIndex",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgReadIndex) },
	Effect: func(s, n *State, p At) {
		m := n.recv(p, MsgReadIndex)
		n.passRead(p.I, m.Context)
	},
}

// HandleReadIndexResp notes up to where to apply before the read is answered.
//
// Code: raft.go stepFollower, MsgReadIndexResp.
var HandleReadIndexResp = Action[At]{
	Name:   "HandleReadIndexResp",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgReadIndexResp) },
	Effect: func(s, n *State, p At) {
		m, ok := n.take(p, MsgReadIndexResp)
		if ok && n.Role[p.I] == Follower {
			n.indexRead(Request{m.Context, m.Index})
		}
	},
}

// AnswerRead answers a client from the state machine, once it has applied what the read must see.
//
// Dissertation, section 6.4, steps 3 and 4. Not in the library: what it asks of the application.
var AnswerRead = Action[ID]{
	Name:   "AnswerRead",
	Params: eachRead,
	Guard: func(s *State, p ID) bool {
		r := s.Reads[p.ID]
		return r.Phase == Indexed && s.Applied[r.Server] >= r.Index
	},
	Effect: func(s, n *State, p ID) { n.completeRead(p.ID, s.Reads[p.ID].Server) },
}

func (n *State) completeRead(id Number, i Server) {
	n.Reads[id].Phase = Answered
	n.Reads[id].Value = n.register(i)
	n.Reads[id].Index = 0
	n.Completed = max(n.Completed, n.Reads[id].Value)
}

var clientReads = grains.Refine(grains.Grain[State]{
	AtNode:     besideReads,
	Name:       "reads",
	Doc:        "Commands, and linearizable reads by ReadIndex.",
	Actions:    Actions{&Propose, &ReadIndex, &HandleReadIndex, &HandleReadIndexResp, &AnswerRead},
	Invariants: []modules.Invariant[State]{linearizability},
	Budgets:    clientBaseline.Budgets,
	Models: []string{
		"stepLeader", "stepFollower", "raft.appendEntry", "releasePendingReadIndexMessages", "sendMsgReadIndexResponse",
		"raft.responseToReadIndexReq", "raft.committedEntryInCurrentTerm",
		"readOnly.addRequest", "readOnly.recvAck", "readOnly.maybeAdvance", "readOnly.heartbeatCtx",
	},
}, clientBaseline)
