// Package graph keeps the state graph of a specification, and finds its strongly connected
// components. Package liveness looks for loops in it, and package preserve compares two of them.
package graph

import "slices"

// None is no node: the target of an edge that leaves the graph, and what an initial node was
// reached by.
const None = ^uint32(0)

// Edge is a step to a node. What labels mean, the owner of the graph decides.
type Edge struct{ Label, To uint32 }

// Edges are the edges of nodes with the numbers from 0 on. They are added node by node. The zero
// value has no nodes.
type Edges struct {
	List  []Edge
	first []uint64 // of each node, where its edges begin in List; one more at the end
}

// Add adds an edge of the first node that is not closed.
func (g *Edges) Add(e Edge) { g.List = append(g.List, e) }

// Close ends the edges of the first node that is not closed.
func (g *Edges) Close() {
	if len(g.first) == 0 {
		g.first = append(g.first, 0)
	}
	g.first = append(g.first, uint64(len(g.List)))
}

// Closed returns the number of nodes whose edges are known.
func (g *Edges) Closed() uint32 { return uint32(max(len(g.first)-1, 0)) }

// Span returns where the edges of a closed node lie in List.
func (g *Edges) Span(k uint32) (from, to uint64) { return g.first[k], g.first[k+1] }

// Of returns the edges of a node; none where it is not closed.
func (g *Edges) Of(k uint32) []Edge {
	if k >= g.Closed() {
		return nil
	}
	return g.List[g.first[k]:g.first[k+1]]
}

// Graph is a graph of nodes that are known by their fingerprints, and numbered as they are added.
type Graph struct {
	Edges
	hash   []uint64
	index  []uint32 // open addressing by fingerprint: numbers plus 1
	parent []uint32 // from which a node was reached first; an initial node's is itself
	by     []uint32 // the instance by which; None for an initial node
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() uint32 { return uint32(len(g.hash)) }

// Hash returns the fingerprint of a node.
func (g *Graph) Hash(k uint32) uint64 { return g.hash[k] }

// Reached returns from which node, and by which instance, a node was reached first. For an initial
// node that is the node itself, and None.
func (g *Graph) Reached(k uint32) (parent, by uint32) { return g.parent[k], g.by[k] }

// Find returns the number of the node with a fingerprint, if there is one.
func (g *Graph) Find(hash uint64) (k uint32, ok bool) {
	if len(g.index) == 0 {
		return None, false
	}
	k = g.index[g.place(hash)] - 1
	return k, k != None
}

// Add returns the number of the node with a fingerprint. If there is none it adds one, which an
// instance reached from a parent; the parent of an initial node is None.
func (g *Graph) Add(hash uint64, parent, by uint32) (k uint32, fresh bool) {
	if 2*len(g.hash) >= len(g.index) {
		g.grow()
	}
	at := g.place(hash)
	if g.index[at] != 0 {
		return g.index[at] - 1, false
	}
	k = g.Nodes()
	if parent == None {
		parent, by = k, None
	}
	g.index[at] = k + 1
	g.hash, g.parent, g.by = append(g.hash, hash), append(g.parent, parent), append(g.by, by)
	return k, true
}

// place returns where the index has a fingerprint, or where it has room for it.
func (g *Graph) place(hash uint64) uint64 {
	mask := uint64(len(g.index) - 1)
	at := hash & mask
	for g.index[at] != 0 && g.hash[g.index[at]-1] != hash {
		at = (at + 1) & mask
	}
	return at
}

func (g *Graph) grow() {
	g.index = make([]uint32, max(1<<12, 2*len(g.index)))
	for k, h := range g.hash {
		g.index[g.place(h)] = uint32(k) + 1
	}
}

// Path returns the nodes from an initial one to k, each as it was reached first.
func (g *Graph) Path(k uint32) []uint32 {
	out := []uint32{k}
	for g.parent[k] != k {
		k = g.parent[k]
		out = append(out, k)
	}
	slices.Reverse(out)
	return out
}

// Bytes returns the memory that the graph takes.
func (g *Graph) Bytes() int64 {
	return int64(cap(g.hash)+cap(g.first)+cap(g.List))*8 + int64(cap(g.parent)+cap(g.by)+cap(g.index))*4
}
