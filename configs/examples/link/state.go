// Package link specifies a connection of TCP between two nodes, as the transport of PySyncObj makes
// it. Node 1 connects to node 0 and sends its address first. The mistake is pull request 161: a
// connection that is reset while node 1 makes it is called connected.
//
// Code: transport.py and tcp_connection.py of PySyncObj 0.3.10 to 0.3.17.
//
// Deviation: a node reads all that has arrived in one step, and the address with what follows it.
//
// Deviation: what is in flight when a node closes the connection is lost. The library reads up to
// the end of a connection before it looks for messages, and then forgets them.
//
// Not modelled: encryption; clients; time that ends a connection; nodes that are added; full
// buffers; what is sent into a connection that the other node has closed.
package link

import "github.com/multigrain/multigrain/modules"

// What a manifest sets.
const (
	// Messages are sent along a behaviour.
	Messages = 2
	// Release is the version of the library: "0.3.10", or one with the repair.
	Release = "0.3.10"
)

// keepsState is the mistake: the state of a connection that was closed while it was made is
// overwritten.
const keepsState = Release == "0.3.10"

// Node is one of two: 1 connects to 0.
type Node int8

// Number counts messages.
type Number uint8

// Phase is the state of a connection in the view of a node: CONNECTION_STATE.
type Phase uint8

// Phases.
const (
	Disconnected Phase = iota
	Connecting
	Connected
)

// Wire is the connection that the system has.
type Wire uint8

// States of the wire.
const (
	None      Wire = iota
	Open           // both ends are open, or node 0 has not accepted it yet
	ClosedBy0      // node 0 has closed its end, and node 1 has not noticed
	ClosedBy1      // the same, the other way
)

// Fault is an exception of the library.
type Fault uint8

// NoSocket is an AttributeError: a message is sent by a connection that has no socket.
const NoSocket Fault = 0

// State holds the variables. Those of one node are arrays over both.
type State struct {
	Conn   [2]Phase // TcpConnection.state
	Socket [2]bool  // whether the connection has one
	Known  [2]bool  // whether the user of the transport counts the other node as connected
	Got    [2]Number
	Wire   Wire
	Hello  bool      // the address of node 1 is in flight
	Sent   [2]Number // messages in flight from a node
	Begun  Number    // ghost: messages that were given to the transport
	Raised modules.Raised[Fault]
}

func start(yield func(State) bool) { yield(State{}) }

// other returns the node at the other end.
func other(i Node) Node { return 1 - i }

// close closes i's end.
func (n *State) close(i Node) {
	n.Conn[i], n.Socket[i], n.Known[i] = Disconnected, false, false
}
