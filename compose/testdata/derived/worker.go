package derived

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

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

var workerBaseline = grains.Grain[State]{
	Name:     "baseline",
	Covers:   []string{"worker"},
	Actions:  actions{&Begin, &Finish},
	Requires: []grains.Ref{{Module: "client", Grain: "baseline"}},
	Models:   []string{"worker.begin", "worker.finish"},
	Offers:   []grains.OptionValue{{Option: "order", Value: "oldest"}, {Option: "order", Value: "newest"}},
}

// workerPairs is for jobs that come in pairs.
var workerPairs = grains.Refine(grains.Grain[State]{
	Name:        "pairs",
	Actions:     workerBaseline.Actions,
	Sets:        []grains.Setting{{Name: "step", Value: "2"}, {Name: "order", Value: "newest"}},
	Needs:       []grains.OptionValue{{Option: "order", Value: "newest"}},
	NeedsBounds: []grains.LeastBound{{Bound: "jobs", Least: 2}},
}, workerBaseline)

// workerOrdered keeps the step of workerPairs and has an order of its own.
var workerOrdered = grains.Refine(grains.Grain[State]{
	Name:     "ordered",
	Actions:  workerPairs.Actions,
	Sets:     []grains.Setting{{Name: "order", Value: "newest"}},
	Requires: []grains.Ref{{Module: "client", Grain: "baseline"}, {Module: "log", Grain: "baseline"}},
}, workerPairs)

// logBaseline and logOrdered keep a log that nothing is written to.
var (
	logBaseline = grains.Grain[State]{Name: "baseline", Covers: []string{"log"}, Models: []string{"log.append"}}
	logOrdered  = grains.Refine(grains.Grain[State]{
		Name:   "ordered",
		Sets:   []grains.Setting{{Name: "order", Value: "oldest"}},
		Models: []string{},
	}, logBaseline)
)
