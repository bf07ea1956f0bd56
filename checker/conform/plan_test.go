package conform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/internal/cover"
	"github.com/multigrain/multigrain/modules"
)

// ear is the adapter of a cabin that notes what is done.
type ear struct {
	*cabin
	from *lift
	done map[string]bool // states with steps, and pairs of these
	last string
}

func (e *ear) Start(s *lift) error {
	e.from, e.last = s, "start"
	return e.cabin.Start(s)
}

func (e *ear) Perform(s conform.Step[lift]) error {
	at := fmt.Sprintf("%v %s %v", *s.Before, s.Action, s.Params)
	e.done[at], e.done[e.last+", "+at] = true, true
	e.last = at
	return e.cabin.Perform(s)
}

// steps enumerates the steps of all reachable states, and the pairs of steps in a row, one state
// after the other.
func steps(c composition) (edges, pairs map[string]bool) {
	edges, pairs = map[string]bool{}, map[string]bool{}
	type stop struct {
		s    checker.Node[lift, [0]uint8]
		last string
	}
	seen := map[stop]bool{}
	todo := []stop{{last: "start"}}
	for len(todo) > 0 {
		x := todo[0]
		if todo = todo[1:]; seen[x] {
			continue
		}
		seen[x] = true
		for k, in := range c.Bound.Instances {
			if !c.Bound.Enabled(&x.s, k) {
				continue
			}
			n := x.s
			if !possible(func() { c.Bound.Apply(&x.s, &n, k) }) {
				continue
			}
			at := fmt.Sprintf("%v %s %v", x.s.State, c.Bound.Actions[in.Action].Name, paramsOf(c.Spec, k))
			edges[at], pairs[x.last+", "+at] = true, true
			todo = append(todo, stop{n, at})
		}
	}
	return edges, pairs
}

// paramsOf returns the parameters of an instance as adapters see them.
func paramsOf(spec *modules.Spec[lift], instance int) any {
	for k := range spec.Actions {
		if n := len(spec.Actions[k].Params); instance < n {
			return spec.Actions[k].Params[instance]
		} else {
			instance -= n
		}
	}
	return nil
}

// possible reports whether a step exceeds no capacity.
func possible(do func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	do()
	return
}

// TestCover compares the steps that an implementation did with a naive enumeration of all.
func TestCover(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	edges, pairs := steps(c)
	for kind, want := range map[cover.Kind]map[string]bool{cover.Edges: edges, cover.Pairs: pairs} {
		e := &ear{cabin: &cabin{}, done: map[string]bool{}}
		impl := conform.Implementation[lift]{Name: "ear", Open: func(conform.Setup) (conform.Adapter[lift], error) { return e, nil }}
		res, err := conform.Run(c, impl, conform.Options{Cover: kind, Workers: 1})
		if err != nil || res.Verdict != checker.Holds {
			t.Fatalf("%s: it %s, %q, %v", kind, res.Verdict, res.Reason, err)
		}
		for at := range want {
			if !e.done[at] {
				t.Errorf("%s: %s is not done", kind, at)
			}
		}
		x := res.Covered
		if x.Edges != len(edges) || x.Targets != len(want) || x.Done != x.Targets || x.Beyond != 0 || int64(x.Walks) != res.Traces || int64(x.Steps) != res.Steps {
			t.Errorf("%s: %+v with %d walks of %d steps; there are %d edges and %d targets", kind, x, res.Traces, res.Steps, len(edges), len(want))
		}
		if x.Walks*4 > x.Targets {
			t.Errorf("%s: %d walks for %d targets", kind, x.Walks, x.Targets)
		}
	}
}

// TestCoverLimits: a depth, a limit of states, and differences.
func TestCoverLimits(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	res, err := conform.Run(c, cabins("", nil), conform.Options{Cover: cover.Edges, Depth: 3, Workers: 2})
	if x := res.Covered; err != nil || res.Verdict != checker.Holds || res.Longest != 3 || x.Beyond == 0 || x.Done != x.Targets-x.Beyond {
		t.Errorf("depth 3: it %s, %+v, longest %d, %v", res.Verdict, res.Covered, res.Longest, err)
	}
	res, err = conform.Run(c, cabins("", nil), conform.Options{Cover: cover.Edges, MaxStates: 10})
	if err != nil || res.Verdict != checker.Undecided || !strings.HasPrefix(res.Reason, "the graph has more than 10 states: lower the bounds") {
		t.Errorf("10 states: it %s, %q, %v", res.Verdict, res.Reason, err)
	}
	for _, mistake := range []string{"sorted", "express", "stuck", "crash"} {
		for _, workers := range []int{1, 2} {
			res, err = conform.Run(c, cabins(mistake, nil), conform.Options{Cover: cover.Edges, Workers: workers, Stop: 1})
			if x := res.Covered; err != nil || res.Verdict != checker.Violated || len(res.Found) != 1 || x.Done == 0 || x.Done >= x.Targets {
				t.Errorf("%s: it %s, %+v, %v", mistake, res.Verdict, res.Covered, err)
			}
		}
	}
}
