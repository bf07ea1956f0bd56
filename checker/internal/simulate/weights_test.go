package simulate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// urn is a state that remembers the last draw only.
type urn struct {
	Last   uint8
	Raised modules.Raised[uint8]
}

type urnNode = checker.Node[urn, [0]uint8]

// urnSpec has three actions that are always enabled, with 1, 4 and 10 instances. The first n
// instances of the last one raise a masked assertion.
func urnSpec(t *testing.T, n uint8) *checker.Spec[urnNode] {
	t.Helper()
	type one = modules.One[uint8]
	spec := &modules.Spec[urn]{System: "urn", Init: func(yield func(urn) bool) { yield(urn{}) }}
	var actions []modules.AnyAction[urn]
	for k, instances := range []int{1, 4, 10} {
		actions = append(actions, &modules.Action[urn, one]{Name: fmt.Sprint("A", k), Params: modules.Each[uint8](instances),
			Guard: func(s *urn, p one) bool { return true },
			Effect: func(s, after *urn, p one) {
				after.Last = p.I
				if k == 2 && p.I < n {
					after.Raised.Raise(p.I)
				}
			}})
	}
	for _, b := range modules.Bind(actions, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[urn]{Bound: b})
	}
	out, err := checker.Of[urn, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWeights: an action is drawn by its weight, however many instances it has, and its instances
// uniformly. A step that raises a masked assertion is drawn as any other and then another in its
// place. The bounds are six standard deviations wide.
func TestWeights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weights map[string]float64
		masked  uint8
		shares  [3]float64 // of the steps tried
	}{
		{nil, 0, [3]float64{1. / 3, 1. / 3, 1. / 3}},
		{map[string]float64{"A0": 2, "A1": 1, "A2": 5}, 0, [3]float64{2. / 8, 1. / 8, 5. / 8}},
		{map[string]float64{"A0": 0.25, "A2": 0}, 0, [3]float64{0.2, 0.8, 0}},
		{map[string]float64{"A0": 0, "A1": 0, "A2": 1e-9}, 0, [3]float64{0, 0, 1}},
		// the shares are those of the steps taken
		{map[string]float64{"A0": 0}, 10, [3]float64{0, 0, 0}},
	} {
		res := run(t, urnSpec(t, c.masked), simulate.Options{Depth: 200, Number: 200, Seed: 9, Weights: c.weights, Workers: 2})
		if res.Steps != 200*200 || res.Ends.Depth != 200 {
			t.Fatalf("%v: %d steps, ends %+v", c.weights, res.Steps, res.Ends)
		}
		if c.masked > 0 {
			if res.Actions[1].Fired != res.Steps || res.Masked == 0 || res.Actions[2].Fired != res.Masked || res.Distinct > 5 {
				t.Errorf("masked: %+v, %d masked, %d distinct", res.Actions, res.Masked, res.Distinct)
			}
			continue
		}
		at := 0
		for k, instances := range []int{1, 4, 10} {
			near(t, fmt.Sprint(c.weights, " action ", k), res.Actions[k].Fired, res.Steps, c.shares[k])
			for range instances {
				near(t, fmt.Sprint(c.weights, " instance ", at), res.Instances[at], res.Steps, c.shares[k]/float64(instances))
				at++
			}
			if res.Actions[k].Enabled != int64(instances)*(res.Steps+res.Walks) {
				t.Errorf("%v: action %d was enabled %d times", c.weights, k, res.Actions[k].Enabled)
			}
		}
	}
}

func near(t *testing.T, what string, n, of int64, share float64) {
	t.Helper()
	mean := float64(of) * share
	if d := math.Abs(float64(n) - mean); d > 6*math.Sqrt(mean*(1-share)) {
		t.Errorf("%s: %d of %d, want about %.0f", what, n, of, mean)
	}
}

func TestWrongWeights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weights map[string]float64
		message string
	}{
		{map[string]float64{"A0": -1}, "weight of action A0 is -1"},
		{map[string]float64{"A0": math.NaN()}, "weight of action A0 is NaN"},
		{map[string]float64{"A0": math.Inf(1)}, "weight of action A0 is +Inf"},
		{map[string]float64{"A9": 1, "A8": 2}, "given for A8, A9"},
		{map[string]float64{"A0": 0, "A1": 0, "A2": 0}, "every action has weight 0"},
	} {
		_, err := simulate.Run(urnSpec(t, 0), simulate.Options{Number: 1, Weights: c.weights})
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%v: %v", c.weights, err)
		}
		if _, err := simulate.NewWalker(urnSpec(t, 0), c.weights); err == nil {
			t.Errorf("%v: a walker is made", c.weights)
		}
	}
}

// TestMaskedSteps: an instance that raises a masked assertion is drawn at most once at a node, and
// all others can still be drawn.
func TestMaskedSteps(t *testing.T) {
	t.Parallel()
	res := run(t, urnSpec(t, 7), simulate.Options{Depth: 200, Number: 100, Seed: 2, Weights: map[string]float64{"A0": 0, "A1": 0}})
	if res.Steps != 200*100 || res.Ends.Depth != 100 {
		t.Fatalf("%d steps, ends %+v", res.Steps, res.Ends)
	}
	for k, n := range res.Instances[5:] {
		if k < 7 { // of all orders of 1 + 3 instances, 1 in 4 begins with this one
			near(t, fmt.Sprint("masked instance ", k), n, res.Steps, 0.25)
		} else {
			near(t, fmt.Sprint("instance ", k), n, res.Steps, 1./3)
		}
	}
}

// stairs is a state that steps lead up from and most of them back to the start.
type stairs struct{ At uint8 }

type stairNode = checker.Node[stairs, [0]uint8]

// stairSpec has an action for each of 24 stairs, and three that lead back: half of a walk's chances
// decay at every stair.
func stairSpec(t *testing.T) *checker.Spec[stairNode] {
	t.Helper()
	spec := &modules.Spec[stairs]{System: "stairs", Init: func(yield func(stairs) bool) { yield(stairs{}) }}
	var actions []modules.AnyAction[stairs]
	for k := range uint8(24) {
		actions = append(actions, &modules.Action[stairs, modules.None]{Name: fmt.Sprint("Up", k), Params: modules.Once,
			Guard:  func(s *stairs, _ modules.None) bool { return s.At == k },
			Effect: func(s, n *stairs, _ modules.None) { n.At++ }})
	}
	actions = append(actions, &modules.Action[stairs, modules.None]{Name: "Fall", Params: modules.Once,
		Guard:  func(s *stairs, _ modules.None) bool { return true },
		Effect: func(s, n *stairs, _ modules.None) { n.At = 0 }})
	for _, b := range modules.Bind(actions, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[stairs]{Bound: b})
	}
	out, err := checker.Of[stairs, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLearning: where the way is rewarded by ever new sets of enabled actions, learned weights come
// to its end, which uniform walks reach once in 2 to the 24.
func TestLearning(t *testing.T) {
	t.Parallel()
	spec := stairSpec(t)
	opt := simulate.Options{Depth: 50, Number: 1000, Seed: 3}
	plain := run(t, spec, opt)
	opt.Learned = true
	learned := run(t, spec, opt)
	t.Logf("%d and %d of 25 stairs", plain.Distinct, learned.Distinct)
	if plain.Distinct > 20 || learned.Distinct != 25 || learned.Abstractions != 25 {
		t.Errorf("%d and %d of 25 stairs, %d abstractions", plain.Distinct, learned.Distinct, learned.Abstractions)
	}
	opt.Weights = map[string]float64{"Up3": 0} // what is never taken stays so
	if res := run(t, spec, opt); res.Distinct != 4 || res.Actions[3].Fired != 0 || res.Actions[3].Enabled == 0 {
		t.Errorf("%d stairs, %+v", res.Distinct, res.Actions[3])
	}
}

// TestEnabledLater: what is enabled only at some of the nodes that a hash takes for one is taken.
func TestEnabledLater(t *testing.T) {
	t.Parallel()
	res := run(t, stairSpec(t), simulate.Options{Depth: 50, Number: 300, Seed: 3, Learned: true, Hash: simulate.ByBytes})
	t.Logf("%d of 25 stairs", res.Distinct)
	if res.Distinct < 20 {
		t.Errorf("%d of 25 stairs", res.Distinct)
	}
}

// tower is a state that Up leads up from, if its parameter is right, and Fall back to the start.
// Its actions are always enabled, so sets of them say nothing. Odd changes with each step.
type tower struct{ At, Odd uint8 }

// TestHashes: weights are learned for what their hash tells apart. Uniform walks reach the top once
// in 2 to the 24.
func TestHashes(t *testing.T) {
	t.Parallel()
	spec := &modules.Spec[tower]{System: "tower", Init: func(yield func(tower) bool) { yield(tower{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[tower]{
		&modules.Action[tower, modules.One[uint8]]{Name: "Up", Params: modules.Each[uint8](24),
			Guard:  func(s *tower, p modules.One[uint8]) bool { return s.At == p.I },
			Effect: func(s, n *tower, _ modules.One[uint8]) { n.At++; n.Odd ^= 1 }},
		&modules.Action[tower, modules.None]{Name: "Fall", Params: modules.Once,
			Guard:  func(s *tower, _ modules.None) bool { return s.At < 24 },
			Effect: func(s, n *tower, _ modules.None) { n.At = 0; n.Odd ^= 1 }},
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[tower]{Bound: b})
	}
	bound, err := checker.Of[tower, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		hash simulate.Hash
		span simulate.Span
		top  bool
	}{
		{simulate.ByActions, simulate.Span{}, false},
		{simulate.ByInstances, simulate.Span{}, true},
		{simulate.ByNodes, simulate.Span{}, true},
		{simulate.ByBytes, simulate.Span{From: 0, To: 1}, true},
		{simulate.ByBytes, simulate.Span{From: 1, To: 2}, false},
	} {
		res, err := simulate.Run(bound, simulate.Options{Depth: 60, Number: 1500, Seed: 3, Learned: true, Hash: c.hash, Bytes: []simulate.Span{c.span}})
		if err != nil {
			t.Fatal(err)
		}
		highest := res.Distinct / 2 // each place has two states
		t.Logf("%s %v: %d states", c.hash, c.span, res.Distinct)
		if top := highest >= 24; top != c.top {
			t.Errorf("%s %v: %d states", c.hash, c.span, res.Distinct)
		}
	}
}
