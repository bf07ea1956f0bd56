package etcdserver

import pb "go.etcd.io/raft/v3/raftpb"

// Event is something that a link has seen.
type Event struct {
	Kind   EventKind
	Number int // of the link's member, from 0
	// From and To are the identities of members, as etcd has them; 0 where they are not known.
	From, To uint64
	Message  *pb.Message
	// Appends says that it is about the stream msgapp, and Single that the message has a request of
	// its own: it keeps no order with others.
	Appends, Single bool
	Cause           string // of Blind
}

// EventKind says what an event is.
type EventKind uint8

// Kinds of events.
const (
	Sent      EventKind = iota // From has sent the message
	Delivered                  // it is about to be forwarded to To, whole
	Attached                   // a stream of messages from From to To stands
	Detached                   // it has ended
	Down                       // nobody listens at the member's peer port
	Blind                      // one direction of a connection cannot be decoded
)
