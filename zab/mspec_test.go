package zab

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/modules"
)

// TestMSpec1 explores mspec-1 with a crash and a partition: nothing is violated but ZOOKEEPER-4394,
// which is masked, every action happens, and the leader synchronises in every way.
func TestMSpec1(t *testing.T) {
	t.Parallel()
	choice := choose("baseline", map[string]int{"crashes": 1, "partitions": 1, "requests": 2, "epochs": 3})
	choice.Except = []string{"I-14.npe"}
	spec := compose(t, choice)
	r, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != checker.Holds || r.Masked == 0 {
		t.Errorf("%s with %d states, %d masked", r.Verdict, r.Distinct, r.Masked)
	}
	// These steps after exceptions need larger bounds, if any behaviour has them.
	exits := []string{FollowerExitsAtTRUNC.Name, FollowerExitsAtCOMMIT.Name, FollowerIgnoresSync.Name,
		FollowerHoldsBackAfterGap.Name, FollowerIgnoresCOMMIT.Name, FollowerExitsAtUPTODATE.Name,
		FollowerLogsAfterGap.Name, LeaderIgnoresACK.Name}
	for k, a := range r.Actions {
		if a.Fired == 0 && !slices.Contains(exits, spec.Actions[k].Name) {
			t.Errorf("%s is never enabled", spec.Actions[k].Name)
		}
	}
}

// TestWaysOfSynchronization: DIFF, TRUNC and SNAP are all taken where a leader crashes with a
// transaction of its own.
func TestWaysOfSynchronization(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{DIFF, TRUNC, SNAP} {
		if kind == SNAP && !Snap {
			continue
		}
		choice := choose("baseline", map[string]int{"crashes": 2, "partitions": 0, "requests": 2, "epochs": 3})
		sys := System
		sys.Invariants = []modules.Invariant[State]{{ID: "never", Doc: "The kind is never in flight.", State: func(s *State) bool {
			for i := range Server(Servers) {
				for j := range Server(Servers) {
					if s.Msgs.Is(i, j, kind) {
						return false
					}
				}
			}
			return true
		}}}
		choice.Invariants = []string{"never"}
		spec := composeSystem(t, &sys, choice)
		r, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
		if err != nil || r.Verdict != checker.Violated {
			t.Errorf("kind %d: %s, %v", kind, r.Verdict, err)
		}
	}
}

// TestZK4394 finds ZOOKEEPER-4394 without any fault.
func TestZK4394(t *testing.T) {
	t.Parallel()
	spec := compose(t, choose("baseline", map[string]int{"crashes": 0, "partitions": 0, "requests": 1, "epochs": 1}))
	r, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := found(t, spec, r); name != "I-14.npe" {
		t.Errorf("%s is violated first", name)
	}
}

// TestZK4643 finds ZOOKEEPER-4643, the loss of a committed transaction, where epoch and history are
// accepted in two steps.
func TestZK4643(t *testing.T) {
	t.Parallel()
	choice := choose("follower-steps", map[string]int{"crashes": 3, "partitions": 0, "requests": 2, "epochs": 4})
	choice.Except = []string{"I-14.npe", "I-11.epoch"}
	spec := compose(t, choice)
	r, err := explore.Run(spec, explore.Options{Stop: 1})
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := found(t, spec, r); name != "I-8" {
		t.Errorf("%s is violated first", name)
	}
}
