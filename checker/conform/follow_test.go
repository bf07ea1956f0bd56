package conform_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/modules"
)

// withInvariants adds invariants to the lift: of its floor, of its trips, which are not observed,
// and of its steps.
func withInvariants(t *testing.T) composition {
	t.Helper()
	c := liftSpec(t)
	c.Spec.Invariants = []*modules.Invariant[lift]{
		{ID: "InBuilding", State: func(s *lift) bool { return s.Floor < floors }},
		{ID: "FewTrips", State: func(s *lift) bool { return s.Trips < 8 }},
		{ID: "OneFloor", Step: func(s, n *lift) bool { return n.Floor <= s.Floor+1 && s.Floor <= n.Floor+1 }},
	}
	bound, err := checker.Of[lift, [0]uint8](c.Spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: c.Spec, Bound: bound}
}

// TestFollow: a cabin that drifts upwards as it closes departs from the specification at once, and
// leaves the building after further steps. The trace has the states of the cabin.
func TestFollow(t *testing.T) {
	follow := &conform.Follow{Least: 50, Judges: func(observed, _ []string) uint64 {
		if want := []string{"Floor", "Open", "Calls"}; !slices.Equal(observed, want) {
			t.Errorf("observed are %q, want %q", observed, want)
		}
		return 1<<0 | 1<<2
	}}
	for _, workers := range []int{1, 3} {
		res, err := conform.Run(withInvariants(t), cabins("drifts", nil), conform.Options{Depth: 40, Number: 2000, Workers: workers, Seed: 7, Follow: follow})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != checker.Violated || len(res.Found) != 1 || res.Departed == 0 || res.Differences != res.Departed {
			t.Fatalf("%s, %d differences, %d walks departed", res.Verdict, len(res.Found), res.Departed)
		}
		if d := res.Found[0]; d.Name() != "Floor" || len(d.Trace.Steps) != 3 || len(d.Values) != 1 {
			t.Errorf("%s after %d steps: the first difference is that of the first Close", d.Name(), len(d.Trace.Steps))
		}
		if len(res.Violations) != 1 {
			t.Fatalf("%d violations", len(res.Violations))
		}
		v := res.Violations[0]
		last := v.Trace.Steps[len(v.Trace.Steps)-1].Node.State
		if v.Invariant != 0 || last.Floor != floors || v.Departed == 0 || v.Departed > len(v.Trace.Steps) || !v.Minimal {
			t.Errorf("invariant %d, departed in step %d of %d, at last %+v", v.Invariant, v.Departed, len(v.Trace.Steps), last)
		}
		if res.Traces != 50 && res.Traces != 2000 {
			t.Logf("%d walks", res.Traces)
		}
	}
}

// TestFollowPanics: what panics after a departure is no difference of its own.
func TestFollowPanics(t *testing.T) {
	res, err := conform.Run(withInvariants(t), cabins("drifts and falls", nil), conform.Options{Depth: 40, Number: 2000, Workers: 1, Seed: 7,
		Follow: &conform.Follow{Least: 50}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Found) != 1 || res.Found[0].Kind != conform.Variable || len(res.Violations) != 1 {
		t.Fatalf("%d differences, %d violations", len(res.Found), len(res.Violations))
	}
	if v := res.Violations[0]; v.Invariant != -1 || v.Message != "too high" || len(v.Frames) == 0 || v.Departed == 0 {
		t.Errorf("%+v", v)
	}
}

// TestFollowBeside: a walk continues where the implementation has something that no variable has.
func TestFollowBeside(t *testing.T) {
	res, err := conform.Run(withInvariants(t), cabins("drifts and wears", nil), conform.Options{Depth: 40, Number: 200, Workers: 1, Seed: 7,
		Follow: &conform.Follow{Least: 50, Judges: func(_, _ []string) uint64 { return 1 }}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Found) != 1 || res.Found[0].Kind != conform.Fault || res.Found[0].Message != "the rope is worn" {
		t.Fatalf("%+v", res.Found)
	}
	if len(res.Violations) == 0 || res.Violations[0].Invariant != 0 || res.Violations[0].Beside != "the rope is worn" {
		t.Errorf("what follows is not judged: %+v", res.Violations)
	}
}

// TestPanicOfTheAdapter: a panic in which no function of the implementation takes part is no panic
// of the implementation.
func TestPanicOfTheAdapter(t *testing.T) {
	for module, want := range map[string]conform.Kind{"golang.org/x/tools": conform.Fault, "": conform.Panic} {
		impl := cabins("crash", nil)
		impl.Module = module
		res, err := conform.Run(withInvariants(t), impl, conform.Options{Depth: 40, Number: 200, Workers: 1, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Found) != 1 || res.Found[0].Kind != want || !strings.Contains(res.Found[0].Message, "the rope breaks") {
			t.Errorf("module %q: %+v", module, res.Found)
		}
	}
}

// TestFollowShared: differences that are none of the change's are no departures.
func TestFollowShared(t *testing.T) {
	res, err := conform.Run(withInvariants(t), cabins("drifts", nil), conform.Options{Depth: 40, Number: 100, Workers: 1,
		Follow: &conform.Follow{Judges: func(_, _ []string) uint64 { return 1 }, Shared: []conform.Departure{{Action: "Close", Variable: "Floor"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != checker.Holds || res.Departed != 0 || len(res.Found)+len(res.Violations) > 0 {
		t.Errorf("%s, %d walks departed, %d differences, %d violations", res.Verdict, res.Departed, len(res.Found), len(res.Violations))
	}
}

// TestFollowEqual: an implementation without a mistake breaks nothing.
func TestFollowEqual(t *testing.T) {
	res, err := conform.Run(withInvariants(t), cabins("", nil), conform.Options{Depth: 40, Number: 200, Workers: 1,
		Follow: &conform.Follow{Judges: func(_, _ []string) uint64 { return 5 }}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != checker.Holds || res.Departed != 0 || res.Traces != 200 {
		t.Errorf("%s after %d walks, %d departed", res.Verdict, res.Traces, res.Departed)
	}
}

// TestFollowAhead: a walk that departed goes to the nearest state that breaks an invariant where
// the specification would not break it with the same steps. Random steps do not come there.
func TestFollowAhead(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	c.Spec.Invariants = []*modules.Invariant[lift]{{ID: "AloneAtTop", State: func(s *lift) bool { return s.Floor < floors-1 || !s.Open || s.Calls.Len() < 2 }}}
	bound, err := checker.Of[lift, [0]uint8](c.Spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(mistake string, ahead int) conform.Result[liftNode] {
		res, err := conform.Run(composition{Spec: c.Spec, Bound: bound}, cabins(mistake, nil), conform.Options{Depth: 30, Number: 6, Workers: 1, Seed: 3,
			Weights: map[string]float64{"Call": 0.02}, Follow: &conform.Follow{Least: 6, Ahead: ahead, Judges: func(_, _ []string) uint64 { return 1 }}})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	for _, x := range []struct {
		mistake string
		ahead   int
		found   bool
	}{{"drifts", 0, false}, {"drifts", 2000, true}, {"", 2000, false}} {
		res := run(x.mistake, x.ahead)
		if (res.Departed > 0) != (x.mistake != "") || (len(res.Violations) > 0) != x.found {
			t.Errorf("mistake %q, %d states ahead: %d walks departed, %d violations", x.mistake, x.ahead, res.Departed, len(res.Violations))
		}
	}
}
