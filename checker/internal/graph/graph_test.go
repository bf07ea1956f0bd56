package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAdd: numbers are those of a map from fingerprints, and paths go by the first parents.
func TestAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g, number, parents := &Graph{}, map[uint64]uint32{}, map[uint32]uint32{}
	if _, ok := g.Find(7); ok {
		t.Error("an empty graph has a node")
	}
	for range 40_000 {
		h := r.Uint64N(30_000) * 0x1000 // many places collide
		parent := None
		if n := g.Nodes(); n > 0 && r.IntN(10) > 0 {
			parent = r.Uint32N(n)
		}
		want, known := number[h]
		if k, ok := g.Find(h); ok != known || ok && k != want {
			t.Fatalf("fingerprint %x is node %d, %v; want %d, %v", h, k, ok, want, known)
		}
		k, fresh := g.Add(h, parent, 9)
		if fresh == known || known && k != want {
			t.Fatalf("fingerprint %x is node %d, new: %v; want %d", h, k, fresh, want)
		}
		if fresh {
			number[h], parents[k] = k, parent
		}
	}
	for k := range g.Nodes() {
		want := []uint32{k}
		for parents[want[0]] != None {
			want = slices.Insert(want, 0, parents[want[0]])
		}
		if got := g.Path(k); !slices.Equal(got, want) {
			t.Fatalf("the path to %d is %v, want %v", k, got, want)
		}
		if _, by := g.Reached(k); (by == None) != (parents[k] == None) {
			t.Fatalf("node %d was reached by %d", k, by)
		}
		if number[g.Hash(k)] != k {
			t.Fatalf("node %d has another fingerprint", k)
		}
	}
}

// random makes edges of n nodes. Some lead out of the graph.
func random(r *rand.Rand, n, edges int) *Edges {
	g := &Edges{}
	for range n {
		for range r.IntN(2*edges + 1) {
			e := Edge{r.Uint32N(3), r.Uint32N(uint32(n))}
			if r.IntN(8) == 0 {
				e.To = None
			}
			g.Add(e)
		}
		g.Close()
	}
	return g
}

// TestComponents: two nodes are in one component if and only if each reaches the other, the numbers
// are in reverse topological order, and found shows each component once.
func TestComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		n := 1 + r.IntN(40)
		g := random(r, n, 1+round%3)
		out := make([]bool, n)
		for k := range out {
			out[k] = r.IntN(6) == 0
		}
		in := func(k uint32) bool { return !out[k] }
		if round%4 == 0 {
			in, out = nil, make([]bool, n)
		}
		reach := make([][]bool, n)
		for k := range reach {
			reach[k] = reachable(g, uint32(k), out)
		}
		shown := map[uint32]uint32{}
		of := make([]uint32, n)
		count := Components(of, g.Of, in, func(nodes []uint32, component uint32) {
			for _, k := range nodes {
				shown[k] = component
			}
		})
		for a := range uint32(n) {
			if out[a] {
				if _, ok := shown[a]; ok || of[a] != None {
					t.Fatalf("round %d: node %d is not of the graph and has component %d", round, a, of[a])
				}
				continue
			}
			if shown[a] != of[a] || of[a] >= count {
				t.Fatalf("round %d: node %d is shown in %d and is in %d of %d", round, a, shown[a], of[a], count)
			}
			for b := range uint32(n) {
				if out[b] {
					continue
				}
				if same := reach[a][b] && reach[b][a]; same != (of[a] == of[b]) {
					t.Fatalf("round %d: nodes %d and %d reach each other: %v, components %d and %d", round, a, b, same, of[a], of[b])
				}
				if reach[a][b] && of[b] > of[a] {
					t.Fatalf("round %d: node %d reaches %d, components %d and %d", round, a, b, of[a], of[b])
				}
			}
		}
	}
}

// reachable says which nodes a node reaches, itself among them.
func reachable(g *Edges, from uint32, out []bool) []bool {
	seen := make([]bool, len(out))
	if out[from] {
		return seen
	}
	seen[from] = true
	for queue := []uint32{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.Of(queue[0]) {
			if e.To != None && !out[e.To] && !seen[e.To] {
				seen[e.To] = true
				queue = append(queue, e.To)
			}
		}
	}
	return seen
}

// TestDeep: a long cycle is one component, and the stack does not grow with it.
func TestDeep(t *testing.T) {
	const n = 1 << 20
	g := &Edges{}
	for k := range uint32(n) {
		g.Add(Edge{To: (k + 1) % n})
		g.Close()
	}
	if count := Components(make([]uint32, n), g.Of, nil, nil); count != 1 {
		t.Errorf("%d components", count)
	}
}
