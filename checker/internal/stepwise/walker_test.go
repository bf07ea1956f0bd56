package stepwise_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/stepwise"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// counters can be raised to 3 each. Explode panics where the first is 2.
type counters struct{ N [2]uint8 }

type node = checker.Node[counters, [8]uint8]

func walker(t *testing.T) *stepwise.Walker[node] {
	t.Helper()
	raise := &modules.Action[counters, modules.One[int8]]{
		Name: "Raise", Params: modules.Each[int8](2),
		Guard:  func(s *counters, p modules.One[int8]) bool { return s.N[p.I] < 3 },
		Effect: func(s, n *counters, p modules.One[int8]) { n.N[p.I]++ },
	}
	explode := &modules.Action[counters, modules.One[int8]]{
		Name: "Explode", Params: modules.Each[int8](1),
		Guard: func(s *counters, p modules.One[int8]) bool { return s.N[0] == 2 },
		Effect: func(s, n *counters, p modules.One[int8]) {
			none := []int{}
			n.N[0] = uint8(none[s.N[0]])
		},
	}
	spec := &modules.Spec[counters]{System: "counters", Init: func(yield func(counters) bool) {
		_ = yield(counters{}) && yield(counters{[2]uint8{0, 3}})
	}, Budgets: []modules.Limit{{Bound: "raises", Max: 4}}}
	for k, b := range modules.Bind([]modules.AnyAction[counters]{raise, explode}, nil, nil) {
		a := modules.SpecAction[counters]{Bound: b, Module: "m"}
		if k == 0 {
			a.Budgets = []int{0}
		}
		spec.Actions = append(spec.Actions, a)
	}
	bound, err := checker.Of[counters, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &stepwise.Walker[node]{Spec: bound, State: func(n *node) any { return &n.State },
		Spent: func(n *node, action int) (string, int) { return checker.SpentBy(spec, n, action) },
		Why: func(n *node, instance int) (bool, []wire.Reason) {
			a := bound.Instances[instance].Action
			k := instance
			if a == 1 {
				k = 0
			}
			return spec.Actions[a].Enabled(&n.State, k), []wire.Reason{{Text: "noted"}}
		}}
}

// TestNames: a step has its name with and without those of parameters, with any spaces.
func TestNames(t *testing.T) {
	w := walker(t)
	for _, path := range [][]string{{"Raise(I: 1)", "Raise(I: 0)"}, {"Raise(1)", " Raise( 0 )"}, {"Raise(I:1)", "Raise(I :0)"}} {
		a := w.Answer(&wire.Question{Path: path, Known: -1})
		if a.Error != nil || a.Halted != nil || len(a.Steps) != 2 || a.Init == nil || a.Inits != 2 {
			t.Fatalf("%q: %+v", path, a)
		}
	}
	for _, call := range []string{"Raise", "Raise(2)", "Lower(0)", "Raise(J: 0)", "Raise(0", "", "Raise(0, 0)"} {
		a := w.Answer(&wire.Question{Path: []string{"Raise(0)", call}})
		if a.Halted == nil || !a.Halted.Unknown || a.Halted.Step != 2 || len(a.Steps) != 1 || len(a.Enabled) == 0 {
			t.Errorf("%q: %+v", call, a)
		}
	}
}

// TestHalted: a path is answered up to the step that is not possible, and the states that the asker
// knows are left out.
func TestHalted(t *testing.T) {
	w := walker(t)
	path := []string{"Raise(0)", "Raise(0)", "Raise(0)", "Raise(0)", "Raise(1)"}
	a := w.Answer(&wire.Question{Path: path, Known: 1})
	if a.Halted == nil || a.Halted.Step != 4 || a.Halted.Unknown || len(a.Steps) != 2 || a.Init != nil {
		t.Fatalf("%+v", a)
	}
	if a := w.Answer(&wire.Question{Init: 2}); a.Error == nil || !strings.Contains(a.Error.Message, "no initial state 2") {
		t.Errorf("%+v", a)
	}
}

// TestOptions: each possible step says what it changes. One whose effect panics says that, and is
// no end of the program.
func TestOptions(t *testing.T) {
	w := walker(t)
	a := w.Answer(&wire.Question{Path: []string{"Raise(0)", "Raise(0)"}, Known: 2})
	var got []string
	for _, e := range a.Enabled {
		text := e.Call
		for _, c := range e.Changes {
			text += fmt.Sprintf(" %s %s->%s", c.Path, c.Old.Text, c.New.Text)
		}
		if e.Failure != "" {
			text += " fails"
		}
		got = append(got, text)
	}
	want := []string{"Raise(I: 0) N[0] 2->3 raises 2->3", "Raise(I: 1) N[1] 0->1 raises 2->3", "Explode(I: 0) fails"}
	if !slices.Equal(got, want) || len(a.Idle) != 0 {
		t.Errorf("%q, want %q; idle %v", got, want, a.Idle)
	}
	if a := w.Answer(&wire.Question{Path: []string{"Raise(0)", "Raise(0)", "Explode(0)"}}); a.Error == nil || a.Error.Line == 0 || !strings.HasSuffix(a.Error.File, "walker_test.go") {
		t.Errorf("a step that fails in a path: %+v", a.Error)
	}
	if a := w.Answer(&wire.Question{}); a.Error != nil || len(a.Idle) != 1 || a.Idle[0].Action != "Explode" {
		t.Errorf("after a failure: %+v", a)
	}
}

// TestRefused: a guard that refuses and a bound that is used up are different reasons.
func TestRefused(t *testing.T) {
	w := walker(t)
	bound := w.Answer(&wire.Question{Path: []string{"Raise(0)", "Raise(0)", "Raise(1)", "Raise(1)"}, Known: 4, Why: "Raise"})
	if len(bound.Refused) != 2 || bound.Refused[0].Bound != "raises" || bound.Refused[0].Max != 4 {
		t.Errorf("%+v", bound)
	}
	guard := w.Answer(&wire.Question{Path: []string{"Raise(0)", "Raise(0)", "Raise(0)"}, Known: 3, Why: "Raise"})
	if len(guard.Refused) != 2 || guard.Refused[0].Bound != "" || len(guard.Refused[0].Why) != 1 || !guard.Refused[1].Enabled {
		t.Errorf("%+v", guard)
	}
	if one := w.Answer(&wire.Question{Why: "Explode(0)"}); len(one.Refused) != 1 || one.Refused[0].Call != "Explode(I: 0)" {
		t.Errorf("%+v", one)
	}
	if none := w.Answer(&wire.Question{Why: "Lower"}); none.Error == nil {
		t.Errorf("%+v", none)
	}
}

// formula is N[0] OP value.
func formula(op string, value int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"text":"f","expr":{"op":%q,"args":[{"op":"index","args":[{"op":"name","name":"N"},{"op":"literal","value":0}]},{"op":"literal","value":%d}]}}`, op, value))
}

// TestSearch: what is found is nearest, and what cannot be reached is known to be out of reach.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		search wire.Search
		steps  int // -1: there is none
	}{
		{wire.Search{Path: []string{"Raise(1)"}, Formula: formula("==", 1)}, 1},
		{wire.Search{Path: []string{"Raise(0)"}, Formula: formula("==", 1)}, 0},
		{wire.Search{Path: []string{"Raise(0)"}, Formula: formula("==", 0)}, -1},
		{wire.Search{Path: []string{"Raise(1)", "Raise(1)", "Raise(1)"}, Formula: formula(">", 1)}, -1},
		{wire.Search{Init: 1, Action: "Raise(1)"}, -1},
		{wire.Search{Init: 1, Action: "Raise"}, 0},
	} {
		w := walker(t)
		failed, err := w.Search(&c.search)
		if err != nil {
			t.Fatal(err)
		}
		w.Spec.Next = withoutExplode(w.Spec)
		r, err := explore.Run(w.Spec, explore.Options{Stop: 1, Workers: 1})
		if err != nil || failed() != nil {
			t.Fatalf("%+v: %v, %v", c.search, err, failed())
		}
		steps := -1
		if len(r.Violations) > 0 {
			steps = len(r.Violations[0].Trace.Steps)
		}
		if steps != c.steps || steps < 0 && r.Verdict != checker.Holds {
			t.Errorf("%+v: %d steps, want %d; %s", c.search, steps, c.steps, r.Verdict)
		}
	}
	w := walker(t)
	if _, err := w.Search(&wire.Search{Formula: json.RawMessage(`{"text":"M","expr":{"op":"name","name":"M"}}`)}); err == nil {
		t.Error("a formula on an unknown variable is accepted")
	}
	if _, err := w.Search(&wire.Search{Path: []string{"Explode(0)"}}); err == nil {
		t.Error("a search begins at the end of a path that is not possible")
	}
}

// withoutExplode is the next-state function without the step that panics.
func withoutExplode(s *checker.Spec[node]) func(*node, *checker.Successors[node]) {
	return func(n *node, out *checker.Successors[node]) {
		for k := range 2 {
			if s.Enabled(n, k) {
				s.Apply(n, out.Slot(n), k)
				out.Emit(n, k)
			}
		}
	}
}

// TestValue: the value of a formula is written as parts of states are.
func TestValue(t *testing.T) {
	w := walker(t)
	for text, want := range map[string]string{
		`{"text":"N","expr":{"op":"name","name":"N"}}`: "[1, 0]",
		string(formula("==", 1)):                       "true",
		string(formula("+", 4)):                        "5",
	} {
		a := w.Answer(&wire.Question{Path: []string{"Raise(0)"}, Formula: json.RawMessage(text)})
		if a.Error != nil || a.Value != want {
			t.Errorf("%s: %q, %+v, want %q", text, a.Value, a.Error, want)
		}
	}
	if !reflect.DeepEqual(w.Answer(&wire.Question{Path: []string{"Raise(0)"}}), w.Answer(&wire.Question{Path: []string{"Raise(0)"}})) {
		t.Error("the same question has two answers")
	}
}

// TestFollowEnds: a search for a behaviour that takes some steps ends in time, and says so.
func TestFollowEnds(t *testing.T) {
	// five, and the bound is four
	calls := []string{"Raise(0)", "Raise(1)", "Raise(0)", "Raise(1)", "Raise(0)"}
	for seconds, whole := range map[float64]bool{0: true, 60: true, 1e-12: false} {
		a := walker(t).Answer(&wire.Question{Follow: &wire.FollowSteps{Calls: calls, Own: []string{"Raise"}, Most: 1000, Seconds: seconds}})
		if f := a.Followed; a.Error != nil || f == nil || f.Whole != whole || whole && f.Taken != 4 {
			t.Errorf("%v seconds: %+v, %+v", seconds, f, a.Error)
		}
	}
}
