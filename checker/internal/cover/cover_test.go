package cover_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/cover"
)

// toy is a graph by its edges: toy[s] are the successors of s, and the instance of a step is its
// place there.
type toy [][]uint32

func (t toy) successors(s *uint32, yield func(int, *uint32)) error {
	for k := range t[*s] {
		yield(k, &t[*s][k])
	}
	return nil
}

// random returns a graph with n nodes and at most degree successors of each. With loops, steps may
// lead back.
func random(rng *rand.Rand, n, degree int, loops bool) toy {
	t := make(toy, n)
	for s := range t {
		for range rng.IntN(degree + 1) {
			to := rng.IntN(n)
			if !loops {
				if s == n-1 {
					continue
				}
				to = s + 1 + rng.IntN(n-s-1)
			}
			t[s] = append(t[s], uint32(to))
		}
	}
	return t
}

// edge is a step: a state and the place of its successor.
type edge struct{ s, k int }

// reach collects, one path after another, the edges and the pairs of edges that paths of at most
// depth steps from the starts contain.
func (t toy) reach(starts []uint32, depth int) (edges map[edge]bool, pairs map[[2]edge]bool) {
	edges, pairs = map[edge]bool{}, map[[2]edge]bool{}
	type end struct {
		last edge
		left int
	}
	seen := map[end]bool{}
	var extend func(s int, last edge, left int)
	extend = func(s int, last edge, left int) {
		if left == 0 || seen[end{last, left}] {
			return
		}
		seen[end{last, left}] = true
		for k, to := range t[s] {
			e := edge{s, k}
			edges[e], pairs[[2]edge{last, e}] = true, true
			extend(int(to), e, left-1)
		}
	}
	for _, s := range starts {
		extend(int(s), edge{-1, int(s)}, depth)
	}
	return edges, pairs
}

// walked collects what the walks of a cover contain. It fails where a walk is no path.
func (t toy) walked(test *testing.T, starts []uint32, c *cover.Cover) (edges map[edge]bool, pairs map[[2]edge]bool) {
	test.Helper()
	edges, pairs = map[edge]bool{}, map[[2]edge]bool{}
	for _, w := range c.Walks {
		s := int(starts[w.Start])
		last := edge{-1, s}
		for _, k := range w.Instances {
			if int(k) >= len(t[s]) {
				test.Fatalf("a walk takes step %d of state %d, which has %d", k, s, len(t[s]))
			}
			e := edge{s, int(k)}
			edges[e], pairs[[2]edge{last, e}] = true, true
			last, s = e, int(t[s][k])
		}
	}
	return edges, pairs
}

// goOn never ends a search.
func goOn() error { return nil }

// TestFind compares what walks contain with a naive enumeration of paths, on random graphs.
func TestFind(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 600 {
		n := 1 + rng.IntN(9)
		g := random(rng, n, 3, round%2 == 0)
		starts := []uint32{0}
		if n > 2 && round%3 == 0 {
			starts = append(starts, uint32(1+rng.IntN(n-1)))
		}
		depth := 0
		if round%5 == 0 {
			depth = 1 + rng.IntN(5)
		}
		graph, err := cover.Explore(starts, g.successors, 100)
		if err != nil {
			t.Fatal(err)
		}
		limit := depth
		if depth == 0 {
			limit = 40 // no shortest path, and no path to a pair, is longer
		}
		edges, pairs := g.reach(starts, limit)
		for _, kind := range cover.Kinds {
			name := fmt.Sprintf("%v from %v, depth %d, %s", g, starts, depth, kind)
			c, err := graph.Find(kind, depth, goOn)
			if err != nil {
				t.Fatal(err)
			}
			haveEdges, havePairs := g.walked(t, starts, c)
			new := 0
			for _, w := range c.Walks {
				new += len(w.New)
				if depth > 0 && len(w.Instances) > depth {
					t.Errorf("%s: a walk has %d steps", name, len(w.Instances))
				}
				if len(w.New) == 0 {
					t.Errorf("%s: a walk takes nothing new", name)
				}
			}
			if !maps.Equal(haveEdges, edges) {
				t.Fatalf("%s: edges %v, want %v", name, haveEdges, edges)
			}
			want := len(edges)
			if kind == cover.Pairs {
				want = len(pairs)
				if !maps.Equal(havePairs, pairs) {
					t.Fatalf("%s: pairs %v, want %v", name, havePairs, pairs)
				}
			}
			if c.Targets-c.Beyond != want || new != want {
				t.Fatalf("%s: %d targets, %d beyond, %d taken, want %d", name, c.Targets, c.Beyond, new, want)
			}
			if len(c.Walks) < c.Least {
				t.Errorf("%s: %d walks, which is less than the lower bound %d", name, len(c.Walks), c.Least)
			}
		}
	}
}

// TestFewWalks: a walk continues as long as anything is left after it.
func TestFewWalks(t *testing.T) {
	t.Parallel()
	cycle := toy{{1, 0}, {2}, {0}}
	diamonds := toy{{1, 2}, {3}, {3}, {4, 5}, {6}, {6}, {}}
	for _, c := range []struct {
		name  string
		graph toy
		kind  cover.Kind
		walks int
	}{
		{"a cycle with a loop", cycle, cover.Edges, 1},
		{"a cycle with a loop", cycle, cover.Pairs, 2}, // either edge can be the first step
		{"two diamonds in a row", diamonds, cover.Edges, 2},
		{"two diamonds in a row", diamonds, cover.Pairs, 4},
	} {
		g, err := cover.Explore([]uint32{0}, c.graph.successors, 10)
		if err != nil {
			t.Fatal(err)
		}
		found, err := g.Find(c.kind, 0, goOn)
		if err != nil || len(found.Walks) > c.walks {
			t.Errorf("%s, %s: %d walks, want at most %d; %v", c.name, c.kind, len(found.Walks), c.walks, err)
		}
	}
}

// TestSize: a graph that is too large is refused.
func TestSize(t *testing.T) {
	t.Parallel()
	endless := func(s *uint32, yield func(int, *uint32)) error {
		n := *s + 1
		yield(0, &n)
		return nil
	}
	if _, err := cover.Explore([]uint32{0}, endless, 50); err == nil || err.Error() != "the graph has more than 50 states" {
		t.Errorf("the error is %v", err)
	}
}

// TestStop ends searches at each of the moments at which they ask. In the chain a way to an edge
// that is left passes many edges that are taken.
func TestStop(t *testing.T) {
	t.Parallel()
	chain, all := make(toy, 20_000), make(toy, 40)
	for s := range chain {
		chain[s] = []uint32{uint32((s + 1) % len(chain)), 0}
	}
	for s := range all {
		for to := range all {
			all[s] = append(all[s], uint32(to))
		}
	}
	for kind, graph := range map[cover.Kind]toy{cover.Edges: chain, cover.Pairs: all} {
		g, err := cover.Explore([]uint32{0}, graph.successors, 30_000)
		if err != nil {
			t.Fatal(err)
		}
		enough := errors.New("enough")
		for last := range 10 {
			asked := 0
			found, err := g.Find(kind, 0, func() error {
				if asked++; asked > last {
					return enough
				}
				return nil
			})
			if err != enough || found != nil || asked != last+1 {
				t.Errorf("%s: after %d questions the error is %v", kind, asked, err)
			}
		}
	}
}
