package preserve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// trio is a state: what only the compared module uses, what both use, and what only the rest uses.
type trio struct{ Own, Shared, Rest uint8 }

const levels = 3 // values of each field

// law says, by two fields, whether a step is possible and to which values it leads.
type law [levels][levels]struct {
	on    bool
	a, b  uint8
	raise bool
}

func randomLaw(r *rand.Rand, often int) (l law) {
	for a := range l {
		for b := range l[a] {
			x := &l[a][b]
			x.on, x.a, x.b = r.IntN(10) < often, uint8(r.IntN(levels)), uint8(r.IntN(levels))
		}
	}
	return l
}

// trioSpec composes the steps of a compared module, on Own and Shared, with two of the rest, on
// Shared and Rest. The invariant forbids one combination of Shared and Rest.
func trioSpec(own []law, rest []law, forbidden [2]uint8) *checker.Spec[trio] {
	at := func(s *trio, i int) (on bool, n trio) {
		n = *s
		if i < len(own) {
			x := own[i][s.Own][s.Shared]
			n.Own, n.Shared = x.a, x.b
			return x.on, n
		}
		x := rest[i-len(own)][s.Shared][s.Rest]
		n.Shared, n.Rest = x.a, x.b
		return x.on, n
	}
	spec := &checker.Spec[trio]{
		System: "trio",
		Init:   func(yield func(*trio) bool) { yield(&trio{}) },
		State: func(s *trio) uint64 {
			if s.Shared == forbidden[0] && s.Rest == forbidden[1] {
				return 1
			}
			return 0
		},
		Enabled: func(s *trio, i int) bool { on, _ := at(s, i); return on },
		Apply:   func(s, n *trio, i int) { _, *n = at(s, i) },
	}
	for i := range len(own) + len(rest) {
		spec.Actions = append(spec.Actions, checker.Action{Name: fmt.Sprint("A", i)})
		spec.Instances = append(spec.Instances, checker.Instance{Action: i})
	}
	spec.Next = func(s *trio, out *checker.Successors[trio]) {
		for i := range spec.Instances {
			if spec.Enabled(s, i) {
				spec.Apply(s, out.Slot(s), i)
				out.Emit(s, i)
			}
		}
	}
	return spec
}

// trios compares two modules with the same rest.
func trios(own [2][]law, rest []law, forbidden [2]uint8) *Comparison[trio] {
	c := &Comparison[trio]{State: func(n *trio) unsafe.Pointer { return unsafe.Pointer(n) }}
	t := reflect.TypeFor[trio]()
	cells, err := layout.CellsOf(t, []modules.Access{{Variable: "Shared"}, {Variable: "Rest"}}, modules.None{}, nil)
	if err != nil {
		panic(err)
	}
	part := []Span{{unsafe.Offsetof(trio{}.Rest), 1}}
	c.Weakest = &Weakest{Rest: part, Looks: part}
	for i := range rest {
		c.Steps = append(c.Steps, Step{Action: fmt.Sprint("R", i), Cells: cells})
		c.Weakest.Reads, c.Weakest.Whole = append(c.Weakest.Reads, part), append(c.Weakest.Whole, cells)
	}
	c.Looks = []Look{{Name: "I", Kind: modules.KindState, Cells: cells, Named: cells}}
	for side := range 2 {
		s := Side[trio]{Spec: trioSpec(own[side], rest, forbidden), Invariant: []int{0}, On: make([]map[int][]Sighted[trio], 1)}
		for range own[side] {
			s.Step = append(s.Step, -1)
		}
		for i := range rest {
			s.Step = append(s.Step, i)
		}
		c.Weakest.Step[side] = s.Step
		c.Sides[side] = s
	}
	return c
}

// inWeakest compares in the weakest environment as if the fine composition were not exhausted.
func inWeakest(t *testing.T, c *Comparison[trio]) *WeakestResult {
	t.Helper()
	r := &run[trio]{c: c, opt: Options{Level: "L2", Context: context.Background()}, labels: newLabels(), looks: newLooks(1)}
	r.expanding.Store(-1)
	g, err := r.explore(Coarse)
	if err != nil {
		t.Fatal(err)
	}
	r.graphs[Coarse] = g
	r.res.L2 = Inclusions{NoFalse: Open, NoMissed: Open}
	r.weakest()
	return r.res.Weakest
}

// TestWeakest compares random modules in the weakest environment and in their compositions. What
// the former proves, the latter shows. Coarse modules are right, nearly right, or anything.
func TestWeakest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 1))
	proved, open := [2]int{}, [2]int{}
	for round := range 8_000 {
		fine := []law{randomLaw(r, 3), randomLaw(r, 3)}
		coarse := slices.Clone(fine)
		switch round % 3 {
		case 0: // two steps in one, next to the fine ones
			coarse = append(coarse, twice(fine[0], fine[1]))
		case 1:
			coarse[1] = randomLaw(r, 3)
		case 2: // one cell is another one
			coarse[1][r.IntN(levels)][r.IntN(levels)].on = round%2 == 0
		}
		rest := []law{randomLaw(r, 4), randomLaw(r, 4)}
		c := trios([2][]law{fine, coarse}, rest, [2]uint8{uint8(r.IntN(levels)), uint8(r.IntN(levels))})
		w := inWeakest(t, c)
		res, err := Run(c, Options{Level: "L2"})
		if err != nil || res.Level != "L2" || w == nil {
			t.Fatalf("round %d: %+v, %v", round, res, err)
		}
		for k, x := range []struct {
			proved bool
			direct Answer
		}{{w.NoFalse && !violated(c, Coarse), res.L2.NoFalse}, {w.NoMissed, res.L2.NoMissed}} {
			switch {
			case x.proved && x.direct != Yes:
				t.Fatalf("round %d, question %d: proved in the weakest environment, and directly it is %s\n%+v\n%+v\n%+v", round, k, x.direct, fine, coarse, rest)
			case x.proved:
				proved[k]++
			case x.direct == Yes:
				open[k]++
			}
		}
	}
	t.Logf("proved %v, right and not proved %v", proved, open)
	if min(proved[0], proved[1]) < 1000 {
		t.Errorf("only %v are proved", proved)
	}
}

// violated reports whether a side violates the invariant in its composition.
func violated(c *Comparison[trio], side int) bool {
	spec := c.Sides[side].Spec
	all := []trio{{}}
	for at := 0; at < len(all); at++ {
		if spec.State(&all[at]) != 0 {
			return true
		}
		for i := range spec.Instances {
			if spec.Enabled(&all[at], i) {
				n := all[at]
				spec.Apply(&all[at], &n, i)
				if !slices.Contains(all, n) {
					all = append(all, n)
				}
			}
		}
	}
	return false
}

// twice is one step after the other.
func twice(x, y law) (out law) {
	for a := range x {
		for b := range x[a] {
			if s := x[a][b]; s.on {
				out[a][b] = y[s.a][s.b]
			}
		}
	}
	return out
}
