package treesize

import (
	"math"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// steps are independent steps, each at most once.
type steps struct{ Done [6]bool }

// square is a specification of n independent steps, and of one that changes nothing.
func square(t *testing.T, n int, endless bool) *checker.Spec[checker.Node[steps, [0]uint8]] {
	t.Helper()
	do := &modules.Action[steps, modules.One[uint8]]{Name: "Do", Params: modules.Each[uint8](n),
		Guard:  func(s *steps, p modules.One[uint8]) bool { return !s.Done[p.I] || endless },
		Effect: func(s, d *steps, p modules.One[uint8]) { d.Done[p.I] = !s.Done[p.I] }}
	idle := &modules.Action[steps, modules.None]{Name: "Idle", Params: modules.Once, Effect: func(s, d *steps, _ modules.None) {}}
	spec := &modules.Spec[steps]{System: "square", Init: func(yield func(steps) bool) { yield(steps{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[steps]{do, idle}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[steps]{Bound: b})
	}
	bound, err := checker.Of[steps, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// behaviours counts those of n independent steps: the sum of n!/(n-k)!.
func behaviours(n int) (sum float64) {
	product := 1.0
	for k := range n + 1 {
		sum += product
		product *= float64(n - k)
	}
	return sum
}

// TestOf: nodes of one depth have equally many successors, so both estimates are exact. They count
// behaviours: there are far fewer states.
func TestOf(t *testing.T) {
	t.Parallel()
	for n := range 7 {
		e, err := Of(square(t, n, false), Limits{Walks: 20, Depth: 10})
		if want := behaviours(n); err != nil || math.Abs(e.Knuth-want) > 1e-9 || math.Abs(e.Chen-want) > 1e-9 || e.Walks != 20 {
			t.Errorf("%d steps: %+v, %v; want %g", n, e, err, want)
		}
	}
}

// uneven is a tree in which the first step decides how many follow.
type uneven struct{ Depth, Wide uint8 }

// TestUneven: the mean is right where walks differ. The tree has 1 + 2 + 4 + 4 + 4 nodes.
func TestUneven(t *testing.T) {
	t.Parallel()
	step := &modules.Action[uneven, modules.One[uint8]]{Name: "Step", Params: modules.Each[uint8](4),
		Guard: func(s *uneven, p modules.One[uint8]) bool {
			switch s.Depth {
			case 0:
				return p.I < 2
			case 1:
				return s.Wide == 1
			}
			return s.Depth < 4 && p.I == 0
		},
		Effect: func(s, d *uneven, p modules.One[uint8]) { d.Depth, d.Wide = s.Depth+1, s.Wide*4+p.I }}
	spec := &modules.Spec[uneven]{System: "uneven", Init: func(yield func(uneven) bool) { yield(uneven{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[uneven]{step}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[uneven]{Bound: b})
	}
	bound, err := checker.Of[uneven, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Of(bound, Limits{Walks: 40_000, Depth: 10})
	if err != nil || math.Abs(e.Knuth-15) > 0.5 {
		t.Errorf("%+v, %v; want 15", e, err)
	}
	chen := 0.0
	for seed := range uint64(2000) {
		e, err := Of(bound, Limits{Depth: 10, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		chen += e.Chen / 2000
	}
	if math.Abs(chen-15) > 0.5 {
		t.Errorf("%g; want 15", chen)
	}
}

// TestUnknown: behaviours without an end, and a time that is over, give no number.
func TestUnknown(t *testing.T) {
	t.Parallel()
	e, err := Of(square(t, 3, true), Limits{Walks: 5, Depth: 50})
	if err != nil || e.Knuth != 0 || e.Chen != 0 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err = Of(square(t, 6, false), Limits{Walks: 1, Depth: 50, Timeout: time.Nanosecond}); err != nil || e.Chen != 0 || e.Knuth != 0 {
		t.Errorf("%+v, %v", e, err)
	}
}
