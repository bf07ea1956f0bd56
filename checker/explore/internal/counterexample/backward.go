package counterexample

import (
	"sync"

	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// What it computes. The nodes on shortest counterexamples of some groups of violations: for each
// distance a set, with a mask of the groups that a node leads to.
//
// Why it is right. A shortest counterexample of length n has a node at each distance 0 to n-1, and
// its node at distance d has a successor at distance d+1 that is on one, too. So the set of a
// distance is complete if it holds all nodes with a successor in the next set. A node at another
// distance cannot be on a shortest one.
//
// What it costs. One pass over the recorded edges of each level or, without edges, one expansion of
// each node of each level. At most maxBackward nodes are held.
//
// Example. The violation is at distance 3; only marked nodes are in the sets:
//
//	0      1      2      3
//	i* --> a* --> c* --> violation
//	i* --> b  --> d              b leads nowhere

// BackwardSets are the backward reachable sets of some groups of violations. The set of a distance
// holds the nodes from which a violation is reached by as many steps as a shortest counterexample
// has left.
//
// A level's set has the nodes with a violation, and those with a successor in the next level's set.
// Each node of a shortest counterexample is in the set of its distance: otherwise the
// counterexample would not be shortest. So the sets are complete. Which nodes have such a successor
// is known from the edges (ByEdges) or, where the edges were not kept, from regenerating all nodes
// (ByRegeneration).
type BackwardSets[T any] struct {
	rec   *Record[T]
	any   bool           // the groups are of one invariant and level, and count as one
	bits  map[Key]uint64 // for each group one
	depth map[Key]int    // how many steps are before the last one
	sets  []maskSet      // by distance
	idle  []*expander[T]
	held  int
}

const (
	// maxBackward bounds the nodes of all sets. Where nearly all nodes lead to violations,
	// counterexamples have little to choose from.
	maxBackward = 1 << 22
	// GroupsAtOnce is the number of groups that can be distinguished: each has one bit.
	GroupsAtOnce = 64
)

// backward returns the filled sets of at most GroupsAtOnce groups or, if any is set, of any number
// that count as one. It returns nil if there is no time left, memory or disk do not allow it, or
// more than maxBackward nodes qualify. It also returns nil if not all nodes with violations are
// known, or distances are not the shortest ones.
func (r *Record[T]) backward(keys []Key, any bool) *BackwardSets[T] {
	l := r.Backward(keys, any)
	if l == nil || l.ByEdges() {
		return l
	}
	r.Edges.Drop() // nodes that are made again may have their memory
	if l.ByRegeneration() {
		return l
	}
	return nil
}

// Backward returns empty backward reachable sets of the groups with these keys, at most 64. ByEdges
// or ByRegeneration fills them. With any, all groups share one set. It returns nil where the sets
// could not be complete: nodes of a group are lost, or the specification leaves states out. It also
// returns nil where the steps of the trace log must be kept, or no time is left.
func (r *Record[T]) Backward(keys []Key, any bool) *BackwardSets[T] {
	l := &BackwardSets[T]{rec: r, any: any, bits: map[Key]uint64{}, depth: map[Key]int{}}
	deepest := -1
	for k, key := range keys {
		depth := r.Groups[key].Level - 1
		l.bits[key], l.depth[key] = 1<<k, depth
		if any {
			l.bits[key] = 1
		}
		if r.hidden(key) && r.Groups[key].Lost {
			return nil
		}
		deepest = max(deepest, depth)
	}
	if deepest < 0 || r.Spec.Partial || r.Logged || r.late() {
		return nil
	}
	l.sets = make([]maskSet, deepest+2)
	return l
}

// ByRegeneration explores the specification again, level by level, and fills the sets from what it
// meets. It returns false if the time or the memory of the run did not suffice; then the sets must
// not be used.
func (l *BackwardSets[T]) ByRegeneration() bool {
	deepest := len(l.sets) - 2
	a := newRegenerator(l.rec)
	defer a.close()
	if err := a.upTo(deepest); err != nil {
		return false
	}
	clear(l.sets)
	for level := deepest; level >= 0; level-- {
		if l.broken(a, level) != nil || l.sweep(a, level) != nil {
			return false
		}
	}
	return true
}

// broken adds the nodes that break the invariants of groups whose last step is one from a level.
func (l *BackwardSets[T]) broken(a *regenerator[T], level int) error {
	masks := map[uint64]uint64{} // by invariant's bit: of groups
	invariants := uint64(0)
	for key, depth := range l.depth {
		if depth == level && l.rec.onNode(key.Invariant) {
			masks[1<<key.Invariant] |= l.bits[key]
			invariants |= 1 << key.Invariant
		}
	}
	if invariants == 0 {
		return nil
	}
	chunks, err := a.level(level + 1)
	if err != nil {
		return err
	}
	state := l.rec.Spec.State
	if x := l.rec.Spec.Pruning; x != nil {
		state = func(n *T) uint64 { return x.Judge(n, invariants) }
	}
	return l.each(a, chunks, level+1, func(_ *expander[T], n *T, _ int64) (mask uint64) {
		for broken := state(n) & invariants; broken != 0; broken &= broken - 1 {
			mask |= masks[broken&-broken]
		}
		return mask
	})
}

// sweep adds the nodes of a level from which violations are reached.
func (l *BackwardSets[T]) sweep(a *regenerator[T], level int) error {
	chunks, err := a.level(level)
	if err != nil {
		return err
	}
	ends := map[int64]uint64{} // by number: the groups whose counterexamples end in a node
	for key, depth := range l.depth {
		if depth == level && l.rec.hidden(key) {
			for _, n := range l.rec.Groups[key].parents {
				ends[n] |= l.bits[key]
			}
		}
	}
	leading := l.sets[level+1].used > 0
	return l.each(a, chunks, level, func(h *expander[T], n *T, number int64) (mask uint64) {
		if len(ends) > 0 {
			mask = ends[number]
		}
		if leading {
			mask |= l.successors(h, level, n)
		}
		return mask
	})
}

func (l *BackwardSets[T]) hash(h *expander[T], n *T) uint64 {
	return fingerprint.Of(l.rec.Spec.Representative(n, &h.rep))
}

// successors returns the mask of groups in the next level's set of the successors of a node.
func (l *BackwardSets[T]) successors(h *expander[T], level int, n *T) (mask uint64) {
	h.each(n, false, func(n *T, _ int, _ uint64) { mask |= l.sets[level+1].of(l.hash(h, n)) })
	return mask
}

// each calls mask for the nodes of a level, and adds those for which it is not 0.
func (l *BackwardSets[T]) each(a *regenerator[T], chunks []*store.Chunk, level int, mask func(h *expander[T], n *T, number int64) uint64) error {
	var mu sync.Mutex
	return a.each(len(chunks), func(k int) error {
		h := l.expander(&mu)
		s := store.NewSeeker[T](a.arena, nil)
		if err := s.Enter(chunks[k]); err != nil {
			return err
		}
		defer s.Leave()
		var found []maskSlot
		for x := range chunks[k].Nodes {
			n, err := s.To(chunks[k].First + int64(x))
			if err != nil {
				return err
			}
			if mask := mask(h, n, chunks[k].First+int64(x)); mask != 0 {
				found = append(found, maskSlot{l.hash(h, n), mask})
			}
		}
		mu.Lock()
		defer mu.Unlock()
		set := &l.sets[level]
		for _, f := range found {
			set.add(f)
		}
		l.held += len(found)
		l.idle = append(l.idle, h)
		if l.held > maxBackward {
			return errGivenUp
		}
		return nil
	})
}

// expander returns an expander that no worker uses.
func (l *BackwardSets[T]) expander(mu *sync.Mutex) *expander[T] {
	mu.Lock()
	defer mu.Unlock()
	if n := len(l.idle); n > 0 {
		h := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return h
	}
	return newExpander(l.rec.Spec)
}

// breaks reports whether a step to n breaks the group's invariant as it was found to be broken.
// That was in a node that was new then, or in one that is not stored.
func (l *BackwardSets[T]) breaks(h *expander[T], n *T, stepped uint64, key Key) bool {
	spec, mask := l.rec.Spec, uint64(1)<<key.Invariant
	if spec.Raised != nil {
		if raised, broken := spec.Raised(n); raised {
			return broken&mask != 0
		}
	}
	switch {
	case !l.rec.onNode(key.Invariant):
		return stepped&mask != 0
	case spec.Within != nil && !spec.Within(n):
		return spec.State(n)&mask != 0
	}
	return l.sets[l.depth[key]+1].of(l.hash(h, n))&l.bits[key] != 0
}

// Sets returns the sets by distance: fingerprints with the masks of the groups to whose violations
// their nodes lead.
func (l *BackwardSets[T]) Sets() (out []map[uint64]uint64) {
	for k := range l.sets {
		of := map[uint64]uint64{}
		for _, x := range l.sets[k].slots {
			if x.mask != 0 {
				of[x.hash] = x.mask
			}
		}
		out = append(out, of)
	}
	return out
}
