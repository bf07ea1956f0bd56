package liveness

// search looks for a lasso that breaks one property. It walks the nodes in which To is false and that are reached without it from a
// node where something is asked for.
type search struct {
	g        *graph
	property int
	fair     []bool // by instance
	eventual bool   // asked for in the initial nodes

	live []bool   // nodes that the search walks
	home []uint32 // the component of each of them, counted from 1
	good []bool   // by component: a fair behaviour can stay in it
}

func newSearch(g *graph, property int, fair []bool, eventual bool) *search {
	return &search{g: g, property: property, fair: fair, eventual: eventual}
}

// asks reports whether the property asks for something in a node, and does not have it there.
func (s *search) asks(x uint32) bool {
	if s.g.is(x, s.property, 1) {
		return false
	}
	if s.eventual {
		return x < s.g.initial
	}
	return s.g.is(x, s.property, 0)
}

// reach marks the nodes that the search walks.
func (s *search) reach() {
	s.live = make([]bool, s.g.nodes())
	var stack []uint32
	for x := range uint32(s.g.nodes()) {
		if s.asks(x) && !s.live[x] {
			s.live[x] = true
			stack = append(stack, x)
		}
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for e, to := s.g.edges(u); e < to; e++ {
				if v := s.g.target[e]; v != none && !s.live[v] && !s.g.is(v, s.property, 1) {
					s.live[v] = true
					stack = append(stack, v)
				}
			}
		}
	}
}

// frame is a node whose edges are being walked.
type frame struct {
	node uint32
	edge int64
}

// components finds the strongly connected components of what the search walks, with Tarjan's algorithm without recursion, and
// judges each.
func (s *search) components() {
	n := s.g.nodes()
	s.home = make([]uint32, n)
	s.good = []bool{false}
	index, low := make([]uint32, n), make([]uint32, n)
	count := uint32(0)
	var open []uint32 // nodes without a component yet
	var stack []frame
	judge := newJudge(s)
	enter := func(x uint32) {
		count++
		index[x], low[x] = count, count
		open = append(open, x)
		stack = append(stack, frame{x, s.g.first[x]})
	}
	for root := range uint32(n) {
		if !s.live[root] || index[root] != 0 {
			continue
		}
		enter(root)
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			u := f.node
			if f.edge < s.g.first[u+1] {
				v := s.g.target[f.edge]
				f.edge++
				switch {
				case v == none || !s.live[v]:
				case index[v] == 0:
					enter(v)
				case s.home[v] == 0:
					low[u] = min(low[u], index[v])
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				p := stack[len(stack)-1].node
				low[p] = min(low[p], low[u])
			}
			if low[u] != index[u] {
				continue
			}
			k := len(open) - 1
			for open[k] != u {
				k--
			}
			component := uint32(len(s.good))
			for _, x := range open[k:] {
				s.home[x] = component
			}
			s.good = append(s.good, judge.fair(open[k:], component))
			open = open[:k]
		}
	}
}

// judge decides whether a fair behaviour can stay in a component.
type judge struct {
	s       *search
	enabled []int  // by instance: nodes of the component in which it is enabled
	taken   []bool // by instance: it leads from a node of the component to another
	touched []uint32
}

func newJudge(s *search) *judge {
	return &judge{s: s, enabled: make([]int, len(s.fair)), taken: make([]bool, len(s.fair))}
}

func (j *judge) fair(nodes []uint32, component uint32) bool {
	g := j.s.g
	for _, x := range nodes {
		for e, to := g.edges(x); e < to; e++ {
			k := g.instance[e]
			if !j.s.fair[k] {
				continue
			}
			if j.enabled[k] == 0 {
				j.touched = append(j.touched, k)
			}
			j.enabled[k]++
			if v := g.target[e]; v != none && j.s.home[v] == component {
				j.taken[k] = true
			}
		}
	}
	fair := true
	for _, k := range j.touched {
		fair = fair && (j.taken[k] || j.enabled[k] < len(nodes))
		j.enabled[k], j.taken[k] = 0, false
	}
	j.touched = j.touched[:0]
	return fair
}
