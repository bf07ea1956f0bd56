package compose

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/modules"
)

// TestInstrumentedCounts: an instrumented program has the states of the plain one.
func TestInstrumentedCounts(t *testing.T) {
	t.Parallel()
	vars := []string{"terms=2", "requests=1", "crashes=0", "drops=0", "queue=1"}
	c, program := mustAssemble(t, "../configs/raft/reference.hcl", vars...)
	plain, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	noted, diags := c.assemble(t.Context(), assemble.Program{
		Verbs: []assemble.Verb{assemble.Check}, Notes: assemble.Conditions, Capacities: c.capacities(plain)}, "instrumented")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	want, got := run(t, c, program, wire.Options{Stop: 1}), run(t, c, noted, wire.Options{Stop: 1, Workers: 1})
	if got.Digest != want.Digest || got.Distinct != 40512 || got.Generated != want.Generated {
		t.Errorf("%d states, %d generated, digest %s; want %d, %d, %s", got.Distinct, got.Generated, got.Digest, want.Distinct, want.Generated, want.Digest)
	}
}

// TestExplain asks why an invariant is false at the end of a counterexample.
func TestExplain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("assembles two programs of Raft")
	}
	path, err := filepath.Abs("../configs/raft/mistakes/vote-without-log-check.hcl")
	if err != nil {
		t.Fatal(err)
	}
	c, program := mustAssemble(t, path)
	report := run(t, c, program, wire.Options{Stop: 1})
	if len(report.Violations) != 1 {
		t.Fatalf("%d violations", len(report.Violations))
	}
	noted, diags := c.AssembleExplaining(context.Background())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	v := report.Violations[0]
	r, err := wire.Run(context.Background(), noted, wire.Request{Verb: "explain", Choice: c.EncodedChoice(),
		Options: wire.Options{Explain: &wire.Explain{Trace: v.Trace, Invariant: v.Invariant}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := r.Explanation
	if x == nil || x.Holds || len(x.Why) == 0 {
		t.Fatalf("%+v", x)
	}
	if why := x.Why[0]; !strings.HasSuffix(why.File, "raft/invariants.go") || why.Line == 0 || why.Text == "" || why.Locals["i"] == "" {
		t.Errorf("%s: %+v", v.Invariant, why)
	}
	// The first step is enabled in the initial state; a proposal is not, and says why.
	follower := modules.View{Shape: modules.Record, Names: []string{"I"}, Elems: []modules.View{{Text: "0"}}}
	for _, q := range []struct {
		action  string
		params  modules.View
		enabled bool
		text    string
	}{{v.Trace.Steps[0].Action, v.Trace.Steps[0].Params, true, ""}, {"Propose", follower, false, "s.Role[i] == Leader"}} {
		r, err := wire.Run(context.Background(), noted, wire.Request{Verb: "explain", Choice: c.EncodedChoice(),
			Options: wire.Options{Explain: &wire.Explain{Trace: &wire.Trace{Init: v.Trace.Init}, Action: q.action, Params: q.params}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := r.Explanation
		if x.Holds != q.enabled || len(x.Why) == 0 || x.Why[0].Value != q.enabled {
			t.Fatalf("%s: %+v", q.action, x)
		}
		if last := x.Why[len(x.Why)-1]; q.text != "" && last.Text != q.text {
			t.Errorf("%s: %q, want %q", q.action, last.Text, q.text)
		}
	}
}

// TestGrainsWithoutRoom: a composition may have capacities of 0 that grains which it did not choose
// index. Programs that explain, and those that note branches, build nevertheless.
func TestGrainsWithoutRoom(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("assembles two programs of CCF's consensus")
	}
	c, diags := Resolve(load(t, "../configs/raft/ccf.hcl"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for name, build := range map[string]func(context.Context) (string, hcl.Diagnostics){"explaining": c.AssembleExplaining, "walking": c.AssembleWalking} {
		if _, diags := build(t.Context()); diags.HasErrors() {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
