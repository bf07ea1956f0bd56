package explore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/naive"
	"github.com/multigrain/multigrain/modules"
)

// desks is the state of a model in which people at desks do steps of their own, and look at the desk beside them now and then.
type desks struct {
	Done [3]uint8
	Seen [3]uint8
}

type deskNode = checker.Node[desks, [0]uint8]

type desk struct{ I uint8 }

type tick struct{ Hour uint8 }

// desksSpec is a random model of so many people: what waits for what is drawn.
func desksSpec(t *testing.T, seed uint64) *checker.Spec[deskNode] {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	each := modules.Domain[desk](func(yield func(desk) bool) {
		for i := range uint8(3) {
			if !yield(desk{i}) {
				return
			}
		}
	})
	most, beside := uint8(2+r.IntN(2)), uint8(1+r.IntN(2))
	waits := [3]uint8{uint8(r.IntN(3)), uint8(r.IntN(3)), uint8(r.IntN(3))}
	work := modules.Action[desks, desk]{Name: "Work", Params: each,
		Guard: func(s *desks, p desk) bool {
			return s.Done[p.I] < most && s.Done[(p.I+beside)%3]+waits[p.I] >= s.Done[p.I]
		},
		Effect: func(s, n *desks, p desk) { n.Done[p.I]++ },
	}
	look := modules.Action[desks, desk]{Name: "Look", Params: each,
		Guard:  func(s *desks, p desk) bool { return s.Seen[p.I] < s.Done[(p.I+1)%3] },
		Effect: func(s, n *desks, p desk) { n.Seen[p.I] = s.Done[(p.I+1)%3] },
	}
	noon := modules.Action[desks, tick]{Name: "Noon",
		Params: func(yield func(tick) bool) { yield(tick{12}) },
		Guard:  func(s *desks, p tick) bool { return s.Done[0] == s.Done[1] && s.Done[1] > 0 && s.Seen[0] == 0 },
		Effect: func(s, n *desks, p tick) { n.Seen[0] = 1 },
	}
	goal := uint8(r.IntN(3))
	invs := []*modules.Invariant[desks]{
		{ID: "tired", State: func(s *desks) bool { return s.Done != [3]uint8{2, 2, 1 + goal%2} }},
		{ID: "looks", State: func(s *desks) bool { return s.Seen[goal] < 2 || s.Seen[(goal+1)%3] == 0 }},
		{ID: "step", Step: func(s, n *desks) bool { return n.Seen[goal] <= s.Seen[goal] || n.Done[goal] < 2 }},
	}
	spec := &modules.Spec[desks]{Init: func(yield func(desks) bool) { yield(desks{}) }, Invariants: invs}
	for _, b := range modules.Bind([]modules.AnyAction[desks]{&work, &look, &noon}, nil, invs) {
		spec.Actions = append(spec.Actions, modules.SpecAction[desks]{Bound: b})
	}
	x, err := checker.Of[desks, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// switches counts changes from one acting server to another, and apart from that changes to and from steps without one.
func switches[T any](spec *checker.Spec[T], instances []int) (servers, all int) {
	server := -1
	for k, x := range instances {
		s := spec.Instances[x].Server
		if s >= 0 && server >= 0 && s != server {
			servers++
		}
		if s >= 0 {
			server = s
		}
		if k > 0 && s != spec.Instances[instances[k-1]].Server {
			all++
		}
	}
	return servers, all
}

func instancesOf[T any](t *checker.Trace[T]) (out []int) {
	for _, s := range t.Steps {
		out = append(out, s.Instance)
	}
	return out
}

// fewest tries every order of a trace's steps in which the last one is the last, from the node where it is.
func fewest[T comparable](spec *checker.Spec[T], t *checker.Trace[T]) (servers, all int) {
	end := len(t.Steps) - 1
	order := instancesOf(t)
	servers, all = switches(spec, order)
	var try func(k int, s T)
	try = func(k int, s T) {
		if k == end {
			if x, y := switches(spec, order); s == t.Steps[end-1].Node && (x < servers || x == servers && y < all) {
				servers, all = x, y
			}
			return
		}
		for x := k; x < end; x++ {
			order[k], order[x] = order[x], order[k]
			if n := s; spec.Enabled(&s, order[k]) {
				spec.Apply(&s, &n, order[k])
				try(k+1, n)
			}
			order[k], order[x] = order[x], order[k]
		}
	}
	try(0, t.Init)
	return servers, all
}

// TestFewestSwitches: no order of a counterexample's steps has fewer changes of the acting server.
func TestFewestSwitches(t *testing.T) {
	t.Parallel()
	fewer, tried := 0, 0
	for seed := range uint64(60) {
		spec := desksSpec(t, seed)
		want := naive.Run(spec, naive.Options[deskNode]{})
		for _, workers := range []int{1, 3} {
			got := run(t, spec, explore.Options{Workers: workers})
			for k := range got.Violations {
				v := &got.Violations[k]
				if len(v.Trace.Steps) < 3 || len(v.Trace.Steps) > 9 {
					continue
				}
				tried++
				servers, all := switches(spec, instancesOf(&v.Trace))
				if x, y := fewest(spec, &v.Trace); x != servers || y != all {
					t.Errorf("seed %d: %s has %d changes of servers, %d of all, and %d, %d do", seed, fmt.Sprint(instancesOf(&v.Trace)), servers, all, x, y)
				}
				if workers == 1 {
					if logged, _ := switches(spec, instancesOf(&want.Violations[k].Trace)); servers < logged {
						fewer++
					}
				}
			}
			if workers == 1 {
				sameViolations(t, &got, &want)
			}
		}
	}
	t.Logf("%d traces, of which %d were found with more changes", tried, fewer)
	if tried < 100 || fewer < 20 {
		t.Error("the models do not exercise what they are made for")
	}
}
