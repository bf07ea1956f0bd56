package explore

import (
	"cmp"
	"slices"

	"github.com/multigrain/multigrain/checker"
)

// A counterexample is easier to read the fewer changes it has from one acting server to another. Of several shortest ones
// that lead to the same node, the log holds the one that was found first. tidy puts its steps into the order with the fewest
// changes. The same steps, each once, are tried in all orders in which they are enabled, one layer of equal length after the
// other: what was taken, where it led and who acted last are one entry, kept with the least cost. So the result is exact among
// the orders of the steps that were logged, as long as no layer has more than tidyWidth entries; a larger one keeps its cheapest,
// and the result may then have more changes than needed, but never more than the log's. Shortest counterexamples with other
// steps are not looked for.

const (
	tidySteps = 256  // longest trace that is tidied
	tidyWidth = 4096 // entries of a layer
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

// spot is what makes entries of a layer one.
type spot struct {
	hash  uint64 // of the node
	check uint32
	taken taken
	by    acting
}

// choice is an entry of a layer: the step that was taken last, and the entry of the layer before.
type choice struct{ step, from int }

// layer holds what so many steps lead to.
type layer[T any] struct {
	nodes []T
	spots []spot
	costs []int
	at    map[spot]int
}

// tidy is the instances of a trace in the order with the fewest changes of the acting server. The trace's last step stays the last one
// and starts from the same node, so that it breaks what it broke.
func (r *run[T]) tidy(t *checker.Trace[T]) (order []int) {
	instances := make([]int, len(t.Steps))
	for k, s := range t.Steps {
		instances[k] = s.Instance
	}
	n := len(instances) - 1
	if n < 2 || n > tidySteps || r.cost(instances) < switchCost {
		return instances
	}
	defer func() {
		if recover() != nil { // another order need not have been explored where nodes stand for others
			order = instances
		}
	}()
	layers := make([][]choice, 0, n)
	start := spot{by: nobody}
	now := &layer[T]{nodes: []T{t.Init}, spots: []spot{start}, costs: []int{0}}
	for range n {
		next := &layer[T]{at: map[spot]int{}}
		var chosen []choice
		for x := range now.nodes {
			chosen = r.reorder(now, x, instances[:n], next, chosen)
		}
		if len(next.nodes) > tidyWidth {
			chosen = next.narrow(chosen)
		}
		layers, now = append(layers, chosen), next
	}
	found := append(backwards(now, layers, instances, &t.Steps[n-1].Node, r.spec.Instances[instances[n]].Server), instances[n])
	if len(found) <= n || r.cost(found) >= r.cost(instances) {
		return instances
	}
	return found
}

// reorder puts into next what every step that is left leads to from the x-th entry of now.
func (r *run[T]) reorder(now *layer[T], x int, instances []int, next *layer[T], chosen []choice) []choice {
	tried := map[int]bool{}
	for k, instance := range instances {
		if now.spots[x].taken.has(k) || tried[instance] {
			continue
		}
		tried[instance] = true
		s := now.nodes[x]
		if !r.spec.Enabled(&s, instance) {
			continue
		}
		n := s
		r.spec.Apply(&s, &n, instance)
		if !r.visited(&n) {
			continue
		}
		by, cost := now.spots[x].by.then(r.spec.Instances[instance].Server)
		at := spot{checker.Hash(&n), checker.Check(&n), now.spots[x].taken.with(k), by}
		cost += now.costs[x]
		y, ok := next.at[at]
		switch {
		case !ok:
			next.at[at] = len(next.nodes)
			next.nodes, next.spots, next.costs = append(next.nodes, n), append(next.spots, at), append(next.costs, cost)
			chosen = append(chosen, choice{k, x})
		case cost < next.costs[y]:
			next.costs[y], chosen[y] = cost, choice{k, x}
		}
	}
	return chosen
}

// visited reports whether n is a node that the run stored, and not one in which a behaviour ends.
func (r *run[T]) visited(n *T) bool {
	if r.spec.Raised != nil {
		if raised, _ := r.spec.Raised(n); raised {
			return false
		}
	}
	if r.spec.Within != nil && !r.spec.Within(n) {
		return false
	}
	rep := r.represent(*n)
	return r.table.knows(checker.Hash(rep), checker.Check(rep))
}

// narrow keeps the cheapest entries of a layer, the first ones of equal cost.
func (l *layer[T]) narrow(chosen []choice) []choice {
	keep := make([]int, len(l.nodes))
	for k := range keep {
		keep[k] = k
	}
	slices.SortStableFunc(keep, func(a, b int) int { return cmp.Compare(l.costs[a], l.costs[b]) })
	keep = keep[:tidyWidth]
	slices.Sort(keep)
	kept := &layer[T]{}
	out := make([]choice, 0, len(keep))
	for _, k := range keep {
		kept.nodes, kept.spots, kept.costs = append(kept.nodes, l.nodes[k]), append(kept.spots, l.spots[k]), append(kept.costs, l.costs[k])
		out = append(out, chosen[k])
	}
	*l = *kept
	return out
}

// backwards is the cheapest way through the layers to a node, before a last step of a server; nil where there is none.
func backwards[T any](end *layer[T], layers [][]choice, instances []int, node *T, server int) []int {
	best, least := -1, 0
	for x := range end.nodes {
		if string(checker.Bytes(&end.nodes[x])) != string(checker.Bytes(node)) {
			continue
		}
		_, last := end.spots[x].by.then(server)
		if cost := end.costs[x] + last; best < 0 || cost < least {
			best, least = x, cost
		}
	}
	if best < 0 {
		return nil
	}
	var out []int
	for k := len(layers) - 1; k >= 0; k-- {
		c := layers[k][best]
		out = append(out, instances[c.step])
		best = c.from
	}
	slices.Reverse(out)
	return out
}

// cost is what an order of instances costs.
func (r *run[T]) cost(instances []int) (sum int) {
	by := nobody
	for _, k := range instances {
		next, cost := by.then(r.spec.Instances[k].Server)
		by, sum = next, sum+cost
	}
	return sum
}
