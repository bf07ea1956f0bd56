package liveness

import "slices"

// What it computes. For a property "P leads to Q", a shortest fair counterexample: a stem to a node
// from which a fair behaviour can avoid Q for ever, and a loop there.
//
// Why it is right. A fair loop without Q lies inside one strongly connected component of the nodes
// without Q. A component contains a fair loop exactly if each fair instance is taken in it, or is
// disabled in one of its nodes. So components decide whether a lasso exists. round then builds a
// loop that pays every fair instance: it takes it, or visits a node where it is disabled.
//
// What it costs. Components are linear in the graph. The stem is a breadth-first search. Each
// instance that the loop still owes costs one breadth-first search within the component.
//
// Example. P leads to Q, fair instances a and b:
//
//	init --> P --> x --a--> y        the loop x y takes a;
//	               ^        |        b is disabled in y, so b is paid by the visit
//	               +---c----+

// lasso is a behaviour by its instances. The loop begins after the first loop of them.
type lasso struct {
	initial   uint32 // position in the order of Init
	instances []int
	from      int // instances before the node that asks for something
	loop      int
}

// lasso is one that breaks the property, with the shortest way to a loop; nil if there is none.
func (s *search) lasso() *lasso {
	s.reach()
	s.components()
	if !slices.Contains(s.good, true) {
		return nil
	}
	l, entry := s.stem()
	l.loop = len(l.instances)
	for _, e := range s.round(entry) {
		l.instances = append(l.instances, int(s.g.List[e].Label))
	}
	return l
}

// arrival is how the search for the shortest way came to a node.
type arrival struct {
	known bool
	edge  uint64 // noEdge where the path starts: at a node that asks for something
	from  uint32
}

// noEdge is no place of an edge.
const noEdge = ^uint64(0)

// stem returns a shortest way to a node from which a fair behaviour can continue without To: to a
// node that asks for something, and on without To.
func (s *search) stem() (*lasso, uint32) {
	came := make([]arrival, s.g.nodes())
	var level []uint32
	for depth := 0; ; depth++ {
		if depth < len(s.g.levels) {
			end := uint32(s.g.nodes())
			if depth+1 < len(s.g.levels) {
				end = s.g.levels[depth+1]
			}
			for x := s.g.levels[depth]; x < end; x++ {
				if s.asks(x) && !came[x].known {
					came[x] = arrival{true, noEdge, 0}
					level = append(level, x)
				}
			}
		}
		for _, x := range level {
			if s.good[s.home[x]] {
				return s.way(came, x), x
			}
		}
		var next []uint32
		for _, x := range level {
			for e, to := s.g.edges(x); e < to; e++ {
				if v := s.g.List[e].To; v != none && s.live[v] && !came[v].known {
					came[v] = arrival{true, e, x}
					next = append(next, v)
				}
			}
		}
		level = next
	}
}

// way returns the way to x as instances.
func (s *search) way(came []arrival, x uint32) *lasso {
	var back []int
	for ; came[x].edge != noEdge; x = came[x].from {
		back = append(back, int(s.g.List[came[x].edge].Label))
	}
	after := len(back)
	path := s.g.Path(x)
	for _, k := range slices.Backward(path[1:]) {
		_, by := s.g.Reached(k)
		back = append(back, int(by))
	}
	slices.Reverse(back)
	return &lasso{initial: s.g.position[path[0]], instances: back, from: len(back) - after}
}

// round returns a fair loop from a node of a good component back to it, as edges. It is empty where
// the behaviour may stay in the node.
func (s *search) round(entry uint32) (edges []uint64) {
	owed := map[uint32]bool{} // fair, enabled in each node of the loop, and not taken
	for e, to := s.g.edges(entry); e < to; e++ {
		if k := s.g.List[e].Label; s.fair[k] {
			owed[k] = true
		}
	}
	if len(owed) == 0 {
		return nil
	}
	at := entry
	for len(owed) > 0 {
		part, end := s.walk(at, func(e uint64, v uint32) bool { return owed[s.g.List[e].Label] || s.disables(v, owed) })
		for _, e := range part {
			delete(owed, s.g.List[e].Label)
			s.settle(s.g.List[e].To, owed)
		}
		edges, at = append(edges, part...), end
	}
	if at != entry {
		part, _ := s.walk(at, func(_ uint64, v uint32) bool { return v == entry })
		edges = append(edges, part...)
	}
	return edges
}

// enabled returns the instances that are enabled in a node.
func (s *search) enabled(x uint32) map[uint32]bool {
	set := map[uint32]bool{}
	for e, to := s.g.edges(x); e < to; e++ {
		set[s.g.List[e].Label] = true
	}
	return set
}

// disables reports whether an instance that is owed is not enabled in a node.
func (s *search) disables(x uint32, owed map[uint32]bool) bool {
	enabled := s.enabled(x)
	for k := range owed {
		if !enabled[k] {
			return true
		}
	}
	return false
}

// settle takes out what is not enabled in a node.
func (s *search) settle(x uint32, owed map[uint32]bool) {
	enabled := s.enabled(x)
	for k := range owed {
		if !enabled[k] {
			delete(owed, k)
		}
	}
}

// walk returns a shortest way within a component to the end of an edge that is required. There must
// be one.
func (s *search) walk(from uint32, wanted func(e uint64, v uint32) bool) (edges []uint64, end uint32) {
	type arrived struct {
		edge uint64
		from uint32
	}
	came := map[uint32]arrived{}
	queue := []uint32{from}
	back := func(x uint32) {
		for x != from {
			a := came[x]
			edges = append(edges, a.edge)
			x = a.from
		}
		slices.Reverse(edges)
	}
	for {
		x := queue[0]
		queue = queue[1:]
		for e, to := s.g.edges(x); e < to; e++ {
			v := s.g.List[e].To
			if v == none || s.home[v] != s.home[from] {
				continue
			}
			if wanted(e, v) {
				back(x)
				return append(edges, e), v
			}
			if _, seen := came[v]; !seen && v != from {
				came[v] = arrived{e, x}
				queue = append(queue, v)
			}
		}
	}
}
