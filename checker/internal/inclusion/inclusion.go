// Package inclusion decides whether every observation of one transition system is one of another.
// It uses a subset construction on the fly with antichains (De Wulf, Doyen, Henzinger, Raskin:
// Antichains, CAV 2006). Levels L1 and L2 of interaction preservation and the verb refine are its
// uses.
package inclusion

import (
	"encoding/binary"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/graph"
)

// What it computes. Whether every observation of transition system a is also one of b; if not, the
// first steps of a that b cannot match.
//
// Why it is right. A pair holds a state of a and the set of all states of b in which the same
// observation can end. If a can take a visible step for which the set has no successor, b lacks
// that observation. If no reachable pair has such a step, b has them all. A pair with a larger set
// can match whatever one with a smaller set can. So of the pairs of one state only those with
// minimal sets are kept: an antichain.
//
// What it costs. In the worst case exponentially many sets. The antichain keeps few sets of each
// state. A caller who has the whole of b reduces it by branching bisimulation first. A system may
// also make the edges of a state when they are asked for: then states that no pair has cost
// nothing.
//
// Example. a does x then y; b does x in two ways:
//
//	a: 0 -x-> 1 -y-> 2        b: 0 -x-> 1 -y-> 3
//	                             0 -x-> 2
//	pairs: (0,{0}) -x-> (1,{1,2}) -y-> (2,{3}): included

// Silent is the label of silent steps.
const Silent = 0

// System is a labelled transition system. Of returns the edges of a state, sorted by label: silent
// ones come first. It returns the same edges whenever it is called.
type System interface {
	Inits() []uint32
	Of(k uint32) []graph.Edge
}

// Sets numbers sets of states of a transition system that are closed under silent steps.
type Sets struct {
	of     System
	all    [][]uint32 // sorted
	hint   []uint64   // a bit for each element, modulo 64: what is not within by hint is not within
	number map[string]uint32
	next   map[uint64]uint32 // set and label: the set after it, plus 1; 0 where there is none
	mark   []uint32          // by state: the closure that has it
	round  uint32
	buf    []byte
}

// NewSets returns the sets of a system's states, none so far.
func NewSets(of System) *Sets {
	return &Sets{of: of, number: map[string]uint32{}, next: map[uint64]uint32{}}
}

// Begin returns the number of the closure of the initial states.
func (s *Sets) Begin() uint32 { return s.Closure(s.of.Inits()) }

// States returns the states of a set, in ascending order. The caller must not change them.
func (s *Sets) States(set uint32) []uint32 { return s.all[set] }

// Closure returns the number of the closure of some states.
func (s *Sets) Closure(states []uint32) uint32 {
	s.round++
	var in []uint32
	put := func(k uint32) {
		if int(k) >= len(s.mark) {
			s.mark = append(s.mark, make([]uint32, int(k)+1)...) // doubles at least
		}
		if s.mark[k] != s.round {
			s.mark[k] = s.round
			in = append(in, k)
		}
	}
	for _, k := range states {
		put(k)
	}
	for at := 0; at < len(in); at++ {
		for _, e := range s.of.Of(in[at]) {
			if e.Label != Silent {
				break
			}
			put(e.To)
		}
	}
	slices.Sort(in)
	s.buf = s.buf[:0]
	hint := uint64(0)
	for _, k := range in {
		s.buf = binary.LittleEndian.AppendUint32(s.buf, k)
		hint |= 1 << (k % 64)
	}
	if k, ok := s.number[string(s.buf)]; ok {
		return k
	}
	k := uint32(len(s.all))
	s.number[string(s.buf)] = k
	s.all, s.hint = append(s.all, in), append(s.hint, hint)
	return k
}

// After returns the set after a label, and whether there is one.
func (s *Sets) After(set, label uint32) (uint32, bool) {
	key := uint64(set)<<32 | uint64(label)
	if k, ok := s.next[key]; ok {
		return k - 1, k > 0
	}
	var to []uint32
	for _, k := range s.all[set] {
		es := s.of.Of(k)
		at, _ := slices.BinarySearchFunc(es, label, func(e graph.Edge, l uint32) int { return int(int64(e.Label) - int64(l)) })
		for ; at < len(es) && es[at].Label == label; at++ {
			to = append(to, es[at].To)
		}
	}
	if to == nil {
		s.next[key] = 0
		return 0, false
	}
	k := s.Closure(to)
	s.next[key] = k + 1
	return k, true
}

// Has reports whether there is a set after a label, without making that.
func (s *Sets) Has(set, label uint32) bool {
	return slices.ContainsFunc(s.all[set], func(k uint32) bool {
		_, ok := slices.BinarySearchFunc(s.of.Of(k), label, func(e graph.Edge, l uint32) int { return int(int64(e.Label) - int64(l)) })
		return ok
	})
}

// Labels returns the visible labels of the steps from a set, in ascending order.
func (s *Sets) Labels(set uint32) (out []uint32) {
	for _, k := range s.all[set] {
		for _, e := range s.of.Of(k) {
			if e.Label != Silent {
				out = append(out, e.Label)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// within reports whether set a is a subset of set b.
func (s *Sets) within(a, b uint32) bool {
	x, y := s.all[a], s.all[b]
	if a == b {
		return true
	}
	if s.hint[a]&^s.hint[b] != 0 || len(x) > len(y) {
		return false
	}
	k := 0
	for _, v := range x {
		for k < len(y) && y[k] < v {
			k++
		}
		if k == len(y) || y[k] != v {
			return false
		}
	}
	return true
}

// Pair is a state of the included system with the set of states of the other in which the same
// observation can end.
type Pair struct {
	State, Set uint32
	parent     int32  // the pair before, -1 for none
	label      uint32 // of the step from there
	older      int32  // the last pair with this state before it, -1 for none
}

// Search is a search for observations of A that the system of Sets lacks, breadth first.
type Search struct {
	A     System
	Sets  *Sets
	Pairs []Pair
	// Largest is the number of states in the largest set of a pair.
	Largest int

	latest []int32 // by state of A: its last pair plus 1
}

// Included calls fail for every step that the other system cannot match. It searches until fail
// needs no more, or stop says to end, and reports whether everything was searched. It does not
// search beyond a step that the other system cannot match. Pairs come in the order of their
// distance, so the first failure of a kind has the shortest path.
func (x *Search) Included(fail func(pair int32, e graph.Edge) bool, stop func(pairs int) bool) bool {
	begin := x.Sets.Begin()
	for _, k := range x.A.Inits() {
		x.push(Pair{State: k, Set: begin, parent: -1})
	}
	for at := 0; at < len(x.Pairs); at++ {
		if stop(len(x.Pairs)) {
			return false
		}
		p := x.Pairs[at]
		for _, e := range x.A.Of(p.State) {
			set, ok := p.Set, true
			if e.Label != Silent {
				set, ok = x.Sets.After(p.Set, e.Label)
			}
			if !ok {
				if !fail(int32(at), e) {
					return false
				}
				continue
			}
			x.push(Pair{State: e.To, Set: set, parent: int32(at), label: e.Label})
		}
	}
	return true
}

// push adds a pair unless one of the same state has a set within its set: what that one can match,
// this one can, too.
func (x *Search) push(p Pair) {
	if int(p.State) >= len(x.latest) {
		x.latest = append(x.latest, make([]int32, int(p.State)+1)...) // doubles at least
	}
	for k := x.latest[p.State] - 1; k >= 0; k = x.Pairs[k].older {
		if x.Sets.within(x.Pairs[k].Set, p.Set) {
			return
		}
	}
	p.older = x.latest[p.State] - 1
	x.latest[p.State] = int32(len(x.Pairs)) + 1
	x.Pairs = append(x.Pairs, p)
	x.Largest = max(x.Largest, len(x.Sets.all[p.Set]))
}

// Way returns the states and labels from the beginning to a pair.
func (x *Search) Way(k int32) (states, labels []uint32) {
	for ; k >= 0; k = x.Pairs[k].parent {
		states, labels = append(states, x.Pairs[k].State), append(labels, x.Pairs[k].label)
	}
	slices.Reverse(states)
	slices.Reverse(labels)
	return states, labels[1:]
}
