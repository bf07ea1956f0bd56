package preserve

import (
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker"
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
