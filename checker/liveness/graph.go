package liveness

import (
	"errors"
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/fingerprint"
)

// none is the target of an edge that leaves the graph: its step raises an assertion, which ends the behaviour.
const none = ^uint32(0)

// graph holds every reachable node as a number, in breadth-first order, with the steps between them. Nodes are known by their
// hash; steps that change nothing are left out.
type graph struct {
	first    []int64  // of each node's edges; one more at the end
	target   []uint32 // of each edge
	instance []uint32
	truth    []uint64 // of each node: bits 2k and 2k+1 are From and To of property k
	parent   []uint32 // from which a node was reached first; of an initial node its position in the order of Init
	by       []uint32 // the instance; none for an initial node
	levels   []uint32 // number of the first node at each distance
	initial  uint32   // how many initial nodes there are
}

// Bytes that a node and an edge take, about: a node's hash lies in a map besides, and searches need as much again.
const (
	nodeBytes = 8 + 8 + 4 + 4 + 40 + 48
	edgeBytes = 8
)

var errTooMany = errors.New("the specification has more states than liveness checking can number")

// limitError says which limit ended the search.
type limitError struct{ reason string }

func (e *limitError) Error() string { return e.reason }

// build explores the specification once more and keeps the graph.
func build[T any](spec *checker.Spec[T], opt Options) (*graph, error) {
	b := &builder[T]{spec: spec, opt: opt, number: map[uint64]uint32{}}
	b.out.Full = b.take
	spec.Init(func(n *T) bool {
		b.initial(n)
		return b.err == nil
	})
	b.g.initial = uint32(len(b.g.parent))
	for len(b.next) > 0 && b.err == nil {
		level := b.next
		b.next = nil
		b.g.levels = append(b.g.levels, b.done)
		for k := range level {
			if b.err = b.limits(); b.err != nil {
				break
			}
			b.g.first = append(b.g.first, int64(len(b.g.target)))
			b.node = &level[k]
			b.hash = fingerprint.Of(b.node)
			spec.Next(b.node, &b.out)
			b.take()
			b.done++
		}
	}
	b.g.first = append(b.g.first, int64(len(b.g.target)))
	return &b.g, b.err
}

// builder explores. Successors of one node are taken before the next one is expanded.
type builder[T any] struct {
	spec   *checker.Spec[T]
	opt    Options
	g      graph
	number map[uint64]uint32 // by hash
	next   []T
	node   *T
	hash   uint64
	done   uint32 // nodes that are expanded
	// position is that of the next initial node in the order of Init.
	position uint32
	out      checker.Successors[T]
	err      error
}

func (b *builder[T]) initial(n *T) {
	at := b.position
	b.position++
	if b.raised(n) {
		return
	}
	h := fingerprint.Of(n)
	if _, seen := b.number[h]; !seen {
		b.add(n, h, at, none)
	}
}

func (b *builder[T]) raised(n *T) bool {
	if b.spec.Raised == nil {
		return false
	}
	any, _ := b.spec.Raised(n)
	return any
}

func (b *builder[T]) add(n *T, h uint64, parent, by uint32) uint32 {
	x := uint32(len(b.g.parent))
	if x == none-1 {
		b.err = errTooMany
		return none
	}
	b.number[h] = x
	b.g.parent, b.g.by = append(b.g.parent, parent), append(b.g.by, by)
	truth := uint64(0)
	for k, p := range b.spec.Liveness {
		if p.From != nil && p.From(n) {
			truth |= 1 << (2 * k)
		}
		if p.To(n) {
			truth |= 2 << (2 * k)
		}
	}
	b.g.truth = append(b.g.truth, truth)
	b.next = append(b.next, *n)
	return x
}

// take takes the successors of the node in hand.
func (b *builder[T]) take() {
	for k := range b.out.N {
		n := &b.out.Node[k]
		to := none
		if !b.raised(n) {
			h := fingerprint.Of(n)
			if h == b.hash {
				continue // it changes nothing
			}
			x, seen := b.number[h]
			if !seen {
				x = b.add(n, h, b.done, b.out.Instance[k])
			}
			to = x
		}
		b.g.target, b.g.instance = append(b.g.target, to), append(b.g.instance, b.out.Instance[k])
	}
	b.out.N = 0
}

// limits is the error of a limit that is reached.
func (b *builder[T]) limits() error {
	if b.done%1024 != 0 {
		return nil
	}
	if b.opt.Context.Err() != nil {
		return &limitError{"interrupted while the graph for liveness was made"}
	}
	if size := b.g.bytes(); b.opt.Mem > 0 && size > b.opt.Mem {
		return &limitError{fmt.Sprintf("the memory limit of %.1f MiB is reached by the graph for liveness", float64(b.opt.Mem)/(1<<20))}
	}
	return nil
}

func (g *graph) nodes() int { return len(g.parent) }

func (g *graph) bytes() int64 { return int64(len(g.parent))*nodeBytes + int64(len(g.target))*edgeBytes }

// edges are the numbers of a node's edges, from and to.
func (g *graph) edges(x uint32) (from, to int64) { return g.first[x], g.first[x+1] }

// is reports whether From (0) or To (1) of property k is true in a node.
func (g *graph) is(x uint32, k, which int) bool { return g.truth[x]>>(2*k+which)&1 != 0 }
