package priorities_test

import (
	"math"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/priorities"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// threads is a program of agents that each take steps in a row. Order holds the agents by step.
type threads struct {
	At    [4]uint8
	N     uint8
	Order [24]uint8
}

// program has one instance for each agent: its next step. Bug judges the order in which all steps
// were taken.
func program(lengths []uint8, bug func(order []uint8) bool) (*checker.Spec[threads], []int) {
	total := 0
	spec := &checker.Spec[threads]{
		Init:    func(yield func(*threads) bool) { yield(&threads{}) },
		Enabled: func(s *threads, k int) bool { return s.At[k] < lengths[k] },
		Apply: func(s, n *threads, k int) {
			n.Order[s.N] = uint8(k)
			n.At[k]++
			n.N++
		},
		Invariants: []checker.Property{{ID: "NoBug", Kind: "state"}},
		Actions:    []checker.Action{{Name: "Step"}},
		Reached:    func(*threads) uint64 { return 0 },
	}
	var of []int
	for a, n := range lengths {
		total += int(n)
		of = append(of, a)
		spec.Instances = append(spec.Instances, checker.Instance{Server: a})
	}
	spec.State = func(n *threads) (broken uint64) {
		if int(n.N) == total && bug(n.Order[:total]) {
			broken = 1
		}
		return broken
	}
	return spec, of
}

// position returns where an agent takes its k-th step, from 0.
func position(order []uint8, agent uint8, k int) int {
	for at, a := range order {
		if a == agent {
			if k == 0 {
				return at
			}
			k--
		}
	}
	return -1
}

// TestRates measures how often races of known depth are shown. The bound must hold: the measured
// rate may be below it by four standard deviations, which the fixed seed makes a matter of chance
// once only.
func TestRates(t *testing.T) {
	t.Parallel()
	const walks = 40_000
	for _, c := range []struct {
		name    string
		lengths []uint8
		depth   int
		bug     func(o []uint8) bool
	}{
		{"one order: 1 before 0", []uint8{4, 4}, 1, func(o []uint8) bool { return position(o, 1, 0) < position(o, 0, 0) }},
		{"one order among three", []uint8{4, 4, 4}, 1, func(o []uint8) bool { return position(o, 2, 3) < position(o, 0, 0) }},
		{"between two steps", []uint8{6, 2}, 2, func(o []uint8) bool {
			return position(o, 0, 2) < position(o, 1, 0) && position(o, 1, 0) < position(o, 0, 3)
		}},
		{"between two steps of each", []uint8{4, 4}, 3, func(o []uint8) bool {
			return position(o, 0, 1) < position(o, 1, 0) && position(o, 1, 2) < position(o, 0, 2) && position(o, 0, 2) < position(o, 1, 3)
		}},
	} {
		spec, of := program(c.lengths, c.bug)
		by := &priorities.Strategy[threads]{Of: of, Agents: len(of), Kind: priorities.PCT, Depth: c.depth}
		for _, n := range c.lengths {
			by.Steps += int(n)
		}
		res, err := simulate.RunWith(spec, simulate.Options{Depth: by.Steps, Number: walks, Seed: 5, Workers: 2}, by)
		if err != nil {
			t.Fatal(err)
		}
		rate, bound := float64(res.Ends.Violated)/walks, by.Probability()
		if rate < bound-4*math.Sqrt(bound/walks) {
			t.Errorf("%s: found in %.4f of the walks, the bound is %.4f", c.name, rate, bound)
		}
		t.Logf("%s: rate %.4f, bound %.4f", c.name, rate, bound)
	}
}

// TestNoPoints: at depth 1 no agent is interrupted.
func TestNoPoints(t *testing.T) {
	t.Parallel()
	spec, of := program([]uint8{3, 3, 3}, func(o []uint8) bool {
		changes := 0
		for k := 1; k < len(o); k++ {
			if o[k] != o[k-1] {
				changes++
			}
		}
		return changes > 2
	})
	res, err := simulate.RunWith(spec, simulate.Options{Depth: 9, Number: 2000}, &priorities.Strategy[threads]{Of: of, Agents: 3, Depth: 1, Steps: 9})
	if err != nil || res.Ends.Violated > 0 {
		t.Error(res.Ends, err)
	}
}

// naiveDelays returns all orders with at most d delays: at every step the schedule stays or delays,
// by recursion.
func naiveDelays(lengths []uint8, d int) map[string]bool {
	out := map[string]bool{}
	var run func(left []uint8, agent, d int, order string)
	next := func(left []uint8, agent int) int {
		for k := range left {
			if a := (agent + k) % len(left); left[a] > 0 {
				return a
			}
		}
		return -1
	}
	run = func(left []uint8, agent, d int, order string) {
		at := next(left, agent)
		if at < 0 {
			out[order] = true
			return
		}
		then := append([]uint8(nil), left...)
		then[at]--
		run(then, at, d, order+string(rune('0'+at)))
		if d > 0 {
			run(left, at+1, d-1, order)
		}
	}
	run(lengths, 0, d, "")
	return out
}

// TestDelays expects all orders with at most two delays among the walks, and no other. Each has at
// least the probability of the bound.
func TestDelays(t *testing.T) {
	t.Parallel()
	lengths := []uint8{2, 3, 2}
	want, got := naiveDelays(lengths, 2), map[string]int{}
	spec, of := program(lengths, func(o []uint8) bool {
		s := ""
		for _, a := range o {
			s += string(rune('0' + a))
		}
		got[s]++
		return false
	})
	const walks = 20_000
	by := &priorities.Strategy[threads]{Of: of, Agents: 3, Kind: priorities.Delays, Depth: 2, Steps: 7}
	if _, err := simulate.RunWith(spec, simulate.Options{Depth: 7, Number: walks, Workers: 1}, by); err != nil {
		t.Fatal(err)
	}
	for s, n := range got {
		if !want[s] {
			t.Errorf("%s has more than two delays", s)
		}
		if bound := by.Probability(); float64(n)/walks < bound-4*math.Sqrt(bound/walks) {
			t.Errorf("%s: %d of %d walks, the bound is %.4f", s, n, walks, bound)
		}
	}
	if len(got) < len(want) {
		t.Errorf("%d of %d orders", len(got), len(want))
	}
}
