package rounds_test

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/configs/examples/chain"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft/reference"
)

// TestSwitchedOff: an action that receives messages and whose guard is constant has no channel. If
// options switch it off it is never taken, and else the composition is refused.
func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	c, _ := raftReference(t)
	for _, on := range []bool{false, true} {
		table := *c.table
		table.Actions = slices.Clone(table.Actions)
		prints := slices.Clone(c.print)
		at := slices.IndexFunc(table.Actions, func(a modules.SpecAction[reference.State]) bool { return a.Name == "UpdateTerm" })
		table.Actions[at].Enabled = func(*reference.State, int) bool { return on }
		k := slices.IndexFunc(prints, func(f modules.Footprint) bool { return f.Name == "UpdateTerm" })
		prints[k].Guard, prints[k].Receives = nil, []string{"Msgs#RequestVoteRequest"}
		plan, err := rounds.NewPlan(&table, prints, rounds.Options{})
		var refused *rounds.Refused
		switch {
		case on && (!errors.As(err, &refused) || refused.Action != "UpdateTerm"):
			t.Errorf("an action that takes messages from nowhere is accepted: %v", err)
		case !on && (err != nil || plan.Roles[at] != rounds.Never):
			t.Errorf("an action that is switched off: %v", err)
		}
	}
}

// TestNoActingServer takes walks of a composition whose client receives messages without being a
// server. No channel ends at it.
func TestNoActingServer(t *testing.T) {
	t.Parallel()
	c := load(t, &chain.System, "./configs/examples/chain", grains.Choice{Grains: []grains.Ref{
		{Module: "client", Grain: "baseline"}, {Module: "replication", Grain: "baseline"}, {Module: "master", Grain: "baseline"}, {Module: "faults", Grain: "stopping"},
	}, Budgets: map[string]int{"puts": 2, "gets": 2, "crashes": 1}})
	plan, err := rounds.NewPlan(c.table, c.print, rounds.Options{Heuristic: true})
	if err != nil {
		t.Fatal(err)
	}
	state := func(n *checker.Node[chain.State, [8]uint8]) unsafe.Pointer { return unsafe.Pointer(&n.State) }
	by := rounds.New(c.spec, state, plan, rounds.NewSpace(plan.Servers, 12, 4, 3), rounds.Settings{Pause: 1})
	for name, x := range map[string]simulate.Strategy[checker.Node[chain.State, [8]uint8]]{"rounds": by, "loss": rounds.NewLoss(by, 0.1)} {
		res, err := simulate.RunWith(c.spec, simulate.Options{Number: 200, Depth: 1000, Workers: 1}, x)
		if err != nil || res.Steps < 1000 {
			t.Errorf("%s: %d steps, %v", name, res.Steps, err)
		}
	}
}
