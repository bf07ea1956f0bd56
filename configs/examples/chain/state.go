package chain

import "github.com/multigrain/multigrain/modules"

// Node is a server, from 0, the client or the master.
type Node int8

// The nodes that are not servers.
const (
	Client Node = Servers
	Master Node = Servers + 1
)

// Members are the servers of a chain. The head is the smallest, the tail the largest.
type Members = modules.Set[Node]

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages.
const (
	PUT    Kind = iota + 1 // client to head: update V
	GET                    // client to tail: query N
	UPDATE                 // server to its successor: update V
	DONE                   // tail to client: update V is acknowledged
	VALUE                  // tail to client: the answer V to query N
	VIEW                   // master to servers and client: the chain
)

// Msg is a message.
type Msg struct {
	Kind  Kind
	V, N  uint8
	Chain Members
}

// Phase names the next step of the client's query.
type Phase uint8

// The phases of a query.
const (
	Idle   Phase = iota
	Called       // it has been called and was not sent
	Sent
	Answered
)

type queue = modules.Channel[Msg, [InFlight]Msg]

// State holds the variables, each with its owner.
type State struct {
	Puts   uint8 // client: updates that were called
	Queued bool  // client: the last update was not sent yet
	Gets   uint8 // client: queries that were called
	Phase  Phase // client: where the last query is
	Known  uint8 // client: the latest version that was acknowledged or read
	Floor  uint8 // client: the version that Known was when the query was called
	Answer uint8 // client: the version that the query read
	Head   Node  // client: the head and the tail that it knows
	Tail   Node

	Log    [Servers]uint8   // server: the last update that it has stored
	Passed [Servers]uint8   // server: the last of them that it has passed on in this view
	View   [Servers]Members // server: the chain that it knows

	Chain Members      // master: the servers that have not been found to have failed
	Views uint8        // master: how often the chain has changed
	Told  [Nodes]uint8 // master: the change that it last announced to a node

	Alive [Servers]bool // environment
	Msgs  modules.Net[Node, Kind, Msg, [InFlight]Msg, [Nodes]queue, [Nodes][Nodes]queue]
}

func start(yield func(State) bool) {
	s := State{Chain: modules.Below[Node](Servers), Head: 0, Tail: Servers - 1}
	for i := range Servers {
		s.View[i] = s.Chain
		s.Alive[i] = true
	}
	yield(s)
}

// head returns the first server of a chain.
func head(m Members) Node {
	for i := range Node(Servers) {
		if m.Has(i) {
			return i
		}
	}
	return 0
}

// tail returns the last server of a chain.
func tail(m Members) Node {
	last := Node(0)
	for i := range Node(Servers) {
		if m.Has(i) {
			last = i
		}
	}
	return last
}

// next returns the server after i in a chain, the client after the tail.
func next(m Members, i Node) Node {
	for j := range Node(Servers) {
		if j > i && m.Has(j) {
			return j
		}
	}
	return Client
}
