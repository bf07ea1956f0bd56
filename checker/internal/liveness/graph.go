package liveness

import (
	"errors"
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/graph"
)

// none is the target of an edge that leaves the graph: its step raises an assertion, which ends the
// behaviour.
const none = graph.None

// stateGraph holds every reachable node as a number, in breadth-first order, with the steps between
// them, whose labels are instances. Steps that change nothing are left out.
type stateGraph struct {
	graph.Graph
	truth    []uint64 // of each node: bits 2k and 2k+1 are From and To of property k
	levels   []uint32 // number of the first node at each distance
	position []uint32 // of each initial node, in the order of Init
}

// Bytes that a node and an edge take, about: fingerprints lie in an index, too, which is held twice
// while it grows, and searches need as much again.
const (
	nodeBytes = 8 + 8 + 4 + 4 + 40 + 48
	edgeBytes = 8
)

var errTooMany = errors.New("the specification has more states than liveness checking can number")

// limitError says which limit ended the search.
type limitError struct{ reason string }

func (e *limitError) Error() string { return e.reason }

// build explores the specification once more and keeps the graph.
func build[T any](spec *checker.Spec[T], opt Options) (*stateGraph, error) {
	b := &builder[T]{spec: spec, opt: opt}
	b.out.Full = b.take
	spec.Init(func(n *T) bool {
		b.initial(n)
		return b.err == nil
	})
	for len(b.next) > 0 && b.err == nil {
		level := b.next
		b.next = nil
		b.g.levels = append(b.g.levels, b.done)
		for k := range level {
			if b.err = b.limits(); b.err != nil {
				break
			}
			b.node = &level[k]
			b.hash = fingerprint.Of(b.node)
			spec.Next(b.node, &b.out)
			b.take()
			b.g.Close()
			b.done++
		}
	}
	return &b.g, b.err
}

// builder explores. Successors of one node are taken before the next one is expanded.
type builder[T any] struct {
	spec *checker.Spec[T]
	opt  Options
	g    stateGraph
	next []T
	node *T
	hash uint64
	done uint32 // nodes that are expanded
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
	if _, fresh := b.add(n, fingerprint.Of(n), none, none); fresh {
		b.g.position = append(b.g.position, at)
	}
}

func (b *builder[T]) raised(n *T) bool {
	if b.spec.Raised == nil {
		return false
	}
	any, _ := b.spec.Raised(n)
	return any
}

// add returns the number of a node, none where there are too many, and whether it is new.
func (b *builder[T]) add(n *T, h uint64, parent, by uint32) (uint32, bool) {
	if b.g.Nodes() == none-1 {
		b.err = errTooMany
		return none, false
	}
	x, fresh := b.g.Add(h, parent, by)
	if !fresh {
		return x, false
	}
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
	return x, true
}

// take takes the successors of the current node.
func (b *builder[T]) take() {
	for k := range b.out.N {
		n := &b.out.Node[k]
		to := none
		if !b.raised(n) {
			h := fingerprint.Of(n)
			if h == b.hash {
				continue // it changes nothing
			}
			to, _ = b.add(n, h, b.done, b.out.Instance[k])
		}
		b.g.Edges.Add(graph.Edge{Label: b.out.Instance[k], To: to})
	}
	b.out.N = 0
}

// limits returns the error of a limit that is reached.
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
	if host.MemoryShort() {
		return &limitError{host.NoMemory + " for the graph for liveness"}
	}
	return nil
}

func (g *stateGraph) nodes() int { return int(g.Nodes()) }

func (g *stateGraph) bytes() int64 { return int64(g.Nodes())*nodeBytes + int64(len(g.List))*edgeBytes }

// edges returns the places of a node's edges in List, from and to.
func (g *stateGraph) edges(x uint32) (from, to uint64) { return g.Span(x) }

// is reports whether From (0) or To (1) of property k is true in a node.
func (g *stateGraph) is(x uint32, k, which int) bool { return g.truth[x]>>(2*k+which)&1 != 0 }
