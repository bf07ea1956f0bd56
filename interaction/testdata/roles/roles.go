// Package roles has servers and a client. Servers are alike, and the client asks any of them.
//
// Not modelled: anything else.
package roles

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The sizes.
const (
	Servers = 3
	Nodes   = Servers + 1
)

// Node is a server, or the client.
type Node int8

// Client follows the servers.
const Client Node = Servers

// Kind is the kind of a message.
type Kind uint8

// Kinds.
const (
	ASK Kind = iota + 1
	ANSWER
)

// Msg is a message.
type Msg struct{ Kind Kind }

type line = modules.Channel[Msg, [2]Msg]

// State holds the variables.
type State struct {
	Served [Servers]bool // server: it has answered
	Heard  [Nodes]bool   // any node: it has received a message
	Asked  modules.Set[Node]
	Msgs   modules.Net[Node, Kind, Msg, [2]Msg, [Nodes]line, [Nodes][Nodes]line]
}

type one = modules.One[Node]

var servers = modules.Each[Node](Servers)

// Ask asks a server.
var Ask = modules.Action[State, one]{
	Name: "Ask", Params: servers,
	Guard: func(s *State, p one) bool { return !s.Asked.Has(p.I) },
	Effect: func(s, n *State, p one) {
		n.Asked.Add(p.I)
		n.Msgs.Send(Client, p.I, Msg{Kind: ASK})
	},
}

// Answer answers.
var Answer = modules.Action[State, one]{
	Name: "Answer", Params: servers,
	Guard: func(s *State, p one) bool { return s.Msgs.Is(Client, p.I, ASK) },
	Effect: func(s, n *State, p one) {
		n.Msgs.Recv(Client, p.I, ASK)
		n.Served[p.I], n.Heard[p.I] = true, true
		n.Msgs.Send(p.I, Client, Msg{Kind: ANSWER})
	},
}

// Hear takes an answer.
var Hear = modules.Action[State, one]{
	Name: "Hear", Params: servers,
	Guard: func(s *State, p one) bool { return s.Msgs.Is(p.I, Client, ANSWER) },
	Effect: func(s, n *State, p one) {
		n.Msgs.Recv(p.I, Client, ANSWER)
		n.Heard[Client] = true
	},
}

// served says that nobody hears an answer that nobody gave.
func served(s *State) bool {
	for i := range Node(Nodes) {
		if i != Client && s.Served[i] {
			return true
		}
	}
	return !s.Heard[Client]
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "roles",
	Doc:     "servers and a client",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Roles:   []modules.Role{{Name: "server", Count: Servers}, {Name: "client"}},
	Modules: []grains.Module{{Name: "service", Doc: "asking and answering"}},
	Grains: []grains.Grain[State]{{
		Name: "baseline", Doc: "every message is a step", Covers: []string{"service"},
		Actions: []modules.AnyAction[State]{&Ask, &Answer, &Hear},
	}},
	Invariants: []modules.Invariant[State]{{ID: "Served", Doc: "An answer was given before it is heard.", State: served}},
	Bounds:     []grains.Bound{{Name: "servers", Doc: "servers", Min: 1, Max: 7, Default: Servers, Const: "Servers"}},
}
