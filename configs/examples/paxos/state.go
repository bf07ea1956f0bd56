package paxos

import "github.com/multigrain/multigrain/modules"

// What a manifest sets.
const (
	Servers  = 3
	Clients  = 2
	Prepares = 2 // servers in a quorum of phase 1
	Accepts  = 2 // servers in a quorum of phase 2
	// OwnValue is a mistake: a leader proposes its own value, whatever acceptors have accepted.
	OwnValue = false
	// AcceptAny is a mistake: an acceptor accepts proposals of ballots older than its promise.
	AcceptAny = false
)

// The quorums. One of each phase have a server in common.
var (
	prepared = modules.Quorum{Members: Servers, Least: Prepares}
	accepted = modules.Quorum{Members: Servers, Least: Accepts}
)

// Small numbers.
type (
	Node   int8  // a server, from 0, or a client, from Servers
	Value  uint8 // the number of the client that puts it, from 1; 0 is none
	Ballot uint8 // its round times Servers, and the server that leads it; 0 is none
	Kind   uint8 // the kind of a message
	Phase  uint8 // where a client is
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

// InFlight is the number of messages from one node to another: a server sends each kind at most
// once to another server.
const InFlight = 5

const nodes = Servers + Clients

type queue = modules.Channel[Msg, [InFlight]Msg]

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

// start is the state in which every client has sent its value to a server of its own.
func start(yield func(State) bool) {
	var s State
	for c := range Node(Clients) {
		s.Msgs.Send(Servers+c, c%Servers, Msg{Kind: PUT, Value: Value(c + 1)})
	}
	yield(s)
}

// agreed: no two servers have decided different values.
func agreed(s *State) bool {
	for i := range Servers {
		for j := range i {
			if s.Decided[i] && s.Decided[j] && s.Accepted[i].Value != s.Accepted[j].Value {
				return false
			}
		}
	}
	return true
}

// linearizable: the clients' register is linearizable. All puts are called at the start and have
// different values. So that is the case if no two queries each were called after the other's value
// had been written, and no query reads nothing.
func linearizable(s *State) bool {
	for c := range Clients {
		if s.Phase[c] == Done && s.Read[c] == 0 {
			return false
		}
		for d := range c {
			if s.Read[c] != s.Read[d] && s.written(c, s.Read[d]) && s.written(d, s.Read[c]) {
				return false
			}
		}
	}
	return true
}

// written reports whether a put or a query of v had returned before client c called its query.
func (s *State) written(c int, v Value) bool {
	for d := range Clients {
		if s.Returned[c][d] >= Getting && v == Value(d+1) || s.Returned[c][d] == Done && v == s.Read[d] {
			return true
		}
	}
	return false
}
