package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// orderly makes a random model of three processes with two cells each and three cells that they
// share, and its footprints.
func orderly(t *testing.T, seed uint64) (*modules.Spec[cells], reduce.Footprints) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 31))
	spec := &modules.Spec[cells]{System: "orderly", Init: func(yield func(cells) bool) { yield(cells{}) }}
	var prints reduce.Footprints
	at := func(k int) []modules.Access {
		return []modules.Access{{Variable: "V", Index: []string{fmt.Sprint(k)}}}
	}
	var actions []modules.AnyAction[cells]
	for k := range 7 {
		process := k % 3
		cell := func() int {
			if r.IntN(9) == 0 {
				return 6 + r.IntN(3)
			}
			return 2*process + r.IntN(2)
		}
		guard, from, to, also, by := cell(), cell(), cell(), cell(), uint8(1+r.IntN(2))
		c := comparison{A: guard, B: -1, C: uint8(r.IntN(3)), Op: 1 + r.IntN(3)}
		circular, raises := r.IntN(2) == 0, r.IntN(12) == 0
		a := &modules.Action[cells, modules.None]{
			Name: fmt.Sprint("A", k), Params: modules.Once,
			Guard: func(s *cells, _ modules.None) bool { return c.holds(s, 0) && (circular || s.V[to] < 3) },
			Effect: func(s, n *cells, _ modules.None) {
				n.V[to] = (s.V[to] + s.V[from]%2 + by) % 4
				n.V[also] = (n.V[also] + 1) % 2
				if raises && s.V[from] == 3 {
					n.Raised.Raise(0)
				}
			},
		}
		actions = append(actions, a)
		f := modules.Footprint{Name: a.Name, Guard: slices.Concat(at(guard), at(to)), Writes: []modules.Write{
			{Variable: "V", Elements: []modules.Element{{Index: at(to)[0].Index}, {Index: at(also)[0].Index}}, Data: slices.Concat(at(to), at(from), at(also))},
		}}
		if raises {
			f.Writes = append(f.Writes, modules.Write{Variable: "Raised", Control: at(from)})
		}
		prints.Actions = append(prints.Actions, f)
	}
	see := func(k int) {
		prints.Seen = append(prints.Seen, modules.Footprint{Guard: at(k)})
	}
	var x [5]comparison
	for k := range x {
		x[k] = comparison{A: k % 2 * 2, B: -1, C: uint8(r.IntN(4)), Op: 1}
		see(x[k].A)
	}
	spec.Invariants = []*modules.Invariant[cells]{
		{ID: "I0", State: func(s *cells) bool { return x[0].holds(s, 0) || x[1].holds(s, 0) }},
		{ID: "I1", Raises: modules.Bit(uint8(0))},
		{ID: "I2", State: func(s *cells) bool { return x[2].holds(s, 0) || x[3].holds(s, 0) }},
	}
	spec.Goals = []*modules.Invariant[cells]{{ID: "G", State: func(s *cells) bool { return x[4].holds(s, 0) }}}
	for k, b := range modules.Bind(actions, nil, nil) {
		a := modules.SpecAction[cells]{Bound: b}
		if k%3 == 0 {
			a.Budgets = []int{0}
		}
		spec.Actions = append(spec.Actions, a)
	}
	spec.Budgets = []modules.Limit{{Bound: "b", Max: r.IntN(4)}}
	return spec, prints
}

func orderlyNode(t *testing.T, spec *modules.Spec[cells]) *checker.Spec[cellNode] {
	t.Helper()
	out, err := checker.Of[cells, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestReducedModels: partial-order reduction keeps which invariants can be broken, deadlocks and
// goals, and leaves states out.
func TestReducedModels(t *testing.T) {
	t.Parallel()
	var all, left int64
	smaller, violated, deadlocks, tried := 0, 0, 0, 0
	broken := func(r *checker.Result[cellNode]) (out []int) {
		for _, v := range r.Violations {
			if !slices.Contains(out, v.Invariant) {
				out = append(out, v.Invariant)
			}
		}
		slices.Sort(out)
		return out
	}
	for seed := range uint64(400) {
		composed, prints := orderly(t, seed)
		whole := orderlyNode(t, composed)
		full := spectest.Naive(whole, spectest.NaiveOptions[cellNode]{Deadlock: true, MaxStates: 20_000})
		if full.Reason != "" {
			continue
		}
		d, err := reduce.NewIndependence(composed, prints)
		if err != nil {
			t.Fatal(err)
		}
		spec := orderlyNode(t, composed)
		pairs, err := reduce.Validate(spec, d, 500, seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if _, err := reduce.ByStubbornSets(spec, d, false); err != nil {
			t.Fatal(err)
		}
		got, err := explore.Run(spec, explore.Options{Workers: 2, Deadlock: true})
		if err != nil {
			t.Fatal(err)
		}
		one, err := explore.Run(spec, explore.Options{Workers: 1, Deadlock: true})
		if err != nil {
			t.Fatal(err)
		}
		want := broken(&full)
		if !slices.Equal(broken(&got), want) || got.Verdict != full.Verdict || got.Goals != full.Goals || got.Distinct > full.Distinct {
			t.Errorf("seed %d: %s, breaks %v, goals %b, %d states; all: %s, %v, %b, %d", seed,
				got.Verdict, broken(&got), got.Goals, got.Distinct, full.Verdict, want, full.Goals, full.Distinct)
		}
		if one.Distinct != got.Distinct || one.Digest != got.Digest {
			t.Errorf("seed %d: results depend on the workers", seed)
		}
		if got.Distinct < full.Distinct {
			smaller++
		}
		if slices.Contains(want, -1) {
			deadlocks++
		}
		if slices.ContainsFunc(want, func(k int) bool { return k >= 0 }) {
			violated++
		}
		all, left, tried = all+full.Distinct, left+got.Distinct, tried+pairs
	}
	t.Logf("%d of %d states; smaller in %d, violated in %d, deadlocks in %d, %d pairs tried", left, all, smaller, violated, deadlocks, tried)
	if smaller < 60 || violated < 20 || deadlocks < 20 {
		t.Error("the models are all alike")
	}
}

// TestWrongFootprints: a footprint that hides a write is found by trying both orders, and the
// actions are named.
func TestWrongFootprints(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range uint64(60) {
		composed, prints := orderly(t, seed)
		for k := range prints.Actions {
			prints.Actions[k].Writes[0].Elements = prints.Actions[k].Writes[0].Elements[1:]
			prints.Actions[k].Guard = nil
		}
		d, err := reduce.NewIndependence(composed, prints)
		if err != nil {
			t.Fatal(err)
		}
		var wrong *reduce.DependenceError
		if _, err := reduce.Validate(orderlyNode(t, composed), d, 2000, seed); errors.As(err, &wrong) {
			if wrong.First == "" || wrong.Second == "" {
				t.Errorf("seed %d: %v", seed, err)
			}
			found++
		}
	}
	if found < 30 {
		t.Errorf("%d of 60 wrong footprints were found", found)
	}
}

// TestReduceIsRefused: with properties of steps, and with symmetry.
func TestReduceIsRefused(t *testing.T) {
	t.Parallel()
	composed, prints := orderly(t, 1)
	d, err := reduce.NewIndependence(composed, prints)
	if err != nil {
		t.Fatal(err)
	}
	var refused *reduce.ReductionError
	spec := orderlyNode(t, composed)
	spec.Represent = func(n, rep *cellNode) { *rep = *n }
	if _, err := reduce.ByStubbornSets(spec, d, false); !errors.As(err, &refused) {
		t.Errorf("with symmetry: %v", err)
	}
	composed.Invariants = append(composed.Invariants, &modules.Invariant[cells]{ID: "S", Step: func(s, n *cells) bool { return true }})
	if _, err := reduce.ByStubbornSets(orderlyNode(t, composed), d, false); !errors.As(err, &refused) {
		t.Errorf("with a step property: %v", err)
	}
}
