package liveness

import "github.com/multigrain/multigrain/checker/internal/graph"

// search looks for a lasso that breaks one property. It walks the nodes in which To is false and
// that are reached without it from a node where something is asked for.
type search struct {
	g        *stateGraph
	property int
	fair     []bool // by instance
	eventual bool   // asked for in the initial nodes

	live []bool   // nodes that the search walks
	home []uint32 // the component of each of them
	good []bool   // by component: a fair behaviour can stay in it
}

func newSearch(g *stateGraph, property int, fair []bool, eventual bool) *search {
	return &search{g: g, property: property, fair: fair, eventual: eventual}
}

// asks reports whether the property asks for something in a node, and does not have it there.
func (s *search) asks(x uint32) bool {
	if s.g.is(x, s.property, 1) {
		return false
	}
	if s.eventual {
		return x < uint32(len(s.g.position))
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
				if v := s.g.List[e].To; v != none && !s.live[v] && !s.g.is(v, s.property, 1) {
					s.live[v] = true
					stack = append(stack, v)
				}
			}
		}
	}
}

// components finds the strongly connected components of what the search walks, and judges each.
func (s *search) components() {
	judge := newJudge(s)
	in := func(x uint32) bool { return s.live[x] }
	s.home = make([]uint32, s.g.nodes())
	graph.Components(s.home, s.g.Of, in, func(nodes []uint32, component uint32) {
		s.good = append(s.good, judge.fair(nodes, component))
	})
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
			k := g.List[e].Label
			if !j.s.fair[k] {
				continue
			}
			if j.enabled[k] == 0 {
				j.touched = append(j.touched, k)
			}
			j.enabled[k]++
			if v := g.List[e].To; v != none && j.s.home[v] == component {
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
