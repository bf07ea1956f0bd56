package paxos

import "github.com/multigrain/multigrain/modules"

// Node is a server, from 0, or a client, from Servers.
type Node int8

// Value is the value of a client, its number from 1; 0 is none.
type Value uint8

// Ballot is a ballot number: its round times Servers, and the server that leads it; 0 is none.
type Ballot uint8

// Vote is an accepted value and its ballot. The zero Vote is none.
type Vote struct {
	Ballot Ballot
	Value  Value
}

// Kind is the kind of a message.
type Kind uint8

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

// Msg is a message. Fields that a kind does not have are zero.
type Msg struct {
	Kind   Kind
	Ballot Ballot
	Value  Value
	Last   Vote
}

// Phase is where a client is.
type Phase uint8

// The phases of a client.
const (
	Putting Phase = iota
	Getting
	Done
)

// InFlight is the number of messages from one node to another: a server sends each kind at most
// once to another server.
const InFlight = 5

const nodes = Servers + Clients

type queue = modules.Channel[Msg, [InFlight]Msg]

// State holds the variables, each with its owner.
type State struct {
	// acceptor: the latest that it takes part in
	Ballot   [Servers]Ballot
	Accepted [Servers]Vote                                   // acceptor: its last vote
	Decided  [Servers]bool                                   // learner: Accepted is decided
	Proposal [Servers]Value                                  // leader: what it proposes
	Prepares [Servers]modules.Map[Node, Vote, [Servers]Vote] // leader: phase 1
	Accepts  [Servers]modules.Set[Node]                      // leader: phase 2
	Phase    [Clients]Phase                                  // client
	Read     [Clients]Value                                  // client: the answer to its query
	Returned [Clients][Clients]uint8                         // ghost: see TakePutOK
	Msgs     modules.Bag[Node, Kind, Msg, [InFlight]Msg, [nodes]queue, [nodes][nodes]queue]
}

// start is the state in which every client has sent its value to a server of its own.
func start(yield func(State) bool) {
	var s State
	for c := range Clients {
		s.Msgs.Send(clientOf(c), Node(c%Servers), Msg{Kind: PUT, Value: Value(c + 1)})
	}
	yield(s)
}

func clientOf(c int) Node { return Node(Servers + c) }

// tell sends m from server i to all other servers.
func (n *State) tell(i Node, m Msg) {
	for j := range Node(Servers) {
		if j != i {
			n.Msgs.Send(i, j, m)
		}
	}
}

// agreed: no two servers have decided different values.
func agreed(s *State) bool {
	for i := range Servers {
		for j := range Servers {
			if s.Decided[i] && s.Decided[j] && s.Accepted[i].Value != s.Accepted[j].Value {
				return false
			}
		}
	}
	return true
}

// linearizable: the clients' register is linearizable. All puts are called at the start and have
// different values. So that is the case if no two values each must precede the other, and no query
// reads nothing.
func linearizable(s *State) bool {
	for u := range Value(Clients + 1) {
		for v := range u {
			if s.precedes(u, v) && s.precedes(v, u) {
				return false
			}
		}
	}
	for c := range Clients {
		if s.Phase[c] == Done && s.Read[c] == 0 {
			return false
		}
	}
	return true
}

// precedes reports whether a put or query of u had returned before a query of v was called.
func (s *State) precedes(u, v Value) bool {
	for c := range Clients {
		if s.Phase[c] != Done || s.Read[c] != v {
			continue
		}
		for d := range Clients {
			if s.Returned[c][d] > 0 && u == Value(d+1) || s.Returned[c][d] > 1 && u == s.Read[d] {
				return true
			}
		}
	}
	return false
}
