package liveness_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/liveness"
	"github.com/multigrain/multigrain/modules"
)

// place is the state of the random models: a graph is drawn, and an action leads along its edges.
type place struct{ At uint8 }

type placeNode = checker.Node[place, [0]uint8]

type way struct{ Number uint8 }

// drawn is a random model: where each action with each parameter leads from each place, and itself
// where it does not lead anywhere else.
type drawn struct {
	places   int
	leads    [][]int // by instance and place; -1: not enabled
	fair     []bool
	starts   []int
	from, to []bool
	eventual bool
}

func draw(seed uint64) (*drawn, *checker.Spec[placeNode], error) {
	r := rand.New(rand.NewPCG(seed, 5))
	d := &drawn{places: 2 + r.IntN(6), eventual: r.IntN(3) == 0}
	system := &modules.Spec[place]{}
	live := &modules.Liveness[place]{ID: "live"}
	for a := range 1 + r.IntN(4) {
		params := 1 + r.IntN(2)
		environment, unfair := r.IntN(5) == 0, r.IntN(4) == 0
		base := len(d.leads)
		for range params {
			leads := make([]int, d.places)
			for k := range leads {
				if leads[k] = -1; r.IntN(3) > 0 {
					leads[k] = r.IntN(d.places)
				}
			}
			d.leads, d.fair = append(d.leads, leads), append(d.fair, !environment && !unfair)
		}
		action := &modules.Action[place, way]{
			Name: fmt.Sprint("A", a),
			Params: func(yield func(way) bool) {
				for p := range params {
					if !yield(way{uint8(p)}) {
						return
					}
				}
			},
			Guard:  func(s *place, p way) bool { return d.leads[base+int(p.Number)][s.At] >= 0 },
			Effect: func(s, n *place, p way) { n.At = uint8(d.leads[base+int(p.Number)][s.At]) },
		}
		if unfair {
			live.Unfair = append(live.Unfair, action)
		}
		for _, b := range modules.Bind([]modules.AnyAction[place]{action}, nil, nil) {
			system.Actions = append(system.Actions, modules.SpecAction[place]{Bound: b, Environment: environment})
		}
	}
	for range 1 + r.IntN(2) {
		d.starts = append(d.starts, r.IntN(d.places))
	}
	for range d.places {
		d.from, d.to = append(d.from, r.IntN(2) == 0), append(d.to, r.IntN(4) == 0)
	}
	live.To = func(s *place) bool { return d.to[s.At] }
	if !d.eventual {
		live.From = func(s *place) bool { return d.from[s.At] }
	}
	system.Init = func(yield func(place) bool) {
		for _, s := range d.starts {
			if !yield(place{uint8(s)}) {
				return
			}
		}
	}
	system.Liveness = []*modules.Liveness[place]{live}
	spec, err := checker.Of[place, [0]uint8](system, nil)
	return d, spec, err
}

// fairFrom reports whether a behaviour can continue from a place for ever, fairly and without To,
// and come back to it again and again. It looks for a walk back to the place on which every fair
// instance was taken or found not enabled, in the product of places and sets of such instances.
func (d *drawn) fairFrom(start int) bool {
	changes := func(k, at int) bool { return d.leads[k][at] >= 0 && d.leads[k][at] != at }
	idle := func(at int) (set uint) {
		for k := range d.leads {
			if !d.fair[k] || !changes(k, at) {
				set |= 1 << k
			}
		}
		return set
	}
	type spot struct {
		at  int
		set uint
	}
	all := uint(1)<<len(d.leads) - 1
	seen := map[spot]bool{{start, idle(start)}: true}
	queue := []spot{{start, idle(start)}}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		if x.at == start && x.set == all {
			return true
		}
		for k := range d.leads {
			if !changes(k, x.at) || d.to[d.leads[k][x.at]] {
				continue
			}
			y := spot{d.leads[k][x.at], x.set | 1<<k | idle(d.leads[k][x.at])}
			if !seen[y] {
				seen[y] = true
				queue = append(queue, y)
			}
		}
	}
	return false
}

// shortest returns the length of a shortest way to a fair loop that breaks the property, -1 if
// there is none. A behaviour is at a place and owes To, or does not.
func (d *drawn) shortest() int {
	type spot struct {
		at   int
		owes bool
	}
	seen := map[spot]bool{}
	var level []spot
	visit := func(level []spot, at int, owes bool) []spot {
		owes = owes && !d.to[at]
		for _, x := range []spot{{at, owes}, {at, !d.eventual && d.from[at] && !d.to[at]}} {
			x.owes = x.owes || owes
			if !seen[x] {
				seen[x] = true
				level = append(level, x)
			}
		}
		return level
	}
	for _, s := range d.starts {
		level = visit(level, s, d.eventual)
	}
	for depth := 0; len(level) > 0; depth++ {
		var next []spot
		for _, x := range level {
			if x.owes && d.fairFrom(x.at) {
				return depth
			}
			for k := range d.leads {
				if to := d.leads[k][x.at]; to >= 0 {
					next = visit(next, to, x.owes)
				}
			}
		}
		level = next
	}
	return -1
}

// TestRandomGraphs compares verdicts, and the length of the way to the loop, with a search for fair
// walks on small random graphs.
func TestRandomGraphs(t *testing.T) {
	t.Parallel()
	broken, stays, loops, after := 0, 0, 0, 0
	const seeds = 4000
	for seed := range uint64(seeds) {
		d, spec, err := draw(seed)
		if err != nil {
			t.Fatal(err)
		}
		res, err := liveness.Run(spec, liveness.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := d.shortest()
		if (len(res.Violations) > 0) != (want >= 0) {
			t.Fatalf("seed %d: %d violations, want a way of %d: %+v", seed, len(res.Violations), want, d)
		}
		if want < 0 {
			continue
		}
		v := &res.Violations[0]
		checkLasso(t, d, v)
		if v.Loop != want {
			t.Errorf("seed %d: the loop begins behind %d steps, want %d", seed, v.Loop, want)
		}
		broken++
		if v.Loop == len(v.Trace.Steps) {
			stays++
		} else {
			loops++
		}
		if v.From > 0 {
			after++
		}
	}
	t.Logf("%d of %d broken: %d stay in a state, %d go round; %d are asked for later", broken, seeds, stays, loops, after)
	if broken < 500 || seeds-broken < 500 || stays < 100 || loops < 100 || after < 100 {
		t.Error("the models do not exercise what they are made for")
	}
}

// checkLasso walks a lasso through the drawn graph.
func checkLasso(t *testing.T, d *drawn, v *liveness.Violation[placeNode]) {
	t.Helper()
	at := []int{int(v.Trace.Init.State.At)}
	for _, s := range v.Trace.Steps {
		to := d.leads[s.Instance][at[len(at)-1]]
		if to < 0 || to != int(s.Node.State.At) {
			t.Fatal("a step of the lasso is not one of the graph")
		}
		at = append(at, to)
	}
	if at[v.Loop] != at[len(at)-1] || !d.eventual && !d.from[at[v.From]] || d.eventual && v.From != 0 {
		t.Error("the loop does not close, or nothing is asked for")
	}
	for _, x := range at[v.From:] {
		if d.to[x] {
			t.Error("what is asked for comes")
		}
	}
	for k := range d.leads {
		ok := !d.fair[k]
		for x := v.Loop; x < len(at); x++ {
			ok = ok || d.leads[k][at[x]] < 0 || d.leads[k][at[x]] == at[x] || x > v.Loop && v.Trace.Steps[x-1].Instance == k
		}
		if !ok {
			t.Errorf("instance %d is enabled all along the loop and not taken", k)
		}
	}
}
