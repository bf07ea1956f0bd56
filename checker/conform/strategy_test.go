package conform_test

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

type liftNode = checker.Node[lift, [0]uint8]

// strategies returns those of package simulate that need no footprints, one after the other and
// mixed.
func strategies(t *testing.T, c composition) map[string]func() simulate.Strategy[liftNode] {
	guided := func(fresh float64) simulate.Strategy[liftNode] {
		g, err := simulate.NewGuided(c.Bound, map[string]float64{"Call": 0.5}, fresh)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	return map[string]func() simulate.Strategy[liftNode]{
		"guided": func() simulate.Strategy[liftNode] { return guided(0.2) },
		"fresh":  func() simulate.Strategy[liftNode] { return guided(1) },
		"mixed": func() simulate.Strategy[liftNode] {
			return simulate.NewMixed([]simulate.Part[liftNode]{
				{Name: "guided", Strategy: guided(0.2), Share: 2}, {Name: "short", Strategy: guided(1), Share: 1, Depth: 5},
			})
		},
	}
}

// TestStrategies expects that a strategy's walks conform, are the same with any number of workers,
// and find a mistake.
func TestStrategies(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	for name, by := range strategies(t, c) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opt := conform.Options{Depth: 30, Number: 300, Seed: 9, Weights: map[string]float64{"Call": 0.5}}
			run := func(mistake string, workers int) string {
				opt.Workers = workers
				res, err := conform.RunWith(c, cabins(mistake, nil), opt, by())
				if err != nil {
					t.Fatal(err)
				}
				found := ""
				for _, d := range res.Found {
					found += fmt.Sprint(d.Name(), d.Walk, len(d.Trace.Steps), " ")
				}
				return fmt.Sprint(res.Verdict, res.Traces, res.Steps, res.Fired, res.Instances, found)
			}
			for _, mistake := range []string{"", "sorted"} {
				one, three := run(mistake, 1), run(mistake, 3)
				if one != three {
					t.Errorf("mistake %q: 1 worker %s, 3 workers %s", mistake, one, three)
				}
				t.Log(one)
			}
			opt.Stop = 1
			res, err := conform.RunWith(c, cabins("sorted", nil), opt, by())
			if err != nil || res.Verdict != checker.Violated {
				t.Errorf("a mistake is not found: %v, %v", res.Verdict, err)
			}
		})
	}
}
