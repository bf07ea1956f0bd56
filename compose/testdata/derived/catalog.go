// Package derived is a specification whose grains declare themselves, each in a file of its own.
package derived

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What a manifest or a grain sets.
const (
	Jobs  = 2
	Step  = 1
	Order = "any"
)

// State counts the jobs that are asked for, begun and done.
type State struct {
	Asked, Begun, Done uint8
}

// One has no parameter.
type One = modules.None

type actions = []modules.AnyAction[State]

// System is the catalog.
var System = grains.System[State]{
	Name:    "derived",
	Doc:     "Jobs are asked for and done.",
	Init:    func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "client"}, {Name: "worker"}, {Name: "log", Optional: true}},
	Grains: []grains.Grain[State]{
		workerCoarse, workerPairs, clientBaseline, workerBaseline, bothCoarse, workerCoarser, logBaseline, logOrdered, workerOrdered,
	},
	Bounds: []grains.Bound{
		{Name: "jobs", Doc: "jobs", Min: 1, Max: 9, Default: 2, Const: "Jobs"},
		{Name: "step", Doc: "jobs that are asked for at once", Min: 1, Max: 3, Default: 1, Const: "Step"},
		{Name: "requests", Doc: "requests", Min: 0, Max: 9, Default: grains.Unlimited},
	},
	Options: []grains.Option{
		{Name: "order", Doc: "what is done first", Values: []string{"any", "oldest", "newest"}, Default: "any", Const: "Order"},
	},
}
