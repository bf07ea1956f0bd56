package preserve

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/multigrain/multigrain/checker/internal/graph"
)

// What it computes. A transition system without the nodes of a graph (observed), and its quotient
// by branching bisimulation (reduce).
//
// Why it is right. Observed keeps the labels that the target sees and makes other steps silent.
// Branching bisimulation keeps all observations: equivalent states have the same visible steps
// after silent steps that stay equivalent. States on a cycle of silent steps are equivalent.
// Refinement by signatures ends at the coarsest such partition.
//
// What it costs. Each round is linear in edges, apart from sorting; there are at most as many
// rounds as classes.
//
// Example. tau is silent:
//
//	0 -tau-> 1 -x-> 2      0 and 1 have the signature {x to 2}: one class
//	0 -x----------> 2

// lts is a labelled transition system: what is left of a graph without its nodes. The edges of a
// state are sorted by label and target.
type lts struct {
	graph.Edges
	inits []uint32
}

// Inits returns the initial states: see inclusion.System.
func (l *lts) Inits() []uint32 { return l.inits }

func (l *lts) states() int { return int(l.Closed()) }

// close ends the edges of a state, those from one in List on.
func (l *lts) close(from int) {
	l.List = l.List[:from+len(sortUnique(l.List[from:]))]
	l.Edges.Close()
}

// silentOf returns the silent edges of a state, which come first.
func (l *lts) silentOf(k uint32) []edge {
	es := l.Of(k)
	return es[:sort.Search(len(es), func(x int) bool { return es[x].Label > silent })]
}

// observed returns the transition system of a graph. Its last state is the end.
func (g *stateGraph[T]) observed() *lts {
	l := &lts{}
	for k := range g.inits {
		l.inits = append(l.inits, uint32(k))
	}
	for k := range g.Nodes() {
		at := len(l.List)
		for _, e := range g.Of(k) {
			if e.To == end {
				e.To = g.Nodes()
			}
			l.Add(e)
		}
		for _, label := range g.endings[k] {
			l.Add(edge{Label: label, To: g.Nodes()})
		}
		l.close(at)
	}
	l.Edges.Close()
	return l
}

// sortUnique sorts edges and removes duplicates, in place.
func sortUnique(es []edge) []edge {
	slices.SortFunc(es, func(a, b edge) int {
		if a.Label != b.Label {
			return int(int64(a.Label) - int64(b.Label))
		}
		return int(int64(a.To) - int64(b.To))
	})
	return slices.Compact(es)
}

// reduce returns l up to branching bisimulation, and the class of each state. Each cycle of silent
// steps first becomes one state. Then classes are split by signatures (Blom, Orzan: Distributed
// branching bisimulation reduction, 2003) until none changes. A signature is the set of labels and
// classes that a state can reach by silent steps within its class and one more step. reduce returns
// nil if it is asked to stop.
func (l *lts) reduce(stop func() bool) (*lts, []uint32) {
	comp, order := l.components()
	class := make([]uint32, order) // by component
	classes := 1
	var sigs signatures
	for {
		sigs.clear()
		next := make([]uint32, order)
		members := l.members(comp, order)
		for c := range order {
			if c%1024 == 0 && stop() {
				return nil, nil
			}
			next[c] = sigs.of(l, members.of(c), comp, class, uint32(c))
		}
		class = next
		if n := len(sigs.spans); n == classes {
			break
		} else {
			classes = n
		}
	}
	q := &lts{}
	for k := range sigs.spans {
		q.List = append(q.List, sigs.at(uint32(k))...)
		q.Edges.Close()
	}
	of := make([]uint32, l.states())
	for k := range of {
		of[k] = class[comp[k]]
	}
	// The targets in the last signatures are classes of the round before, which the last round did
	// not split: renumber them.
	rename := make([]uint32, classes)
	for k, c := range sigs.was {
		rename[c] = uint32(k)
	}
	for k := range q.List {
		q.List[k].To = rename[q.List[k].To]
	}
	for k := range q.states() {
		sortUnique(q.Of(uint32(k)))
	}
	for _, k := range l.inits {
		q.inits = append(q.inits, of[k])
	}
	slices.Sort(q.inits)
	q.inits = slices.Compact(q.inits)
	return q, of
}

// signatures numbers the signatures of a round together with the classes of the round before.
type signatures struct {
	arena  []edge
	spans  []span              // by number
	was    []uint32            // by number: the class before
	number map[uint64][]uint32 // by hash
	of_    []uint32            // by component, of this round
	buf    []edge
}

type span struct{ from, to int }

func (s *signatures) clear() {
	s.arena, s.spans, s.was, s.of_ = s.arena[:0], s.spans[:0], s.was[:0], s.of_[:0]
	s.number = map[uint64][]uint32{}
}

func (s *signatures) at(k uint32) []edge { return s.arena[s.spans[k].from:s.spans[k].to] }

// of returns the number of the signature of a component. Components are asked in order; silent
// steps lead to smaller ones.
func (s *signatures) of(l *lts, members []uint32, comp, class []uint32, c uint32) uint32 {
	s.buf = s.buf[:0]
	for _, k := range members {
		for _, e := range l.Of(k) {
			t := comp[e.To]
			switch {
			case e.Label != silent || class[t] != class[c]:
				s.buf = append(s.buf, edge{Label: e.Label, To: class[t]})
			case t != c:
				s.buf = append(s.buf, s.at(s.of_[t])...)
			}
		}
	}
	s.buf = sortUnique(s.buf)
	h := uint64(class[c]) + 0x9e3779b97f4a7c15
	for _, e := range s.buf {
		hi, lo := bits.Mul64(h^uint64(e.Label)<<32^uint64(e.To), 0xd1342543de82ef95)
		h = hi ^ lo ^ 0xa24baed4963ee407
	}
	for _, k := range s.number[h] {
		if s.was[k] == class[c] && slices.Equal(s.at(k), s.buf) {
			s.of_ = append(s.of_, k)
			return k
		}
	}
	k := uint32(len(s.spans))
	from := len(s.arena)
	s.arena = append(s.arena, s.buf...)
	s.spans = append(s.spans, span{from, len(s.arena)})
	s.was = append(s.was, class[c])
	s.number[h] = append(s.number[h], k)
	s.of_ = append(s.of_, k)
	return k
}

// grouped are the states of each component.
type grouped struct{ start, states []uint32 }

func (g grouped) of(c int) []uint32 { return g.states[g.start[c]:g.start[c+1]] }

func (l *lts) members(comp []uint32, n int) grouped {
	g := grouped{make([]uint32, n+1), make([]uint32, len(comp))}
	for _, c := range comp {
		g.start[c+1]++
	}
	for c := range n {
		g.start[c+1] += g.start[c]
	}
	at := slices.Clone(g.start[:n])
	for k, c := range comp {
		g.states[at[c]] = uint32(k)
		at[c]++
	}
	return g
}

// components numbers the strongly connected components of silent steps so that silent steps between
// components lead to smaller numbers, and says how many there are.
func (l *lts) components() (comp []uint32, n int) {
	comp = make([]uint32, l.states())
	return comp, int(graph.Components(comp, l.silentOf, nil, nil))
}
