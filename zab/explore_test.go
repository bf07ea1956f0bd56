package zab

import (
	"os"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/naive"
	"github.com/multigrain/multigrain/grains"
)

type node = checker.Node[State, [8]uint8]

func compose(t *testing.T, c grains.Choice) *checker.Spec[node] {
	t.Helper()
	spec, err := grains.Compose(&System, c)
	if err != nil {
		t.Fatal(err)
	}
	run, err := checker.Of[State, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func env(name string, def int) int {
	if v, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return v
	}
	return def
}

func TestParityDev(t *testing.T) {
	if Bookkeeping == 0 {
		t.Skip("dev")
	}
	spec := compose(t, grains.Choice{
		Grains: []grains.Ref{{"election", "coarse"}, {"synchronization", "fine-atomic"}, {"broadcast", "baseline"},
			{"faults", "crash-partition"}, {"bounds", "mspec-2"}},
		Invariants: []string{"leadership", "prefixConsistency", "integrity", "agreement", "totalOrder", "primaryOrder", "monotonicRead", "processConsistency", "leaderLogCompleteness", "committedLogDurability", "messageLegal", "I-11", "I-12", "I-13", "I-14"},
		Budgets:    map[string]int{"crashes": env("C", 1), "partitions": env("P", 0), "requests": MaxRequests, "epochs": MaxEpochs},
	})
	start := time.Now()
	r := naive.Run(spec, naive.Options[node]{Stop: 1})
	t.Log(r.Verdict, "distinct", r.Distinct, "generated", r.Generated, "depth", r.Depth, "masked", r.Masked, time.Since(start))
	for k, a := range r.Actions {
		t.Logf("%-50s %8d %8d", spec.Actions[k].Name, a.Fired, a.Distinct)
	}
	for _, v := range r.Violations {
		t.Log(spec.Invariants[v.Invariant].Name(), v.Depth, v.Count)
		for _, s := range v.Trace.Steps {
			i := spec.Instances[s.Instance]
			t.Log("  ", spec.Actions[i.Action].Name, i.Params)
		}
	}
}

func TestMspec1Dev(t *testing.T) {
	if Bookkeeping == 1 {
		t.Skip("dev")
	}
	choice := grains.Choice{
		Grains: []grains.Ref{{"election", "coarse"}, {"synchronization", os.Getenv("SYNC")}, {"broadcast", "baseline"},
			{"faults", "crash-partition"}},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": env("C", 1), "partitions": env("P", 0), "requests": MaxRequests, "epochs": MaxEpochs},
	}
	if os.Getenv("EXCEPT") != "" {
		choice.Except = []string{os.Getenv("EXCEPT")}
	}
	spec := compose(t, choice)
	start := time.Now()
	r, err := explore.Run(spec, explore.Options{Stop: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Verdict, r.Reason, "distinct", r.Distinct, "generated", r.Generated, "depth", r.Depth, "masked", r.Masked, time.Since(start), unsafe.Sizeof(State{}), r.Memory>>20, "MB")
	for k, a := range r.Actions {
		t.Logf("%-50s %8d %8d", spec.Actions[k].Name, a.Fired, a.Distinct)
	}
	for _, v := range r.Violations {
		t.Log(spec.Invariants[v.Invariant].Name(), v.Depth, v.Count)
		for _, s := range v.Trace.Steps {
			i := spec.Instances[s.Instance]
			t.Log("  ", spec.Actions[i.Action].Name, i.Params)
		}
	}
}
