package paxos

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// answered has a message from the server back to the client, and the coarse grain has none.
var answered = grains.Grain[State]{Name: "baseline", Covers: []string{"clients"}, Actions: Actions{&TakePutOK, &Answer, &TakeGetOK}}

// System is the catalog.
var System = grains.System[State]{
	Name: "paxos", Doc: "Paxos of one decision, with clients that put a value and read the decision.", Init: start,
	Roles: []modules.Role{{Name: "server", Count: Servers}, {Name: "client", Count: Clients}},
	Modules: []grains.Module{
		{Name: "prepare", Doc: "phase 1: a quorum takes part in a ballot"},
		{Name: "accept", Doc: "phase 2: a quorum votes, and the decision is learnt"},
		{Name: "clients", Doc: "put a value and query the decision"},
	},
	Grains: []grains.Grain[State]{
		{Name: "baseline", Covers: []string{"prepare"}, Actions: Actions{&Propose, &Promise, &CountPrepared}},
		{Name: "baseline", Covers: []string{"accept"}, Actions: Actions{&Accept, &CountAccepted, &Learn}},
		answered, grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: Actions{&TakePutOK, &Query}}, answered),
	},
	Invariants: []modules.Invariant[State]{
		{ID: "Agreement", Doc: "No two servers have decided different values.", State: agreed},
		{ID: "Linearizable", Doc: "The register that the clients see is linearizable.", State: linearizable},
	},
	Meetings: []grains.Meeting{{Doc: "A leader hears of each value that was chosen before.", A: &prepared, B: &accepted}},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers", Min: 1, Max: 5, Default: 3, Const: "Servers"},
		{Name: "clients", Doc: "clients; each puts a value", Min: 1, Max: 3, Default: 2, Const: "Clients"},
		{Name: "prepares", Doc: "servers in a quorum of phase 1", Min: 1, Max: 5, Default: 2, Const: "Prepares"},
		{Name: "accepts", Doc: "servers in a quorum of phase 2", Min: 1, Max: 5, Default: 2, Const: "Accepts"},
	},
	Options: []grains.Option{
		{Name: "own_value", Doc: "a leader proposes its own value in any case, a mistake", Default: "false", Const: "OwnValue"},
		{Name: "accept_any", Doc: "acceptors vote in older ballots, too, a mistake", Default: "false", Const: "AcceptAny"},
	},
}
