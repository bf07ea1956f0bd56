package derived

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Ask asks for jobs.
var Ask = modules.Action[State, One]{
	Name: "Ask", Params: modules.Once,
	Guard:  func(s *State, _ One) bool { return s.Asked+Step <= Jobs },
	Effect: func(s, n *State, _ One) { n.Asked += Step },
}

var clientBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"client"},
	Actions: actions{&Ask},
	Budgets: []modules.Budget[State]{modules.Spend[State]("requests", &Ask)},
	Models:  []string{"client.ask"},
}
