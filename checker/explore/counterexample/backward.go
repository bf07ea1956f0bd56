package counterexample

import (
	"sync"

	"github.com/multigrain/multigrain/checker/explore/store"
	"github.com/multigrain/multigrain/checker/fingerprint"
)

// BackwardSets holds, of the nodes at each distance, those from which violations are reached by as many steps as a shortest counterexample has
// left. They are found backwards: of the nodes of a level those that a violation was found of, and those with a successor among the ones of
// the next level. A counterexample that is as short as any goes through such nodes alone, each at its own distance, since it would be
// shorter otherwise: so all of them are found. Which nodes have a successor there say the edges, see near, or where these are not kept, all
// nodes, made again from the trace log.
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
	// maxBackward bounds how many nodes may lead to violations. Where nearly all do, counterexamples have little to choose from.
	maxBackward = 1 << 22
	// GroupsAtOnce is how many groups have a bit each.
	GroupsAtOnce = 64
)

// backward is what leads to violations of up to groupsAtOnce groups, or of any number that count as one; nil where it is not found: the run is to end, memory or disk do not
// allow it, too many nodes do, not all nodes are known that violations were found of, or distances are not the shortest ones.
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

// ByRegeneration finds what leads to violations among all nodes. It reports whether it did.
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

// broken finds the nodes that break invariants, of the groups whose last step is one from a level.
func (l *BackwardSets[T]) broken(a *regenerator[T], level int) error {
	masks := map[uint64]uint64{} // by invariant's bit: of groups
	invariants := uint64(0)
	for key, depth := range l.depth {
		if depth == level && l.rec.told(key.Invariant) {
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

// sweep finds what leads to violations in a level.
func (l *BackwardSets[T]) sweep(a *regenerator[T], level int) error {
	chunks, err := a.level(level)
	if err != nil {
		return err
	}
	ends := map[int64]uint64{} // by number: of groups of which a node was found to end it
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

// successors is the mask of groups to whose violations a step leads on from a node of a level.
func (l *BackwardSets[T]) successors(h *expander[T], level int, n *T) (mask uint64) {
	h.each(n, false, func(n *T, _ int, _ uint64) { mask |= l.sets[level+1].of(l.hash(h, n)) })
	return mask
}

// each shows the nodes of a level and takes those to which a mask is given.
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

// expander is what a worker makes successors with.
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

// breaks reports whether a step to n breaks the group's invariant, as it was found: in a node that was not there before, or in none that is
// stored.
func (l *BackwardSets[T]) breaks(h *expander[T], n *T, stepped uint64, key Key) bool {
	spec, mask := l.rec.Spec, uint64(1)<<key.Invariant
	if spec.Raised != nil {
		if raised, broken := spec.Raised(n); raised {
			return broken&mask != 0
		}
	}
	switch {
	case !l.rec.told(key.Invariant):
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
