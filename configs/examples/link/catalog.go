package link

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "link", Doc: "A connection between two nodes, as PySyncObj's transport makes it.", Init: start,
	Modules: []grains.Module{
		{Name: "making", Doc: "a node connects, and another one accepts"},
		{Name: "using", Doc: "messages, and an end of the connection"},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"making"}, Actions: Actions{&Connect, &Finish, &FinishReset, &Accept}},
		{Name: "baseline", Covers: []string{"using"}, Actions: Actions{&Send, &Receive, &Close, &Notice}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "ConnectedHasSocket", Doc: "A connection that is connected has a socket: PySyncObj#1, pull request 161.", State: hasSocket},
		{ID: "KnownIsConnected", Doc: "A node counts another one as connected only while its connection is.", State: knownIsConnected},
		{ID: "Exception", Raises: modules.Bit(NoSocket), Doc: "No message is sent by a connection without a socket: PySyncObj#1, pull request 161 (tcp_connection.py, 0.3.10)."},
	},
	Bounds: []grains.Bound{
		{Name: "messages", Doc: "messages along a behaviour", Min: 0, Max: 100, Default: Messages, Const: "Messages"},
	},
	Options: []grains.Option{
		{Name: "release", Doc: "the version of the library", Values: []string{"0.3.10", "0.3.11", "0.3.17"}, Default: "0.3.10", Const: "Release"},
	},
}

func hasSocket(s *State) bool {
	return (s.Conn[0] != Connected || s.Socket[0]) && (s.Conn[1] != Connected || s.Socket[1])
}

func knownIsConnected(s *State) bool {
	return (!s.Known[0] || s.Conn[0] == Connected) && (!s.Known[1] || s.Conn[1] == Connected)
}
