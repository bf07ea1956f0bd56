package link

import "github.com/multigrain/multigrain/modules"

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	One           = modules.One[Node]
	Nothing       = modules.None
)

// Connect begins a connection. The system makes it at once, and node 1 hears of it later.
//
// Code: TCPTransport._connectIfNecessarySingle, TcpConnection.connect.
var Connect = Action[Nothing]{Name: "Connect", Params: modules.Once,
	Guard: func(s *State, _ Nothing) bool {
		return s.Conn[1] == Disconnected && s.Conn[0] == Disconnected && s.Wire == None
	},
	Effect: func(s, n *State, _ Nothing) {
		n.Conn[1], n.Socket[1], n.Wire = Connecting, true, Open
	},
}

// Finish tells node 1 that the connection is made. It sends its address.
//
// Code: TcpConnection.__processConnection, TCPTransport._onOutgoingConnected.
var Finish = Action[Nothing]{Name: "Finish", Params: modules.Once,
	Guard: func(s *State, _ Nothing) bool { return s.Conn[1] == Connecting },
	Effect: func(s, n *State, _ Nothing) {
		n.Conn[1], n.Known[1], n.Hello = Connected, true, true
	},
}

// FinishReset does the same, and the other node resets the connection before the address is sent.
// Sending closes the connection, and the user counts it as connected nevertheless.
var FinishReset = Action[Nothing]{Name: "FinishReset", Params: modules.Once,
	Guard: func(s *State, _ Nothing) bool { return s.Conn[1] == Connecting },
	Effect: func(s, n *State, _ Nothing) {
		n.close(1)
		n.Known[1], n.Wire = true, None
		if keepsState {
			n.Conn[1] = Connected
		}
	},
}

// Accept accepts a connection whose address has arrived.
//
// Code: TcpServer.__onNewConnection, TCPTransport._onIncomingMessageReceived.
var Accept = Action[Nothing]{Name: "Accept", Params: modules.Once,
	Guard: func(s *State, _ Nothing) bool { return s.Wire == Open && s.Hello },
	Effect: func(s, n *State, _ Nothing) {
		n.Conn[0], n.Socket[0], n.Known[0], n.Hello = Connected, true, true, false
		n.Got[0] += s.Sent[1]
		n.Sent[1] = 0
	},
}

// Send gives a message to the transport, for a node that counts as connected.
//
// Code: TCPTransport.send, TcpConnection.send.
var Send = Action[One]{Name: "Send", Params: modules.Each[Node](2),
	Guard: func(s *State, p One) bool {
		return s.Known[p.I] && s.Begun < Messages && (s.Wire == Open || !s.Socket[p.I])
	},
	Effect: func(s, n *State, p One) {
		n.Begun++
		switch {
		case s.Conn[p.I] != Connected:
		case !s.Socket[p.I]:
			n.Raised.Raise(NoSocket)
		default:
			n.Sent[p.I]++
		}
	},
}

// Receive takes all messages that have arrived.
var Receive = Action[One]{Name: "Receive", Params: modules.Each[Node](2),
	Guard: func(s *State, p One) bool {
		return s.Conn[p.I] == Connected && s.Wire == Open && s.Sent[other(p.I)] > 0 && !s.Hello
	},
	Effect: func(s, n *State, p One) {
		n.Got[p.I] += s.Sent[other(p.I)]
		n.Sent[other(p.I)] = 0
	},
}

// Close closes the connection at one end, as after an error.
//
// Code: TcpConnection.disconnect.
var Close = Action[One]{Name: "Close", Params: modules.Each[Node](2),
	Guard: func(s *State, p One) bool { return s.Conn[p.I] == Connected && s.Wire == Open },
	Effect: func(s, n *State, p One) {
		n.close(p.I)
		n.Wire, n.Hello, n.Sent = ClosedBy0+Wire(p.I), false, [2]Number{}
	},
}

// Notice lets the other end notice that. Node 0 may not have accepted the connection.
var Notice = Action[One]{Name: "Notice", Params: modules.Each[Node](2),
	Guard: func(s *State, p One) bool { return s.Wire == ClosedBy0+Wire(other(p.I)) },
	Effect: func(s, n *State, p One) {
		n.close(p.I)
		n.Wire = None
	},
}
