package twophase

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "twophase",
	Doc:  "Two-phase commit of one transaction, over a network that keeps every message.",
	Init: start,
	Roles: []modules.Role{
		{Name: "participant", Count: RMs},
		{Name: "manager"},
	},
	Modules: []grains.Module{
		{Name: "participants", Doc: "resource managers prepare, and follow the decision"},
		{Name: "coordinator", Doc: "the transaction manager decides"},
	},
	Grains: []grains.Grain[State]{participantsBaseline, coordinatorBaseline, coordinatorCoarse},
	Invariants: []modules.Invariant[State]{
		{ID: "Consistent", Doc: "No resource manager has committed while another has aborted.", State: consistent},
	},
	Bounds: []grains.Bound{
		{Name: "managers", Doc: "resource managers", Min: 1, Max: 64, Default: 3, Const: "RMs"},
	},
	Options: []grains.Option{
		{Name: "early", Doc: "a majority that has prepared is enough to commit, a mistake", Default: "false", Const: "Early"},
	},
}
