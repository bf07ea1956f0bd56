package explore

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/store"
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

// merge moves what a worker found in a level into g.
func (g groups[T]) merge(found groups[T], level int) {
	for k, f := range found {
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

// collect takes over what workers found broken in this level.
func (r *run[T]) collect() {
	for _, w := range r.workers {
		for key, g := range w.broken {
			x := r.newly[key.invariant]
			x.add(g.news, g.lost)
			r.newly[key.invariant] = x
			g.news = nil
		}
		r.broken.merge(w.broken, len(r.closed))
	}
}

// tell numbers the nodes that break invariants, of the level whose nodes have got their numbers.
func (r *run[T]) tell() {
	for key, g := range r.broken {
		if x := r.newly[key.invariant]; g.level == len(r.closed) && r.told(key.invariant) {
			g.told, g.untold = x.numbers(), x.lost
		}
	}
	clear(r.newly)
}

// violations are the groups with their counterexamples. If only the first violation was asked for, it is that of the first invariant that
// was broken, with the clearest counterexample of all shortest ones, whatever their last action.
func (r *run[T]) violations() ([]checker.Violation[T], error) {
	keys := r.broken.sorted()
	if r.opt.Stop == 1 && len(keys) > 0 {
		return r.first(keys)
	}
	var out []checker.Violation[T]
	for len(keys) > 0 {
		some := keys[:min(groupsAtOnce, len(keys))]
		keys = keys[len(some):]
		lead := r.leadsTo(some, false)
		for _, k := range some {
			trace, err := r.counterexample(k, lead)
			if err != nil {
				return out, err
			}
			out = append(out, r.violation(k, trace))
		}
	}
	return out, nil
}

// first is the first violation.
func (r *run[T]) first(keys []groupKey) ([]checker.Violation[T], error) {
	keys = slices.DeleteFunc(keys, func(k groupKey) bool {
		return k.invariant != keys[0].invariant || r.broken[k].level != r.broken[keys[0]].level
	})
	trace, err := r.counterexample(keys[0], r.leadsTo(keys, true))
	if err != nil {
		return nil, err
	}
	key := keys[0]
	if n := len(trace.Steps); n > 0 { // that of its last action, if it was found by that
		last := groupKey{key.invariant, r.spec.Instances[trace.Steps[n-1].Instance].Action}
		if slices.Contains(keys, last) {
			key = last
		}
	}
	return []checker.Violation[T]{r.violation(key, trace)}, nil
}

// violation is that of a group.
func (r *run[T]) violation(k groupKey, trace checker.Trace[T]) checker.Violation[T] {
	g := r.broken[k]
	v := checker.Violation[T]{
		Invariant: k.invariant, Kind: checker.KindDeadlock, At: r.closed[g.level], Count: g.count, Trace: trace, Depth: len(trace.Steps),
	}
	if k.invariant >= 0 {
		v.Kind = r.spec.Invariants[k.invariant].Kind
	}
	return v
}
