package liveness_test

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/liveness"
	"github.com/multigrain/multigrain/modules"
)

// TestPremises counts in how many states of a counter from 0 to 3 premises are true, and in how
// many of them the conclusion is not. A graph that a limit ends has no counts.
func TestPremises(t *testing.T) {
	t.Parallel()
	type counter struct{ N, Pad uint8 }
	count := &modules.Action[counter, modules.None]{
		Name: "Count", Params: modules.Once,
		Guard:  func(s *counter, _ modules.None) bool { return s.N < 3 },
		Effect: func(s, n *counter, _ modules.None) { n.N++ },
	}
	at := func(least uint8) func(*counter) bool { return func(s *counter) bool { return s.N >= least } }
	system := &modules.Spec[counter]{System: "counter", Init: func(yield func(counter) bool) { yield(counter{}) },
		Liveness: []*modules.Liveness[counter]{
			{ID: "eventually", To: at(3)}, {ID: "at once", To: at(0)}, {ID: "never", From: at(9), To: at(3)},
			{ID: "open", From: at(1), To: at(3)}, {ID: "met", From: at(2), To: at(1)},
		}}
	for _, b := range modules.Bind([]modules.AnyAction[counter]{count}, nil, nil) {
		system.Actions = append(system.Actions, modules.SpecAction[counter]{Bound: b, Module: "counter"})
	}
	spec, err := checker.Of[counter, [0]uint8](system, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := liveness.Run(spec, liveness.Options{})
	if err != nil || len(res.Violations) > 0 {
		t.Fatal(err, res.Violations)
	}
	want := []liveness.Premise{{True: 1, Open: 1}, {True: 1}, {}, {True: 3, Open: 2}, {True: 2}}
	if !slices.Equal(res.Premises, want) {
		t.Errorf("premises %+v, want %+v", res.Premises, want)
	}
	if res, err = liveness.Run(spec, liveness.Options{Mem: 1}); err != nil || res.Reason == "" || res.Premises != nil {
		t.Errorf("after a limit: %v, %q, %+v", err, res.Reason, res.Premises)
	}
}
