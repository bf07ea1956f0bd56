// Package paxos specifies Paxos of one decision, with clients that put a value and read it.
//
// Sources: Lamport, "Paxos Made Simple" (ACM SIGACT News 2001), section 2. Clients and register are
// those of stateright's example paxos: 16,668 states for two clients and three servers.
//
// Not modelled: servers that stop, and leaders that begin a second ballot. A message that never
// arrives is a step that is never taken. Each client puts one value and queries once.
package paxos

import "github.com/multigrain/multigrain/modules"

// What a manifest sets.
const (
	Servers   = 3
	Clients   = 2
	Prepares  = 2     // servers in a quorum of phase 1
	Accepts   = 2     // servers in a quorum of phase 2
	OwnValue  = false // a mistake: a leader proposes its own value, whatever was accepted
	AcceptAny = false // a mistake: an acceptor accepts in ballots older than its promise
)

// The quorums. One of each phase have a server in common.
var (
	prepared = modules.Quorum{Members: Servers, Least: Prepares}
	accepted = modules.Quorum{Members: Servers, Least: Accepts}
)

// Small numbers, and the messages from one node to another.
type (
	Node   int8  // a server, from 0, or a client, from Servers
	Value  uint8 // the number of the client that puts it, from 1; 0 is none
	Ballot uint8 // its round times Servers, and the server that leads it; 0 is none
	Kind   uint8 // the kind of a message
	Phase  uint8 // where a client is
	queue  = modules.Channel[Msg, [InFlight]Msg]
)

// The kinds of messages.
const (
	PUT      Kind = iota + 1 // client to server: Value
	GET                      // client to server
	PUTOK                    // server to client
	GETOK                    // server to client: Value
	PREPARE                  // phase 1a: Ballot
	PREPARED                 // phase 1b: Ballot, and the vote Last
	ACCEPT                   // phase 2a: Ballot, Value
	ACCEPTED                 // phase 2b: Ballot
	DECIDED                  // Ballot, Value
)

// The phases of a client.
const (
	Putting Phase = iota
	Getting
	Done
)

// Vote is an accepted value and its ballot. The zero Vote is none.
type Vote struct {
	Ballot Ballot
	Value  Value
}

// Msg is a message. Fields that a kind does not have are zero.
type Msg struct {
	Kind   Kind
	Ballot Ballot
	Value  Value
	Last   Vote
}

const (
	InFlight = 5 // messages from one node to another: a server sends each kind at most once
	nodes    = Servers + Clients
)

// State holds the variables, each with its owner.
type State struct {
	Ballot   [Servers]Ballot                                 // acceptor: the latest one
	Accepted [Servers]Vote                                   // acceptor: its last vote
	Decided  [Servers]bool                                   // learner: Accepted is decided
	Proposal [Servers]Value                                  // leader: its value
	Prepares [Servers]modules.Map[Node, Vote, [Servers]Vote] // leader: phase 1
	Accepts  [Servers]modules.Set[Node]                      // leader: phase 2
	Phase    [Clients]Phase                                  // client
	Read     [Clients]Value                                  // client: the answer to its query
	Returned [Clients][Clients]Phase                         // ghost: see TakePutOK
	Msgs     modules.Bag[Node, Kind, Msg, [InFlight]Msg, [nodes]queue, [nodes][nodes]queue]
}

// open: the message arrives at a server that knows of no decision.
func (s *State) open(p At, kind Kind) bool { return s.Msgs.Arrived(p, kind) && !s.Decided[p.I] }

// start is the state in which every client has sent its value to a server of its own.
func start(yield func(State) bool) {
	var s State
	for c := range Node(Clients) {
		s.Msgs.Send(Servers+c, c%Servers, Msg{Kind: PUT, Value: Value(c + 1)})
	}
	yield(s)
}

func agreed(s *State) bool {
	return modules.All(Servers, func(i Node) bool {
		return modules.All(Servers, func(j Node) bool {
			return !s.Decided[i] || !s.Decided[j] || s.Accepted[i].Value == s.Accepted[j].Value
		})
	})
}

// linearizable: all puts are called at the start and have different values. So no two queries each
// were called after the other's value had been written, and no query reads nothing.
func linearizable(s *State) bool {
	return modules.All(Clients, func(c Value) bool {
		return (s.Phase[c] < Done || s.Read[c] != 0) && modules.All(Clients, func(d Value) bool {
			return s.Read[c] == s.Read[d] || !s.written(c, s.Read[d]) || !s.written(d, s.Read[c])
		})
	})
}

// written reports whether a put or a query of v had returned before client c called its query.
func (s *State) written(c, v Value) bool {
	return !modules.All(Clients, func(d Value) bool {
		return (s.Returned[c][d] < Getting || v != d+1) && (s.Returned[c][d] < Done || v != s.Read[d])
	})
}
