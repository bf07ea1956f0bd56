package sandtable

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog of SandTable's specification of elections.
var System = grains.System[State]{
	Name: "zab-sandtable",
	Doc:  "Elections of ZooKeeper 3.4.3 within the bounds of SandTable.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Fast Leader Election: who leads."},
		{Name: "discovery", Doc: "The new leader chooses an epoch that a quorum has not seen yet."},
		{Name: "faults", Doc: "Servers crash and restart, links break and heal.", Environment: true},
		{Name: "bounds", Doc: "SandTable's order of threads, and its limits.", Environment: true},
	},
	Grains: []grains.Grain[State]{electionBaseline, discoveryBaseline, crashPartition, bounds},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the ensemble.", Min: 1, Max: 7, Default: 3, Const: "Servers"},
		{Name: "epochs", Doc: "MaxEpoch: epochs along a behaviour.", Min: 1, Max: 60, Default: 1, Const: "MaxEpochs"},
		{Name: "crashes", Doc: "Crashes along a behaviour.", Min: 0, Max: 255, Default: 1},
		{Name: "partitions", Doc: "Partitions along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "timeouts", Doc: "Timeout: waits in vain and ends of elections along a behaviour.",
			Min: 0, Max: 255, Default: 2},
		{Name: "fle_timeouts", Doc: "Of these, waits in vain.", Min: 0, Max: 255, Default: 2},
		{Name: "wire", Doc: "Wire: messages in flight beyond which nothing is explored.",
			Min: 0, Max: 60, Default: 10, Const: "MaxWire"},
	},
	Options: []grains.Option{
		{Name: "bug", Doc: "Error that the model has, by its ticket.",
			Values: []string{"none", "zk-1419"}, Default: "zk-1419", Const: "Bug"},
	},
}
