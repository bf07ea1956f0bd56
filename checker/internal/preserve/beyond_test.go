package preserve

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// after returns by enumeration the states of a maze that are reached with a word or after it.
func (m *maze) after(word []string) map[uint8]bool {
	type place struct {
		at   uint8
		seen int
	}
	seen, out := map[place]bool{}, map[uint8]bool{}
	var visit func(p place)
	visit = func(p place) {
		if seen[p] {
			return
		}
		seen[p] = true
		if p.seen == len(word) {
			out[p.at] = true
		}
		for _, a := range m.out[p.at] {
			switch l := m.label(p.at, a.instance); {
			case l == "" || p.seen == len(word):
				visit(place{a.to, p.seen})
			case word[p.seen] == l:
				visit(place{a.to, p.seen + 1})
			}
		}
	}
	visit(place{0, 0})
	return out
}

// TestSearch searches after random behaviours of the fine system, and from its initial state.
// Whether a property is violated there is compared with an enumeration.
func TestSearch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(23, 1))
	found, clean := 0, 0
	for round := range 3000 {
		fine := randomMaze(r)
		way, word, _ := fine.wander(r, 5)
		in := func(k uint8) bool { return int(k) == len(fine.eyes)-1 && round%3 > 0 }
		c := comparison(fine, fine)
		bad(c, Fine, in)
		if round%4 == 0 {
			way, word = nil, nil
		}
		b, err := Search(c, way, Options{})
		if err != nil || !b.Complete {
			t.Fatalf("round %d: %+v, %v", round, b, err)
		}
		want, _ := fine.pursuedBy(word, in)
		for k := range fine.after(word) {
			want = want || in(k)
		}
		if (b.Violated != nil) != want {
			t.Fatalf("round %d: violated %v, want %v\n%+v", round, b.Violated, want, fine)
		}
		if !want {
			clean++
			continue
		}
		found++
		fine.wordOf(t, &b.Trace) // which reports a step that is none
		last := b.Trace.Init.At
		if n := len(b.Trace.Steps); n > 0 {
			last = b.Trace.Steps[n-1].Node.At
		}
		if !in(last) || b.Violated.ID != "Good" {
			t.Fatalf("round %d: the behaviour that is shown violates nothing: %+v", round, b)
		}
	}
	if found < 100 || clean < 100 {
		t.Errorf("%d found and %d clean: too few of one", found, clean)
	}
}

// TestSearchLimit: what a limit ended is not complete.
func TestSearchLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 100 {
		m := randomMaze(r)
		c := comparison(m, m)
		bad(c, Fine, func(uint8) bool { return false })
		whole, err := Search(c, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if whole.States < 4 {
			continue
		}
		if b, err := Search(c, nil, Options{MaxStates: 1}); err != nil || b.Complete || b.Violated != nil {
			t.Errorf("a limit is no answer: %+v, %v", b, err)
		}
		return
	}
	t.Error("no system is large enough")
}

// TestBecause: a step that cannot be had is explained by a cell that differs, or its action is
// enabled nowhere.
func TestBecause(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(29, 1))
	cells, enabled, disabled := 0, 0, 0
	for range 2000 {
		fine, coarse := randomMaze(r), randomMaze(r)
		way, _, _ := coarse.wander(r, 8)
		c := comparison(fine, coarse)
		bad(c, Fine, func(uint8) bool { return false })
		p, err := Pursue(c, Coarse, way, "Good", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (p.Step > 0) != (p.Because != nil) {
			t.Fatalf("step %d and %+v", p.Step, p.Because)
		}
		if p.Because == nil {
			continue
		}
		if d := p.Because; d.Cell != "" {
			cells++
			if reflect.DeepEqual(d.Here, d.There) {
				t.Errorf("%s is the same on both sides: %v", d.Cell, d.Here)
			}
		}
		if p.Enabled {
			enabled++
		} else {
			disabled++
		}
	}
	if cells < 50 || enabled < 50 || disabled < 50 {
		t.Errorf("%d cells, %d enabled, %d disabled: too few of one", cells, enabled, disabled)
	}
}

// TestSearchShortest: a search from an initial state finds a shortest way. Another way, of four
// steps, begins with the step that is taken last.
func TestSearchShortest(t *testing.T) {
	const goal = 10
	m := &maze{eyes: make([]uint8, goal+1), out: make([][]arrow, goal+1)}
	for i := range silents + visibles {
		m.out[0] = append(m.out[0], arrow{i, uint8(i + 1)})
	}
	m.out[5], m.out[7] = []arrow{{0, 7}}, []arrow{{0, goal}}
	m.out[6], m.out[8], m.out[9] = []arrow{{0, 8}}, []arrow{{0, 9}}, []arrow{{0, goal}}
	c := comparison(m, m)
	bad(c, Fine, func(k uint8) bool { return k == goal })
	if b, err := Search(c, nil, Options{}); err != nil || b.Violated == nil || len(b.Trace.Steps) != 3 {
		t.Errorf("%+v, %v: want 3 steps", b, err)
	}
}
