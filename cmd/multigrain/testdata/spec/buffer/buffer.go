// Package buffer is a queue between a producer and consumers with a fault of every kind that a check can find, chosen by an
// option.
package buffer

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest sets.
const (
	Room  = 2
	Items = 3
	Fault = "none"
)

// Consumers is the number of consumers.
const Consumers = 2

// Consumer is a consumer.
type Consumer uint8

// Mood says what a consumer does.
type Mood uint8

// The moods.
const (
	Hungry Mood = iota
	Full
)

// Check is an assertion of the implementation.
type Check uint8

// Twice is raised where an item is taken that was taken before.
const Twice Check = 0

// State is the queue, whose items are numbered from 1, and what was made and taken of it.
type State struct {
	Made, Taken uint8
	Queue       modules.Seq[uint8, [Room]uint8]
	Last        [Consumers]uint8
	Moods       [Consumers]Mood
	Assertions  modules.Raised[Check]
}

// Put makes an item.
var Put = modules.Action[State, modules.None]{
	Name:   "Put",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		return int(s.Made) < Items && (s.Queue.Len() < Room || Fault == "full")
	},
	Effect: func(s, n *State, _ modules.None) {
		n.Made++
		n.Queue.Append(n.Made)
	},
}

// Take hands an item to a consumer.
var Take = modules.Action[State, modules.One[Consumer]]{
	Name:   "Take",
	Params: modules.Each[Consumer](Consumers),
	Guard: func(s *State, p modules.One[Consumer]) bool {
		return s.Queue.Len() > 0 && s.Moods[p.I] == Hungry
	},
	Effect: func(s, n *State, p modules.One[Consumer]) {
		at := 1
		if Fault == "order" {
			at = s.Queue.Len()
		}
		if Fault == "panic" {
			at = 3 // behind the last
		}
		n.Last[p.I] = s.Queue.At(at)
		n.Queue.Remove(at)
		n.Taken++
		n.Moods[p.I] = Full
		if Fault == "twice" && s.Taken == 1 {
			n.Assertions.Raise(Twice)
		}
	},
}

// Rest makes a consumer hungry again.
var Rest = modules.Action[State, modules.One[Consumer]]{
	Name:   "Rest",
	Params: modules.Each[Consumer](Consumers),
	Guard:  func(s *State, p modules.One[Consumer]) bool { return s.Moods[p.I] == Full },
	Effect: func(s, n *State, p modules.One[Consumer]) {
		n.Moods[p.I] = Hungry
		if Fault == "back" {
			n.Taken--
		}
		for Fault == "endless" && s.Taken == 2 {
		}
		if Fault == "again" && s.Queue.Len() == 0 {
			n.Made, n.Taken, n.Last = 0, 0, [Consumers]uint8{}
		}
	},
}

// Spill loses the item that was made last. An option switches it on.
var Spill = modules.Action[State, modules.None]{
	Name:   "Spill",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return Fault == "spill" && s.Queue.Len() > 0 },
	Effect: func(s, n *State, _ modules.None) { n.Queue.Remove(s.Queue.Len()) },
}

type actions = []modules.AnyAction[State]

// System is the catalog.
var System = grains.System[State]{
	Name: "buffer",
	Doc:  "A producer puts items into a queue, from which consumers take them.",
	Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{
		{Name: "producer", Doc: "makes items"},
		{Name: "consumers", Doc: "take items"},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Doc: "One item at a time.", Covers: []string{"producer"}, Actions: actions{&Put, &Spill}},
		{Name: "baseline", Doc: "One item at a time.", Covers: []string{"consumers"}, Actions: actions{&Take, &Rest}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Order", Doc: "The items are taken in the order in which they were made.", State: func(s *State) bool {
			return s.Queue.Len() == 0 && (Fault != "blind" || s.Made == 0) || int(s.Queue.At(1)) == int(s.Made)-s.Queue.Len()+1
		}},
		{ID: "Forward", Doc: "What is taken stays taken.", Step: func(s, n *State) bool { return s.Taken <= n.Taken }},
		{ID: "Once", Instance: "twice", Doc: "No item is taken twice.", Raises: modules.Bit(Twice)},
	},
	Goals: []modules.Invariant[State]{
		{ID: "three", Doc: "Three items are taken.", State: func(s *State) bool { return s.Taken == 3 }},
	},
	Liveness: []modules.Liveness[State]{
		{ID: "taken", Doc: "All items are taken in the end.", To: func(s *State) bool { return int(s.Taken) == Items }},
		{ID: "fed", Doc: "A consumer that is hungry gets an item.",
			From: func(s *State) bool { return s.Moods[0] == Hungry }, To: func(s *State) bool { return s.Moods[0] == Full }},
		{ID: "lazy", Doc: "All items are taken, though nobody has to make one.", Unfair: actions{&Put},
			To: func(s *State) bool { return int(s.Taken) == Items }},
	},
	Bounds: []grains.Bound{
		{Name: "room", Doc: "items that the queue holds", Min: 1, Max: 4, Default: 2, Const: "Room"},
		{Name: "items", Doc: "items that are made", Min: 0, Max: 9, Default: 3, Const: "Items"},
	},
	Options: []grains.Option{{
		Name: "fault", Doc: "what is wrong", Values: []string{"none", "full", "order", "panic", "back", "twice", "spill", "endless", "again", "blind"}, Default: "none",
		Const: "Fault",
	}},
}
