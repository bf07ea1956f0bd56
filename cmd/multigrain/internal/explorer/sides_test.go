package explorer

import (
	"context"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// TestSides: the witness of a finding is explored in the composition that has it, next to the other
// side of the comparison. There its coarse steps are done by fine ones, and the other way round.
func TestSides(t *testing.T) {
	const coarse = "../../../../configs/examples/chain-coarse-client.hcl"
	witness := func(actions ...string) *beginning {
		b := &beginning{meta: itf.Meta{Kind: "witness"}, trace: &wire.Trace{}, steps: -1}
		for _, a := range actions {
			b.trace.Steps = append(b.trace.Steps, wire.Step{Action: a})
		}
		return b
	}
	for _, c := range []struct {
		side, beside string
		begin        *beginning
		path         []string
		own          []string
	}{
		{"fine", "", witness("CallPut", "TakePut"), []string{"CallPut()", "SendPut()", "TakePut(0)"}, []string{"Put()"}},
		{"coarse", "", witness("Put", "TakePut"), []string{"Put()", "TakePut(0)"}, []string{"CallPut()", "SendPut()"}},
		{"coarse", "fine", nil, []string{"Put()", "TakePut(0)"}, []string{"CallPut()", "SendPut()"}},
	} {
		o := &options{beside: c.beside}
		run, other := o.sides(nil, shell.Uncaught(), resolved(t, coarse), c.begin)
		if other == nil || o.side != c.side {
			t.Fatalf("%s: the side is %q; %v", c.side, o.side, run.Diagnostics)
		}
		ctx, end := context.WithCancel(context.Background())
		x := &explorer{engine: newEngine(run, session.Limits{}), beside: newEngine(other, session.Limits{}), ctx: ctx}
		if err := x.prepare(ctx, nil); err != nil {
			t.Fatal(err)
		}
		p, err := x.parted(ctx, place{Path: c.path})
		if err != nil || p.Step != 0 || !slices.Equal(p.Bridged, c.own) {
			t.Errorf("%s: %+v, %v", c.side, p, err)
		}
		end()
		x.end()
		x.beside.end()
	}
	o := &options{beside: "fine"}
	if run, other := o.sides(nil, shell.Uncaught(), resolved(t, chain), nil); other != nil || !run.Diagnostics.HasErrors() {
		t.Errorf("a composition without a coarse grain is compared: %v", run.Diagnostics)
	}
}
