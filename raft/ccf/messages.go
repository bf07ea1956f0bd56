package ccf

import "github.com/multigrain/multigrain/modules"

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVoteRequest
	RequestVoteResponse
	AppendEntriesRequest
	AppendEntriesResponse
	ProposeVoteRequest
)

// Entries are the entries of an append.
type Entries = modules.Seq[Entry, [MaxBatch]Entry]

// Msg is a message. Fields that a kind does not have are zero. Sender and receiver are the channel.
type Msg struct {
	Kind Kind
	Term Number
	// lastCommittableIndex, prevLogIndex, lastLogIndex
	Index Number
	// lastCommittableTerm, prevLogTerm
	LogTerm Number
	Commit  Number // commitIndex of an append
	OK      bool   // voteGranted, success
	PreVote bool   // isPreVote
	Entries Entries
}

// Channel, Bag and Stream are the messages in flight: any one may be received next, or the first
// one.
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Bag     = modules.Bag[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [BagSlots][Servers]Channel]
	Stream  = modules.Net[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [StreamSlots][Servers]Channel]
)

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is the acting node; Pair is the acting node and a peer. At is a receiver I, a sender J and
// the position K of a message in flight between them. Where messages arrive in order only the first
// one can be received.
type (
	One  = modules.One[Server]
	Pair = modules.Pair[Server]
	At   = modules.At[Server]
)

var (
	each      = modules.Each[Server](Servers)
	eachPair  = modules.EachPair[Server](Servers)
	positions = modules.Positions[Server](Servers, MaxQueue)
)

// arrives reports whether the message at p is of one of the kinds and can be received next.
func (s *State) arrives(p At, kinds ...Kind) bool {
	if Ordered {
		return p.K == 1 && s.Stream.Is(p.J, p.I, kinds...)
	}
	return s.Bag.Is(p.J, p.I, int(p.K), kinds...)
}

// peek returns the message at p, which is of one of the kinds.
func (s *State) peek(p At, kinds ...Kind) Msg {
	if Ordered {
		return s.Stream.Peek(p.J, p.I, kinds...)
	}
	return s.Bag.Peek(p.J, p.I, int(p.K), kinds...)
}

// recv takes the message at p, which is of one of the kinds.
func (n *State) recv(p At, kinds ...Kind) Msg {
	if Ordered {
		return n.Stream.Recv(p.J, p.I, kinds...)
	}
	return n.Bag.Recv(p.J, p.I, int(p.K), kinds...)
}

// send puts m in flight from i to j. Without duplicates the same message is in flight once.
//
// TLA+: WithMessage of Network.tla.
func (n *State) send(i, j Server, m Msg) {
	if Ordered {
		if !NoDup || !n.Stream.Holds(i, j, m) {
			n.Stream.Send(i, j, m)
		}
		return
	}
	if !NoDup || !n.Bag.Holds(i, j, m) {
		n.Bag.Send(i, j, m)
	}
}

// inFlight returns the number of messages from i to j.
func (s *State) inFlight(i, j Server) int {
	if Ordered {
		return s.Stream.Len(i, j)
	}
	return s.Bag.Len(i, j)
}

// at returns the k-th message from i to j. It returns no message where the one before it in a bag
// is the same.
func (s *State) at(i, j Server, k int) Msg {
	if Ordered {
		return s.Stream.At(i, j, k)
	}
	if s.Bag.Is(i, j, k, RequestVoteRequest, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest) {
		return s.Bag.Peek(i, j, k, RequestVoteRequest, RequestVoteResponse, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest)
	}
	return Msg{}
}

// count returns how many messages from i to j are of a kind.
func (s *State) count(i, j Server, kind Kind) int {
	if Ordered {
		return s.Stream.Count(i, j, kind)
	}
	return s.Bag.Count(i, j, kind)
}

// nth returns the k-th message of a kind from i to j.
func (s *State) nth(i, j Server, k int, kind Kind) Msg {
	if Ordered {
		return s.Stream.Nth(i, j, k, kind)
	}
	return s.Bag.Nth(i, j, k, kind)
}

// mayRequest reports whether i may ask j for something in its term: MCSend of MCccfraft.tla, and
// there is room.
func (s *State) mayRequest(i, j Server) bool {
	return s.maySend(i, j) && s.hasRoom(i, j)
}

// hasRoom reports whether i may send j one more message.
func (s *State) hasRoom(i, j Server) bool { return Judged || s.inFlight(i, j) < MaxQueue }

// maySend reports whether i may send j a message of its term. With OneAppend it may not while an
// append or an answer of that term is in flight between them. Then a channel has few appends, and
// requests for votes do not keep an append back. Without it there must be room.
//
// TLA+: MCSend of MCccfraft.tla.
func (s *State) maySend(i, j Server) bool {
	if !OneAppend {
		return s.hasRoom(i, j)
	}
	for k := 1; k <= s.count(i, j, AppendEntriesRequest); k++ {
		if m := s.nth(i, j, k, AppendEntriesRequest); m.Term == s.CurrentTerm[i] {
			return false
		}
	}
	for k := 1; k <= s.count(j, i, AppendEntriesResponse); k++ {
		if m := s.nth(j, i, k, AppendEntriesResponse); m.Term == s.CurrentTerm[i] {
			return false
		}
	}
	return true
}
