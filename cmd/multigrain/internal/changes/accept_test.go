package changes

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change"
)

// ended returns an observer whose walks have ended, with the report of them. A changed line did not
// run, and an operand was never true.
func ended(walks int64, by Walking, soft context.Context) *observer {
	run := &session.Run{Env: &session.Env{Soft: soft}}
	o := &observer{x: &Changed{Change: &result.Change{}}, by: by, first: run, sides: &change.Sides{}, pass: &pass{run: run, doc: &result.Walked{Walks: walks}}, out: &result.Observed{Walks: walks,
		Places: []result.RanPlace{{File: "a.go", Line: 1, Kind: "line", True: true}, {File: "a.go", Line: 2, Kind: "line"}, {File: "a.go", Line: 3, Kind: "branch", Text: "x", False: true}}}}
	o.done = []*pass{o.pass}
	return o
}

// TestAcceptUncovered: with -accept-uncovered the lines that did not run are listed, and do not
// make the result undecided. Other reasons stay.
func TestAcceptUncovered(t *testing.T) {
	t.Parallel()
	soft := context.Background()
	o := ended(leastWalks, Walking{Budget: time.Hour}, soft)
	if why := o.open(); why != "a.go:2 did not run, a.go:3: x was never true" || o.out.Accepted != nil {
		t.Errorf("%q, accepted %q", why, o.out.Accepted)
	}
	o = ended(leastWalks, Walking{Budget: time.Hour, Accept: true}, soft)
	if o.decide(); o.out.Verdict != "behaves" || len(o.out.Accepted) != 2 {
		t.Errorf("%s, accepted %q", o.out.Verdict, o.out.Accepted)
	}
	for want, other := range map[string]func(*observer){
		"no walk took Beat":          func(o *observer) { o.out.Unfired = []string{"Beat"} },
		"a step could not be driven": func(o *observer) { o.undriven = "step 2" },
		"the code before the change": func(o *observer) { o.out.Shared = []result.Difference{{}} },
		"whether it matters that a.T": func(o *observer) {
			o.x.Unmodelled = []result.Unmodelled{{Declaration: result.Declaration{Name: "a.T", Kind: "type"}}}
		},
		"the manifest fails changes": func(o *observer) {
			o.x.Unmodelled = []result.Unmodelled{{Declaration: result.Declaration{Name: "a.f", Kind: "function"}, Policy: "fail"}}
		},
		"ended after 2,999 of at least": func(o *observer) { o.out.Walks, o.by.Budget = leastWalks-1, 1 },
	} {
		o := ended(leastWalks, Walking{Budget: time.Hour, Accept: true}, soft)
		other(o)
		if why := o.open(); !strings.Contains(why, want) {
			t.Errorf("%q does not say %q", why, want)
		}
	}
	// A difference decides nothing if it is not known whether it is the change's. Next to another
	// one that is the change's, it does not matter.
	for _, sure := range []bool{false, true} {
		o = ended(leastWalks, Walking{Budget: time.Hour}, soft)
		o.out.Found = []result.Difference{{Kind: "variable", Variable: "X"}}
		o.out.Broken = []result.BrokenInCode{{Invariant: "Safe"}}
		o.unsure, o.sure = []string{"the walk came to no end"}, sure
		if o.decide(); (o.out.Verdict == "violated") != sure || strings.Contains(o.out.Reason, "came to no end") == sure {
			t.Errorf("sure %v: %s, %s", sure, o.out.Verdict, o.out.Reason)
		}
	}
	// A difference stays one.
	o = ended(leastWalks, Walking{Budget: time.Hour, Accept: true}, soft)
	o.out.Found = []result.Difference{{Kind: "variable", Variable: "X"}}
	if o.decide(); o.out.Verdict != "differs" {
		t.Errorf("a difference is %s", o.out.Verdict)
	}
}

// TestEarly: walks that an interrupt or the budget ends before they say enough decide nothing good.
func TestEarly(t *testing.T) {
	t.Parallel()
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		walks  int64
		budget time.Duration
		soft   context.Context
		want   string
	}{
		{leastWalks, time.Hour, context.Background(), ""}, {leastWalks, 1, context.Background(), ""}, {10, time.Hour, context.Background(), ""},
		{10, 1, context.Background(), "the budget of 1ns ended after 10 of at least 3,000 walks"}, {2 * leastWalks, time.Hour, stopped, "interrupted after 6,000 walks"},
	} {
		o := ended(c.walks, Walking{Budget: c.budget}, c.soft)
		if got := o.early(); got != c.want {
			t.Errorf("%d walks in %s: %q, want %q", c.walks, c.budget, got, c.want)
		}
	}
}

// TestSpent: what walks wait for processors is not taken from the budget, and a limit bounds it.
func TestSpent(t *testing.T) {
	t.Parallel()
	const least = "of at least 3,000 walks"
	for _, c := range []struct {
		name                string
		limit, took, waited time.Duration
		times               int
		left                time.Duration
		why                 string // of an early end
	}{
		{"an idle machine", 0, 10 * time.Second, 0, 1, 30 * time.Second, ""},
		{"the budget ends", 0, 40 * time.Second, 0, 1, time.Nanosecond, "the budget of 40s ended after 10 " + least},
		{"three quarters of the time are waited", 0, 40 * time.Second, 30 * time.Second, 1, 30 * time.Second, ""},
		{"ten times the budget", 0, 200 * time.Second, 190 * time.Second, 2, time.Nanosecond, "in 6m40s walks had processors for 20s, and the limit ended them after 10 " + least},
		{"a limit of the user", 50 * time.Second, 30 * time.Second, 20 * time.Second, 1, 20 * time.Second, ""},
		{"it ends", 50 * time.Second, 50 * time.Second, 45 * time.Second, 1, time.Nanosecond, "in 50s walks had processors for 5s, and the limit ended them after 10 " + least},
	} {
		o := ended(10, Walking{Budget: 40 * time.Second, Limit: c.limit}, context.Background())
		for range c.times {
			o.spend(time.Now().Add(-c.took), &wire.Report{Conformance: &wire.Conformance{Waited: c.waited.Seconds()}})
		}
		if left := o.left(); left > c.left || left < c.left-2*time.Second {
			t.Errorf("%s: %s are left, want %s", c.name, left, c.left)
		}
		if why := o.early(); why != c.why {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
	}
}

// TestNeeded: a result needs fewer walks in a further composition than in the first one, and the
// budget is divided so that each can have them.
func TestNeeded(t *testing.T) {
	t.Parallel()
	const least, further, sizes = "the budget ended after 2999 of 3,000 walks", "the budget ended after 999 of 1,000 walks", "the budget ended after 249 of 250 walks with servers = 5"
	for _, c := range []struct {
		walks [3]int64 // in the first composition, a further one, and one with another size
		why   string
	}{
		{[3]int64{3000, 1000, 250}, ""},
		{[3]int64{2999, 1000, 250}, least},
		{[3]int64{3000, 999, 250}, further},
		{[3]int64{3000, 1000, 249}, sizes},
		{[3]int64{9000, 10, 0}, "the budget ended after 10 of 1,000 walks"},
	} {
		o := ended(c.walks[0], Walking{Budget: 40 * time.Second, Accept: true}, context.Background())
		o.out.Walks = leastWalks
		for k, p := range []*pass{{further: true}, {sized: true, of: &compose.Alternative{Bounds: []grains.Setting{{Name: "servers", Value: "5"}}}}} {
			p.run, p.doc = o.run, &result.Walked{Walks: c.walks[k+1]}
			o.done = append(o.done, p)
		}
		if why := o.open(); why != c.why {
			t.Errorf("%v walks: %q, want %q", c.walks, why, c.why)
		}
	}
	o := ended(0, Walking{Budget: 40 * time.Second}, context.Background())
	o.later = 3*leastFurther + 2*leastFurther // three more compositions and two sizes
	if got := o.share(); got != 15*time.Second {
		t.Errorf("the first of four compositions has %s of 40s, want 15s", got)
	}
	if o.further, o.later = true, 0; o.share() != 40*time.Second {
		t.Errorf("the last one has %s, want all", o.share())
	}
}

// TestCompared: the variables of a further composition count where enough walks of it came to their
// end, and all changed code ran there that ran in any.
func TestCompared(t *testing.T) {
	t.Parallel()
	both, one := []wire.RanPlace{{True: true}, {True: true, False: true}}, []wire.RanPlace{{True: true}, {True: true}}
	for _, c := range []struct {
		walks int64
		here  []wire.RanPlace
		more  bool
	}{
		{leastCoded, both, true},
		{leastCoded - 1, both, false},
		{leastCoded, one, false},
		{leastCoded, nil, false},
	} {
		o := ended(leastCoded, Walking{}, context.Background())
		o.coded = &coded{equal: both, here: both}
		o.out.Compared, o.out.Unobserved = []string{"State"}, []string{"RecvQueue", "Disks"}
		o.keepCompared()
		o.doc.Walks, o.coded.here = c.walks, c.here
		o.out.Compared = []string{"RecvQueue", "State"}
		o.keepCompared()
		o.out.Compared = []string{"State"} // the manifest's composition
		o.comparedCoded()
		if got := slices.Contains(o.out.Compared, "RecvQueue"); got != c.more || slices.Contains(o.out.Unobserved, "RecvQueue") == c.more || !slices.Contains(o.out.Unobserved, "Disks") {
			t.Errorf("%d walks, %v: compared %v, not compared %v", c.walks, c.here, o.out.Compared, o.out.Unobserved)
		}
	}
}
