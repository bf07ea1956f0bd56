// Package mail is a protocol whose messages have no order. Servers greet each other, and then a
// server that was greeted sends jobs. The coarse grains of module greeting send no greetings, so
// the positions of jobs in a Bag differ from those of the fine composition. Answers have a network of
// their own.
package mail

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// The sizes and options of a composition.
const (
	Servers    = 2
	MaxChannel = 5
	MaxJobs    = 2
	// First is 0 or 1: the kind that has the smaller number, HELLO or JOB. So messages of the other
	// kind come after those of the first in a Bag.
	First = 0
)

// Kind is the kind of a message.
type Kind uint8

// Kinds of messages.
const (
	HELLO Kind = 1 + First
	JOB   Kind = 2 - First
	DONE  Kind = 3
)

// Short names for the vocabulary.
type (
	Server        uint8
	Action[P any] = modules.Action[State, P]
	actions       = []modules.AnyAction[State]
	budgets       = []modules.Budget[State]
	grain         = grains.Grain[State]
	One           = modules.One[Server]
	Pair          = modules.Pair[Server]
	At            = modules.At[Server]
	Channel       = modules.Channel[Msg, [MaxChannel]Msg]
	Bag           = modules.Bag[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// Msg is a message.
type Msg struct {
	Kind   Kind
	Number uint8 // JOB, DONE: which job it is
}

// State is the global state.
type State struct {
	Msgs    Bag
	Answers Bag
	Greets  modules.Set[Server] // servers that have sent their greeting
	Greeted modules.Set[Server] // servers that know of another one
	Asked   [Servers]uint8      // jobs that a server has sent
	Done    [Servers]uint8      // jobs that a server has done, as the sum of their numbers
	Settled [Servers]uint8      // answers that a server has
}

// Init is the initial state.
func Init(yield func(State) bool) { yield(State{}) }

var (
	each      = modules.Each[Server](Servers)
	pairs     = modules.EachPair[Server](Servers)
	positions = modules.Positions[Server](Servers, MaxChannel)
)

// Slot is the place of a message to I, counted from 0, and a number that is no place.
type Slot struct {
	I, J Server
	K    uint8
	Add  uint8
}

// slots is the domain of Take.
func slots(yield func(Slot) bool) {
	for p := range positions {
		if !yield(Slot{p.I, p.J, p.K - 1, 0}) || !yield(Slot{p.I, p.J, p.K - 1, 1}) {
			return
		}
	}
}

// Greet sends a greeting.
var Greet = Action[Pair]{
	Name:   "Greet",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return !s.Greets.Has(p.I) },
	Effect: func(s, n *State, p Pair) {
		n.Greets.Add(p.I)
		n.Msgs.Send(p.I, p.J, Msg{Kind: HELLO})
	},
}

// Hear receives a greeting.
var Hear = Action[At]{
	Name:   "Hear",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Msgs.Is(p.J, p.I, int(p.K), HELLO) },
	Effect: func(s, n *State, p At) {
		n.Msgs.Recv(p.J, p.I, int(p.K), HELLO)
		n.Greeted.Add(p.I)
	},
}

// Meet greets without a message.
var Meet = Action[One]{
	Name:   "Meet",
	Params: each,
	Guard:  func(s *State, p One) bool { return !s.Greeted.Has(p.I) },
	Effect: func(s, n *State, p One) { n.Greeted.Add(p.I) },
}

// Forget greets without a message, and loses what is in flight to the server.
var Forget = Action[Pair]{
	Name:   "Forget",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return !s.Greeted.Has(p.I) },
	Effect: func(s, n *State, p Pair) {
		n.Greeted.Add(p.I)
		n.Msgs.Clear(p.J, p.I)
	},
}

// Invent greets without a message, and sends a job that nobody has asked for.
var Invent = Action[Pair]{
	Name:   "Invent",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return !s.Greeted.Has(p.I) },
	Effect: func(s, n *State, p Pair) {
		n.Greeted.Add(p.I)
		n.Msgs.Send(p.J, p.I, Msg{Kind: JOB, Number: MaxJobs})
	},
}

// Ask sends the next job to another server.
var Ask = Action[Pair]{
	Name:   "Ask",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return p.I == 0 && s.Greeted.Has(p.I) && s.Asked[p.I] < MaxJobs },
	Effect: func(s, n *State, p Pair) {
		n.Asked[p.I]++
		n.Msgs.Send(p.I, p.J, Msg{Kind: JOB, Number: n.Asked[p.I]})
	},
}

// Take receives a job and does it, with an answer or without.
var Take = Action[Slot]{
	Name:   "Take",
	Params: slots,
	Guard: func(s *State, p Slot) bool {
		return s.Msgs.Is(p.J, p.I, int(p.K)+1, JOB) && s.Answers.Len(p.I, p.J) < MaxChannel
	},
	Effect: func(s, n *State, p Slot) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K)+1, JOB)
		n.Done[p.I] += m.Number
		if p.Add > 0 {
			n.Answers.Send(p.I, p.J, Msg{Kind: DONE, Number: m.Number})
		}
	},
}

// Settle receives an answer.
var Settle = Action[At]{
	Name:   "Settle",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Answers.Is(p.J, p.I, int(p.K), DONE) },
	Effect: func(s, n *State, p At) {
		n.Answers.Recv(p.J, p.I, int(p.K), DONE)
		n.Settled[p.I]++
	},
}

// Drop loses a message.
var Drop = Action[At]{
	Name:   "Drop",
	Params: positions,
	Guard:  func(s *State, p At) bool { return int(p.K) <= s.Msgs.Len(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Msgs.Lose(p.J, p.I, int(p.K)) },
}

// Copy puts a second copy of a message in flight.
var Copy = Action[At]{
	Name:   "Copy",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return int(p.K) <= s.Msgs.Len(p.J, p.I) && s.Msgs.Len(p.J, p.I) < MaxChannel
	},
	Effect: func(s, n *State, p At) { n.Msgs.Duplicate(p.J, p.I, int(p.K)) },
}

// Mislay loses an answer.
var Mislay = Action[At]{
	Name:   "Mislay",
	Params: positions,
	Guard:  func(s *State, p At) bool { return int(p.K) <= s.Answers.Len(p.J, p.I) },
	Effect: func(s, n *State, p At) { n.Answers.Lose(p.J, p.I, int(p.K)) },
}

// coarse returns a grain of greeting with one action.
func coarse(name string, a modules.AnyAction[State]) grain {
	return grain{Name: name, Covers: []string{"greeting"}, From: []grains.Ref{{Module: "greeting", Grain: "baseline"}}, Coarsens: true,
		Actions: actions{a}}
}

// System is the catalog.
var System = grains.System[State]{
	Name: "mail",
	Doc:  "Greetings and jobs in messages without an order.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "greeting", Doc: "Servers learn of each other."},
		{Name: "work", Doc: "Jobs are sent and done."},
		{Name: "network", Doc: "Messages are lost and duplicated.", Environment: true},
	},
	Grains: []grain{
		{Name: "baseline", Covers: []string{"greeting"}, Actions: actions{&Greet, &Hear}},
		coarse("coarse", &Meet),
		coarse("losing", &Forget),
		coarse("inventive", &Invent),
		{Name: "baseline", Covers: []string{"work"}, Actions: actions{&Ask, &Take, &Settle}},
		{Name: "udp", Covers: []string{"network"}, Actions: actions{&Drop, &Copy, &Mislay},
			Budgets: budgets{modules.Spend[State]("drops", &Drop, &Mislay), modules.Spend[State]("copies", &Copy)}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "M-1", Doc: "What is done was asked for.", State: func(s *State) bool { return s.Done[0] == 0 }},
		{ID: "M-2", Doc: "A job has a number.", OnStep: modules.OnStep(&Take, func(s, n *State, p Slot) bool {
			return n.Done[p.I] > s.Done[p.I]
		})},
	},
	Bounds: []grains.Bound{
		{Name: "drops", Doc: "Messages that are lost.", Min: 0, Max: 2, Default: 0},
		{Name: "copies", Doc: "Messages that are duplicated.", Min: 0, Max: 2, Default: 0},
		{Name: "first", Doc: "The kind with the smaller number.", Min: 0, Max: 1, Default: 0, Const: "First"},
	},
}
