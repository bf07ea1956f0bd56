package derived

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Work begins and finishes a job in one step.
var Work = modules.Action[State, One]{
	Name: "Work", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Done < s.Asked },
	Effect: func(s, n *State, _ One) { n.Begun, n.Done = n.Done+1, n.Done+1 },
}

// Serve asks for a job and does it.
var Serve = modules.Action[State, One]{
	Name: "Serve", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Asked < Jobs },
	Effect: func(s, n *State, _ One) { n.Asked, n.Begun, n.Done = s.Asked+1, s.Asked+1, s.Asked+1 },
}

var workerCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Actions: actions{&Work},
}, workerBaseline)

// workerCoarser is derived from a derived grain, whose fields it reads, and sets an option that its
// base does not set.
var workerCoarser = grains.Coarsen(grains.Grain[State]{
	Name:    "coarser",
	Actions: workerCoarse.Actions,
	Sets:    []grains.Setting{{Name: "order", Value: "oldest"}},
	Models:  slices.Concat(workerCoarse.Models, []string{"worker.run"}),
}, workerCoarse)

var bothCoarse = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: actions{&Serve}}, clientBaseline, workerBaseline)
