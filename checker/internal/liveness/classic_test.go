package liveness_test

import (
	"context"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/classic"
	"github.com/multigrain/multigrain/checker/internal/liveness"
	"github.com/multigrain/multigrain/modules"
)

// compile makes a classic model with liveness properties runnable.
func compile[S any](t *testing.T, m classic.Model[S], properties ...*modules.Liveness[S]) *checker.Spec[classic.Node[S]] {
	t.Helper()
	system := &modules.Spec[S]{System: m.Name, Init: m.Init, Liveness: properties}
	for _, b := range modules.Bind(m.Actions, nil, nil) {
		system.Actions = append(system.Actions, modules.SpecAction[S]{Bound: b, Module: m.Name})
	}
	spec, err := checker.Of[S, [0]uint8](system, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// named returns the actions of a model with these names.
func named[S any](m classic.Model[S], names ...string) (out []modules.AnyAction[S]) {
	for _, a := range m.Actions {
		for _, name := range names {
			if modules.NameOf(a) == name {
				out = append(out, a)
			}
		}
	}
	return out
}

func violated[T any](t *testing.T, spec *checker.Spec[T]) map[string]*liveness.Violation[T] {
	t.Helper()
	res, err := liveness.Run(spec, liveness.Options{})
	if err != nil || res.Reason != "" {
		t.Fatal(err, res.Reason)
	}
	out := map[string]*liveness.Violation[T]{}
	for k := range res.Violations {
		out[spec.Liveness[res.Violations[k].Property].ID] = &res.Violations[k]
	}
	return out
}

// TestEWD840: EWD840.tla says WF_vars(System), where System are the steps of the token, and that
// termination leads to its detection. Without fairness of the token, and without an end of the
// computation, it is not detected.
func TestEWD840(t *testing.T) {
	t.Parallel()
	m := classic.EWD840()
	terminated := func(s *classic.Ring840) bool { return s.Active.Empty() }
	detected := func(s *classic.Ring840) bool {
		return s.TokenAt == 0 && !s.TokenBlack && !s.Black.Has(0) && !s.Active.Has(0)
	}
	work := named(m, "SendMsg", "Deactivate")
	all := append(named(m, "PassToken"), work...)
	v := violated(t, compile(t, m,
		&modules.Liveness[classic.Ring840]{ID: "detects", From: terminated, To: detected, Unfair: work},
		&modules.Liveness[classic.Ring840]{ID: "token", From: terminated, To: detected, Unfair: all},
		&modules.Liveness[classic.Ring840]{ID: "ends", To: terminated, Unfair: work},
		&modules.Liveness[classic.Ring840]{ID: "always", To: detected},
	))
	if len(v) != 3 || v["detects"] != nil {
		t.Fatalf("violated: %v", v)
	}
	// The token stays where it is: nobody has to pass it.
	if x := v["token"]; x.Loop != len(x.Trace.Steps) || x.Trace.Init.State.TokenAt == 0 && len(x.Trace.Steps) == 0 {
		t.Errorf("token: %+v", x)
	}
	// All are fair, and messages go round for ever.
	if x := v["always"]; x.Loop >= len(x.Trace.Steps) {
		t.Errorf("always: %+v", x)
	}
}

// TestFastMutex: Lamport's fast mutual exclusion (ACM TOCS 5(1), 1987) is free of deadlock, and
// does not keep a process from starving. The model's retry goes back to the start, so that step is
// fair like the others.
func TestFastMutex(t *testing.T) {
	t.Parallel()
	m := classic.FastMutex()
	critical := classic.Label(len(m.Actions) - 3) // two steps of the exit follow it
	trying := func(s *classic.Fast) bool {
		return s.PC[0] != 0 && s.PC[0] < critical || s.PC[1] != 0 && s.PC[1] < critical
	}
	inside := func(s *classic.Fast) bool { return s.PC[0] == critical || s.PC[1] == critical }
	v := violated(t, compile(t, m,
		&modules.Liveness[classic.Fast]{ID: "deadlock", From: trying, To: inside},
		&modules.Liveness[classic.Fast]{ID: "starvation",
			From: func(s *classic.Fast) bool { return s.PC[0] != 0 && s.PC[0] < critical },
			To:   func(s *classic.Fast) bool { return s.PC[0] == critical }},
	))
	if len(v) != 1 || v["starvation"] == nil {
		t.Fatalf("violated: %v", v)
	}
	x := v["starvation"]
	entered := false
	for _, s := range x.Trace.Steps[x.Loop:] {
		entered = entered || s.Node.State.PC[1] == critical
	}
	if !entered {
		t.Error("the other process does not go through its critical section while one starves")
	}
}

// TestRefused: what does not keep every behaviour is refused, and an interrupt is no verdict.
func TestRefused(t *testing.T) {
	t.Parallel()
	m := classic.FastMutex()
	spec := compile(t, m, &modules.Liveness[classic.Fast]{ID: "never", To: func(s *classic.Fast) bool { return false }})
	done, stop := context.WithCancel(t.Context())
	stop()
	if res, err := liveness.Run(spec, liveness.Options{Context: done}); err != nil || !strings.Contains(res.Reason, "interrupted") {
		t.Errorf("interrupted: %v, %q", err, res.Reason)
	}
	if res, err := liveness.Run(spec, liveness.Options{Mem: 1}); err != nil || !strings.Contains(res.Reason, "memory limit") {
		t.Errorf("memory: %v, %q", err, res.Reason)
	}
	spec.Represent = func(n, rep *classic.Node[classic.Fast]) { *rep = *n }
	if _, err := liveness.Run(spec, liveness.Options{}); err != liveness.ErrReduced {
		t.Errorf("reduced: %v", err)
	}
	spec.Represent, spec.Within = nil, func(n *classic.Node[classic.Fast]) bool { return true }
	if _, err := liveness.Run(spec, liveness.Options{}); err != liveness.ErrReduced {
		t.Errorf("constrained: %v", err)
	}
}

// TestNoMemoryLeft: the graph ends undecided before a machine has no memory left.
func TestNoMemoryLeft(t *testing.T) {
	defer host.ForTestsMemory(func() (left, total int64) { return 1, 1000 })()
	spec := compile(t, classic.FastMutex(), &modules.Liveness[classic.Fast]{ID: "never", To: func(s *classic.Fast) bool { return false }})
	if res, err := liveness.Run(spec, liveness.Options{}); err != nil || !strings.HasPrefix(res.Reason, host.NoMemory) {
		t.Errorf("%v, %q", err, res.Reason)
	}
}
