package library

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/grains"
	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

type composition = conform.Composition[spec.State, [8]uint8]

func compose(t testing.TB) composition {
	t.Helper()
	c, err := grains.Compose(&spec.System, grains.Choice{
		Grains: []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "replication", Grain: "baseline"}, {Module: "client", Grain: "baseline"},
			{Module: "faults", Grain: "restart-drop"}},
		Budgets: map[string]int{"timeouts": 100, "checks": 20, "restarts": 10, "drops": 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := checker.Of[spec.State, [8]uint8](c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: c, Bound: bound}
}

// walks takes random walks of the specification and does them on the library.
func walks(t *testing.T, c composition, impl conform.Implementation[spec.State], number int64) (res conform.Result[checker.Node[spec.State, [8]uint8]], err error) {
	synctest.Test(t, func(t *testing.T) {
		res, err = conform.Run(c, impl, conform.Options{
			Depth: 100, Number: number, Seed: 1, Stop: 1, Workers: 1,
			Weights: map[string]float64{"Timeout": 0.15, "Restart": 0.05, "Drop": 0.05, "Propose": 0.3, "Verify": 0.2},
		})
	})
	return res, err
}

// inTest is the library in the bubble of a test, which has one worker.
var inTest = conform.Implementation[spec.State]{Name: Implementation.Name, Module: Implementation.Module, Open: open}

func TestWalks(t *testing.T) {
	number := int64(300)
	if n, err := strconv.ParseInt(os.Getenv("MULTIGRAIN_WALKS"), 10, 64); err == nil {
		number = n
	}
	c := compose(t)
	start := time.Now()
	res, err := walks(t, c, inTest, number)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	for _, d := range res.Found {
		at := "the start"
		if n := len(d.Trace.Steps); n > 0 {
			at = c.Bound.Actions[c.Bound.Instances[d.Trace.Steps[n-1].Instance].Action].Name
		}
		t.Errorf("difference: %s after step %d, %s; walk %d: %s%s", d.Name(), len(d.Trace.Steps), at, d.Walk, d.Message, values(d.Values))
		for _, l := range d.Log {
			t.Log(l)
		}
	}
	if res.Verdict != checker.Holds || res.Traces != number {
		t.Errorf("%s: %d traces, %d steps, %d differences", res.Verdict, res.Traces, res.Steps, res.Differences)
	}
	t.Logf("%d walks, %d steps compared in %.1f s", res.Traces, res.Steps, took.Seconds())
	for k, n := range res.Fired {
		t.Logf("  %-18s %d", c.Bound.Actions[k].Name, n)
		if n == 0 && res.Differences == 0 {
			t.Errorf("no walk has a %s", c.Bound.Actions[k].Name)
		}
	}
}

func values(all []conform.Value) string {
	var paths []string
	for _, v := range all {
		paths = append(paths, v.Path)
	}
	return strings.Join(paths, ", ")
}
