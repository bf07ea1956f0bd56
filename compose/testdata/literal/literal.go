// Package literal is a specification in the style from before grains declared themselves: every
// grain is a literal in the catalog, and the coarse one sets From and Coarsens. It stays as it is:
// packages of that style must compose as before.
package literal

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Jobs is how many jobs there are.
const Jobs = 2

// State is how far the jobs are, and whether the worker is up.
type State struct {
	Asked, Begun, Done uint8
	Lost               uint8
	Down               bool
}

// One has no parameter.
type One = modules.None

// Ask asks for a job.
var Ask = modules.Action[State, One]{
	Name: "Ask", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Asked < Jobs },
	Effect: func(s, n *State, _ One) { n.Asked++ },
}

// Begin begins a job, Finish finishes one.
var Begin = modules.Action[State, One]{
	Name: "Begin", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Begun < s.Asked },
	Effect: func(s, n *State, _ One) { n.Begun++ },
}

// Finish finishes a job.
var Finish = modules.Action[State, One]{
	Name: "Finish", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Done < s.Begun },
	Effect: func(s, n *State, _ One) { n.Done++ },
}

// Work begins and finishes a job in one step.
var Work = modules.Action[State, One]{
	Name: "Work", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Done < s.Asked },
	Effect: func(s, n *State, _ One) { n.Begun, n.Done = n.Done+1, n.Done+1 },
}

// Stop stops the worker for good.
var Stop = modules.Action[State, One]{
	Name: "Stop", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return !s.Down },
	Effect: func(s, n *State, _ One) { n.Down = true },
}

// whileUp keeps a worker that is down from working.
func whileUp(s *State, _ One) bool { return !s.Down }

// System is the catalog.
var System = grains.System[State]{
	Name: "literal",
	Doc:  "Jobs are asked for and done.",
	Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{
		{Name: "client", Doc: "asks for jobs"},
		{Name: "worker", Doc: "does jobs"},
		{Name: "faults", Doc: "stops the worker", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"client"}, Actions: []modules.AnyAction[State]{&Ask},
			Budgets: []modules.Budget[State]{modules.Spend[State]("requests", &Ask)}},
		{Name: "baseline", Covers: []string{"worker"}, Actions: []modules.AnyAction[State]{&Begin, &Finish},
			Rules: []modules.Rule[State]{modules.When(&Begin, whileUp), modules.When(&Finish, whileUp)}},
		{
			Name:     "coarse",
			Covers:   []string{"worker"},
			From:     []grains.Ref{{Module: "worker", Grain: "baseline"}},
			Coarsens: true,
			Actions:  []modules.AnyAction[State]{&Work},
			Rules:    []modules.Rule[State]{modules.When(&Work, whileUp)},
		},
		{Name: "stop", Covers: []string{"faults"}, Actions: []modules.AnyAction[State]{&Stop},
			Budgets: []modules.Budget[State]{modules.Spend[State]("stops", &Stop)}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Order", Doc: "Nothing is done that was not asked for.", State: func(s *State) bool { return s.Done <= s.Asked }},
	},
	Rules: []modules.Rule[State]{
		modules.AfterAny(func(s, n *State) {
			if n.Down {
				n.Lost = n.Asked - n.Done
			}
		}),
	},
	Bounds: []grains.Bound{
		{Name: "jobs", Doc: "jobs", Min: 1, Max: 9, Default: 2, Const: "Jobs"},
		{Name: "requests", Doc: "requests", Min: 0, Max: 9, Default: grains.Unlimited},
		{Name: "stops", Doc: "stops of the worker", Min: 0, Max: 1, Default: 1},
	},
}
