package preserve

import (
	"encoding/binary"
	"slices"
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
// What it costs. In the worst case exponentially many sets. In practice b is reduced by branching
// bisimulation first, and the antichain keeps few sets of each state.
//
// Example. a does x then y; b does x in two ways:
//
//	a: 0 -x-> 1 -y-> 2        b: 0 -x-> 1 -y-> 3
//	                             0 -x-> 2
//	pairs: (0,{0}) -x-> (1,{1,2}) -y-> (2,{3}): included

// sets numbers sets of states of a transition system that are closed under silent steps.
type sets struct {
	l      *lts
	all    [][]uint32 // sorted
	hint   []uint64   // a bit for each element, modulo 64: what is not within by hint is not within
	number map[string]uint32
	next   map[uint64]uint32 // set and label: the set after it, plus 1; 0 where there is none
	mark   []uint32          // by state: the closure that has it
	round  uint32
	buf    []byte
}

func newSets(l *lts) *sets {
	return &sets{l: l, number: map[string]uint32{}, next: map[uint64]uint32{}, mark: make([]uint32, l.states())}
}

// closure returns the number of the closure of some states.
func (s *sets) closure(states []uint32) uint32 {
	s.round++
	var in []uint32
	put := func(k uint32) {
		if s.mark[k] != s.round {
			s.mark[k] = s.round
			in = append(in, k)
		}
	}
	for _, k := range states {
		put(k)
	}
	for at := 0; at < len(in); at++ {
		for _, e := range s.l.Of(in[at]) {
			if e.Label != silent {
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

// after returns the set after a label, and whether there is one.
func (s *sets) after(set, label uint32) (uint32, bool) {
	key := uint64(set)<<32 | uint64(label)
	if k, ok := s.next[key]; ok {
		return k - 1, k > 0
	}
	var to []uint32
	for _, k := range s.all[set] {
		es := s.l.Of(k)
		at, _ := slices.BinarySearchFunc(es, label, func(e edge, l uint32) int { return int(int64(e.Label) - int64(l)) })
		for ; at < len(es) && es[at].Label == label; at++ {
			to = append(to, es[at].To)
		}
	}
	if to == nil {
		s.next[key] = 0
		return 0, false
	}
	k := s.closure(to)
	s.next[key] = k + 1
	return k, true
}

// within reports whether set a is a subset of set b.
func (s *sets) within(a, b uint32) bool {
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

// pair is a state of the included system with the states of the other in which the same observation
// can end.
type pair struct {
	state, set uint32
	parent     int32  // the pair before, -1 for none
	label      uint32 // of the step from there
	older      int32  // the last pair with this state before it, -1 for none
}

// inclusion is a search for observations of a that b lacks, breadth first.
type inclusion struct {
	a       *lts
	sets    *sets
	pairs   []pair
	latest  []int32 // by state of a
	largest int
}

// included calls fail for every step that b cannot match. It searches until fail needs no more, or
// stop says to end, and reports whether everything was searched. It does not search beyond a step
// that b cannot match. Pairs come in the order of their distance, so the first failure of a kind
// has the shortest path.
func (x *inclusion) included(fail func(pair int32, e edge) bool, stop func(pairs int) bool) bool {
	x.latest = make([]int32, x.a.states())
	for k := range x.latest {
		x.latest[k] = -1
	}
	begin := x.sets.closure(x.sets.l.inits)
	for _, k := range x.a.inits {
		x.push(pair{state: k, set: begin, parent: -1})
	}
	for at := 0; at < len(x.pairs); at++ {
		if stop(len(x.pairs)) {
			return false
		}
		p := x.pairs[at]
		for _, e := range x.a.Of(p.state) {
			set, ok := p.set, true
			if e.Label != silent {
				set, ok = x.sets.after(p.set, e.Label)
			}
			if !ok {
				if !fail(int32(at), e) {
					return false
				}
				continue
			}
			x.push(pair{state: e.To, set: set, parent: int32(at), label: e.Label})
		}
	}
	return true
}

// push adds a pair unless one of the same state has a set within its set: what that one can match,
// this one can, too.
func (x *inclusion) push(p pair) {
	for k := x.latest[p.state]; k >= 0; k = x.pairs[k].older {
		if x.sets.within(x.pairs[k].set, p.set) {
			return
		}
	}
	p.older = x.latest[p.state]
	x.latest[p.state] = int32(len(x.pairs))
	x.pairs = append(x.pairs, p)
	x.largest = max(x.largest, len(x.sets.all[p.set]))
}

// way returns the states and labels from the beginning to a pair.
func (x *inclusion) way(k int32) (states, labels []uint32) {
	for ; k >= 0; k = x.pairs[k].parent {
		states, labels = append(states, x.pairs[k].state), append(labels, x.pairs[k].label)
	}
	slices.Reverse(states)
	slices.Reverse(labels)
	return states, labels[1:]
}
