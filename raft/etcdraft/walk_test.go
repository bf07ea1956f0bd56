//go:build !multigrain_runtime

package etcdraft

import (
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft"
)

type composition = conform.Composition[raft.State, [16]uint8]

// compose composes all modules that the sizes which package raft is compiled with leave room for,
// at the grains of the library.
func compose(t testing.TB) composition {
	t.Helper()
	choice := grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: "fine"}, {Module: "replication", Grain: "baseline"}, {Module: "apply", Grain: "baseline"},
			{Module: "client", Grain: "reads"}, {Module: "membership", Grain: "baseline"}, {Module: "snapshot", Grain: "baseline"},
			{Module: "faults", Grain: "restart-partition"}, {Module: "network", Grain: "drop-duplicate"},
		},
		Budgets: map[string]int{"heartbeats": 100, "restarts": 5, "partitions": 5, "drops": 10, "duplicates": 5, "elapses": 20, "transfers": raft.MaxTransfers,
			"requests": raft.MaxRequests, "compactions": raft.MaxCompactions, "learners": 2},
	}
	if raft.AsyncStorage {
		choice.Grains[1].Grain = "fine"
		choice.Constraints = []string{"writes"}
	}
	spec, err := grains.Compose(&raft.System, choice)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := checker.Of[raft.State, [16]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: spec, Bound: bound}
}

var weights = map[string]float64{
	"Timeout": 0.1, "Beat": 0.3, "Propose": 0.3, "Restart": 0.1, "Cut": 0.1, "Heal": 0.3, "Drop": 0.2, "Duplicate": 0.1, "Transfer": 0.1,
	"CheckActive": 0.1, "Elapse": 0.2, "ProposeChange": 0.2, "ProposeLearner": 0.1, "Compact": 0.2, "ReadIndex": 0.2,
}

func actions(c composition) (names []string) {
	for _, a := range c.Bound.Actions {
		names = append(names, a.Name)
	}
	return names
}

func walks(t testing.TB, c composition, number int64, workers int) conform.Result[checker.Node[raft.State, [16]uint8]] {
	t.Helper()
	res, err := conform.Run(c, Implementation, conform.Options{
		Depth: 100, Number: number, Seed: 1, Stop: 1, Workers: workers, Setup: conform.Setup{Actions: actions(c)}, Weights: weights,
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestWalks takes walks at the sizes that package raft is compiled with; TestCoverage runs it at
// others.
func TestWalks(t *testing.T) {
	t.Parallel()
	number := int64(400)
	if n, err := strconv.ParseInt(os.Getenv("MULTIGRAIN_WALKS"), 10, 64); err == nil {
		number = n
	}
	res := walks(t, compose(t), number, 0)
	if res.Verdict != checker.Holds || res.Traces != number || res.Steps < 50*number {
		t.Errorf("%s: %d traces, %d steps, %d differences", res.Verdict, res.Traces, res.Steps, res.Differences)
	}
	for _, d := range res.Found {
		t.Errorf("%s: %s %q", d.Name(), d.Message, d.Frames)
		for _, l := range d.Log {
			t.Log(l)
		}
	}
	t.Logf("%d steps", res.Steps)
}

// TestEveryVariableIsCompared compares the list of variables with the State, and the start of a
// cluster against Init.
func TestEveryVariableIsCompared(t *testing.T) {
	t.Parallel()
	c := compose(t)
	a, err := Implementation.Open(conform.Setup{Actions: actions(c)})
	if err != nil {
		t.Fatal(err)
	}
	var s, have raft.State
	raft.Init(func(x raft.State) bool { s = x; return true })
	if err := a.Start(&s); err != nil {
		t.Fatal(err)
	}
	if err := a.Observe(&have); err != nil {
		t.Fatal(err)
	}
	fields := reflect.TypeFor[raft.State]()
	for _, name := range a.Variables() {
		f, ok := fields.FieldByName(name)
		if !ok {
			t.Errorf("the specification has no variable %s", name)
			continue
		}
		x, y := reflect.ValueOf(s).FieldByIndex(f.Index), reflect.ValueOf(have).FieldByIndex(f.Index)
		if !x.Equal(y) {
			t.Errorf("%s: %v in the specification, %v in the library", name, x, y)
		}
	}
	for f := range fields.Fields() {
		if !slices.Contains(a.Variables(), f.Name) && !slices.Contains([]string{"Changes", "Completed", "After", "Proposed", "Panics", "AppliedTo", "Asked", "Ahead", "Coming", "Known", "Adding", "Stored", "Folded"}, f.Name) {
			t.Errorf("variable %s is not observed, and doc.go does not say why", f.Name)
		}
	}
}

// withoutCalls are the grains for other uses: one for finding mistakes with few states, those that
// follow a running server, and one of Redis Raft.
var withoutCalls = []string{"reads-at-once", "batched", "fine-timeouts", "told", "additions", "streamed"}

// TestCallsFitCatalog holds that every action of a grain that is not coarse has its calls.
func TestCallsFitCatalog(t *testing.T) {
	t.Parallel()
	coarse := map[string]bool{}
	for k := range raft.System.Grains {
		g := &raft.System.Grains[k]
		for _, x := range g.Actions {
			if name := modules.NameOf(x); calls[name] == nil {
				coarse[name] = true
				if !g.Coarsens && !slices.Contains(withoutCalls, g.Name) {
					t.Errorf("action %s of grain %s of %s has no calls", name, g.Name, g.Covers[0])
				}
			}
		}
	}
	for name := range coarse {
		if _, err := Implementation.Open(conform.Setup{Actions: []string{name}}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// BenchmarkWalks measures steps that are drawn, done on both sides and compared, on one core.
func BenchmarkWalks(b *testing.B) {
	c := compose(b)
	b.ResetTimer()
	steps := int64(0)
	for b.Loop() {
		steps += walks(b, c, 200, 1).Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}
