package preserve

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
)

// TestFollow follows random behaviours of one system in another, and compares the first step that
// it cannot do with an enumeration of its observations. The behaviour that is shown has the
// observations before that step.
func TestFollow(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	departed, whole := 0, 0
	for round := range 2000 {
		fine := randomMaze(r)
		sides := [2]*maze{fine, fine.mutated(r)}
		if round%4 == 0 {
			sides[Coarse] = randomMaze(r)
		}
		side := round % 2
		own, other := sides[side], sides[1-side]
		way, word, observed := own.wander(r, 8)
		want := 0
		for k := range way.Steps {
			if n := observed[k]; !other.has(word[:n]) {
				want, word = k+1, word[:n-1]
				break
			}
		}
		f, err := Follow(comparison(sides[0], sides[1]), side, way, Options{})
		if err != nil || !f.Side.Complete {
			t.Fatalf("round %d: %+v, %v", round, f, err)
		}
		if f.Step != want || want > 0 && len(f.Difference.Trace.Steps) != want {
			t.Fatalf("round %d: step %d, want %d\n%+v\n%+v\n%+v", round, f.Step, want, way, own, other)
		}
		if got := other.wordOf(t, &f.Trace); !slices.Equal(got, word) {
			t.Fatalf("round %d: the behaviour that is shown has %v, want %v", round, got, word)
		}
		if want > 0 {
			departed++
		} else if len(word) > 0 {
			whole++
		}
	}
	if departed < 100 || whole < 100 {
		t.Errorf("%d behaviours end early and %d are followed whole: too few of one", departed, whole)
	}
}

// wander returns a random behaviour of at most n steps, its observations, and how many of them it
// has after each step.
func (m *maze) wander(r *rand.Rand, n int) (t *checker.Trace[point], word []string, observed []int) {
	t = &checker.Trace[point]{Init: point{0, m.eyes[0]}}
	at := uint8(0)
	for range n {
		if len(m.out[at]) == 0 {
			break
		}
		a := m.out[at][r.IntN(len(m.out[at]))]
		if l := m.label(at, a.instance); l != "" {
			word = append(word, l)
		}
		at = a.to
		t.Steps = append(t.Steps, checker.Step[point]{Instance: a.instance, Node: point{at, m.eyes[at]}})
		observed = append(observed, len(word))
	}
	return t, word, observed
}

// wordOf returns the observations of a behaviour, which must be one of m.
func (m *maze) wordOf(t *testing.T, way *checker.Trace[point]) (word []string) {
	t.Helper()
	at := way.Init.At
	for _, s := range way.Steps {
		k := slices.IndexFunc(m.out[at], func(x arrow) bool { return x.instance == s.Instance && x.to == s.Node.At })
		if k < 0 {
			t.Fatalf("%+v is no behaviour of %+v", way, m)
		}
		if l := m.label(at, s.Instance); l != "" {
			word = append(word, l)
		}
		at = s.Node.At
	}
	return word
}
