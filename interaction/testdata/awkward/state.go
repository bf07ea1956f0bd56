// Package awkward writes simple steps in awkward ways. Above each action stands its footprint, which a test compares: what
// the guard reads, and for each variable what is written where, which constants, and from which sources by data, by control
// and by index. A value that stays in its own element is no source.
package awkward

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Sizes.
const (
	N        = 3
	Capacity = 4
)

// Variant stands for an option of a manifest.
const Variant = "new"

// ID is a server.
type ID int8

// Mode is a small enumeration.
type Mode uint8

// Modes.
const (
	OFF Mode = iota
	SLOW
	FAST
)

// Kind is the kind of a message.
type Kind uint8

// Kinds.
const (
	PING Kind = iota + 1
	PONG
	STOP
)

// Msg is a message.
type Msg struct {
	Kind Kind
	From ID
	Load int8
}

// Clock is a struct with two variables.
type Clock struct{ Now, Skew int8 }

// Node is a struct of which there is one for each server.
type Node struct {
	On   bool
	Sees modules.Set[ID]
	Log  Log
}

type (
	// Log is a log.
	Log = modules.Seq[int8, [Capacity]int8]
	// Group is a set of servers.
	Group = modules.Set[ID]
	// Table is a map.
	Table = modules.Map[ID, Clock, [N]Clock]
	// Notes is a set of records.
	Notes = modules.Records[Clock, [Capacity]Clock]
	// Queue is a channel.
	Queue = modules.Channel[Msg, [Capacity]Msg]
	// Net is a network.
	Net = modules.Net[ID, Kind, Msg, [Capacity]Msg, [N]Queue, [N][N]Queue]
	// Bag is an unreliable network.
	Bag = modules.Bag[ID, Kind, Msg, [Capacity]Msg, [N]Queue, [N][N]Queue]
)

// Fault numbers the assertions.
type Fault uint8

// Faults.
const (
	Odd Fault = iota
	Even
)

// State is the state.
type State struct {
	A, B, C [N]int8
	Grid    [N][N]int8
	Modes   [N]Mode
	Boss    ID
	Flag    bool
	Clock   Clock
	Nodes   [N]Node
	Quorum  Group
	Known   [N]Table
	Notes   Notes
	Faults  modules.Raised[Fault]
	Msgs    Net
	Loose   Bag
}

type (
	// Pair is an acting server and a peer.
	Pair = modules.Pair[ID]
	// Place is a pair and a position.
	Place = modules.At[ID]
	// Act is an action.
	Act = modules.Action[State, Pair]
)

// System lists the actions whose rules are of interest; the others are read from the package.
var System = grains.System[State]{
	Name:    "awkward",
	Init:    Init,
	Modules: []grains.Module{{Name: "all"}},
	Grains: []grains.Grain[State]{{Name: "baseline", Covers: []string{"all"},
		Actions: []modules.AnyAction[State]{&Ridden, &RiddenToo},
		Rules: []modules.Rule[State]{
			modules.When(&Ridden, func(s *State, p Pair) bool { return s.C[p.J] > 0 }),
			modules.WhenAny(func(s *State) bool { return !s.Clock.isLate() }, &RiddenToo),
			modules.After(&Ridden, func(s, n *State, p Pair) { n.Clock.Now = n.A[p.I] }),
			modules.AfterAny(func(s, n *State) { n.Clock.Skew = n.Clock.Now }),
		}}},
	Invariants: []modules.Invariant[State]{
		{ID: "state", State: func(s *State) bool { return s.Boss < N && !s.Flag }},
		{ID: "step", Step: func(s, n *State) bool { return n.Clock.Now >= s.Clock.Now }},
		{ID: "onstep", OnStep: modules.OnStep(&Ridden, func(s, n *State, p Pair) bool { return n.A[p.I] > s.B[p.J] })},
	},
}

func (c *Clock) isLate() bool { return c.Now > 3 }

// Init starts with one server on, and a boss that differs.
func Init(yield func(State) bool) {
	for b := range ID(N) {
		s := State{Boss: b}
		s.Nodes[0].On = true
		if !yield(s) {
			return
		}
	}
}

// pairs are the parameters of most actions.
var pairs = modules.EachPair[ID](N)

func always(*State, Pair) bool { return true }
