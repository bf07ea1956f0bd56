// Package relay has servers in a row, clients, watchers and a master. Servers are not alike, since a
// request passes from the first to the last one. Clients are alike, and so are watchers.
//
// Not modelled: anything else.
package relay

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The sizes.
const (
	Servers  = 2
	Clients  = 3
	Watchers = 2

	FirstWatcher = Servers + Clients
	Master       = FirstWatcher + Watchers
	Nodes        = Master + 1
)

// Node is a server, a client, a watcher or the master, in this order.
type Node int8

// Kind is the kind of a message.
type Kind uint8

// Kinds.
const (
	ASK Kind = iota + 1
	DONE
)

// Msg is a message about the request of a client.
type Msg struct {
	Kind Kind
	From Node
}

type line = modules.Channel[Msg, [3]Msg]

// State holds the variables.
type State struct {
	Asked  modules.Set[Node]        // clients
	Served modules.Set[Node]        // clients whose request the last server has
	Seen   [Nodes]modules.Set[Node] // watcher: the clients that it has seen served
	Heard  [Nodes]bool              // any node: it has received something
	Busy   [Servers]uint8           // server: requests that it has passed on
	Told   modules.Seq[Node, [1]Node]
	Msgs   modules.Net[Node, Kind, Msg, [3]Msg, [Nodes]line, [Nodes][Nodes]line]
}

type (
	one  = modules.One[Node]
	pair = modules.Pair[Node]
)

func eachServer(yield func(one) bool)  { each(0, Servers, yield) }
func eachClient(yield func(one) bool)  { each(Servers, FirstWatcher, yield) }
func eachWatcher(yield func(one) bool) { each(FirstWatcher, Master, yield) }

func each(from, to Node, yield func(one) bool) {
	for i := from; i < to; i++ {
		if !yield(one{I: i}) {
			return
		}
	}
}

// eachHop yields a server, and a node that sends to it.
func eachHop(yield func(pair) bool) {
	for i := range Node(Servers) {
		for j := range Node(FirstWatcher) {
			if i != j && !yield(pair{I: i, J: j}) {
				return
			}
		}
	}
}

// eachView yields a watcher and a client.
func eachView(yield func(pair) bool) {
	for i := Node(FirstWatcher); i < Master; i++ {
		for j := Node(Servers); j < FirstWatcher; j++ {
			if !yield(pair{I: i, J: j}) {
				return
			}
		}
	}
}

// Ask sends a request to the first server.
var Ask = modules.Action[State, one]{
	Name: "Ask", Params: eachClient,
	Guard: func(s *State, p one) bool { return !s.Asked.Has(p.I) },
	Effect: func(s, n *State, p one) {
		n.Asked.Add(p.I)
		n.Msgs.Send(p.I, 0, Msg{Kind: ASK, From: p.I})
	},
}

// Pass takes a request and passes it on, or answers.
var Pass = modules.Action[State, pair]{
	Name: "Pass", Params: eachHop,
	Guard: func(s *State, p pair) bool { return s.Msgs.Is(p.J, p.I, ASK) },
	Effect: func(s, n *State, p pair) {
		m := n.Msgs.Recv(p.J, p.I, ASK)
		n.Busy[p.I]++
		for k := range Node(Servers) {
			if k > p.I {
				n.Msgs.Send(p.I, k, m)
				return
			}
		}
		n.Served.Add(m.From)
		n.Msgs.Send(p.I, m.From, Msg{Kind: DONE, From: m.From})
	},
}

// Take takes the answer of any server.
var Take = modules.Action[State, one]{
	Name: "Take", Params: eachClient,
	Guard: func(s *State, p one) bool { return s.Msgs.Is(Servers-1, p.I, DONE) },
	Effect: func(s, n *State, p one) {
		n.Msgs.Recv(Servers-1, p.I, DONE)
		n.Heard[p.I] = true
	},
}

// Watch sees that a client was served.
var Watch = modules.Action[State, pair]{
	Name: "Watch", Params: eachView,
	Guard:  func(s *State, p pair) bool { return s.Served.Has(p.J) && !s.Seen[p.I].Has(p.J) },
	Effect: func(s, n *State, p pair) { n.Seen[p.I].Add(p.J) },
}

// Tell has the master choose the watcher that has seen everything first.
var Tell = modules.Action[State, one]{
	Name: "Tell", Actor: "master", Params: eachWatcher,
	Guard:  func(s *State, p one) bool { return s.Told.Len() == 0 && s.Seen[p.I].Len() == Clients },
	Effect: func(s, n *State, p one) { n.Told.Append(p.I) },
}

// seen says that watchers see only clients that were served.
func seen(s *State) bool {
	for i := Node(FirstWatcher); i < Master; i++ {
		if s.Seen[i]&^s.Served != 0 {
			return false
		}
	}
	return true
}

// System is the catalog.
var System = grains.System[State]{
	Name: "relay",
	Doc:  "servers in a row, clients, watchers and a master",
	Init: func(yield func(State) bool) { yield(State{}) },
	Roles: []modules.Role{
		{Name: "server", Count: Servers}, {Name: "client", Count: Clients, First: 1},
		{Name: "watcher", Count: Watchers}, {Name: "master"},
	},
	Modules: []grains.Module{{Name: "service", Doc: "asking and answering"}},
	Grains: []grains.Grain[State]{{
		Name: "baseline", Doc: "every message is a step", Covers: []string{"service"},
		Actions: []modules.AnyAction[State]{&Ask, &Pass, &Take, &Watch, &Tell},
	}},
	Invariants: []modules.Invariant[State]{{ID: "Seen", Doc: "Watchers see only clients that were served.", State: seen}},
}
