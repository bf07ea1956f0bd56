package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

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
			n.indexRead(Request{ID: m.Context, Index: m.Index})
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
	Node:       nodeReads,
	Name:       "reads",
	Doc:        "Commands, and linearizable reads by ReadIndex.",
	Actions:    Actions{&Propose, &ReadIndex, &HandleReadIndex, &HandleReadIndexResp, &AnswerRead},
	Invariants: []modules.Invariant[State]{linearizability, readKept},
	Budgets:    clientBaseline.Budgets,
	Models: []string{
		"stepLeader", "stepFollower", "raft.appendEntry", "releasePendingReadIndexMessages", "sendMsgReadIndexResponse",
		"raft.responseToReadIndexReq", "raft.committedEntryInCurrentTerm",
		"readOnly.addRequest", "readOnly.recvAck", "readOnly.maybeAdvance", "readOnly.heartbeatCtx",
	},
}, clientBaseline)
