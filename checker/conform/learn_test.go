package conform_test

import (
	"sync/atomic"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/simulate"
)

// combination is a cabin with changed code that has a memory of its own: a line each for the first,
// the second, ... floor of a combination at which the door opens. Another floor begins it again.
type combination struct {
	*cabin
	at    int
	floor []int
	taken []uint32
}

func (c *combination) Start(s *lift) error {
	c.at = 0
	return c.cabin.Start(s)
}

func (c *combination) Perform(s conform.Step[lift]) error {
	if s.Action == "Open" {
		if int(s.Before.Floor) == c.floor[c.at] {
			atomic.StoreUint32(&c.taken[2*c.at+1], 1)
			c.at = (c.at + 1) % len(c.floor)
		} else {
			c.at = 0
		}
	}
	return c.cabin.Perform(s)
}

// untilRun returns how many walks were taken until every line of a combination had run.
func untilRun(t *testing.T, seed uint64, workers int, guided bool) int64 {
	t.Helper()
	c := liftSpec(t)
	floor := []int{3, 0, 2, 1, 3, 0, 3, 1}
	changed := &checker.Branches{Points: make([]checker.Point, len(floor)), Taken: make([]uint32, 2*len(floor))}
	for k := range floor {
		changed.Never = append(changed.Never, 2*k) // a line is never false
	}
	impl := conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return &combination{cabin: &cabin{}, floor: floor, taken: changed.Taken}, nil
	}}
	opt := conform.Options{Depth: 80, Number: 20_000, Workers: workers, Seed: seed, Follow: &conform.Follow{Changed: changed, Least: 1}}
	var by simulate.Strategy[liftNode]
	if guided {
		g, err := simulate.NewGuided(c.Bound, nil, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		g.UseBranches, g.Aims = true, []bool{false, false, true, false}
		by = g
	}
	res, err := conform.RunWith(c, impl, opt, by)
	if err != nil || res.Verdict != checker.Holds {
		t.Fatal(res.Verdict, err)
	}
	return res.Traces
}

// TestGuidedToChange: walks that are guided to changed code reach its rare lines with fewer walks
// than random ones, and as many with any number of workers.
func TestGuidedToChange(t *testing.T) {
	t.Parallel()
	var random, guided int64
	for seed := range uint64(8) {
		r, g := untilRun(t, seed, 1, false), untilRun(t, seed, 1, true)
		random, guided = random+r, guided+g
		t.Logf("seed %d: %d random walks, %d guided ones", seed, r, g)
	}
	if 2*guided > random {
		t.Errorf("%d guided walks and %d random ones: guided ones should need less than half", guided, random)
	}
}
