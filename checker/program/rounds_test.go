package program

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// The d that is printed is that of the formula, 1/(nr)^d.
func TestRoundsBound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rounds, period, asked int
		want                  float64
		formula               string
	}{
		{32, 8, -1, 12, "1/(nr)^d = 1.63e-24"}, // 96^-12
		{4, 8, 4, 3, "1/(nr)^d = 0.000579"},    // 12^-3
		{32, 8, 4, 4, "1/(nr)^d = 1.18e-08"},   // 96^-4
	} {
		all := wire.StrategyNamed("rounds").Values(map[string]float64{"isolated": float64(c.asked)})
		s := aboutRounds(&rounds.Plan{Servers: 3}, rounds.NewSpace(3, c.rounds, c.period, c.asked), all, false)
		k := slices.IndexFunc(s.Parameters, func(p wire.Parameter) bool { return p.Name == "isolated" })
		if s.Parameters[k].Value != c.want || !strings.Contains(s.Guarantee, c.formula) {
			t.Errorf("%+v: d = %v; %s", c, s.Parameters[k].Value, s.Guarantee)
		}
	}
}

func TestRoundsNotes(t *testing.T) {
	t.Parallel()
	o := &wire.Simulate{Weights: map[string]float64{"Skip": 0}, Strategy: &wire.AskedStrategy{Name: "rounds", Roles: map[string]string{"Restart": "never"}}}
	r := &wire.Report{Simulation: &wire.Simulation{Walks: 9}, Actions: []wire.Action{
		{Name: "Send", Enabled: 5, Fired: 2}, {Name: "Skip", Enabled: 5}, {Name: "Restart", Enabled: 5}, {Name: "Off"},
	}}
	if notes := roundsNotes(o, 5, r); len(notes) > 0 {
		t.Errorf("%q", notes)
	}
	r.Simulation.Ends.Depth = 7
	r.Actions = append(r.Actions, wire.Action{Name: "Crash", Enabled: 3})
	notes := roundsNotes(o, 5, r)
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "7 of 9 walks ended at the depth of 5 steps") || !strings.HasPrefix(notes[1], "enabled, and not fired in any walk: Crash;") {
		t.Errorf("%q", notes)
	}
}

// The walks of "auto" in rounds are a heuristic where those of "rounds" are.
func TestAutoHeuristic(t *testing.T) {
	t.Parallel()
	ask := func(strategy string, parameters map[string]float64) wire.Event {
		return ask(t, jarProgram(1), wire.Options{
			Footprints: &wire.Footprints{Actions: []modules.Footprint{{Name: "Fill"}, {Name: "Empty"}, {Name: "Pour"}}},
			Simulate:   &wire.Simulate{Depth: 5, Number: 20, Strategy: &wire.AskedStrategy{Name: strategy, Parameters: parameters}},
		})
	}
	const reason = "no action receives a message at the server that acts, so a round has internal steps only"
	if e := ask("rounds", nil).Error; e == nil || e.Message != reason {
		t.Fatalf("%+v", e)
	}
	auto := ask("auto", nil)
	if auto.Report == nil || !slices.Equal(auto.Report.Simulation.Strategy.Heuristic, []string{"rounds: " + reason}) {
		t.Errorf("%+v, %+v", auto.Error, auto.Report)
	}
	alone := ask("rounds", map[string]float64{"heuristic": 1})
	if alone.Report == nil || !slices.Equal(alone.Report.Simulation.Strategy.Heuristic, []string{reason}) ||
		!slices.ContainsFunc(alone.Report.Simulation.Strategy.Notes, func(n string) bool { return strings.HasPrefix(n, "20 of 20 walks ended at the depth of 5 steps") }) {
		t.Errorf("%+v, %+v", alone.Error, alone.Report)
	}
}
