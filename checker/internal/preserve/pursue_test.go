package preserve

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// bad lets a property fail in some states of a maze.
func bad(c *Comparison[point], side int, in func(k uint8) bool) {
	spec := c.Sides[side].Spec
	spec.Invariants = []checker.Property{{ID: "Other"}, {ID: "Good"}}
	spec.State = func(n *point) uint64 {
		if in(n.At) {
			return 1 << 1
		}
		return 0
	}
}

// pursuedBy returns by enumeration whether a maze comes to a bad state with the first observations
// of a word, and how many of them it can have.
func (m *maze) pursuedBy(word []string, in func(k uint8) bool) (violated bool, can int) {
	type place struct {
		at   uint8
		seen int
	}
	seen := map[place]bool{}
	var visit func(p place)
	visit = func(p place) {
		if seen[p] {
			return
		}
		seen[p] = true
		can, violated = max(can, p.seen), violated || in(p.at)
		for _, a := range m.out[p.at] {
			switch l := m.label(p.at, a.instance); {
			case l == "":
				visit(place{a.to, p.seen})
			case p.seen < len(word) && word[p.seen] == l:
				visit(place{a.to, p.seen + 1})
			}
		}
	}
	visit(place{0, 0})
	return violated, can
}

// TestPursue follows random behaviours of a system in another one. Whether this one violates a
// property with the same observations is compared with an enumeration. So is the first step that it
// cannot do.
func TestPursue(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 1))
	confirmed, departed, unbroken := 0, 0, 0
	for round := range 3000 {
		fine := randomMaze(r)
		coarse := fine.mutated(r)
		if round%4 == 0 {
			coarse = randomMaze(r)
		}
		way, word, observed := coarse.wander(r, 8)
		in := func(k uint8) bool { return int(k) == len(fine.eyes)-1 && round%3 > 0 }
		c := comparison(fine, coarse)
		bad(c, Fine, in)
		p, err := Pursue(c, Coarse, way, "Good", Options{})
		if err != nil || !p.Complete {
			t.Fatalf("round %d: %+v, %v", round, p, err)
		}
		violated, can := fine.pursuedBy(word, in)
		step := 0
		for k := range observed {
			if observed[k] > can {
				step = k + 1
				break
			}
		}
		if violated {
			step = 0
		}
		if p.Violated != violated || p.Step != step {
			t.Fatalf("round %d: violated %v in step %d, want %v and %d\n%+v\n%+v", round, p.Violated, p.Step, violated, step, fine, coarse)
		}
		shown := fine.wordOf(t, &p.Trace)
		if last := p.Trace.Init.At; violated {
			if n := len(p.Trace.Steps); n > 0 {
				last = p.Trace.Steps[n-1].Node.At
			}
			if !in(last) || len(shown) > len(word) {
				t.Fatalf("round %d: the behaviour that is shown violates nothing: %+v", round, p.Trace)
			}
		}
		switch {
		case violated:
			confirmed++
		case step > 0:
			departed++
		default:
			unbroken++
		}
	}
	if confirmed < 100 || departed < 100 || unbroken < 100 {
		t.Errorf("%d confirmed, %d departed and %d neither: too few of one", confirmed, departed, unbroken)
	}
}

// chest is a state with drawers. Each one is filled once.
type chest struct{ A, B, C, D, E, F, G, H uint8 }

func (c *chest) drawer(k int) *uint8 {
	return []*uint8{&c.A, &c.B, &c.C, &c.D, &c.E, &c.F, &c.G, &c.H}[k]
}

// TestPursueNear: states that are nearer to the next observation come first. Five values for each
// of eight drawers make 1.7 million states, and one of them has the values of the coarse step.
func TestPursueNear(t *testing.T) {
	const drawers, values = 8, 5
	var reads []modules.Access
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
		reads = append(reads, modules.Access{Variable: name})
	}
	cells, err := layout.CellsOf(reflect.TypeFor[chest](), reads, modules.None{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	filled := chest{1, 2, 3, 4, 5, 1, 2, 3}
	fill := func(s, n *chest, i int) { *n = *s; *n.drawer(i / values) = uint8(i%values) + 1 }
	empty := func(s *chest, i int) bool { return *s.drawer(i / values) == 0 }
	spec := func(enabled func(*chest, int) bool, apply func(s, n *chest, i int),
		silent int) *checker.Spec[chest] {
		spec := &checker.Spec[chest]{Init: func(yield func(*chest) bool) { yield(&chest{}) }, Invariants: []checker.Property{{ID: "Good"}},
			State: func(s *chest) uint64 {
				if s.A == 9 {
					return 1
				}
				return 0
			},
			Enabled: func(s *chest, i int) bool { return i == silent && s.H > 0 || i < silent && enabled(s, i) },
			Apply: func(s, n *chest, i int) {
				if i < silent {
					apply(s, n, i)
					return
				}
				if *n = *s; *s == filled {
					n.A = 9
				}
			}}
		for range silent + 1 {
			spec.Instances = append(spec.Instances, checker.Instance{})
		}
		return spec
	}
	c := &Comparison[chest]{State: func(n *chest) unsafe.Pointer { return unsafe.Pointer(n) }, Steps: []Step{{Action: "Open", Cells: cells}}}
	fine := spec(empty, fill, drawers*values)
	c.Sides[Fine] = Side[chest]{Spec: fine, Step: append(slices.Repeat([]int{-1}, drawers*values), 0)}
	c.Sides[Coarse] = Side[chest]{Spec: spec(func(s *chest, _ int) bool { return s.A == 0 }, func(_, n *chest, _ int) { *n = filled }, 1), Step: []int{-1, 0}}
	opened := filled
	opened.A = 9
	way := &checker.Trace[chest]{Steps: []checker.Step[chest]{{Instance: 0, Node: filled}, {Instance: 1, Node: opened}}}
	p, err := Pursue(c, Coarse, way, "Good", Options{MaxStates: 2000})
	if err != nil || !p.Violated || len(p.Trace.Steps) != drawers+1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestPursueLimits: what a limit ended is not known, and a property must be there.
func TestPursueLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for {
		m := randomMaze(r)
		way, _, _ := m.wander(r, 8)
		c := comparison(m, m)
		bad(c, Fine, func(uint8) bool { return false })
		p, err := Pursue(c, Coarse, way, "Good", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.States < 3 {
			continue
		}
		if p, err = Pursue(c, Coarse, way, "Good", Options{MaxStates: 1}); err != nil || p.Complete {
			t.Errorf("a limit is no answer: %+v, %v", p, err)
		}
		if _, err = Pursue(c, Coarse, way, "None", Options{}); err == nil {
			t.Error("a property that is not there is pursued")
		}
		return
	}
}
