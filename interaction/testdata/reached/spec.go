// Package reached has each kind of code that a digest must tell apart. It does nothing of sense, and
// some of it breaks the rules for steps.
//
// Not modelled: anything.
package reached

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/testdata/reached/inner"
	"github.com/multigrain/multigrain/modules"
)

// Mistake is an option.
const Mistake = "none"

// Sizes.
const (
	Servers = 3
	Most    = Servers - 1
)

// Server is a server.
type Server int8

// Phase is a phase.
type Phase uint8

// Phases.
const (
	First Phase = iota
	Second
	Third
	Spare
)

// base is embedded.
type base struct{ Count uint8 }

// full reports whether the count is at its limit.
func (b *base) full() bool { return b.Count >= Most }

// low is called by nothing.
func (b *base) low() bool { return b.Count == 0 }

// Ranked is a rank.
type Ranked interface{ rank() int }

// rank is called through an interface.
func (p Phase) rank() int { return int(p) * 2 }

// State holds the variables.
type State struct {
	base
	Phase [Servers]Phase
}

type one = modules.One[Server]

var steps = [3]uint8{1, 2, 3}

var table = map[uint8]uint8{1: 2}

var unrelated = 7

func init() { table[2] = 5 }

func init() { unrelated = 8 }

// largest is generic.
func largest[T uint8 | uint16](a, b T) T {
	if a > b {
		return a
	}
	return b
}

// next is mentioned by the fine grain.
func next(p Phase) Phase {
	switch {
	case Mistake == "skip":
		return Third
	case p == First:
		return Second
	}
	return Third
}

func ranked(r Ranked) int { return r.rank() }

func classify(x any) int {
	switch v := x.(type) {
	case int:
		switch w := any(v + 1).(type) {
		case int:
			return v + w*2
		}
	}
	return 0
}

func jump(n int) int {
again:
	for k := range n {
		if k == 2 {
			continue again
		}
		if k == 3 {
			break again
		}
	}
	if Mistake == "return" {
		return 5
	} else if n > 7 {
		return 6
	}
	if Mistake == "none" && n > 1 {
		return 1
	}
	return 2
}

// Step is an action of the fine grain.
var Step = modules.Action[State, one]{
	Name: "Step", Params: modules.Each[Server](Servers),
	Guard: func(s *State, p one) bool { return !s.full() && !inner.Above(s.Count, inner.Limit) },
	Effect: func(s, n *State, p one) {
		n.Phase[p.I] = next(s.Phase[p.I])
		n.Count = largest(steps[0], table[s.Count])
		n.Count += uint8(ranked(s.Phase[p.I]) + classify(1) + jump(3))
	},
}

// Leap is an action of the coarse grain.
var Leap = modules.Action[State, one]{
	Name: "Leap", Params: modules.Each[Server](Servers),
	Effect: func(s, n *State, p one) { n.Phase[p.I] = Third },
}

// Look is an action of the target.
var Look = modules.Action[State, one]{
	Name: "Look", Params: modules.Each[Server](Servers), Guard: waits(Second),
	Effect: func(s, n *State, p one) { n.Count = 0 },
}

// waits returns a guard.
func waits(phase Phase) func(s *State, p one) bool {
	return func(s *State, p one) bool { return s.Phase[p.I] == phase }
}

// Other is an action of a grain that is not compared.
var Other = modules.Action[State, one]{
	Name: "Other", Params: modules.Each[Server](Servers),
	Effect: func(s, n *State, p one) { n.Count = other(s.Count) },
}

func other(n uint8) uint8 { return n + 3 }

var work = grains.Grain[State]{Name: "fine", Doc: "so", Covers: []string{"work"}, Actions: []modules.AnyAction[State]{&Step}}

var coarse = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: []modules.AnyAction[State]{&Leap},
	Stands: []modules.StandIn[State]{modules.StandsFor(&Leap, &Step, itself, earlier)}}, work)

// itself yields the parameter of the step that Leap stands for.
func itself(p one, yield func(one) bool) { yield(p) }

// earlier is the state in which that step is taken.
func earlier(s, b *State, p one) { b.Phase[p.I] = Second }

func served(s *State, p one) bool { return s.Phase[p.I] == wanted }

const wanted = Third

var refined = grains.Refine(grains.Grain[State]{Name: "refined", Actions: []modules.AnyAction[State]{&Other}}, work)

// System is the catalog.
var System = grains.System[State]{
	Name:    "reached",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "work"}, {Name: "watch"}},
	Grains: []grains.Grain[State]{work, coarse, refined,
		{Name: "fine", Covers: []string{"watch"}, Actions: []modules.AnyAction[State]{&Look}}},
	Invariants: []modules.Invariant[State]{
		{ID: "R-1", State: func(s *State) bool { return s.Count < 9 }},
		{ID: "R-2", State: func(s *State) bool { return s.Count < 8 }},
	},
	Liveness: []modules.Liveness[State]{
		{ID: "L-1", From: func(s *State) bool { return s.Count > 0 }, To: func(s *State) bool { return s.Count == 0 },
			Unfair: []modules.AnyAction[State]{&Look}},
		{ID: "L-2", Each: modules.LeadsTo(modules.Each[Server](Servers), nil, served)},
	},
	Bounds:  []grains.Bound{{Name: "servers", Min: 1, Max: 5, Default: 3, Const: "Servers"}},
	Options: []grains.Option{{Name: "mistake", Values: []string{"none", "skip", "return"}, Default: "none", Const: "Mistake"}},
}
