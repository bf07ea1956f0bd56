package simulate_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/classic"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/checker/spectest"
)

func run[T any](t *testing.T, spec *checker.Spec[T], opt simulate.Options) simulate.Result[T] {
	t.Helper()
	res, err := simulate.Run(spec, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// oracle holds the findings of a complete naive search.
type oracle[T comparable] struct {
	checker.Result[T]
	nodes map[uint64]bool
}

func ask[T comparable](spec *checker.Spec[T], deadlock bool) oracle[T] {
	o := oracle[T]{nodes: map[uint64]bool{}}
	o.Result = spectest.Naive(spec, spectest.NaiveOptions[T]{Deadlock: deadlock, Each: func(n *T, _ int) { o.nodes[fingerprint.Of(n)] = true }})
	return o
}

// broken is which invariants a search found broken, and -1 for a deadlock.
func broken[T any](res *checker.Result[T]) map[int]bool {
	m := map[int]bool{}
	for _, v := range res.Violations {
		m[v.Invariant] = true
	}
	return m
}

// within compares a simulation with the naive search: walks see a part of its states and steps.
func within[T comparable](t *testing.T, spec *checker.Spec[T], opt simulate.Options) (simulate.Result[T], oracle[T]) {
	t.Helper()
	all := ask(spec, opt.Deadlock)
	seen, strangers := map[uint64]bool{}, 0
	opt.Workers = 1
	res := run(t, spec, simulate.Visited(opt, func(h uint64) {
		seen[h] = true
		if !all.nodes[h] {
			strangers++
		}
	}))
	digest := uint64(0)
	for h := range seen {
		digest += h
	}
	if strangers > 0 {
		t.Errorf("%d nodes of walks are not reachable", strangers)
	}
	if res.Distinct != int64(len(seen)) || res.Digest != digest {
		t.Errorf("%d distinct, digest %x; walks visited %d, %x", res.Distinct, res.Digest, len(seen), digest)
	}
	if res.Goals&^all.Goals != 0 {
		t.Errorf("goals %b, reachable are %b", res.Goals, all.Goals)
	}
	have := broken(&all.Result)
	for k := range broken(&res.Result) {
		if !have[k] {
			t.Errorf("invariant %d is not broken anywhere", k)
		}
	}
	counts(t, spec, &res)
	for k := range res.Violations {
		minimal(t, spec, &res.Violations[k], res.Origins[k])
	}
	return res, all
}

// counts compares the counts of a result with each other.
func counts[T any](t *testing.T, spec *checker.Spec[T], res *simulate.Result[T]) {
	t.Helper()
	fired, instances, first := int64(0), int64(0), int64(0)
	for k, a := range res.Actions {
		fired, first = fired+a.Fired, first+a.Distinct
		if a.Fired > a.Enabled {
			t.Errorf("%s was tried %d times and enabled %d times", spec.Actions[k].Name, a.Fired, a.Enabled)
		}
	}
	for _, n := range res.Instances {
		instances += n
	}
	e := res.Ends
	if ends := e.Depth + e.Deadlock + e.Blocked + e.Outside + e.Violated; ends != res.Walks {
		t.Errorf("%d ends of %d walks", ends, res.Walks)
	}
	if fired != instances || fired+res.Walks != res.Generated || first > res.Distinct {
		t.Errorf("%d steps of actions, %d of instances, %d generated, %d walks, %d of %d nodes reached", fired, instances, res.Generated, res.Walks, first, res.Distinct)
	}
	last := res.Coverage[len(res.Coverage)-1]
	if last.Walks != res.Walks || last.Distinct != res.Distinct || last.Steps != res.Steps || last.Abstractions != res.Abstractions {
		t.Errorf("coverage ends in %+v", last)
	}
	for k := range res.Coverage[1:] {
		a, b := res.Coverage[k], res.Coverage[k+1]
		if a.Walks >= b.Walks || a.Steps > b.Steps || a.Distinct > b.Distinct || a.Actions > b.Actions || a.Instances > b.Instances ||
			a.Abstractions > b.Abstractions || a.Goals > b.Goals {
			t.Errorf("coverage went from %+v to %+v", a, b)
		}
	}
}

func TestRandomModels(t *testing.T) {
	t.Parallel()
	kinds, ends, all, saw := map[string]int{}, simulate.Ends{}, 0, 0
	goals, masked := 0, int64(0)
	for seed := range uint64(100) {
		spec := model(t, seed)
		opt := simulate.Options{Depth: 15, Number: 400, Seed: seed, Deadlock: seed%2 == 0, Learned: seed%5 == 0}
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			res, want := within(t, spec, opt)
			for _, v := range res.Violations {
				kinds[v.Kind]++
			}
			ends.Depth, ends.Deadlock, ends.Blocked = ends.Depth+res.Ends.Depth, ends.Deadlock+res.Ends.Deadlock, ends.Blocked+res.Ends.Blocked
			ends.Outside, ends.Violated = ends.Outside+res.Ends.Outside, ends.Violated+res.Ends.Violated
			all, saw = all+int(want.Distinct), saw+int(res.Distinct)
			goals += int(res.Goals)
			masked += res.Masked
			if want.Verdict == checker.Holds && (res.Verdict != checker.Holds && res.Walks > 0) {
				t.Errorf("it %s", res.Verdict)
			}
		})
	}
	t.Logf("%d of %d nodes, %v, %+v, %d masked", saw, all, kinds, ends, masked)
	if len(kinds) < 4 || ends.Deadlock == 0 || ends.Blocked == 0 || ends.Outside == 0 || ends.Violated == 0 || ends.Depth == 0 || goals == 0 || masked == 0 || saw < all/10 {
		t.Error("the models do not exercise what they are made for")
	}
}

func TestClassics(t *testing.T) {
	t.Parallel()
	classics(t, classic.DieHard())
	classics(t, classic.TwoPhaseCommit())
	classics(t, classic.EWD840())
	classics(t, classic.Bakery())
	classics(t, classic.Fischer())
	classics(t, classic.FastMutex())
	classics(t, classic.PcalPaxos(1))
}

// classics simulates a published model. A violation has to be found where there is one, by a
// shortest counterexample if that is what the shrunk one is known to be.
func classics[S comparable](t *testing.T, m classic.Model[S]) {
	t.Run(m.Name, func(t *testing.T) {
		t.Parallel()
		spec, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		res, all := within(t, spec, simulate.Options{Depth: 60, Number: 300, Seed: 1})
		if (m.Violation > 0) != (res.Verdict == checker.Violated) {
			t.Errorf("it %s", res.Verdict)
		}
		for k, v := range res.Violations {
			t.Logf("%d steps, %d before shrinking, shortest is %d", v.Depth, res.Origins[k].Length, m.Violation)
			if v.Depth < m.Violation || v.Depth > res.Origins[k].Length {
				t.Errorf("%d steps, %d before shrinking, shortest is %d", v.Depth, res.Origins[k].Length, m.Violation)
			}
		}
		t.Logf("%d of %d nodes in %d steps", res.Distinct, all.Distinct, res.Steps)
	})
}

// alike compares results in everything but times.
func alike[T any](t *testing.T, what string, got, want simulate.Result[T]) {
	t.Helper()
	for _, r := range []*simulate.Result[T]{&got, &want} {
		r.Duration, r.Workers = 0, 0
		for k := range r.Coverage {
			r.Coverage[k].Elapsed = 0
		}
	}
	if !reflect.DeepEqual(got, want) {
		fields := func(r simulate.Result[T]) string { return strings.ReplaceAll(fmt.Sprintf("%+v\n", r), " ", "\n") }
		t.Errorf("%s: the results differ:\n%s", what, udiff.Unified("want", "got", fields(want), fields(got)))
	}
}

func TestSeedsReproduceAndWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	differ, stopped := 0, 0
	for seed := range uint64(12) {
		spec := model(t, seed)
		for _, opt := range []simulate.Options{
			{Depth: 12, Number: 150, Seed: seed},
			{Depth: 12, Number: 150, Seed: seed, Learned: true},
			{Depth: 12, Number: 150, Seed: seed, Stop: 1, Deadlock: true},
			{Depth: 12, Number: 150, Seed: seed, Stop: 7},
			{Depth: 12, Number: 150, Seed: seed, MaxStates: 20},
		} {
			opt.Workers = 1
			one := run(t, spec, opt)
			for _, workers := range []int{1, 2, 4} {
				opt.Workers = workers
				alike(t, fmt.Sprintf("seed %d, %+v", seed, opt), run(t, spec, opt), one)
			}
			if !opt.Learned { // what is learned depends on the rounds
				alike(t, fmt.Sprintf("seed %d, rounds of 7, %+v", seed, opt), run(t, spec, simulate.Rounds(opt, 7)), one)
			}
			if one.Walks < 150 {
				stopped++
			}
			opt.Seed += 1000
			if other := run(t, spec, opt); other.Digest != one.Digest || other.Steps != one.Steps {
				differ++
			}
		}
	}
	if differ < 20 || stopped < 10 {
		t.Errorf("%d of 60 runs differ from those with another seed, %d were stopped", differ, stopped)
	}
}

// TestWalksAreThoseOfRun: Walk takes the walks that Run judges, with the same weights.
func TestWalksAreThoseOfRun(t *testing.T) {
	t.Parallel()
	spec, err := classic.TwoPhaseCommit().Compile()
	if err != nil {
		t.Fatal(err)
	}
	weights := map[string]float64{"Decide": 0.5, "RcvCommit": 3}
	const depth, number, seed = 15, 50, 42
	var want []uint64
	res := run(t, spec, simulate.Visited(simulate.Options{Depth: depth, Number: number, Seed: seed, Workers: 1, Weights: weights},
		func(h uint64) { want = append(want, h) }))
	w, err := simulate.NewWalker(spec, weights)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for k := range int64(number) {
		trace, err := w.Walk(simulate.Source(seed, k+1), depth)
		if err != nil {
			t.Fatal(err)
		}
		once, err := simulate.Walk(spec, simulate.Source(seed, k+1), depth, weights)
		if err != nil || !reflect.DeepEqual(once, trace) {
			t.Errorf("walk %d is another one the second time, %v", k+1, err)
		}
		got = append(got, fingerprint.Of(&trace.Init))
		s := trace.Init
		for _, step := range trace.Steps {
			if !spec.Enabled(&s, step.Instance) {
				t.Fatal("a step is not enabled")
			}
			n := s
			if spec.Apply(&s, &n, step.Instance); n != step.Node {
				t.Fatal("a step leads elsewhere")
			}
			got, s = append(got, fingerprint.Of(&n)), n
		}
	}
	if res.Verdict != checker.Holds || !reflect.DeepEqual(got, want) {
		t.Errorf("it %s; %d nodes, want %d", res.Verdict, len(got), len(want))
	}
}
