package explore

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
)

// A counterexample is easier to read the fewer changes it has from one acting server to another. Of several shortest ones
// that lead to the same node, the log holds the one that was found first. tidy puts its steps into the order with the fewest
// changes. The same steps, each once, are tried in all orders in which they are enabled, one layer of equal length after the
// other: what was taken and where it led are a place, and who acted last is a way to it, kept with the least cost. Ways that
// cannot end below the cheapest order known are left out: the servers that have still to act say how many changes are left at
// least. So the result is exact among the orders of the steps that were logged, as long as no layer has more than wayLimit
// ways; a larger one keeps the most promising, and the result may then have more changes than needed, but never more than the
// log's. Shortest counterexamples with other steps are not looked for.

const (
	tidySteps = 256  // longest trace that is tidied
	wayLimit  = 4096 // ways of a layer
	wayTrial  = 64   // ways of a layer in a first search, whose result bounds the second one
)

// switchCost is the cost of a change from a server to another one. A change to or from a step without a server costs 1: it
// decides between orders with equally many changes of servers.
const switchCost = 1 << 20

// taken is a set of a trace's steps.
type taken [tidySteps / 64]uint64

func (s *taken) has(k int) bool { return s[k/64]>>(k%64)&1 != 0 }

func (s taken) with(k int) taken {
	s[k/64] |= 1 << (k % 64)
	return s
}

// acting is who acted: the server of the last step that has one, and whether the last step has one. It starts with none.
type acting struct {
	server int
	last   int
}

var nobody = acting{-1, -2}

// then is who acts after a step of a server, -1 for none, and what the step costs.
func (a acting) then(server int) (acting, int) {
	cost := 0
	if a.last != -2 && a.last != server {
		cost = 1
	}
	if server < 0 {
		return acting{a.server, server}, cost
	}
	if a.server >= 0 && a.server != server {
		cost += switchCost
	}
	return acting{server, server}, cost
}

// place is a node that a set of steps leads to.
type place struct {
	hash  uint64 // of the node
	taken taken
}

// way is a way to a place: who acted last, what it costs, its last step, and the way of the layer before that it goes on from.
type way struct {
	by         acting
	cost       int
	step, from int
	next       int // another way to the same place, -1 for none
}

// layer holds what so many steps lead to.
type layer[T any] struct {
	nodes  []T // of the places, once it is known which are kept
	places []place
	origin []origin // of each place
	first  []int    // of the ways to each place; -1 where none was kept
	ways   []way
	at     map[place]int
}

func (l *layer[T]) clear() {
	l.nodes, l.places, l.origin, l.first, l.ways = l.nodes[:0], l.places[:0], l.origin[:0], l.first[:0], nil
	clear(l.at)
}

// origin is a step from a place of the layer before.
type origin struct{ from, step int }

// try is a step that may be one to a place of the next layer.
type try struct {
	origin
	left servers // with steps behind it
	hash uint64  // of the node that it leads to; 0 where it is not enabled, or leads to none that the run stored, or a behaviour ends there
}

// tidying is the search for the order of a trace's steps with the least cost.
type tidying[T any] struct {
	run       *run[T]
	trace     *checker.Trace[T]
	instances []int
	servers   []int // of the instances
	earlier   []int // index of the same instance before, -1 for none: equal ones are taken in order
	acts      []steps
	below     int  // cost that an order has to be below
	width     int  // most ways of a layer
	cut       bool // a layer had more
	tries     []try
}

// steps is what a server does in a trace.
type steps struct {
	server servers
	all    taken
}

// tidy is the instances of a trace in the order with the fewest changes of the acting server; nil if that is the trace's own. The
// trace's last step stays the last one and starts from the same node, so that it breaks what it broke.
func (r *run[T]) tidy(t *checker.Trace[T]) (order []int) {
	if len(t.Steps) < 3 || len(t.Steps) > tidySteps {
		return nil
	}
	s := &tidying[T]{run: r, trace: t}
	for k, step := range t.Steps {
		earlier, server := k-1, r.spec.Instances[step.Instance].Server
		for earlier >= 0 && s.instances[earlier] != step.Instance {
			earlier--
		}
		s.earlier = append(s.earlier, earlier)
		s.instances, s.servers = append(s.instances, step.Instance), append(s.servers, server)
		if server < 0 {
			continue
		}
		x := slices.IndexFunc(s.acts, func(a steps) bool { return a.server == of(server) })
		if x < 0 {
			x = len(s.acts)
			s.acts = append(s.acts, steps{server: of(server)})
		}
		s.acts[x].all = s.acts[x].all.with(k)
	}
	s.below = cost(s.servers)
	if s.below < switchCost {
		return nil
	}
	defer func() { _ = recover() }() // another order need not have been explored where nodes stand for others
	for _, s.width = range [...]int{wayTrial, wayLimit} {
		s.cut = false
		if better := s.search(); better != nil {
			order = better
		}
		if !s.cut {
			break
		}
	}
	return order
}

// search is an order with the least cost, if it is below that of s, which it becomes; nil if there is none.
func (s *tidying[T]) search() []int {
	end := len(s.instances) - 1
	layers := make([][]way, 0, end+1)
	now, next := &layer[T]{at: map[place]int{}}, &layer[T]{at: map[place]int{}}
	now.nodes, now.places, now.first = append(now.nodes, s.trace.Init), append(now.places, place{}), append(now.first, 0)
	now.ways = []way{{by: nobody, next: -1}}
	for range end {
		next.clear()
		s.leave(now, next)
		layers = append(layers, now.ways)
		s.narrow(next)
		s.settle(now, next)
		now, next = next, now
	}
	best := -1
	for x := range now.nodes {
		if string(checker.Bytes(&now.nodes[x])) != string(checker.Bytes(&s.trace.Steps[end-1].Node)) {
			continue
		}
		for k := now.first[x]; k >= 0; k = now.ways[k].next {
			_, last := now.ways[k].by.then(s.servers[end])
			if cost := now.ways[k].cost + last; cost < s.below {
				best, s.below = k, cost
			}
		}
	}
	if best < 0 {
		return nil
	}
	layers = append(layers, now.ways)
	order := []int{s.instances[end]}
	for k := end; k > 0; k-- {
		w := layers[k][best]
		order = append(order, s.instances[w.step])
		best = w.from
	}
	slices.Reverse(order)
	return order
}

// leave puts into next what the steps that are left lead to from the places of now.
func (s *tidying[T]) leave(now, next *layer[T]) {
	s.tries = s.tries[:0]
	for x := range now.places {
		from := now.places[x].taken
		for k := range s.instances[:len(s.instances)-1] {
			if from.has(k) || s.earlier[k] >= 0 && !from.has(s.earlier[k]) {
				continue
			}
			taken := from.with(k)
			left := s.left(&taken)
			if now.leaves(x, func(w *way) bool { return s.after(w, k, left) < s.below }) {
				s.tries = append(s.tries, try{origin: origin{x, k}, left: left})
			}
		}
	}
	s.share(len(s.tries), func(k int, n, rep *T) { s.try(now, &s.tries[k], n, rep) })
	for k := range s.tries {
		t := &s.tries[k]
		if t.hash == 0 {
			continue
		}
		p := place{t.hash, now.places[t.from].taken.with(t.step)}
		to, ok := next.at[p]
		if !ok {
			to = len(next.places)
			next.at[p] = to
			next.places, next.origin, next.first = append(next.places, p), append(next.origin, t.origin), append(next.first, -1)
		}
		for at := now.first[t.from]; at >= 0; at = now.ways[at].next {
			if w := &now.ways[at]; s.after(w, t.step, t.left) < s.below {
				by, cost := w.by.then(s.servers[t.step])
				next.reach(to, way{by: by, cost: w.cost + cost, step: t.step, from: at})
			}
		}
	}
}

// leaves reports whether one of the ways to the x-th place is as asked.
func (l *layer[T]) leaves(x int, is func(w *way) bool) bool {
	for at := l.first[x]; at >= 0; at = l.ways[at].next {
		if is(&l.ways[at]) {
			return true
		}
	}
	return false
}

// after is what an order costs at least that goes on from a way with a step, and then has servers left.
func (s *tidying[T]) after(w *way, step int, left servers) int {
	by, cost := w.by.then(s.servers[step])
	return w.cost + cost + left.atLeast(by)
}

// try takes a step from a place of now.
func (s *tidying[T]) try(now *layer[T], t *try, n, rep *T) {
	spec, node, instance := s.run.spec, &now.nodes[t.from], s.instances[t.step]
	if !spec.Enabled(node, instance) {
		return
	}
	*n = *node
	spec.Apply(node, n, instance)
	if spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return
		}
	}
	if spec.Within != nil && !spec.Within(n) {
		return
	}
	if r := spec.Representative(n, rep); s.run.table.knows(entryOf(s.run.table, r)) {
		t.hash = checker.Hash(n)
	}
}

// settle leaves the places to which a way was kept, and makes their nodes.
func (s *tidying[T]) settle(now, next *layer[T]) {
	kept := 0
	for x, first := range next.first {
		if first >= 0 {
			next.places[kept], next.origin[kept], next.first[kept] = next.places[x], next.origin[x], first
			kept++
		}
	}
	next.places, next.origin, next.first = next.places[:kept], next.origin[:kept], next.first[:kept]
	if cap(next.nodes) < kept { // doubled, so that few are made: memory that was never used is slow at first
		next.nodes = make([]T, kept, min(max(kept, 2*cap(next.nodes)), s.width))
	}
	next.nodes = next.nodes[:kept]
	s.share(kept, func(x int, _, _ *T) {
		o, n := next.origin[x], &next.nodes[x]
		*n = now.nodes[o.from]
		s.run.spec.Apply(&now.nodes[o.from], n, s.instances[o.step])
	})
}

// shareEach is how many pieces of work are worth a worker of their own.
const shareEach = 64

// share does so many pieces of work in several workers. Each has two nodes to use.
func (s *tidying[T]) share(pieces int, do func(k int, n, rep *T)) {
	each := int64(s.run.opt.share)
	var next atomic.Int64
	var failed atomic.Pointer[any]
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				failed.Store(&p)
			}
		}()
		var n, rep T
		for {
			from := int(next.Add(each)) - int(each)
			if from >= pieces {
				return
			}
			for k := from; k < min(from+int(each), pieces); k++ {
				do(k, &n, &rep)
			}
		}
	}
	var wait sync.WaitGroup
	for range min(len(s.run.workers), pieces/int(each)) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}

// reach keeps a way to the x-th place, unless another one that ends alike costs less.
func (l *layer[T]) reach(x int, w way) {
	for k := l.first[x]; k >= 0; k = l.ways[k].next {
		if l.ways[k].by == w.by {
			if w.cost < l.ways[k].cost {
				w.next = l.ways[k].next
				l.ways[k] = w
			}
			return
		}
	}
	w.next = l.first[x]
	l.first[x] = len(l.ways)
	l.ways = append(l.ways, w)
}

// narrow leaves only the most promising ways of a layer, the first ones of equal cost.
func (s *tidying[T]) narrow(l *layer[T]) {
	if len(l.ways) <= s.width {
		return
	}
	s.cut = true
	costs, order := make([]int, len(l.ways)), make([]int, len(l.ways))
	for x := range l.places {
		left := s.left(&l.places[x].taken)
		for k := l.first[x]; k >= 0; k = l.ways[k].next {
			costs[k] = l.ways[k].cost + left.atLeast(l.ways[k].by)
		}
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	kept := make([]bool, len(l.ways))
	for _, k := range order[:s.width] {
		kept[k] = true
	}
	for x := range l.first {
		for at := &l.first[x]; *at >= 0; {
			if w := &l.ways[*at]; kept[*at] {
				at = &w.next
			} else {
				*at = w.next
			}
		}
	}
}

// left is the set of servers with steps that are not taken.
func (s *tidying[T]) left(t *taken) (set servers) {
	for x := range s.acts {
		for k, steps := range s.acts[x].all {
			if steps&^t[k] != 0 {
				set |= s.acts[x].server
				break
			}
		}
	}
	return set
}

// servers is a set of servers, in which those from 63 on count as one.
type servers uint64

func of(server int) servers { return 1 << min(server, 63) }

// atLeast is what steps of these servers cost at least after the acting one.
func (s servers) atLeast(by acting) int {
	if by.server >= 0 {
		s &^= of(by.server)
	} else {
		s &= s - 1 // the first one costs nothing
	}
	return bits.OnesCount64(uint64(s)) * switchCost
}

// cost is what steps of servers in this order cost.
func cost(servers []int) (sum int) {
	by := nobody
	for _, server := range servers {
		next, cost := by.then(server)
		by, sum = next, sum+cost
	}
	return sum
}
