package explore_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// rule is an action without parameters, written down by hand.
type rule[T any] struct {
	name    string
	enabled func(s *T) bool
	apply   func(s, n *T)
}

// toy makes a specification of rules and state invariants. Actions and instances have the numbers
// of the rules.
func toy[T any](init []T, rules []rule[T], invs ...func(*T) bool) *checker.Spec[T] {
	x := &checker.Spec[T]{
		System: "toy",
		Init: func(yield func(*T) bool) {
			for k := range init {
				if n := init[k]; !yield(&n) {
					return
				}
			}
		},
		Enabled: func(s *T, k int) bool { return rules[k].enabled(s) },
		Apply:   func(s, n *T, k int) { rules[k].apply(s, n) },
		State: func(n *T) (broken uint64) {
			for k, holds := range invs {
				if !holds(n) {
					broken |= 1 << k
				}
			}
			return broken
		},
	}
	for k, r := range rules {
		x.Actions = append(x.Actions, checker.Action{Name: r.name})
		x.Instances = append(x.Instances, checker.Instance{Action: k, Server: -1})
	}
	for range invs {
		x.Invariants = append(x.Invariants, checker.Property{ID: "I", Kind: modules.KindState})
	}
	x.Next = func(s *T, out *checker.Successors[T]) {
		for k := range rules {
			if rules[k].enabled(s) {
				n := out.Slot(s)
				rules[k].apply(s, n)
				out.Emit(s, k)
			}
		}
	}
	return x
}

// run explores, with counterexamples as the oracle has them, in another order at most.
func run[T any](t *testing.T, spec *checker.Spec[T], opt explore.Options) checker.Result[T] {
	t.Helper()
	return clearest(t, spec, explore.Logged(opt))
}

// clearest is run where counterexamples are looked for among all shortest ones: they need not be
// the oracle's.
func clearest[T any](t *testing.T, spec *checker.Spec[T], opt explore.Options) checker.Result[T] {
	t.Helper()
	res, err := explore.Run(spec, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkTraces(t, spec, &res)
	return res
}

// checkTraces does every trace again and compares it with what the violation says of it.
func checkTraces[T any](t *testing.T, spec *checker.Spec[T], res *checker.Result[T]) {
	t.Helper()
	for _, v := range res.Violations {
		initial := false
		spec.Init(func(n *T) bool { initial = initial || equal(n, &v.Trace.Init); return true })
		if !initial {
			t.Errorf("%s: the trace does not start in an initial state", v.Kind)
		}
		if v.Depth != len(v.Trace.Steps) {
			t.Errorf("%s: depth %d, %d steps", v.Kind, v.Depth, len(v.Trace.Steps))
		}
		s := v.Trace.Init
		for _, step := range v.Trace.Steps {
			n := s
			if !spec.Enabled(&s, step.Instance) {
				t.Fatalf("%s: a step of the trace is not enabled", v.Kind)
			}
			spec.Apply(&s, &n, step.Instance)
			if !equal(&n, &step.Node) {
				t.Fatalf("%s: a step of the trace leads elsewhere", v.Kind)
			}
			s = n
		}
	}
}

func equal[T any](a, b *T) bool { return bytes.Equal(checker.Bytes(a), checker.Bytes(b)) }

// same compares a result with the oracle's. What depends on the order of work is compared where
// there is one worker only.
func same[T comparable](t *testing.T, got, want *checker.Result[T]) {
	t.Helper()
	if got.Verdict != want.Verdict || got.Distinct != want.Distinct || got.Generated != want.Generated ||
		got.Depth != want.Depth || got.Digest != want.Digest || got.Masked != want.Masked || got.Goals != want.Goals {
		t.Errorf("got %s, %d distinct, %d generated, depth %d, digest %x, %d masked, goals %b\nwant %s, %d, %d, %d, %x, %d, %b",
			got.Verdict, got.Distinct, got.Generated, got.Depth, got.Digest, got.Masked, got.Goals,
			want.Verdict, want.Distinct, want.Generated, want.Depth, want.Digest, want.Masked, want.Goals)
	}
	if !slices.Equal(got.MaskedBy, want.MaskedBy) {
		t.Errorf("masked %v, want %v", got.MaskedBy, want.MaskedBy)
	}
	if !slices.Equal(got.Levels, want.Levels) {
		t.Errorf("levels %v, want %v", got.Levels, want.Levels)
	}
	for k := range want.Actions {
		g, w := got.Actions[k], want.Actions[k]
		if got.Workers > 1 {
			g.Distinct, w.Distinct = 0, 0
		}
		if g != w {
			t.Errorf("action %d: %+v, want %+v", k, g, w)
		}
	}
	sameViolations(t, got, want)
}

func sameViolations[T comparable](t *testing.T, got, want *checker.Result[T]) {
	t.Helper()
	if (len(got.Violations) == 0) != (len(want.Violations) == 0) {
		t.Fatalf("%d violations, want %d", len(got.Violations), len(want.Violations))
	}
	if len(want.Violations) == 0 {
		return
	}
	g, w := &got.Violations[0], &want.Violations[0]
	if g.Invariant != w.Invariant || g.Kind != w.Kind || g.Depth != w.Depth || g.At != w.At || end(g) != end(w) {
		t.Errorf("first: invariant %d %s at depth %d, %d distinct\nwant %d %s at %d, %d", g.Invariant, g.Kind, g.Depth, g.At,
			w.Invariant, w.Kind, w.Depth, w.At)
	}
	if step := len(w.Trace.Steps) - 1; w.Kind != modules.KindState && w.Kind != checker.KindDeadlock && g.Depth == w.Depth &&
		(g.Trace.Steps[step] != w.Trace.Steps[step] || before(g) != before(w)) {
		t.Error("first: it is another step")
	}
	if got.Workers > 1 {
		return
	}
	if len(got.Violations) != len(want.Violations) {
		t.Fatalf("%d violations, want %d", len(got.Violations), len(want.Violations))
	}
	for k := range want.Violations {
		g, w := &got.Violations[k], &want.Violations[k]
		if g.Invariant != w.Invariant || g.Kind != w.Kind || g.Depth != w.Depth || g.At != w.At || g.Count != w.Count ||
			g.Trace.Init != w.Trace.Init || !reordered(&g.Trace, &w.Trace) {
			t.Errorf("violation %d: %+v\nwant %+v", k, g, w)
		}
	}
}

// reordered reports whether two traces take the same instances to the same last node: an
// exploration reorders what the search found first.
func reordered[T comparable](a, b *checker.Trace[T]) bool {
	n := len(a.Steps)
	if n != len(b.Steps) || n > 0 && a.Steps[n-1] != b.Steps[n-1] {
		return false
	}
	count := map[int]int{}
	for k := range a.Steps {
		count[a.Steps[k].Instance]++
		count[b.Steps[k].Instance]--
	}
	for _, c := range count {
		if c != 0 {
			return false
		}
	}
	return true
}

func end[T any](v *checker.Violation[T]) T {
	if n := len(v.Trace.Steps); n > 0 {
		return v.Trace.Steps[n-1].Node
	}
	return v.Trace.Init
}

func before[T any](v *checker.Violation[T]) T {
	if n := len(v.Trace.Steps); n > 1 {
		return v.Trace.Steps[n-2].Node
	}
	return v.Trace.Init
}

// underRace is set where the race detector is on, which makes runs ten times longer.
var underRace bool

// everyWay explores with 1, 2 and 4 workers, with everything small and not, and compares each with
// the oracle.
func everyWay[T comparable](t *testing.T, spec *checker.Spec[T], stop int, deadlock bool) checker.Result[T] {
	t.Helper()
	want := spectest.Naive(spec, spectest.NaiveOptions[T]{Stop: stop, Deadlock: deadlock})
	for _, workers := range []int{1, 2, 4} {
		opt := explore.Options{Workers: workers, Stop: stop, Deadlock: deadlock}
		res := run(t, spec, opt)
		same(t, &res, &want)
		res = run(t, spec, explore.Small(opt))
		same(t, &res, &want)
	}
	for parts := 1; parts <= 4; parts++ {
		res := inParts(t, spec, explore.Options{Stop: stop, Deadlock: deadlock}, parts)
		same(t, &res, &want)
		res = inParts(t, spec, explore.Small(explore.Options{Stop: stop, Deadlock: deadlock}), parts)
		same(t, &res, &want)
	}
	return want
}

// twoWays does that with one worker and everything small, and in one other way, which seed chooses.
func twoWays[T comparable](t *testing.T, spec *checker.Spec[T], seed uint64, stop int, deadlock bool, want *checker.Result[T]) {
	t.Helper()
	opt := explore.Options{Workers: 1, Stop: stop, Deadlock: deadlock}
	res := run(t, spec, explore.Small(opt))
	same(t, &res, want)
	opt.Workers = []int{2, 4, 1, 3}[seed%4]
	if opt.Workers > 1 {
		opt = explore.Small(opt)
	}
	res = run(t, spec, opt)
	same(t, &res, want)
	res = inParts(t, spec, explore.Small(explore.Options{Stop: stop, Deadlock: deadlock}), int(seed%4)+1)
	same(t, &res, want)
}
