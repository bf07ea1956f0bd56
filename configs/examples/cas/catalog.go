package cas

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "cas", Doc: "Transactions on one key that succeed one another by Paxos, as in Cassandra 2.0.", Init: start,
	Modules: []grains.Module{
		{Name: "prepare", Doc: "a majority promises a ballot, and says what is in progress"},
		{Name: "accept", Doc: "a majority accepts a value, and it is committed"},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"prepare"}, Actions: Actions{&Begin, &Promise, &CountPromise}},
		{Name: "baseline", Covers: []string{"accept"}, Actions: Actions{&Accept, &CountAccept, &Commit}},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "AppliedOnce", Doc: "What was committed is not committed again after something else: CASSANDRA-6023.", State: applied},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers", Min: 1, Max: 5, Default: 3, Const: "Servers"},
		{Name: "transactions", Doc: "transactions along a behaviour", Min: 1, Max: 6, Default: 3, Const: "Transactions"},
	},
	Options: []grains.Option{
		{Name: "split", Doc: "a server keeps the ballot of what it accepted, as Cassandra does from 2.0.1 on; without it the mistake", Default: "false", Const: "Split"},
	},
}
