package explore_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
)

// digits is a model with more nodes than any test waits for: 7 digits of base 64 that are raised in
// any order.
type digits struct{ D [7]uint8 }

func endless(invs ...func(*digits) bool) *checker.Spec[digits] {
	var rules []rule[digits]
	for k := range 7 {
		rules = append(rules, rule[digits]{"raise", func(s *digits) bool { return s.D[k] < 63 }, func(_, n *digits) { n.D[k]++ }})
	}
	return toy([]digits{{}}, rules, invs...)
}

func undecided(t *testing.T, res checker.Result[digits], reason string) {
	t.Helper()
	if res.Verdict != checker.Undecided || !strings.Contains(res.Reason, reason) {
		t.Errorf("%s because %q, want undecided because of %q", res.Verdict, res.Reason, reason)
	}
	sum := int64(0)
	for _, n := range res.Levels {
		sum += n
	}
	if sum != res.Distinct || res.Generated < res.Distinct {
		t.Errorf("%d nodes in levels, %d distinct, %d generated", sum, res.Distinct, res.Generated)
	}
}

func TestLimitsLeaveItUndecided(t *testing.T) {
	t.Parallel()
	t.Run("states", func(t *testing.T) {
		t.Parallel()
		res := run(t, endless(), explore.Options{MaxStates: 10_000})
		undecided(t, res, "10000 distinct states")
		if res.Distinct < 10_000 || res.Distinct > 20_000 {
			t.Errorf("%d distinct", res.Distinct)
		}
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		undecided(t, run(t, endless(), explore.Options{Timeout: 20 * time.Millisecond}), "time limit")
	})
	for _, c := range []struct {
		name  string
		bytes int64
	}{{"memory", 8 << 20}, {"hardly any memory", 1 << 20}, {"memory for the table only", 256 << 10}, {"no memory", 1}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			res := run(t, endless(), explore.Options{Mem: c.bytes})
			undecided(t, res, "memory limit")
			if res.Memory > c.bytes {
				t.Errorf("%d bytes held", res.Memory)
			}
		})
	}
	t.Run("violation before the limit", func(t *testing.T) {
		t.Parallel()
		res := run(t, endless(func(s *digits) bool { return s.D[0] < 3 }), explore.Options{MaxStates: 5_000})
		if res.Verdict != checker.Violated || !strings.Contains(res.Reason, "5000") || res.Violations[0].Depth != 3 {
			t.Errorf("%s because %q", res.Verdict, res.Reason)
		}
	})
}

func TestLimitThatIsNotReached(t *testing.T) {
	t.Parallel()
	small := func() *checker.Spec[digits] {
		spec := endless()
		spec.Within = func(s *digits) bool { return s.D[0] < 10 && s.D[1] < 10 && s.D[2]+s.D[3]+s.D[4]+s.D[5]+s.D[6] == 0 }
		return spec
	}
	opt := explore.Options{MaxStates: 100, Timeout: time.Hour, Mem: 1 << 30}
	if res := run(t, small(), opt); res.Verdict != checker.Holds || res.Distinct != 100 || res.Reason != "" {
		t.Errorf("%s, %d distinct, %q", res.Verdict, res.Distinct, res.Reason)
	}
	opt.MaxStates = 99
	undecided(t, run(t, small(), opt), "99 distinct states")
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	undecided(t, run(t, endless(), explore.Options{Context: ctx}), "interrupted")

	ctx, cancel = context.WithCancel(t.Context())
	var calls atomic.Int64
	opt := explore.Options{Context: ctx, Workers: 2, Progress: func(p checker.Progress) {
		if p.Distinct <= 0 || p.Generated < 0 || p.Depth <= 0 || p.Memory <= 0 || p.Queue < 0 || p.Queue > p.Distinct || p.Elapsed <= 0 {
			t.Errorf("progress %+v", p)
		}
		calls.Add(1)
		cancel()
	}}
	res := run(t, endless(), opt)
	undecided(t, res, "interrupted")
	if n := calls.Load(); n == 0 || res.Distinct == 0 {
		t.Errorf("%d reports, %d distinct", n, res.Distinct)
	}
}

// TestViolationsOfAnInterruptedLevel: what was found in a level that is not finished has a trace.
func TestViolationsOfAnInterruptedLevel(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2} {
		res := run(t, endless(func(s *digits) bool { return s.D[6] < 2 }), explore.Small(explore.Options{Workers: workers, MaxStates: 2_000}))
		if res.Verdict != checker.Violated || res.Violations[0].Depth != 2 {
			t.Errorf("%s", res.Verdict)
		}
	}
}

// Nodes of every size are explored: those smaller than a word, and those larger than what is made
// for usual ones.
func TestNodeSizes(t *testing.T) {
	t.Parallel()
	sized[struct{ A [1]uint8 }](t)
	sized[struct{ A [9]uint8 }](t)
	sized[struct{ A [600]uint8 }](t)
	sized[struct{ A [9_001]uint8 }](t)
	sized[struct{ A [150_000]uint8 }](t)
}

func sized[T comparable](t *testing.T) {
	t.Helper()
	var init T
	top := len(checker.Bytes(&init)) - 1
	spec := toy([]T{init}, []rule[T]{
		{"first", func(s *T) bool { return checker.Bytes(s)[0] < 7 }, func(_, n *T) { checker.Bytes(n)[0]++ }},
		{"last", func(s *T) bool { return checker.Bytes(s)[top] < 7 }, func(_, n *T) { checker.Bytes(n)[top]++ }},
	}, func(s *T) bool { return checker.Bytes(s)[top] < 6 })
	want := int64(64)
	if top == 0 {
		want = 8
	}
	res := run(t, spec, explore.Options{Workers: 2})
	if res.Distinct != want || res.Verdict != checker.Violated || res.Violations[0].Depth != 6 {
		t.Errorf("%T: %d distinct, %s", init, res.Distinct, res.Verdict)
	}
}

func TestNodesThatAreNotTheirBytes(t *testing.T) {
	t.Parallel()
	refused(t, struct{ P *int }{})
	refused(t, struct {
		A uint8
		B uint32
	}{})
	refused(t, uint64(0))
	refused(t, struct{ A [3 << 20]uint8 }{})
}

func refused[T any](t *testing.T, init T) {
	t.Helper()
	res, err := explore.Run(toy[T](nil, nil), explore.Options{})
	if err == nil || res.Verdict == checker.Holds {
		t.Errorf("%T: %s, %v", init, res.Verdict, err)
	}
}

func TestDeadlock(t *testing.T) {
	t.Parallel()
	type clock struct{ T uint8 }
	until := func(end uint8) []rule[clock] {
		return []rule[clock]{{"tick", func(s *clock) bool { return s.T < end }, func(_, n *clock) { n.T++ }}}
	}
	for _, deadlock := range []bool{false, true} {
		res := everyWay(t, toy([]clock{{}}, until(9)), 1, deadlock)
		if deadlock && (res.Verdict != checker.Violated || res.Violations[0].Kind != checker.KindDeadlock || res.Violations[0].Depth != 9) {
			t.Errorf("%s", res.Verdict)
		}
	}
	// A node whose only successors ended in an assertion is none, nor is one that only leads
	// outside the constraints.
	spec := toy([]clock{{}}, until(10))
	spec.Raised = func(n *clock) (bool, uint64) { return n.T == 10, 0 }
	if res := everyWay(t, spec, 1, true); res.Verdict != checker.Holds || res.Masked != 1 {
		t.Errorf("a masked assertion: %s, %d masked", res.Verdict, res.Masked)
	}
	spec = toy([]clock{{}}, until(10))
	spec.Within = func(n *clock) bool { return n.T < 10 }
	if res := everyWay(t, spec, 1, true); res.Verdict != checker.Holds || res.Distinct != 10 || res.Generated != 11 {
		t.Errorf("a constraint: %s", res.Verdict)
	}
}
