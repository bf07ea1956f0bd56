package vr

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// counted executes in a step of its own, and the coarse grain as it counts.
var counted = grains.Grain[State]{Name: "baseline", Covers: []string{"normal"}, Actions: Actions{&Request, &Store, &Count, &Execute}}

// System is the catalog.
var System = grains.System[State]{
	Name: "vr", Doc: "Viewstamped Replication with recovery.", Init: start,
	Roles: []modules.Role{{Name: "replica", Count: Replicas}},
	Modules: []grains.Module{
		{Name: "normal", Doc: "a primary orders requests, and a quorum stores them"},
		{Name: "views", Doc: "a quorum changes to a view with another primary"},
		{Name: "recovery", Doc: "a replica that has lost its state gets it back"},
		{Name: "faults", Doc: "crashes", Environment: true},
	},
	Grains: []grains.Grain[State]{
		counted, grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: Actions{&Request, &Store, &CountAndExecute}}, counted),
		{Name: "baseline", Covers: []string{"views"}, Actions: Actions{&Suspect, &Join, &Vote, &Begin, &Start}},
		{Name: "baseline", Covers: []string{"recovery"}, Actions: Actions{&Respond, &Restore}},
		{Name: "crash", Covers: []string{"faults"}, Actions: Actions{&Crash},
			Budgets: []modules.Budget[State]{modules.Spend[State]("crashes", &Crash)}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Agreement", Doc: "Primaries have executed all that a replica has committed.", State: agreed},
		{ID: "Kept", Doc: "A primary has all that was executed in its view and before.", State: kept},
	},
	Bounds: []grains.Bound{
		{Name: "replicas", Doc: "replicas", Min: 1, Max: 7, Default: Replicas, Const: "Replicas"},
		{Name: "views", Doc: "view changes", Min: 0, Max: 4, Default: MaxViews, Const: "MaxViews"},
		{Name: "requests", Doc: "requests", Min: 1, Max: 4, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "crashes", Doc: "replicas that lose their state", Min: 0, Max: 4, Default: 1},
	},
	Options: []grains.Option{
		{Name: "own_log", Doc: "a new primary keeps its own log, a mistake", Default: "false", Const: "OwnLog"},
		{Name: "any_nonce", Doc: "answers to earlier recoveries count, a mistake", Default: "false", Const: "AnyNonce"},
	},
}
