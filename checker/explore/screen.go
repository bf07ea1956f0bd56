package explore

import (
	"unsafe"

	"github.com/multigrain/multigrain/checker"
)

// screened is how many nodes are compared with those of the level before. More take as long as the steps that they spare.
const screened = 48

// screen tells of the nodes of a level by which instances a step may lead from them to one of a few others.
type screen[T any] struct {
	causes *checker.Causes[T]
	to     []padded[T]
	// Words in which these do not differ from each other, and in which they do.
	alike, apart *checker.Order
}

// sampled is how many nodes of a level say in which words nodes differ.
const sampled = 64

// screen is for the steps from a level; nil where there is none.
func (l *leads[T]) screen(a *again[T], chunks []*chunk, level int, causes *checker.Causes[T]) (*screen[T], error) {
	to := &l.sets[level+1]
	if causes == nil || to.used > screened {
		return nil, nil
	}
	x := &screen[T]{causes: causes, to: to.nodes}
	first := nodeWords(&x.to[0].node)
	alike, apart := make([]int, len(first)), make([]int, len(first))
	for w := range first {
		weight := alike
		for k := range x.to {
			if nodeWords(&x.to[k].node)[w] != first[w] {
				weight = apart
			}
		}
		weight[w] = 1
	}
	s := seeker[T]{arena: a.arena}
	defer s.leave()
	c := chunks[len(chunks)/2]
	if err := s.enter(c); err != nil {
		return nil, err
	}
	for k := range min(c.nodes, sampled) {
		n, err := s.to(c.first + int64(k))
		if err != nil {
			return nil, err
		}
		for w, x := range nodeWords(n) {
			if x != first[w] {
				alike[w] += min(alike[w], 1)
				apart[w] += min(apart[w], 1)
			}
		}
	}
	x.alike, x.apart = causes.Order(alike), causes.Order(apart)
	return x, nil
}

// nodeWords is a node of a padded, in words: behind it are zeros.
func nodeWords[T any](n *T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(n)), (unsafe.Sizeof(*n)+7)/8)
}

// causesOf are the instances that may lead from n on.
func (x *screen[T]) causesOf(h *hand[T], n *T) []uint64 {
	if h.causes == nil {
		h.alike, h.one, h.some = x.causes.All(), x.causes.All(), x.causes.All()
		h.causes = make([]uint64, (len(h.spec.Instances)+63)/64)
		h.all = x.causes.All()
	}
	words := nodeWords(n)
	copy(h.alike, h.all)
	x.causes.Narrow(h.alike, words, nodeWords(&x.to[0].node), x.alike)
	clear(h.some)
	for k := range x.to {
		for w := range h.one {
			h.one[w] = h.alike[w] &^ h.some[w]
		}
		x.causes.Narrow(h.one, words, nodeWords(&x.to[k].node), x.apart)
		for w := range h.one {
			h.some[w] |= h.one[w]
		}
	}
	clear(h.causes)
	x.causes.Instances(h.some, h.causes)
	return h.causes
}
