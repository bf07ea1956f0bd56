package raft

import "github.com/multigrain/multigrain/modules"

// Kind is the type of a message: raftpb.MessageType.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	MsgVote
	MsgVoteResp
	MsgApp
	MsgAppResp
	MsgHeartbeat
	MsgHeartbeatResp
	MsgReadIndex
	MsgReadIndexResp
	MsgPreVote
	MsgPreVoteResp
	MsgTimeoutNow
	MsgSnap
)

// isResponse reports whether messages of that kind answer others. util.go IsResponseMsg.
func (k Kind) isResponse() bool {
	switch k {
	case MsgVoteResp, MsgPreVoteResp, MsgAppResp, MsgHeartbeatResp:
		return true
	}
	return k == MsgReadIndexResp && !readsFromAnyone
}

// Msg is a message of any kind: raftpb.Message. Fields that a kind does not have are zero, so that
// equal messages have equal bytes. From and To are the channel.
type Msg struct {
	Kind Kind
	Snap [SnapBodies]Body // MsgSnap, which ends with the entry of LogTerm at Index
	More [BatchSlots]Log  // MsgApp: the entries after Entry
	Term Number
	// prevLogIndex of MsgApp, the candidate's last index, the index that MsgAppResp acknowledges or
	// rejects
	Index   Number
	LogTerm Number // the term of the entry at Index, in a rejection at RejectHint
	Commit  Number
	// Reject and RejectHint are a vote's refusal, or an append's and where to continue.
	Reject     bool
	RejectHint Number
	// Context says in MsgVote that the leader requires it so, in heartbeats how many reads they
	// confirm, in reads which read it is.
	Context Number
	Entry   Entry // MsgApp: the entry after Index, of term 0 where there is none
}

// Channel, Bag and Stream are the messages in flight: any one may be received next (UDP), or first
// in, first out (TCP).
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Bag     = modules.Bag[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [BagSlots][Servers]Channel]
	Stream  = modules.Net[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [StreamSlots][Servers]Channel]
)

// At is a receiver I, a sender J and the position K of a message in flight between them. In a
// stream only the first can be received.
type At = modules.At[Server]

var positions = modules.Positions[Server](Servers, MaxQueue)

// arrives reports whether the message at p is of kind k and can be received next.
func (s *State) arrives(p At, k Kind) bool {
	if Network == "tcp" {
		return p.K == 1 && s.first(p.I, p.J, k)
	}
	return s.Bag.Is(p.J, p.I, int(p.K), k)
}

// first reports whether the first message from j to i is of kind k. It is apart from arrives, which
// stays small enough to be inlined: where guards are written out for every parameter, positions
// after the first then cost nothing.
func (s *State) first(i, j Server, k Kind) bool { return s.Stream.Is(j, i, k) }

// recv takes the message at p, which is of kind k.
func (n *State) recv(p At, k Kind) Msg {
	if Network == "tcp" {
		return n.Stream.Recv(p.J, p.I, k)
	}
	return n.Bag.Recv(p.J, p.I, int(p.K), k)
}

// send puts m in flight from i to j.
func (n *State) send(i, j Server, m Msg) {
	if Network == "tcp" {
		n.Stream.Send(i, j, m)
		return
	}
	n.Bag.Send(i, j, m)
}

// inFlight returns the number of messages from i to j.
func (s *State) inFlight(i, j Server) int {
	if Network == "tcp" {
		return s.Stream.Len(i, j)
	}
	return s.Bag.Len(i, j)
}

// ByTransfer is the context of a MsgVote that a leader has caused: campaignTransfer.
const ByTransfer = 1

// inLease reports whether i has heard of its leader within an election timeout. raft.go Step,
// inLease.
func (s *State) inLease(i Server) bool {
	return CheckQuorum && s.Lead[i] != None && !s.Elapsed[i]
}

// carriesEntry reports whether a MsgApp has an entry: an entry's term is at least 1.
func (m *Msg) carriesEntry() bool { return m.Entry.Term != 0 }

func (s *State) isCut(i, j Server) bool {
	if Network == "tcp" {
		return s.Stream.IsCut(i, j)
	}
	return s.Bag.IsCut(i, j)
}
