package compose

import (
	"context"
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/assemble"
)

// TestGuardsOfAnAction: walks are the same whether an action's guards are asked by generated code
// or one after another.
func TestGuardsOfAnAction(t *testing.T) {
	c, program := mustAssembleFor(t, assemble.Simulate, "../configs/raft/reference.hcl")
	var want *wire.Report
	for _, table := range []bool{true, false} {
		r, err := wire.Run(context.Background(), program, wire.Request{Verb: "simulate", Choice: c.EncodedChoice(),
			Options: wire.Options{Table: table, Seed: 3, Workers: 1, Simulate: &wire.Simulate{Number: 300, Depth: 60}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Seconds, r.Processor = 0, 0
		for k := range r.Simulation.Coverage {
			r.Simulation.Coverage[k].Seconds = 0
		}
		if want == nil {
			want = r
		}
		if !reflect.DeepEqual(r, want) || r.Distinct < 1000 {
			t.Errorf("got %+v\nwant %+v", r, want)
		}
	}
}
