// Package toy is a system with everything that a manifest can get wrong: grains that cover several modules or need another,
// bounds, budgets, options, invariants with instances and constraints.
package toy

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest sets.
const (
	Tokens  = 2
	Variant = "plain"
	Double  = false
	Twice   = false
	Back    = "never"
)

// Fault is an assertion of the implementation.
type Fault uint8

// The assertions.
const (
	TooMany Fault = iota
	TooFew
)

// State counts the tokens that are made, carried and stored.
type State struct {
	Made, Carried, Stored uint8
	Assertions            modules.Raised[Fault]
}

// Make makes a token.
var Make = modules.Action[State, modules.None]{
	Name:   "Make",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return int(s.Made) < Tokens },
	Effect: func(s, n *State, _ modules.None) {
		n.Made++
		if Double {
			n.Made++
		}
		if int(n.Made) > Tokens {
			n.Assertions.Raise(TooMany)
		}
	},
}

// Carry carries a token.
var Carry = modules.Action[State, modules.None]{
	Name:   "Carry",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Made > s.Carried },
	Effect: func(s, n *State, _ modules.None) { n.Carried++ },
}

// Store stores a carried token.
var Store = modules.Action[State, modules.None]{
	Name:   "Store",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Carried > s.Stored },
	Effect: func(s, n *State, _ modules.None) { n.Stored++ },
}

// MakeAndCarry makes a token and carries it at once.
var MakeAndCarry = modules.Action[State, modules.None]{
	Name:   "MakeAndCarry",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return int(s.Made) < Tokens },
	Effect: func(s, n *State, _ modules.None) {
		n.Made++
		n.Carried++
	},
}

// Lose loses a carried token.
var Lose = modules.Action[State, modules.None]{
	Name:   "Lose",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Carried > s.Stored },
	Effect: func(s, n *State, _ modules.None) {
		n.Carried--
		n.Made--
	},
}

// LoseTwo loses two carried tokens.
var LoseTwo = modules.Action[State, modules.None]{
	Name:   "LoseTwo",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return s.Carried > s.Stored+1 },
	Effect: func(s, n *State, _ modules.None) {
		n.Carried -= 2
		n.Made -= 2
	},
}

// Find brings a token back.
var Find = modules.Action[State, modules.None]{
	Name:   "Find",
	Params: modules.Once,
	Guard:  func(s *State, _ modules.None) bool { return int(s.Made) < Tokens && s.Made == s.Carried },
	Effect: func(s, n *State, _ modules.None) {
		n.Carried++
		n.Made++
	},
}

type actions = []modules.AnyAction[State]

// System is the catalog.
var System = grains.System[State]{
	Name: "toy",
	Doc:  "Tokens are made, carried and stored.",
	Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{
		{Name: "maker", Doc: "makes tokens"},
		{Name: "carrier", Doc: "carries tokens"},
		{Name: "store", Doc: "stores tokens"},
		{Name: "faults", Doc: "loses tokens", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"maker"}, Actions: actions{&Make}, Invariants: []modules.Invariant[State]{
			{ID: "A", Instance: "many", Doc: "No token too many is made.", Raises: modules.Bit(TooMany)},
			{ID: "A", Instance: "few", Doc: "No token too few is made.", Raises: modules.Bit(TooFew)},
		}},
		{Name: "baseline", Was: []string{"plain"}, Covers: []string{"carrier"}, Actions: actions{&Carry}},
		{
			Name: "coarse", Covers: []string{"maker", "carrier"}, Actions: actions{&MakeAndCarry}, Coarsens: true,
			From: []grains.Ref{{Module: "maker", Grain: "baseline"}, {Module: "carrier", Grain: "baseline"}},
		},
		{Name: "baseline", Covers: []string{"store"}, Actions: actions{&Store}},
		{
			Name: "picky", Covers: []string{"store"}, Actions: actions{&Store},
			From: []grains.Ref{{Module: "store", Grain: "baseline"}}, Refines: true,
			Requires: []grains.Ref{{Module: "carrier", Grain: "baseline"}},
			Excludes: []grains.Exclusion{{Option: "variant", Values: []string{"fancy"}, Why: "it has taste"}},
		},
		{
			Name: "paired", Covers: []string{"store"}, Actions: actions{&Store},
			From: []grains.Ref{{Module: "store", Grain: "baseline"}}, Refines: true,
			Needs: []grains.OptionValue{{Option: "double", Value: "true"}},
		},
		{
			Name: "roomy", Covers: []string{"store"}, Actions: actions{&Store},
			From: []grains.Ref{{Module: "store", Grain: "paired"}}, Refines: true,
			NeedsBounds: []grains.LeastBound{{Bound: "tokens", Least: 4}},
		},
		{
			Name: "losing", Covers: []string{"faults"}, Actions: actions{&Lose},
			Sizes:   []grains.Sizes{{Bounds: []grains.Setting{{Name: "losses", Value: "3"}, {Name: "tokens", Value: "9"}}}},
			Budgets: []modules.Budget[State]{modules.Spend[State]("losses", &Lose)},
		},
		{
			Name: "losing twice=true", Was: []string{"losing-twice"}, Covers: []string{"faults"}, Actions: actions{&Lose, &LoseTwo},
			From: []grains.Ref{{Module: "faults", Grain: "losing"}}, Refines: true,
			Picked:  grains.Pick{Grain: "losing", Option: "twice", Value: "true"},
			Budgets: []modules.Budget[State]{modules.Spend[State]("losses", &Lose, &LoseTwo)},
		},
		{
			Name: "losing back=once", Covers: []string{"faults"}, Actions: actions{&Lose, &Find},
			From: []grains.Ref{{Module: "faults", Grain: "losing"}}, Refines: true,
			Picked:  grains.Pick{Grain: "losing", Option: "back", Value: "once"},
			Budgets: []modules.Budget[State]{modules.Spend[State]("losses", &Lose)},
		},
	},
	Invariants:  []modules.Invariant[State]{{ID: "B", Doc: "Nothing is stored that was not made.", State: func(s *State) bool { return s.Stored <= s.Made }}},
	Constraints: []modules.Invariant[State]{{ID: "small", Doc: "At most two are stored.", State: func(s *State) bool { return s.Stored <= 2 }}},
	Bounds: []grains.Bound{
		{Name: "tokens", Doc: "tokens that are made", Min: 1, Max: 9, Default: 2, Const: "Tokens"},
		{Name: "losses", Doc: "tokens that are lost", Min: 0, Max: 5, Default: 1},
	},
	Options: []grains.Option{
		{Name: "variant", Doc: "the version modelled", Values: []string{"plain", "fancy"}, Default: "plain", Const: "Variant", Was: []string{"release"}},
		{Name: "double", Doc: "tokens are made in pairs", Default: "false", Const: "Double"},
		{Name: "twice", Doc: "two tokens can be lost at once", Default: "false", Const: "Twice"},
		{Name: "back", Doc: "whether lost tokens are found", Values: []string{"never", "once"}, Default: "never", Const: "Back"},
	},
}
