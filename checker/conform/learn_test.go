package conform_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
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

// TestFollowStrange: an invariant that fails in a state to which only the cabin comes ends the walk
// there. The run has its differences, and the invariant is not judged in that state.
func TestFollowStrange(t *testing.T) {
	c := liftSpec(t)
	names := []string{"cellar", "ground", "first", "roof"}
	c.Spec.Invariants = []*modules.Invariant[lift]{{ID: "Named", State: func(s *lift) bool { return names[s.Floor] != "" }}}
	bound, err := checker.Of[lift, [0]uint8](c.Spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := conform.Run(composition{Spec: c.Spec, Bound: bound}, cabins("drifts", nil), conform.Options{Depth: 40, Number: 300, Workers: 1, Seed: 7,
		Follow: &conform.Follow{Judges: func(_, _ []string) uint64 { return 1 }}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Found) != 1 || res.Departed == 0 || len(res.Violations) != 0 {
		t.Errorf("%d differences, %d walks departed, %d violations", len(res.Found), res.Departed, len(res.Violations))
	}
}

// TestFollowShare: a run after which others follow ends where nothing is new, although a changed
// line did not run.
func TestFollowShare(t *testing.T) {
	changed := &checker.Branches{Points: make([]checker.Point, 1), Taken: make([]uint32, 2)}
	run := func(share time.Duration) int64 {
		res, err := conform.Run(liftSpec(t), cabins("", nil), conform.Options{Depth: 10, Number: 500, Workers: 1,
			Follow: &conform.Follow{Changed: changed, Least: 50, Share: share}})
		if err != nil || res.Verdict != checker.Holds {
			t.Fatal(res.Verdict, err)
		}
		return res.Traces
	}
	if n := run(0); n != 500 {
		t.Errorf("%d walks, although none follows and a line did not run", n)
	}
	if n := run(time.Hour); n < 50 || n >= 500 {
		t.Errorf("%d walks, want 50 or a few more", n)
	}
}
