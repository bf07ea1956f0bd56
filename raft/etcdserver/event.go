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
	// Conn numbers connections in the order in which they came to stand, for all links. In an event
	// Down all that stood before has this number or a smaller one.
	Conn uint64
	// Stream is the stream of package raft by which a message came that has a request of its own.
	Stream int
	// Stale says that the connection had another one after it when this was seen.
	Stale   bool
	Version string // of the server From, in Attached
	Cause   string // of Blind
}

// Streams of package raft by which messages come otherwise than by the stream of their kind.
const (
	AppendsOutside = 2 // appends by the stream for other messages
	FirstSingle    = 3 // the first of four for single requests
)

// EventKind says what an event is.
type EventKind uint8

// Kinds of events.
const (
	Sent      EventKind = iota // From has sent the message
	Delivered                  // it is about to be forwarded to To, whole
	Attached                   // a stream of messages from From to To stands
	Detached                   // it has ended
	Answered                   // the request of a message has an answer: it was processed
	Down                       // nobody listens at the member's peer port
	Blind                      // one direction of a connection cannot be decoded
)
