// Package writes has guards that write, effects that write the state before, and steps that remember.
package writes

import (
	"slices"

	"github.com/multigrain/multigrain/modules"
)

type (
	Server int8
	Kind   uint8
	Fault  uint8
)

const HELLO Kind = 1

type Msg struct{ Kind Kind }

type Queue = modules.Channel[Msg, [1]Msg]

type Node struct {
	Epoch   uint8
	History modules.Seq[uint8, [2]uint8]
}

type State struct {
	Nodes  [2]Node
	Votes  modules.Set[Server]
	Table  modules.Map[Server, uint8, [2]uint8]
	Old    modules.Records[uint8, [2]uint8]
	Msgs   modules.Net[Server, Kind, Msg, [1]Msg, [2]Queue, [2][2]Queue]
	Raised modules.Raised[Fault]
}

type Action = modules.Action[State, modules.None]

func (s *State) node(i Server) *Node { return &s.Nodes[i] }

func (s *State) reset() { s.Nodes[0] = Node{} }

func (s *State) both() bool { s.reset(); return true } // want `MG421: invariant I-4 writes s: reset writes through it`

func pick[T any](a, b *T, first bool) *T {
	if first {
		return a
	}
	return b
}

func assign[T any](p *T, v T) { *p = v }

// even and odd call each other.
func (s *State) even(k int) {
	if k > 0 {
		s.odd(k - 1)
	}
}

func (s *State) odd(k int) {
	s.Votes = 0
	s.even(k - 1)
}

func (s *State) each(do func(m *Node)) {
	for i := range s.Nodes {
		do(&s.Nodes[i])
	}
}

func bump(m *Node) { m.Epoch++ }

type cursor struct{ at *Node }

func (c *cursor) set(m *Node) { c.at = m }

var Guards = Action{
	Name:   "Guards",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		s.Nodes[0].Epoch = 1          // want `MG421: the guard of Guards writes s.Nodes\[\].Epoch; it only reads`
		s.Nodes[1].Epoch++            // want `MG421: the guard of Guards writes s.Nodes\[\].Epoch`
		s.Votes |= 1                  // want `MG421: the guard of Guards writes s.Votes`
		s.Votes.Add(1)                // want `MG421: the guard of Guards writes s.Votes: Add changes it`
		s.Votes.Remove(1)             // want `MG421`
		s.Table.Put(0, 1)             // want `MG421: the guard of Guards writes s.Table: Put changes it`
		s.Old.Add(1)                  // want `MG421`
		s.Msgs.Send(0, 1, Msg{HELLO}) // want `MG421: the guard of Guards writes s.Msgs: Send changes it`
		s.Msgs.Recv(0, 1, HELLO)      // want `MG421`
		s.Msgs.Cut(0, 1)              // want `MG421`
		s.Nodes[0].History.Append(1)  // want `MG421`
		s.Raised.Raise(0)             // want `MG421`
		s.reset()                     // want `MG421: the guard of Guards writes s: reset writes through it`
		s.both()                      // want `MG421: the guard of Guards writes s: both writes through it`
		s.odd(3)                      // want `MG421: the guard of Guards writes s: odd writes through it`
		s.even(3)                     // want `MG421`
		m := &s.Nodes[0]
		m.Epoch = 2                                // want `MG421: the guard of Guards writes s.Nodes\[\].Epoch`
		s.node(1).Epoch = 2                        // want `MG421`
		pick(&s.Nodes[0], &Node{}, true).Epoch = 1 // want `MG421`
		assign(&s.Votes, 0)                        // want `MG421: the guard of Guards writes s.Votes: assign writes through it`
		func() { s.Votes = 0 }()                   // want `MG421: the guard of Guards writes s.Votes`
		s.each(bump)                               // want `MG421: the guard of Guards writes s: each writes through it`
		clearing := s.Old.Clear                    // want `MG421: the guard of Guards writes s.Old: Clear writes through it`
		clearing()
		for _, p := range []*Node{&s.Nodes[0]} {
			p.Epoch = 1 // want `MG421`
		}
		var c cursor
		c.set(&s.Nodes[0])
		c.at.Epoch = 1                  // want `MG421`
		clear(s.Nodes[:])               // want `MG421`
		copy(s.Nodes[:], s.Nodes[1:])   // want `MG421`
		_ = append(s.Nodes[:0], Node{}) // want `MG421`
		*s = State{}                    // want `MG421: the guard of Guards writes s;`
		both := [2]*State{s, s}
		both[1].Votes = 0 // want `MG421`
		for slot := &s.Votes; *slot == 0; {
			*slot = 1 // want `MG421`
		}
		return slices.Max(s.Nodes[0].epochs(&s.Votes)) > 0 // want `MG421`
	},
	Effect: func(s, n *State, _ modules.None) {
		s.Votes = 1                       // want `MG422: the effect of Guards writes s.Votes; write n, the state after`
		s.node(0).Epoch = n.node(0).Epoch // want `MG422`
		x, y := s, n
		x, y = y, x
		y.reset() // want `MG422: the effect of Guards writes s: reset writes through it`
		n.reset()
		helper(s, n)
		helper(n, s) // want `MG422: the effect of Guards writes s: helper writes through it`
	},
}

func (m *Node) epochs(v *modules.Set[Server]) []uint8 { v.Add(1); return []uint8{m.Epoch} }

func helper(s, n *State) { n.Votes = s.Votes }

// The other functions that only read.

var (
	invariants = []modules.Invariant[State]{
		{ID: "I-1", State: func(s *State) bool { s.Votes = 0; return true }},                      // want `MG421: invariant I-1 writes s.Votes`
		{ID: "I-2", Instance: "x", Step: func(s, n *State) bool { n.Votes = 0; return s.both() }}, // want `MG421: invariant I-2 x writes n.Votes` `MG421: invariant I-2 x writes s: both`
		{ID: "I-3", OnStep: modules.OnStep(&Guards, func(s, n *State, _ modules.None) bool {
			n.Votes = 0 // want `MG421: the step property writes n.Votes`
			return true
		})},
		{ID: "I-4", State: (*State).both}, // the write is reported where it is
	}
	rules = []modules.Rule[State]{
		modules.When(&Guards, func(s *State, _ modules.None) bool { s.Votes = 0; return true }), // want `MG421: the When rule writes s.Votes`
		modules.WhenAny(func(s *State) bool { s.Votes = 0; return true }),                       // want `MG421: the WhenAny rule writes s.Votes`
		modules.After(&Guards, func(s, n *State, _ modules.None) { s.Votes, n.Votes = 0, 0 }),   // want `MG422: the After rule writes s.Votes`
		modules.AfterAny(func(s, n *State) { s.Votes, n.Votes = 0, 0 }),                         // want `MG422: the AfterAny rule writes s.Votes`
	}
)

// Package variables.

var (
	limit   = 3
	counter int
	nodes   [2]Node
)

func count() int { counter++; return limit } // want `MG424: counter is a package variable and written; what a step remembers is a field of State` `MG423: limit is a package variable; a step depends on the state`

var Globals = Action{
	Name:   "Globals",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return count() > 0 },
	Effect: func(s, n *State, _ modules.None) {
		nodes[0].Epoch = 1 // want `MG424: nodes is a package variable and written`
		p := &nodes[1]     // want `MG423: nodes is a package variable`
		p.Epoch = 1
	},
}

// Captured variables.

func stateful() func(s *State, _ modules.None) bool {
	calls := 0
	var seen modules.Set[Server]
	return func(s *State, _ modules.None) bool {
		calls++     // want `MG425: the guard of Captures writes calls; it would outlive the step`
		seen.Add(1) // want `MG425: the guard of Captures writes seen: Add changes it`
		return calls < 3
	}
}

var Captures = Action{Name: "Captures", Params: modules.Once, Guard: stateful(), Effect: helper3}

func helper3(s, n *State, _ modules.None) {}

// Bumps writes the state after, which a guard must not pass.

var Bumps = Action{Name: "Bumps", Params: modules.Once, Effect: func(s, n *State, _ modules.None) { n.Nodes[0].Epoch++ }}

var Through = Action{
	Name:   "Through",
	Params: modules.Once,
	Guard: func(s *State, p modules.None) bool {
		Bumps.Effect(s, s, p) // want `MG421: the guard of Through writes s`
		return true
	},
	Effect: helper3,
}

// A quorum stands in a variable of the package, which nothing assigns to.
var (
	majority = modules.Quorum{Members: 2, Least: 2}
	lowered  = modules.Quorum{Members: 2, Least: 2}
)

var Quorums = Action{
	Name:   "Quorums",
	Params: modules.Once,
	Guard: func(s *State, _ modules.None) bool {
		return s.Votes.IsQuorumOf(majority) && s.Votes.IsQuorumOf(lowered)
	},
	Effect: func(s, n *State, _ modules.None) { n.Votes.Clear() },
}

func lower() { lowered.Least = 1 } // want `MG415: lowered.Least is assigned to at run time; declare it complete`
