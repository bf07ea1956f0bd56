package program

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// jars is the state of a puzzle: fill, empty and pour until there are 4 in the large one.
type jars struct{ Small, Large uint8 }

type jar = modules.One[uint8]

var jarSize = [2]uint8{3, 5}

func (s *jars) at(i uint8) *uint8 { return [...]*uint8{&s.Small, &s.Large}[i] }

func jarProgram(budget int) Program[jars, [8]uint8] {
	action := func(name string, guard func(s *jars, i uint8) bool, effect func(s, n *jars, i uint8)) modules.AnyAction[jars] {
		return &modules.Action[jars, jar]{Name: name, Params: modules.Each[uint8](2),
			Guard:  func(s *jars, p jar) bool { return guard(s, p.I) },
			Effect: func(s, n *jars, p jar) { effect(s, n, p.I) }}
	}
	always := func(*jars, uint8) bool { return true }
	return Program[jars, [8]uint8]{Compose: func(choice []byte) (*modules.Spec[jars], error) {
		spec := &modules.Spec[jars]{System: "jars", Init: func(yield func(jars) bool) { yield(jars{}) }}
		spec.Invariants = []*modules.Invariant[jars]{{ID: "Not4", State: func(s *jars) bool { return s.Large != 4 }}}
		spec.Goals = []*modules.Invariant[jars]{{ID: "Full", State: func(s *jars) bool { return s.Large == 5 }}, {ID: "Spilt", State: func(s *jars) bool { return s.Large > 5 }}}
		spec.Budgets = []modules.Limit{{Bound: "fills", Max: budget}}
		for k, b := range modules.Bind([]modules.AnyAction[jars]{
			action("Fill", always, func(s, n *jars, i uint8) { *n.at(i) = jarSize[i] }),
			action("Empty", always, func(s, n *jars, i uint8) { *n.at(i) = 0 }),
			action("Pour", always, func(s, n *jars, i uint8) {
				much := min(*s.at(i), jarSize[1-i]-*s.at(1 - i))
				*n.at(i) -= much
				*n.at(1 - i) += much
			}),
		}, nil, spec.Invariants) {
			a := modules.SpecAction[jars]{Bound: b, Module: "table"}
			if k == 0 {
				a.Budgets = []int{0}
			}
			spec.Actions = append(spec.Actions, a)
		}
		return spec, nil
	}}
}

// ask runs a program in this process and returns its last event.
func ask(t *testing.T, p Program[jars, [8]uint8], opt wire.Options) wire.Event {
	t.Helper()
	in, to := io.Pipe()
	defer to.Close()
	go json.NewEncoder(to).Encode(wire.Request{Verb: "simulate", Options: opt})
	var out bytes.Buffer
	if err := run(t.Context(), p, Simulate[jars, [8]uint8](), in, &out, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var last wire.Event
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	return last
}

func TestSimulate(t *testing.T) {
	t.Parallel()
	few := ask(t, jarProgram(1), wire.Options{Seed: 4, Stop: 1, Simulate: &wire.Simulate{Depth: 30, Number: 200, Weights: map[string]float64{"Empty": 0.5}}}).Report
	if few == nil || few.Verdict != "holds" || few.Simulation.Walks != 200 || few.Simulation.Steps != 6000 || few.Simulation.Seed != 4 ||
		few.Simulation.Ends.Depth != 200 || len(few.Simulation.Instances) != 3 || len(few.Simulation.Coverage) < 7 || few.Depth != 30 {
		t.Fatalf("%+v", few)
	}
	if a := few.Actions[1]; a.Name != "Empty" || few.Simulation.Instances[1] != (wire.Fired{Fired: 2, Of: 2}) || a.Fired == 0 || a.Fired > few.Actions[2].Fired {
		t.Errorf("%+v", few.Actions)
	}
	if len(few.GoalsMissed) != 1 || few.GoalsMissed[0] != "Spilt" || few.Levels == nil {
		t.Errorf("goals missed %v, levels %v", few.GoalsMissed, few.Levels)
	}
	many := ask(t, jarProgram(9), wire.Options{Stop: 1, Simulate: &wire.Simulate{Depth: 300, Number: 2000, Learned: true}}).Report
	if many == nil || many.Verdict != "violated" || len(many.Violations) != 1 {
		t.Fatalf("%+v", many)
	}
	v := many.Violations[0]
	if v.Invariant != "Not4" || v.Depth != len(v.Trace.Steps) || v.Depth < 6 || v.Origin == nil || !v.Origin.Minimal || v.Origin.Length < v.Depth || v.Origin.Walk < 1 {
		t.Errorf("%+v, %+v", v, v.Origin)
	}
}

func TestSimulateFails(t *testing.T) {
	t.Parallel()
	e := ask(t, jarProgram(1), wire.Options{Simulate: &wire.Simulate{Number: 1, Weights: map[string]float64{"Full": 1}}}).Error
	if e == nil || e.Kind != wire.ErrorSpec || !strings.Contains(e.Message, "Full") {
		t.Errorf("%+v", e)
	}
}

// Steps after the beginning of a trace are not looked at.
func TestFromCutsFirst(t *testing.T) {
	t.Parallel()
	found := ask(t, jarProgram(9), wire.Options{Stop: 1, Simulate: &wire.Simulate{Depth: 300, Number: 2000}}).Report
	if found == nil || len(found.Violations) != 1 {
		t.Fatalf("%+v", found)
	}
	from := found.Violations[0].Trace
	from.Steps[len(from.Steps)-1].Action = "Drink"
	for steps, want := range map[int]string{2: "", -1: "Drink", len(from.Steps): "Drink"} {
		e := ask(t, jarProgram(9), wire.Options{Stop: 1, Simulate: &wire.Simulate{Depth: 30, Number: 5, Weights: map[string]float64{"Fill": 0}, From: []wire.From{{Trace: from, Steps: steps}}}})
		if want == "" && e.Error != nil || want != "" && (e.Error == nil || !strings.Contains(e.Error.Message, want)) {
			t.Errorf("from %d steps: %+v", steps, e.Error)
		}
		if want == "" && e.Report != nil && e.Report.Depth != 30+steps {
			t.Errorf("from %d steps: walks of %d steps", steps, e.Report.Depth)
		}
	}
}

// TestRoles: the roles of a State are its variables that are enumerations, alone or for each node.
func TestRoles(t *testing.T) {
	type role uint8
	type count uint8
	type state struct {
		Counts [3]count
		Role   [3]role
		Log    [2]struct{ Of role }
		One    role
	}
	names := func(t reflect.Type, value int64) (string, bool) { return "Leader", t.Name() == "role" && value == 2 }
	if got, want := roles(reflect.TypeFor[state](), 8, names), []simulate.Span{{From: 11, To: 14}, {From: 16, To: 17}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
