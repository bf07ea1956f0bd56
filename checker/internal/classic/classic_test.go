package classic

import (
	"os"
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

func TestCountsArePublished(t *testing.T) {
	t.Parallel()
	search(t, DieHard())
	search(t, TwoPhaseCommit())
	search(t, EWD840())
	search(t, EWD998())
	search(t, Bakery())
	search(t, Fischer())
	search(t, FastMutex())
	search(t, PcalPaxos(1))
}

func TestLargeCountsArePublished(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("the naive search keeps half a gigabyte of nodes; set MULTIGRAIN_SLOW=1")
	}
	search(t, PcalPaxos(2))
}

// search runs a model to its end, naively and not, and compares the results with the published one.
func search[S comparable](t *testing.T, m Model[S]) {
	t.Run(m.Name, func(t *testing.T) {
		t.Parallel()
		for _, err := range modules.CheckState(reflect.TypeFor[S]()) {
			t.Error(err)
		}
		spec, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		slow := spectest.Naive(spec, spectest.NaiveOptions[Node[S]]{})
		judge(t, m, slow)
		fast, err := explore.Run(spec, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		judge(t, m, fast)
		if slow.Digest != fast.Digest {
			t.Errorf("digests %016x and %016x", slow.Digest, fast.Digest)
		}
	})
}

func judge[S any](t *testing.T, m Model[S], res checker.Result[Node[S]]) {
	t.Helper()
	if res.Distinct != m.Distinct || res.Generated != m.Generated || res.Depth != m.Depth {
		t.Errorf("%d distinct, %d generated, depth %d; published %d, %d, %d",
			res.Distinct, res.Generated, res.Depth, m.Distinct, m.Generated, m.Depth)
	}
	switch {
	case m.Violation == 0 && res.Verdict != checker.Holds:
		t.Errorf("%s, want no violation", res.Verdict)
	case m.Violation > 0 && res.Verdict != checker.Violated:
		t.Errorf("%s, want a violation", res.Verdict)
	case m.Violation > 0 && res.Violations[0].Depth != m.Violation:
		t.Errorf("a counterexample of %d steps, the shortest has %d", res.Violations[0].Depth, m.Violation)
	}
}

// TestInvariantsCanFail compares the invariants with states that the models do not reach.
func TestInvariantsCanFail(t *testing.T) {
	t.Parallel()
	broken(t, TwoPhaseCommit(), "CommitOrAbort", Commitment{DoCommit: true, DoAbort: true})
	broken(t, TwoPhaseCommit(), "AbortWins", Commitment{DoCommit: true})
	broken(t, EWD840(), "TerminationDetection", Ring840{Active: 1 << 2})
	broken(t, EWD840(), "Inv", Ring840{Active: 1 << 2})
	broken(t, EWD998(), "TerminationDetection", Ring998{Active: 1 << 2})
	broken(t, EWD998(), "Inv", Ring998{Pending: [ring998]int8{1}})
	broken(t, EWD998(), "Inv", Ring998{Active: 1 << 2})
	broken(t, Bakery(), "Invariant", Tickets{PC: [bakers]Label{bakeryCS, bakeryCS}})
	broken(t, Fischer(), "Invariant", Timers{PC: [fischers]Label{fischerCS, fischerA, fischerCS}})
	broken(t, FastMutex(), "Invariant", Fast{PC: [fasts]Label{fastCS, fastCS}})
	broken(t, PcalPaxos(1), "Safety", Paxos{Learned: [learners]int8{1, 2}})
}

func broken[S any](t *testing.T, m Model[S], id string, s S) {
	t.Helper()
	for _, v := range m.Invariants {
		if v.ID == id {
			if v.State(&s) {
				t.Errorf("%s: %s holds in %+v", m.Name, id, s)
			}
			return
		}
	}
	t.Errorf("%s has no invariant %s", m.Name, id)
}
