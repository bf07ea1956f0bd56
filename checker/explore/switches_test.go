package explore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// desks is the state of a model in which people at desks do steps of their own, and look at the
// desk next to them now and then.
type desks struct {
	Done [3]uint8
	Seen [3]uint8
}

type deskNode = checker.Node[desks, [0]uint8]

type desk struct{ I uint8 }

type tick struct{ Hour uint8 }

// desksSpec returns a random model of so many people: what waits for what is drawn.
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
	more := uint8(seed / 60 * 2) // longer ones, whose layers are limited in the first search
	most, beside := more+uint8(2+r.IntN(2)), uint8(1+r.IntN(2))
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
		{ID: "tired", State: func(s *desks) bool { return s.Done != [3]uint8{2 + more, 2 + more, 1 + more + goal%2} }},
		{ID: "looks", State: func(s *desks) bool { return s.Seen[goal] < 2+more || s.Seen[(goal+1)%3] == 0 }},
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

// switches counts changes from one acting server to another, and apart from that changes to and
// from steps without one.
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

// fewest tries every order of a trace's steps in which the last one is the last, from the node
// where it is.
func fewest[T comparable](spec *checker.Spec[T], t *checker.Trace[T]) (servers, all int) {
	type at struct {
		node         T
		taken        uint32
		server, last int // of the last step that has one, and of the last step
	}
	end := len(t.Steps) - 1
	order := instancesOf(t)
	known := map[at][2]int{}
	var try func(a at) [2]int
	try = func(a at) [2]int {
		least, ok := known[a]
		if ok {
			return least
		}
		least = [2]int{1000, 1000}
		for k, instance := range order {
			last := a.taken == 1<<end-1
			if (k == end) != last || a.taken>>k&1 != 0 || last && a.node != t.Steps[end-1].Node {
				continue
			}
			b := at{a.node, a.taken | 1<<k, a.server, spec.Instances[instance].Server}
			var add [2]int
			if b.last >= 0 {
				if a.server >= 0 && a.server != b.last {
					add[0] = 1
				}
				b.server = b.last
			}
			if a.taken != 0 && a.last != b.last {
				add[1] = 1
			}
			if k < end {
				if !spec.Enabled(&a.node, instance) {
					continue
				}
				spec.Apply(&a.node, &b.node, instance)
				rest := try(b)
				add[0], add[1] = add[0]+rest[0], add[1]+rest[1]
			}
			if add[0] < least[0] || add[0] == least[0] && add[1] < least[1] {
				least = add
			}
		}
		known[a] = least
		return least
	}
	least := try(at{node: t.Init, server: -1, last: -1})
	return least[0], least[1]
}

// TestFewestSwitches: no order of a counterexample's steps has fewer changes of the acting server.
func TestFewestSwitches(t *testing.T) {
	t.Parallel()
	fewer, tried := 0, 0
	for seed := range uint64(70) {
		spec := desksSpec(t, seed)
		want := spectest.Naive(spec, spectest.NaiveOptions[deskNode]{})
		for _, workers := range []int{1, 3} {
			got := run(t, spec, explore.Sharing(explore.Options{Workers: workers}))
			for k := range got.Violations {
				v := &got.Violations[k]
				if len(v.Trace.Steps) < 3 || len(v.Trace.Steps) > 20 {
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
