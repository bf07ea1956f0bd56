package counterexample

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/modules"
)

// Example is one occurrence of a broken property: the step by instance from before, which has the
// number parent, to node. The instance is -1 where there is no step: node is the initial node at
// position parent in the order of Spec.Init, or the deadlocked node with the number parent.
type Example[T any] struct {
	// Node is the node in which the property is broken, and Rep its representative.
	Node, Rep T
	Before    T    // the representative of the node before the step
	Known     bool // Before is set
	Instance  int
	Parent    int64
	NodePlace // of node, if it is a new one
}

// NodePlace is where a node is stored. Chunk is nil for a node that is not stored.
type NodePlace struct {
	Chunk *store.Chunk
	Place int // from 0
}

// nodePlaces are some new nodes.
type nodePlaces struct {
	list []NodePlace
	lost bool // not all are there
}

func (x *nodePlaces) add(more []NodePlace, lost bool) {
	if x.lost = x.lost || lost || len(x.list)+len(more) > MaxParents; x.lost {
		x.list = nil
		return
	}
	x.list = append(x.list, more...)
}

// Breaking holds the new nodes of a level that break an invariant, by invariant.
type Breaking map[int]nodePlaces

// numbers returns those of the nodes, in their order.
func (x *nodePlaces) numbers() (out []int64) {
	for _, p := range x.list {
		out = append(out, p.Chunk.First+int64(p.Place))
	}
	slices.Sort(out)
	return out
}

// Key identifies a group of violations. The action is -1 where there is no step, the invariant -1
// for a deadlock.
type Key struct{ Invariant, Action int }

// Deadlock is the group of deadlocks.
var Deadlock = Key{-1, -1}

// Group holds the violations of one invariant with one last action.
type Group[T any] struct {
	Count int64
	Level int // of the example: how many levels had been closed when it was found
	Example[T]
	parents []int64     // numbers of all nodes with the violation in that level
	Lost    bool        // not all are known
	news    []NodePlace // of a worker: new nodes that break the invariant; nil if lost
	// numbers of all new nodes that break the invariant in that level, whatever the action
	nodes     []int64
	nodesLost bool // not all are known
}

// MaxParents bounds how many parents, and how many nodes that break an invariant, a group keeps.
// Above it, violations that no stored node shows have no backward reachable sets; for others these
// are computed by regeneration.
const MaxParents = 1 << 16

// from adds nodes with the violation.
func (g *Group[T]) from(parents []int64, lost bool) {
	if g.Lost = g.Lost || lost || len(g.parents)+len(parents) > MaxParents; g.Lost {
		g.parents, g.news = nil, nil
		return
	}
	g.parents = append(g.parents, parents...)
}

// Groups are the violations of a search or, until Merge, of a worker in one level.
type Groups[T any] map[Key]*Group[T]

// AddAll adds an example to the group of each invariant in a mask, with the action as its last one.
// Bit k of the mask stands for invariant k. Before is as in Add.
func (g Groups[T]) AddAll(mask uint64, action int, e *Example[T], before func() T) {
	for ; mask != 0; mask &= mask - 1 {
		g.Add(Key{bits.TrailingZeros64(mask), action}, e, before)
	}
}

// Add counts an example of group k and keeps the first example in the canonical order. That order
// is by the representatives of the node and of the node before it, and then by instance. Add calls
// before, which may be nil, only if the node before decides or may have to decide later.
func (g Groups[T]) Add(k Key, e *Example[T], before func() T) {
	have, ok := g[k]
	if !ok {
		have = &Group[T]{}
		g[k] = have
	}
	have.Count++
	if have.from([]int64{e.Parent}, false); e.Chunk != nil && !have.Lost {
		have.news = append(have.news, e.NodePlace)
	}
	order := -1
	if ok {
		order = bytes.Compare(checker.Bytes(&e.Rep), checker.Bytes(&have.Rep))
	}
	if order > 0 {
		return
	}
	if before != nil && !e.Known {
		e.Before, e.Known = before(), true
	}
	if order < 0 || e.compare(&have.Example) < 0 {
		have.Example = *e
	}
}

// compare returns the canonical order of examples of one invariant.
func (e *Example[T]) compare(f *Example[T]) int {
	return cmp.Or(bytes.Compare(checker.Bytes(&e.Rep), checker.Bytes(&f.Rep)),
		bytes.Compare(checker.Bytes(&e.Before), checker.Bytes(&f.Before)), cmp.Compare(e.Instance, f.Instance))
}

// Merge moves what a worker found in a level into g, and the new nodes that break invariants into
// b.
func (g Groups[T]) Merge(found Groups[T], level int, b Breaking) {
	for k, f := range found {
		x := b[k.Invariant]
		x.add(f.news, f.Lost)
		b[k.Invariant] = x
		f.news = nil
		have, ok := g[k]
		if !ok {
			f.Level = level
			g[k] = f
			continue
		}
		have.Count += f.Count
		if have.Level != level {
			continue
		}
		have.from(f.parents, f.Lost)
		if f.compare(&have.Example) < 0 {
			have.Example = f.Example
		}
	}
	clear(found)
}

// Join adds a group that another part of the search found.
func (g Groups[T]) Join(k Key, f *Group[T]) {
	have, ok := g[k]
	if !ok {
		g[k] = f
		return
	}
	have.Count += f.Count
	if f.Level < have.Level || f.Level == have.Level && f.compare(&have.Example) < 0 {
		have.Level, have.Example = f.Level, f.Example
	}
}

// Number gives the groups of a level the numbers of the nodes that break their invariants, and
// clears b. The nodes of the level have their numbers by now.
func (g Groups[T]) Number(spec *checker.Spec[T], level int, b Breaking) {
	for k, x := range g {
		if places := b[k.Invariant]; x.Level == level && isState(spec, k.Invariant) {
			x.nodes, x.nodesLost = places.numbers(), places.lost
		}
	}
	clear(b)
}

// isState reports whether an invariant is one of states: then a node shows by itself that it breaks
// the invariant. For others, the node counts that the step to it starts from.
func isState[T any](spec *checker.Spec[T], invariant int) bool {
	return invariant >= 0 && spec.Invariants[invariant].Kind == modules.KindState
}

// Total returns the number of violations.
func (g Groups[T]) Total() (n int64) {
	for _, x := range g {
		n += x.Count
	}
	return n
}

// Sorted returns the groups in the canonical order: by level, invariant, node, node before,
// instance. The first is the first violation.
func (g Groups[T]) Sorted() []Key {
	keys := make([]Key, 0, len(g))
	for k := range g {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(g[a].Level, g[b].Level), cmp.Compare(a.Invariant, b.Invariant),
			g[a].compare(&g[b].Example), cmp.Compare(a.Action, b.Action))
	})
	return keys
}
