package preserve

import (
	"math/bits"
	"slices"
)

// lts is a labelled transition system: what is left of a graph without its nodes.
type lts struct {
	inits []uint32
	out   []uint64 // state k's edges are out[k] to out[k+1]
	edges []edge   // those of a state sorted by label and target
}

func (l *lts) states() int { return len(l.out) - 1 }

func (l *lts) from(k uint32) []edge { return l.edges[l.out[k]:l.out[k+1]] }

// observed is the transition system of a graph. Its last state is the end.
func (g *graph[T]) observed() *lts {
	l := &lts{out: make([]uint64, 1, g.n+2)}
	for k := range g.inits {
		l.inits = append(l.inits, uint32(k))
	}
	for k := range g.n {
		at := len(l.edges)
		for _, e := range g.from(k) {
			if e.to == end {
				e.to = g.n
			}
			l.edges = append(l.edges, e)
		}
		l.edges = l.edges[:at+len(tidy(l.edges[at:]))]
		l.out = append(l.out, uint64(len(l.edges)))
	}
	l.out = append(l.out, uint64(len(l.edges)))
	return l
}

// tidy sorts edges and drops equal ones, in place.
func tidy(es []edge) []edge {
	slices.SortFunc(es, func(a, b edge) int {
		if a.label != b.label {
			return int(int64(a.label) - int64(b.label))
		}
		return int(int64(a.to) - int64(b.to))
	})
	return slices.Compact(es)
}

// reduce is l up to branching bisimulation, and the class of each state. Cycles of silent steps are first made one state each;
// then classes are split by signatures (Blom, Orzan: Distributed branching bisimulation reduction, 2003) until none changes.
// A signature is the set of what a state can do, be it behind silent steps within its class. It returns nil where it is told
// to stop.
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
	q := &lts{out: []uint64{0}}
	for k := range sigs.spans {
		q.edges = append(q.edges, sigs.at(uint32(k))...)
		q.out = append(q.out, uint64(len(q.edges)))
	}
	of := make([]uint32, l.states())
	for k := range of {
		of[k] = class[comp[k]]
	}
	// The targets in the last signatures are classes of the round before, which the last round did not split: renumber them.
	rename := make([]uint32, classes)
	for k, c := range sigs.was {
		rename[c] = uint32(k)
	}
	for k := range q.edges {
		q.edges[k].to = rename[q.edges[k].to]
	}
	for k := range q.states() {
		tidy(q.edges[q.out[k]:q.out[k+1]])
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

// of is the number of the signature of a component. Components are asked in order; silent steps lead to smaller ones.
func (s *signatures) of(l *lts, members []uint32, comp, class []uint32, c uint32) uint32 {
	s.buf = s.buf[:0]
	for _, k := range members {
		for _, e := range l.from(k) {
			t := comp[e.to]
			switch {
			case e.label != silent || class[t] != class[c]:
				s.buf = append(s.buf, edge{e.label, class[t]})
			case t != c:
				s.buf = append(s.buf, s.at(s.of_[t])...)
			}
		}
	}
	s.buf = tidy(s.buf)
	h := uint64(class[c]) + 0x9e3779b97f4a7c15
	for _, e := range s.buf {
		hi, lo := bits.Mul64(h^uint64(e.label)<<32^uint64(e.to), 0xd1342543de82ef95)
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

// components numbers the strongly connected components of silent steps so that silent steps between components lead to smaller
// numbers (Tarjan, without recursion), and says how many there are.
func (l *lts) components() (comp []uint32, n int) {
	const none = ^uint32(0)
	size := l.states()
	comp = make([]uint32, size)
	index, low := make([]uint32, size), make([]uint32, size)
	for k := range comp {
		comp[k], index[k] = none, none
	}
	type frame struct {
		state uint32
		next  int
	}
	var calls []frame
	var stack []uint32
	counter := uint32(0)
	for root := range size {
		if index[root] != none {
			continue
		}
		calls = append(calls, frame{uint32(root), 0})
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			k := f.state
			if f.next == 0 {
				index[k], low[k] = counter, counter
				counter++
				stack = append(stack, k)
			}
			es := l.from(k)
			for f.next < len(es) && es[f.next].label == silent { // silent ones come first
				t := es[f.next].to
				f.next++
				if index[t] == none {
					calls = append(calls, frame{t, 0})
					break
				}
				if comp[t] == none {
					low[k] = min(low[k], index[t])
				}
			}
			if calls[len(calls)-1].state != k {
				continue
			}
			if low[k] == index[k] {
				for {
					t := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					comp[t] = uint32(n)
					if t == k {
						break
					}
				}
				n++
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].state
				low[p] = min(low[p], low[k])
			}
		}
	}
	return comp, n
}
