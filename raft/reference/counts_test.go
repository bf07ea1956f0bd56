package reference

import (
	"reflect"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// node is a state with the counters of crashes and drops.
type node = checker.Node[State, [8]uint8]

// A configuration is RaftS with MaxTerm 2, Q 1 and the rest as given, and what TLC counts; TLC's
// depth counts states, one more.
type configuration struct {
	name                     string
	requests, crashes, drops int
	distinct, generated      int64
	depth                    int
	// fired is how many states each action generates, in the order of the catalog, as TLC's
	// coverage has it. Nil: all fire.
	fired []int64
}

var configurations = []configuration{
	{"A", 1, 0, 0, 40_512, 140_461, 24, []int64{
		1_059, 13_230, 12_438, 28_050, 693, 798, 3_045, 24_936, 20_952, 29_214, 6_045, 0, 0,
	}},
	{"C", 2, 0, 0, 245_028, 851_086, 32, nil},
	{"B", 1, 1, 1, 262_240, 1_513_288, 27, []int64{
		6_330, 79_986, 85_494, 192_246, 4_032, 4_830, 15_204, 120_492, 133_296, 172_476, 28_140, 263_859, 406_902,
	}},
	{"MID", 2, 1, 1, 1_512_004, 8_807_446, 35, nil},
}

// spec composes a configuration. The compiled-in number of requests is 2; a rule keeps it to fewer,
// which leaves the same state graph as a smaller size.
func (c configuration) spec(t *testing.T) *checker.Spec[node] {
	t.Helper()
	if Servers != 3 || MaxTerm != 2 || MaxRequests != 2 || MaxQueue != 1 {
		t.Skip("the published counts are for other sizes")
	}
	sys := System
	sys.Rules = []modules.Rule[State]{modules.When(&ClientReq, func(s *State, p One) bool { return int(s.Reqs) < c.requests })}
	m, err := grains.Compose(&sys, grains.Choice{
		Grains:     []grains.Ref{{Module: "raft", Grain: "baseline"}, {Module: "faults", Grain: "restart-drop"}},
		Invariants: []string{"*"},
		Budgets:    map[string]int{"crashes": c.crashes, "drops": c.drops},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func (c configuration) judge(t *testing.T, spec *checker.Spec[node], res checker.Result[node]) {
	t.Helper()
	if res.Verdict != checker.Holds {
		t.Errorf("%s: %v", res.Verdict, res.Violations)
	}
	if res.Distinct != c.distinct || res.Generated != c.generated || res.Depth != c.depth {
		t.Errorf("%d distinct, %d generated, depth %d; published %d, %d, %d",
			res.Distinct, res.Generated, res.Depth, c.distinct, c.generated, c.depth)
	}
	for k, a := range spec.Actions {
		got := res.Actions[k].Fired
		if c.fired != nil && got != c.fired[k] {
			t.Errorf("%s fired %d times, published %d", a.Name, got, c.fired[k])
		}
		if c.fired == nil && got == 0 && !a.Spent {
			t.Errorf("%s never fired", a.Name)
		}
	}
}

func TestCountsArePublished(t *testing.T) {
	for _, c := range configurations {
		t.Run(c.name, func(t *testing.T) {
			if c.distinct > 1_000_000 && testing.Short() {
				t.Skip("-short: 1.5 million states")
			}
			spec := c.spec(t)
			res, err := explore.Run(spec, explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.judge(t, spec, res)
			t.Logf("%d bytes a state, %s, %d workers, digest %016x", reflect.TypeFor[State]().Size(), res.Duration, res.Workers, res.Digest)
		})
	}
}

// TestNaiveSearchAgrees compares the sets of states, not only their number, of the obvious search
// and the fast one.
func TestNaiveSearchAgrees(t *testing.T) {
	for _, c := range configurations[:2] {
		spec := c.spec(t)
		slow := spectest.Naive(spec, spectest.NaiveOptions[node]{})
		c.judge(t, spec, slow)
		fast, err := explore.Run(spec, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if slow.Digest != fast.Digest || !slices.Equal(slow.Levels, fast.Levels) {
			t.Errorf("digests %016x and %016x, levels %v and %v", slow.Digest, fast.Digest, slow.Levels, fast.Levels)
		}
	}
}

// TestCatalogIsSound: the State keeps its contract and the catalog offers what its constants are
// set to.
func TestCatalogIsSound(t *testing.T) {
	t.Parallel()
	for _, err := range modules.CheckState(reflect.TypeFor[State]()) {
		t.Error(err)
	}
	for _, b := range System.Bounds {
		if b.Default < b.Min || b.Default > b.Max {
			t.Errorf("bound %s: %d is not from %d to %d", b.Name, b.Default, b.Min, b.Max)
		}
	}
}
