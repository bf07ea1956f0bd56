// Package cover covers the graph of a small specification by few walks.
//
// # Graph
//
// The graph has a node for each reachable state and an edge for each step: a state with an
// instance that is enabled there. It is explored whole, so it must be small.
//
// # Walks
//
// A walk is a path from an initial state. Walks are found greedily. A walk takes an edge that no
// walk has taken yet, as long as its last state has one. Otherwise it takes a shortest path to a
// state that has one. It ends where no such state can be reached. The next walk begins with a
// shortest path to an edge that is not taken, the one closest to the initial states.
//
//	    a      b          walk 1: a b d     ends, since nothing is left after d
//	o ----> o ----> o     walk 2: a c       c is not taken; a is a shortest path to it
//	        |       |
//	        | c     | d
//	        v       v
//	        o       o
//
// Every edge is taken, because the next walk begins with one that is not taken as long as there
// is one. The number of walks is not the smallest possible. Cover.Least is a lower bound.
//
// A search that reaches no edge that is left marks the states that it visited as exhausted. Edges
// are only taken, never given back, so nothing is ever left after them. Later searches
// skip these states.
//
// # Pairs
//
// Two edges form a pair if one ends where the other begins. Pairs are the edges of a second
// graph. Its nodes are the edges of the first graph. The same algorithm covers them.
package cover

import (
	"fmt"

	"github.com/multigrain/multigrain/checker"
)

// What it computes. A few walks that together take every edge, or every pair of edges in a row, of
// the graph of a small specification.
//
// Why it is right. A new walk begins as long as an edge is left that some path reaches, so all of
// them are taken. The package comment has the argument for states that are marked as exhausted.
//
// What it costs. Exploring the graph once, and one breadth-first search for each detour. A search
// skips exhausted states. The number of walks is not minimal; Least is a lower bound.
//
// Example. The drawing in the package comment: walk 1 is a b d, and walk 2 is a c.

// Kind says what walks cover.
type Kind string

// The kinds.
const (
	Edges Kind = "edges" // every step of every state
	Pairs Kind = "pairs" // every two steps in a row
)

// Kinds lists all values of Kind.
var Kinds = []Kind{Edges, Pairs}

// A SizeError says that a graph is larger than allowed.
type SizeError struct {
	What string // states, edges or pairs
	Most int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("the graph has more than %d %s", e.Most, e.What)
}

// Graph is the graph of a specification. Edges are sorted by their first node.
type Graph struct {
	Starts   int     // initial states, which are the first nodes
	first    []int32 // by node: its first edge, and one number more
	to       []int32 // by edge
	instance []int32 // by edge
}

// Nodes returns how many states the graph has.
func (g *Graph) Nodes() int { return len(g.first) - 1 }

// Edges returns how many edges the graph has.
func (g *Graph) Edges() int { return len(g.to) }

// mostPerNode bounds edges, and pairs, by nodes.
const mostPerNode = 64

// Explore explores the graph from initial states breadth first. The function successors yields
// the steps of a state, in a fixed order. The error is a *SizeError if there are more than most
// states or more than 64 times as many edges, or an error of successors.
func Explore[T any](starts []T, successors func(s *T, yield func(instance int, n *T)) error, most int) (*Graph, error) {
	var nodes []T
	number := map[string]int32{}
	visit := func(n *T) int32 {
		key := string(checker.Bytes(n))
		k, ok := number[key]
		if !ok {
			k = int32(len(nodes))
			number[key], nodes = k, append(nodes, *n)
		}
		return k
	}
	for k := range starts {
		visit(&starts[k])
	}
	g := &Graph{Starts: len(nodes)}
	for k := 0; k < len(nodes); k++ {
		switch {
		case len(nodes) > most:
			return nil, &SizeError{"states", most}
		case len(g.to) > most*mostPerNode:
			return nil, &SizeError{string(Edges), most * mostPerNode}
		}
		g.first = append(g.first, int32(len(g.to)))
		s := nodes[k] // nodes may move
		if err := successors(&s, func(instance int, n *T) {
			g.to, g.instance = append(g.to, visit(n)), append(g.instance, int32(instance))
		}); err != nil {
			return nil, err
		}
	}
	g.first = append(g.first, int32(len(g.to)))
	return g, nil
}

// pairs returns the graph whose nodes are the initial states and then the edges of g, and whose
// edges are the first steps and the pairs.
func (g *Graph) pairs(stop *stop) (*Graph, error) {
	most := g.Nodes() * mostPerNode * mostPerNode
	p := &Graph{Starts: g.Starts}
	follow := func(node int32) {
		p.first = append(p.first, int32(len(p.to)))
		for e := g.first[node]; e < g.first[node+1]; e++ {
			p.to, p.instance = append(p.to, int32(g.Starts)+e), append(p.instance, g.instance[e])
		}
	}
	for s := range g.Starts {
		follow(int32(s))
	}
	for _, to := range g.to {
		if follow(to); len(p.to) > most {
			return nil, &SizeError{string(Pairs), most}
		}
		if stop.asked() {
			return nil, stop.err
		}
	}
	p.first = append(p.first, int32(len(p.to)))
	return p, nil
}

// Walk is a path from an initial state.
type Walk struct {
	Start     int     // number of the initial state
	Instances []int32 // of its steps
	// New are the numbers of the edges, or of the pairs, that this walk is the first to take,
	// with the steps that take them, from 0.
	New []Taken
}

// Taken is something to cover that a step takes for the first time.
type Taken struct{ Number, Step int }

// Cover is a set of walks.
type Cover struct {
	Kind          Kind
	States, Edges int // of the graph
	// Targets is how many edges or pairs there are. Of pairs, the first steps of walks count, too.
	Targets int
	// Beyond is how many targets no walk of the allowed length takes.
	Beyond int
	// Least is a lower bound of the number of walks that take all: no walk ends twice.
	Least int
	Walks []Walk
	Steps int // of all walks
}

// Find returns walks of at most depth steps that take all edges or pairs that such walks can
// take. A depth of 0 is no limit. The function ask is called again and again, and an error that it
// returns ends the search. The error is that one, or a *SizeError.
func (g *Graph) Find(kind Kind, depth int, ask func() error) (*Cover, error) {
	stop := &stop{ask: ask}
	c := &Cover{Kind: kind, States: g.Nodes(), Edges: g.Edges()}
	if kind == Pairs {
		p, err := g.pairs(stop)
		if err != nil {
			return nil, err
		}
		g = p
	}
	c.Targets = g.Edges()
	f := newFinder(g, stop)
	for {
		w, ok := f.walk(depth)
		if stop.err != nil {
			return nil, stop.err
		}
		if !ok {
			break
		}
		c.Walks = append(c.Walks, w)
		c.Steps += len(w.Instances)
	}
	for e, to := range g.to {
		if !f.taken[e] {
			c.Beyond++
		} else if g.first[to] == g.first[to+1] {
			c.Least++
		}
	}
	return c, nil
}

// stop asks from time to time whether a search is to end.
type stop struct {
	ask  func() error
	work int   // since the search began
	err  error // what ask returned
}

// askEvery is how many edges are looked at between two questions.
const askEvery = 1 << 12

// asked reports whether the search is to end. It is called for each edge that is looked at.
func (s *stop) asked() bool {
	if s.work++; s.work%askEvery == 0 && s.err == nil {
		s.err = s.ask()
	}
	return s.err != nil
}

// finder finds walks.
type finder struct {
	g         *Graph
	stop      *stop
	from      []int32 // by edge: its first node
	taken     []bool  // by edge
	exhausted []bool  // by node: no edge is left after it
	parent    []int32 // by node: the edge of a shortest path from the initial states; -1 for these
	depth     []int32 // by node: length of that path
	byDepth   []int32 // nodes
	next      int     // in byDepth: all edges of those before it are taken, or beyond the depth

	// Of one search.
	round   int32
	visited []int32 // by node: the round
	back    []int32 // by node: the edge by which it was reached
	queue   []int32
}

func newFinder(g *Graph, stop *stop) *finder {
	n := g.Nodes()
	f := &finder{g: g, stop: stop, from: make([]int32, g.Edges()), taken: make([]bool, g.Edges()), exhausted: make([]bool, n),
		parent: make([]int32, n), depth: make([]int32, n), visited: make([]int32, n), back: make([]int32, n)}
	for k := range f.depth {
		f.depth[k] = -1
	}
	for s := range g.Starts {
		f.parent[s], f.depth[s] = -1, 0
		f.byDepth = append(f.byDepth, int32(s))
	}
	for k := 0; k < len(f.byDepth); k++ {
		s := f.byDepth[k]
		for e := g.first[s]; e < g.first[s+1]; e++ {
			f.from[e] = s
			if to := g.to[e]; f.depth[to] < 0 {
				f.parent[to], f.depth[to] = e, f.depth[s]+1
				f.byDepth = append(f.byDepth, to)
			}
		}
	}
	return f
}

// left returns an edge of a node that is not taken, -1 if there is none.
func (f *finder) left(node int32) int32 {
	for e := f.g.first[node]; e < f.g.first[node+1]; e++ {
		if !f.taken[e] {
			return e
		}
	}
	return -1
}

// walk finds the next walk. It reports false if no edge is left that a walk of at most depth steps
// can take, or if the search is to end.
func (f *finder) walk(depth int) (w Walk, ok bool) {
	for f.next < len(f.byDepth) && f.left(f.byDepth[f.next]) < 0 {
		f.next++
	}
	if f.next == len(f.byDepth) {
		return w, false
	}
	at := f.byDepth[f.next]
	if depth > 0 && int(f.depth[at]) >= depth { // those after it are as deep
		return w, false
	}
	var path []int32
	for n := at; f.parent[n] >= 0; n = f.from[f.parent[n]] {
		path = append(path, f.parent[n])
	}
	w.Start = int(at)
	if len(path) > 0 {
		w.Start = int(f.from[path[len(path)-1]])
	}
	for k := len(path) - 1; k >= 0; k-- {
		f.take(&w, path[k])
	}
	for !f.stop.asked() && (depth == 0 || len(w.Instances) < depth) {
		if e := f.left(at); e >= 0 {
			f.take(&w, e)
			at = f.g.to[e]
			continue
		}
		path := f.search(at)
		if path == nil || depth > 0 && len(w.Instances)+len(path) >= depth {
			break
		}
		for _, e := range path {
			f.take(&w, e)
			at = f.g.to[e]
		}
	}
	return w, true
}

// take adds an edge to a walk.
func (f *finder) take(w *Walk, e int32) {
	if !f.taken[e] {
		f.taken[e] = true
		w.New = append(w.New, Taken{int(e), len(w.Instances)})
	}
	w.Instances = append(w.Instances, f.g.instance[e])
}

// search returns a shortest path from a node to one that has an edge left; nil if there is none, or
// if the search is to end. Where there is none, all nodes that it visited are exhausted.
func (f *finder) search(node int32) (path []int32) {
	if f.exhausted[node] {
		return nil
	}
	f.round++
	f.visited[node], f.queue = f.round, append(f.queue[:0], node)
	for k := 0; k < len(f.queue); k++ {
		s := f.queue[k]
		if s != node && f.left(s) >= 0 {
			for n := s; n != node; n = f.from[f.back[n]] {
				path = append(path, f.back[n])
			}
			for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
				path[i], path[j] = path[j], path[i]
			}
			return path
		}
		for e := f.g.first[s]; e < f.g.first[s+1]; e++ {
			if f.stop.asked() {
				return nil
			}
			if to := f.g.to[e]; f.visited[to] != f.round && !f.exhausted[to] {
				f.visited[to], f.back[to] = f.round, e
				f.queue = append(f.queue, to)
			}
		}
	}
	for _, s := range f.queue {
		f.exhausted[s] = true
	}
	return nil
}
