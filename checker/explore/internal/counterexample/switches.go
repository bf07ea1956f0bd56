package counterexample

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// What it computes. Of all shortest counterexamples, one with the fewest switches from one acting
// server to another (minimal context switches). Such a counterexample is easier to read.
//
// Why it is right. The search goes through layers of paths of equal length. A place is a node that
// steps lead to. What a path can still cost depends only on its place and on the server that acted
// last. So of the paths that agree in both, only the cheapest is kept. A path is dropped if it
// cannot end below the cost of the cheapest known order: the servers that have yet to act give a
// lower bound. The result is exact as long as no layer has more than maxPaths paths. A larger layer
// keeps the most promising ones. Then the result may have more switches than needed, but never more
// than the logged trace.
//
// What it costs. At most maxPaths paths for each step of the counterexample.
//
// A guide provides the steps: shortestGuide those of all shortest counterexamples. Where the
// backward reachable sets are not known, reordering provides the logged steps, each once, in all
// orders in which they are enabled.
//
// Example. a, c and d are steps of server 0, b of server 1. The last step d breaks the invariant,
// and a and b are independent:
//
//	a b c d    two switches
//	b a c d    one switch, the same last step

const (
	maxReordered = 256  // longest trace that is reordered
	maxPaths     = 4096 // paths of a layer
	trialPaths   = 64   // paths of a layer in a first search, whose result bounds the second one
)

// stepSet is a set of a trace's steps.
type stepSet [maxReordered / 64]uint64

func (s *stepSet) has(k int) bool { return s[k/64]>>(k%64)&1 != 0 }

func (s stepSet) with(k int) stepSet {
	s[k/64] |= 1 << (k % 64)
	return s
}

// place is a node that a set of steps leads to.
type place struct {
	hash  uint64 // of the node
	taken stepSet
}

// path is a path to a place: who acted last, what it costs, its last step, and the path of the
// previous layer that it continues.
type path struct {
	by         actor
	cost       int
	step, from int
	next       int // another path to the same place, -1 for none
}

// layer holds what so many steps lead to.
type layer[T any] struct {
	nodes  []T // of the places, once it is known which are kept
	places []place
	origin []origin // of each place
	first  []int    // of the paths to each place; -1 where none was kept
	paths  []path
	at     map[place]int
}

func (l *layer[T]) clear() {
	l.nodes, l.places, l.origin, l.first, l.paths = l.nodes[:0], l.places[:0], l.origin[:0], l.first[:0], nil
	clear(l.at)
}

// origin is a step from a place of the layer before.
type origin struct{ from, step int }

// move is a step that may lead to a place of the next layer.
type move struct {
	origin
	left servers // with steps after it
	// with a hash of 0 where the step is not enabled, or leads to no node that the run stored, or a
	// behaviour ends there
	place place
}

// pathSearch looks for the steps from one of some nodes, as many as there are layers and one that
// ends them, with the least cost.
type pathSearch[T any] struct {
	rec       *Record[T]
	by        guide[T]
	roots     []T
	length    int   // layers after that of the roots
	instances []int // of the steps that there are
	servers   []int // of these
	below     int   // what an order has to cost less than
	width     int   // most paths of a layer
	truncated bool  // a layer had more
	moves     []move
	expanders []*expander[T]
}

// guide says what steps there are.
type guide[T any] interface {
	// moves appends to s.moves the steps from the places of a layer, which follows so many others.
	moves(s *pathSearch[T], at int, now *layer[T])
	// ends are, by place of the last layer, the steps that end it: endHere where none does.
	ends(s *pathSearch[T], now *layer[T]) [][]int
	// left is the set of servers that have to act after some steps.
	left(t *stepSet) servers
}

// endHere is no step.
const endHere = -1

// find returns a root and the instances from there with the least cost, if it is below that of s,
// which it becomes.
func (s *pathSearch[T]) find() (root int, instances []int, found bool) {
	layers := make([][]path, 0, s.length+1)
	now, next := &layer[T]{at: map[place]int{}}, &layer[T]{at: map[place]int{}}
	for k := range s.roots {
		now.nodes, now.places, now.first = append(now.nodes, s.roots[k]), append(now.places, place{}), append(now.first, k)
		now.paths = append(now.paths, path{by: nobody, next: -1})
	}
	for at := range s.length {
		next.clear()
		s.expand(at, now, next)
		layers = append(layers, now.paths)
		s.narrow(next)
		s.settle(now, next)
		now, next = next, now
	}
	layers = append(layers, now.paths)
	best, end := -1, endHere
	for x, ends := range s.by.ends(s, now) {
		for _, step := range ends {
			for k := now.first[x]; k >= 0; k = now.paths[k].next {
				cost := now.paths[k].cost
				if step != endHere {
					_, last := now.paths[k].by.then(s.servers[step])
					cost += last
				}
				if cost < s.below {
					best, end, s.below = k, step, cost
				}
			}
		}
	}
	if best < 0 {
		return 0, nil, false
	}
	if end != endHere {
		instances = append(instances, s.instances[end])
	}
	for k := s.length; k > 0; k-- {
		w := layers[k][best]
		instances = append(instances, s.instances[w.step])
		best = w.from
	}
	slices.Reverse(instances)
	return best, instances, true
}

// expand puts into next what steps lead to from the places of now.
func (s *pathSearch[T]) expand(at int, now, next *layer[T]) {
	s.moves = s.moves[:0]
	s.by.moves(s, at, now)
	for k := range s.moves {
		t := &s.moves[k]
		if t.place.hash == 0 {
			continue
		}
		to, ok := next.at[t.place]
		if !ok {
			to = len(next.places)
			next.at[t.place] = to
			next.places, next.origin, next.first = append(next.places, t.place), append(next.origin, t.origin), append(next.first, -1)
		}
		for at := now.first[t.from]; at >= 0; at = now.paths[at].next {
			if w := &now.paths[at]; s.after(w, t.step, t.left) < s.below {
				by, cost := w.by.then(s.servers[t.step])
				next.reach(to, path{by: by, cost: w.cost + cost, step: t.step, from: at})
			}
		}
	}
}

// anyPath reports whether a path to the x-th place satisfies is.
func (l *layer[T]) anyPath(x int, is func(w *path) bool) bool {
	for at := l.first[x]; at >= 0; at = l.paths[at].next {
		if is(&l.paths[at]) {
			return true
		}
	}
	return false
}

// after returns a lower bound for the cost of an order that continues a path with a step and then
// has servers left.
func (s *pathSearch[T]) after(w *path, step int, left servers) int {
	by, cost := w.by.then(s.servers[step])
	return w.cost + cost + left.atLeast(by)
}

// settle leaves the places to which a path was kept, and makes their nodes.
func (s *pathSearch[T]) settle(now, next *layer[T]) {
	kept := 0
	for x, first := range next.first {
		if first >= 0 {
			next.places[kept], next.origin[kept], next.first[kept] = next.places[x], next.origin[x], first
			kept++
		}
	}
	next.places, next.origin, next.first = next.places[:kept], next.origin[:kept], next.first[:kept]
	// doubled, so that few are made: memory that was never used is slow at first
	if cap(next.nodes) < kept {
		next.nodes = make([]T, kept, min(max(kept, 2*cap(next.nodes)), s.width))
	}
	next.nodes = next.nodes[:kept]
	s.share(kept, func(x int, _ *expander[T]) {
		o, n := next.origin[x], &next.nodes[x]
		*n = now.nodes[o.from]
		s.rec.Spec.Apply(&now.nodes[o.from], n, s.instances[o.step])
	})
}

// shareEach is how many pieces of work are worth a worker of their own.
const shareEach = 64

// share does so many pieces of work in several workers, each with an expander of its own.
func (s *pathSearch[T]) share(pieces int, do func(k int, h *expander[T])) {
	each := int64(cmp.Or(s.rec.Share, shareEach))
	workers := max(1, min(s.rec.Workers, pieces/int(each)))
	for len(s.expanders) < workers {
		s.expanders = append(s.expanders, newExpander(s.rec.Spec))
	}
	var next atomic.Int64
	var failed atomic.Pointer[any]
	work := func(h *expander[T]) {
		defer func() {
			if p := recover(); p != nil {
				failed.Store(&p)
			}
		}()
		for {
			from := int(next.Add(each)) - int(each)
			if from >= pieces {
				return
			}
			for k := from; k < min(from+int(each), pieces); k++ {
				do(k, h)
			}
		}
	}
	var wait sync.WaitGroup
	for _, h := range s.expanders[1:workers] {
		wait.Go(func() { work(h) })
	}
	work(s.expanders[0])
	wait.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}

// reach keeps a path to the x-th place, unless another one that ends alike costs less.
func (l *layer[T]) reach(x int, w path) {
	for k := l.first[x]; k >= 0; k = l.paths[k].next {
		if l.paths[k].by == w.by {
			if w.cost < l.paths[k].cost {
				w.next = l.paths[k].next
				l.paths[k] = w
			}
			return
		}
	}
	w.next = l.first[x]
	l.first[x] = len(l.paths)
	l.paths = append(l.paths, w)
}

// narrow leaves only the most promising paths of a layer, the first ones of equal cost.
func (s *pathSearch[T]) narrow(l *layer[T]) {
	if len(l.paths) <= s.width {
		return
	}
	s.truncated = true
	costs, order := make([]int, len(l.paths)), make([]int, len(l.paths))
	for x := range l.places {
		left := s.by.left(&l.places[x].taken)
		for k := l.first[x]; k >= 0; k = l.paths[k].next {
			costs[k] = l.paths[k].cost + left.atLeast(l.paths[k].by)
		}
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	kept := make([]bool, len(l.paths))
	for _, k := range order[:s.width] {
		kept[k] = true
	}
	for x := range l.first {
		for at := &l.first[x]; *at >= 0; {
			if w := &l.paths[*at]; kept[*at] {
				at = &w.next
			} else {
				*at = w.next
			}
		}
	}
}
