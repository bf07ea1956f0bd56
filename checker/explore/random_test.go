package explore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// cells is the state of the random models. With 8 counters of budgets a node has 23 bytes, which is
// no multiple of a word.
type cells struct {
	V      [9]uint8
	Ghost  [2]uint8 // read by nothing but its own updates; 0 where the model has no ghosts
	Raised modules.Raised[uint8]
}

type cellNode = checker.Node[cells, [8]uint8]

// shift is the parameter of the commands: it is added to a cell's number.
type shift struct{ I uint8 }

// comparison is a random predicate: cell A compared with cell B or, if that is negative, with the
// constant C.
type comparison struct {
	A, B int
	C    uint8
	Op   int
}

func (c comparison) holds(s *cells, by uint8) bool {
	x, y := s.V[(c.A+int(by))%len(s.V)], c.C
	if c.B >= 0 {
		y = s.V[c.B]
	}
	switch c.Op {
	case 0:
		return x == y
	case 1:
		return x != y
	case 2:
		return x < y
	}
	return x >= y
}

// random makes guarded commands and properties over a few small cells.
type random struct {
	*rand.Rand
	modulus []uint8 // of each cell; 1: it is always 0
	ghosts  bool
}

func (r *random) comparison() comparison {
	c := comparison{A: r.IntN(len(r.modulus)), B: -1, C: uint8(r.IntN(4)), Op: r.IntN(4)}
	if r.IntN(3) == 0 {
		c.B = r.IntN(len(r.modulus))
	}
	return c
}

func (r *random) action(k int) *modules.Action[cells, shift] {
	params := r.IntN(3) + 1
	when := []comparison{r.comparison()}
	if r.IntN(2) == 0 {
		when = append(when, r.comparison())
	}
	to, from, by := r.IntN(len(r.modulus)), r.IntN(len(r.modulus)), uint8(r.IntN(3))
	also := r.IntN(len(r.modulus))
	raises, raise := r.comparison(), r.IntN(4) == 0
	raises.Op = 0
	modulus, ghosts := r.modulus, r.ghosts
	return &modules.Action[cells, shift]{
		Name: fmt.Sprint("A", k),
		Params: func(yield func(shift) bool) {
			for p := range params {
				if !yield(shift{uint8(p)}) {
					return
				}
			}
		},
		Guard: func(s *cells, p shift) bool {
			for _, c := range when {
				if !c.holds(s, p.I) {
					return false
				}
			}
			return true
		},
		Effect: func(s, n *cells, p shift) {
			x := (to + int(p.I)) % len(modulus)
			n.V[x] = (s.V[x] + s.V[from] + by) % modulus[x]
			n.V[also] = (s.V[also] + 1) % modulus[also]
			if ghosts {
				n.Ghost[x%2] = (s.Ghost[x%2] + s.V[from] + by) % 3
			}
			if raise && raises.holds(s, p.I) {
				n.Raised.Raise(p.I)
			}
		},
	}
}

// model returns a random specification; the same seed gives the same one.
func model(t *testing.T, seed uint64) *checker.Spec[cellNode] {
	t.Helper()
	return randomModel(t, &random{Rand: rand.New(rand.NewPCG(seed, 99))})
}

func randomModel(t *testing.T, r *random) *checker.Spec[cellNode] {
	t.Helper()
	cells0 := r.IntN(4) + 6
	for k := range 9 {
		m := uint8(1)
		if k < cells0 {
			m = uint8(r.IntN(4) + 2)
		}
		r.modulus = append(r.modulus, m)
	}
	spec := &modules.Spec[cells]{System: "random"}
	inits := r.IntN(3) + 1
	spec.Init = func(yield func(cells) bool) {
		for k := range inits + 1 {
			var s cells
			s.V[0], s.V[1] = uint8(k/2)%r.modulus[0], uint8(k/2)%r.modulus[1] // some twice
			if !yield(s) {
				return
			}
		}
	}
	var actions []modules.AnyAction[cells]
	var first *modules.Action[cells, shift]
	for k := range r.IntN(6) + 5 {
		a := r.action(k)
		if k == 0 {
			first = a
		}
		actions = append(actions, a)
	}
	r.properties(spec, first)
	for k, b := range modules.Bind(actions, nil, spec.Invariants) {
		a := modules.SpecAction[cells]{Bound: b}
		if k == 1 || k == 2 && r.IntN(2) == 0 {
			a.Budgets = append(a.Budgets, 0)
		}
		spec.Actions = append(spec.Actions, a)
	}
	spec.Budgets = []modules.Limit{{Bound: "b", Max: r.IntN(4)}}
	out, err := checker.Of[cells, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (r *random) properties(spec *modules.Spec[cells], first *modules.Action[cells, shift]) {
	add := func(v modules.Invariant[cells]) {
		v.ID = fmt.Sprint("I-", len(spec.Invariants))
		spec.Invariants = append(spec.Invariants, &v)
	}
	for range r.IntN(3) { // often true, so that searches continue for a while
		a, b, c := r.comparison(), r.comparison(), r.comparison()
		add(modules.Invariant[cells]{State: func(s *cells) bool { return a.holds(s, 0) || b.holds(s, 0) || c.holds(s, 0) }})
	}
	if r.IntN(2) == 0 {
		a, b := r.comparison(), r.comparison()
		add(modules.Invariant[cells]{Step: func(s, n *cells) bool { return a.holds(s, 0) || b.holds(n, 1) }})
	}
	if r.IntN(2) == 0 {
		a, b := r.comparison(), r.comparison()
		add(modules.Invariant[cells]{OnStep: modules.OnStep(first, func(s, n *cells, p shift) bool { return a.holds(s, p.I) || b.holds(n, 0) })})
	}
	if r.IntN(2) == 0 { // the other assertions are masked
		add(modules.Invariant[cells]{Raises: modules.Bit(uint8(r.IntN(2)))})
	}
	for k := range uint8(2) {
		spec.Masked = append(spec.Masked, &modules.Invariant[cells]{ID: fmt.Sprint("masked", k), Raises: modules.Bit(k) | modules.Bit(2*k)})
	}
	if r.IntN(3) == 0 {
		a, b := r.comparison(), r.comparison()
		spec.Constraints = append(spec.Constraints, &modules.Invariant[cells]{State: func(s *cells) bool { return a.holds(s, 0) || b.holds(s, 0) }})
	}
	for range 2 {
		spec.Goals = append(spec.Goals, &modules.Invariant[cells]{State: func(c comparison) func(*cells) bool {
			return func(s *cells) bool { return c.holds(s, 0) }
		}(r.comparison())})
	}
}

// TestRandomModels compares the engine with the naive search on small random models with budgets,
// state constraints, assertions masked and not, step properties and goals.
func TestRandomModels(t *testing.T) {
	t.Parallel()
	total, verdicts, kinds := int64(0), map[checker.Verdict]int{}, map[string]int{}
	constrained, masked := 0, 0
	seeds := uint64(120)
	if underRace {
		seeds = 30
	}
	for seed := range seeds {
		spec := model(t, seed)
		stop, deadlock := []int{0, 1, 5}[seed%3], seed%2 == 0
		res := spectest.Naive(spec, spectest.NaiveOptions[cellNode]{Stop: stop, Deadlock: deadlock, MaxStates: 15_000})
		if res.Reason != "" {
			continue
		}
		ok := t.Run(fmt.Sprintf("seed=%d,stop=%d,deadlock=%v", seed, stop, deadlock), func(t *testing.T) {
			twoWays(t, spec, seed, stop, deadlock, &res)
			total += res.Distinct
			verdicts[res.Verdict]++
			for _, v := range res.Violations {
				kinds[v.Kind]++
			}
			if spec.Within != nil {
				constrained++
			}
			if res.Masked > 0 {
				masked++
			}
		})
		if !ok {
			return
		}
	}
	t.Logf("%d nodes, %v, %v, %d with constraints, %d with masked assertions", total, verdicts, kinds, constrained, masked)
	if underRace {
		return
	}
	if len(verdicts) < 2 || len(kinds) < 4 || constrained < 10 || masked < 10 || total < 50_000 {
		t.Error("the models do not exercise what they are made for")
	}
}

// TestGroupsCountEverything: each invariant is broken equally often, whichever worker finds a
// violation first.
func TestGroupsCountEverything(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		spec := model(t, seed)
		want := spectest.Naive(spec, spectest.NaiveOptions[cellNode]{MaxStates: 5_000})
		if want.Reason != "" {
			continue
		}
		res := run(t, spec, explore.Small(explore.Options{Workers: 3}))
		if got, want := counts(&res), counts(&want); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

// TestSliced: a model with ghosts that are left out of the state is, except for its traces, the
// model without ghosts.
func TestSliced(t *testing.T) {
	t.Parallel()
	smaller := 0
	for seed := range uint64(40) {
		opt := spectest.NaiveOptions[cellNode]{Stop: int(seed % 2), MaxStates: 20_000}
		want := spectest.Naive(model(t, seed), opt)
		spec := randomModel(t, &random{Rand: rand.New(rand.NewPCG(seed, 99)), ghosts: true})
		whole := spectest.Naive(spec, opt)
		if err := reduce.Slice(spec, []string{"Ghost"}); err != nil {
			t.Fatal(err)
		}
		if want.Reason != "" || whole.Reason != "" {
			continue
		}
		sliced := spectest.Naive(spec, opt)
		got := run(t, spec, explore.Small(explore.Options{Workers: 3, Stop: opt.Stop}))
		for _, r := range []*checker.Result[cellNode]{&sliced, &got} {
			if r.Distinct != want.Distinct || r.Generated != want.Generated || r.Depth != want.Depth || r.Digest != want.Digest ||
				r.Verdict != want.Verdict || fmt.Sprint(counts(r)) != fmt.Sprint(counts(&want)) {
				t.Errorf("seed %d: %d, %d, %d, %x, %v, want %d, %d, %d, %x, %v", seed, r.Distinct, r.Generated, r.Depth, r.Digest, r.Verdict,
					want.Distinct, want.Generated, want.Depth, want.Digest, want.Verdict)
			}
		}
		if whole.Verdict != want.Verdict || len(whole.Violations) > 0 && whole.Violations[0].Depth != want.Violations[0].Depth {
			t.Errorf("seed %d: with ghosts %v, without %v", seed, whole.Verdict, want.Verdict)
		}
		if whole.Distinct > want.Distinct {
			smaller++
		}
	}
	if smaller < 10 {
		t.Errorf("only %d models have ghosts that matter", smaller)
	}
	if err := reduce.Slice(model(t, 1), []string{"Ghosts"}); err == nil {
		t.Error("a field that is not there is left out")
	}
}

func counts[T any](res *checker.Result[T]) map[int]int64 {
	n := map[int]int64{}
	for _, v := range res.Violations {
		n[v.Invariant] += v.Count
	}
	return n
}
