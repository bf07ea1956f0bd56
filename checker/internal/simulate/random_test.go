package simulate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// dials is the state of the random models: a few small numbers that actions turn.
type dials struct {
	V      [6]uint8
	Raised modules.Raised[uint8]
}

type dialNode = checker.Node[dials, [8]uint8]

// turn is the parameter of the actions: which dial.
type turn struct{ I uint8 }

// atom compares a dial with a constant. The dial is given by its distance from the one that a
// parameter names.
type atom struct {
	behind, bound uint8
	above         bool
}

func (a atom) holds(s *dials, i uint8) bool {
	return (s.V[(i+a.behind)%6] >= a.bound) == a.above
}

// draws makes parts of models.
type draws struct{ *rand.Rand }

func (r draws) atom() atom {
	return atom{uint8(r.IntN(6)), uint8(r.IntN(4)), r.IntN(2) == 0}
}

func (r draws) action(name string) *modules.Action[dials, turn] {
	guard, by, params, from := r.atom(), uint8(r.IntN(3)+1), r.IntN(3)+1, uint8(r.IntN(6))
	raise, when := r.IntN(3) == 0, r.atom()
	return &modules.Action[dials, turn]{
		Name: name,
		Params: func(yield func(turn) bool) {
			for p := range params {
				if !yield(turn{uint8(p)}) {
					return
				}
			}
		},
		Guard: func(s *dials, p turn) bool { return guard.holds(s, p.I) },
		Effect: func(s, n *dials, p turn) {
			n.V[(p.I+from)%6] = (s.V[(p.I+from)%6] + by) % 4
			if raise && when.holds(s, p.I) {
				n.Raised.Raise(p.I)
			}
		},
	}
}

// model returns a random specification with every kind of property, a budget, perhaps constraints;
// the same seed gives the same one.
func model(t *testing.T, seed uint64) *checker.Spec[dialNode] {
	t.Helper()
	r := draws{rand.New(rand.NewPCG(seed, 17))}
	spec := &modules.Spec[dials]{System: "dials", Budgets: []modules.Limit{{Bound: "turns", Max: r.IntN(3)}}}
	inits := uint8(r.IntN(3) + 1)
	spec.Init = func(yield func(dials) bool) {
		for k := range inits {
			if !yield(dials{V: [6]uint8{k, 1, k / 2}}) {
				return
			}
		}
	}
	var actions []modules.AnyAction[dials]
	first := r.action("A0")
	actions = append(actions, first)
	for k := range r.IntN(5) + 2 {
		actions = append(actions, r.action(fmt.Sprint("A", k+1)))
	}
	add := func(v modules.Invariant[dials]) {
		v.ID = fmt.Sprint("I-", len(spec.Invariants))
		spec.Invariants = append(spec.Invariants, &v)
	}
	a, b, c, d := r.atom(), r.atom(), r.atom(), r.atom()
	if r.IntN(2) == 0 {
		add(modules.Invariant[dials]{State: func(s *dials) bool { return a.holds(s, 0) || b.holds(s, 1) || c.holds(s, 2) || d.holds(s, 3) }})
	}
	if r.IntN(3) == 0 {
		add(modules.Invariant[dials]{Step: func(s, n *dials) bool { return a.holds(s, 3) || b.holds(n, 2) || d.holds(n, 1) }})
	}
	if r.IntN(3) == 0 {
		add(modules.Invariant[dials]{OnStep: modules.OnStep(first, func(s, n *dials, p turn) bool { return c.holds(s, p.I) || d.holds(n, 1) })})
	}
	if r.IntN(2) == 0 {
		add(modules.Invariant[dials]{Raises: modules.Bit(uint8(r.IntN(3)))})
	}
	if r.IntN(3) == 0 {
		e, f := r.atom(), r.atom()
		spec.Constraints = append(spec.Constraints, &modules.Invariant[dials]{ID: "C", State: func(s *dials) bool { return e.holds(s, 0) || f.holds(s, 1) }})
	}
	for k := range 3 {
		g := r.atom()
		spec.Goals = append(spec.Goals, &modules.Invariant[dials]{ID: fmt.Sprint("G-", k), State: func(s *dials) bool { return g.holds(s, 0) }})
	}
	for k, b := range modules.Bind(actions, nil, spec.Invariants) {
		a := modules.SpecAction[dials]{Bound: b}
		if k == 1 {
			a.Budgets = []int{0}
		}
		spec.Actions = append(spec.Actions, a)
	}
	out, err := checker.Of[dials, [8]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
