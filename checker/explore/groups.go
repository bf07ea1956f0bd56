package explore

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/store"
	"github.com/multigrain/multigrain/modules"
)

// example is one occurrence of a broken property: the step by instance from before, which has the number parent, to node. The
// instance is -1 where there is no step: node is the initial node at position parent in the order of Spec.Init, or the deadlocked
// node with the number parent.
type example[T any] struct {
	node, rep T    // rep is what stands for node
	before    T    // what stands for the node before
	known     bool // before is set
	instance  int
	parent    int64
	nodePlace // of node, if it is a new one
}

// nodePlace is where a node lies; there is no chunk where it lies nowhere.
type nodePlace struct {
	chunk *store.Chunk
	place int // from 0
}

// nodePlaces are some new nodes.
type nodePlaces struct {
	list []nodePlace
	lost bool // not all are there
}

func (x *nodePlaces) add(more []nodePlace, lost bool) {
	if x.lost = x.lost || lost || len(x.list)+len(more) > mostParents; x.lost {
		x.list = nil
		return
	}
	x.list = append(x.list, more...)
}

// breaking holds the new nodes of a level that break an invariant, by invariant.
type breaking map[int]nodePlaces

// numbers are those of the nodes, in their order.
func (x *nodePlaces) numbers() (out []int64) {
	for _, p := range x.list {
		out = append(out, p.chunk.First+int64(p.place))
	}
	slices.Sort(out)
	return out
}

// groupKey is what violations are grouped by. The action is -1 where there is no step, the invariant -1 for a deadlock.
type groupKey struct{ invariant, action int }

// deadlock is the group of deadlocks.
var deadlock = groupKey{-1, -1}

// group is what was found of one invariant and last action.
type group[T any] struct {
	count int64
	level int // of the example: how many levels had been closed when it was found
	example[T]
	parents []int64     // numbers of all nodes of which it was found in that level
	lost    bool        // not all are known
	news    []nodePlace // of a worker: new nodes that break the invariant; nil if lost
	told    []int64     // numbers of all new nodes that break the invariant in that level, whatever the action
	untold  bool        // not all are known
}

// mostParents bounds how many parents, and how many nodes that break an invariant, are kept. Above it, what leads to violations that no node tells of is
// not known, see leadsTo, and what leads to others is looked for among all nodes.
const mostParents = 1 << 16

// from adds nodes of which it was found.
func (g *group[T]) from(parents []int64, lost bool) {
	if g.lost = g.lost || lost || len(g.parents)+len(parents) > mostParents; g.lost {
		g.parents, g.news = nil, nil
		return
	}
	g.parents = append(g.parents, parents...)
}

type groups[T any] map[groupKey]*group[T]

// addAll records an example for every invariant in a mask.
func (g groups[T]) addAll(mask uint64, action int, e *example[T], before func() T) {
	for ; mask != 0; mask &= mask - 1 {
		g.add(groupKey{bits.TrailingZeros64(mask), action}, e, before)
	}
}

// add counts an example and keeps the first in the canonical order: by what stands for the node and for the node before, and instance. The node before is asked
// for only where it decides, or where it may have to decide later.
func (g groups[T]) add(k groupKey, e *example[T], before func() T) {
	have, ok := g[k]
	if !ok {
		have = &group[T]{}
		g[k] = have
	}
	have.count++
	if have.from([]int64{e.parent}, false); e.chunk != nil && !have.lost {
		have.news = append(have.news, e.nodePlace)
	}
	order := -1
	if ok {
		order = bytes.Compare(checker.Bytes(&e.rep), checker.Bytes(&have.rep))
	}
	if order > 0 {
		return
	}
	if before != nil && !e.known {
		e.before, e.known = before(), true
	}
	if order < 0 || e.compare(&have.example) < 0 {
		have.example = *e
	}
}

// compare is the canonical order of examples of one invariant.
func (e *example[T]) compare(f *example[T]) int {
	return cmp.Or(bytes.Compare(checker.Bytes(&e.rep), checker.Bytes(&f.rep)),
		bytes.Compare(checker.Bytes(&e.before), checker.Bytes(&f.before)), cmp.Compare(e.instance, f.instance))
}

// merge moves what a worker found in a level into g, and the new nodes that break invariants into b.
func (g groups[T]) merge(found groups[T], level int, b breaking) {
	for k, f := range found {
		x := b[k.invariant]
		x.add(f.news, f.lost)
		b[k.invariant] = x
		f.news = nil
		have, ok := g[k]
		if !ok {
			f.level = level
			g[k] = f
			continue
		}
		have.count += f.count
		if have.level != level {
			continue
		}
		have.from(f.parents, f.lost)
		if f.compare(&have.example) < 0 {
			have.example = f.example
		}
	}
	clear(found)
}

// number gives the groups of a level the numbers of the nodes that break their invariants, and clears
// b. The nodes of the level have their numbers by now.
func (g groups[T]) number(spec *checker.Spec[T], level int, b breaking) {
	for k, x := range g {
		if places := b[k.invariant]; x.level == level && isState(spec, k.invariant) {
			x.told, x.untold = places.numbers(), places.lost
		}
	}
	clear(b)
}

// isState reports whether an invariant is one of states: then a node shows by itself that it breaks
// the invariant. For others, the node counts that the step to it starts from.
func isState[T any](spec *checker.Spec[T], invariant int) bool {
	return invariant >= 0 && spec.Invariants[invariant].Kind == modules.KindState
}

// total is the number of violations.
func (g groups[T]) total() (n int64) {
	for _, x := range g {
		n += x.count
	}
	return n
}

// sorted is the groups in the canonical order: by level, invariant, node, node before, instance. The first is the first
// violation.
func (g groups[T]) sorted() []groupKey {
	keys := make([]groupKey, 0, len(g))
	for k := range g {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b groupKey) int {
		return cmp.Or(cmp.Compare(g[a].level, g[b].level), cmp.Compare(a.invariant, b.invariant),
			g[a].compare(&g[b].example), cmp.Compare(a.action, b.action))
	})
	return keys
}
