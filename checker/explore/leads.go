package explore

import (
	"math/bits"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// leads holds, of the nodes at each distance, those from which violations are reached by as many steps as a shortest counterexample has
// left. They are found backwards: of the nodes of a level, made again from the trace log, those that a violation was found of, and those with a
// successor among the ones of the next level. A counterexample that is as short as any goes through such nodes alone, each at its own
// distance, since it would be shorter otherwise: so all of them are found.
type leads[T any] struct {
	run   *run[T]
	any   bool                // the groups are of one invariant and level, and count as one
	bits  map[groupKey]uint64 // for each group one
	depth map[groupKey]int    // how many steps are before the last one
	sets  []leadSet[T]        // by distance
	hands []*hand[T]
	held  int
}

const (
	// mostLeads bounds how many nodes may lead to violations. Where nearly all do, counterexamples have little to choose from.
	mostLeads = 1 << 22
	// groupsAtOnce is how many groups have a bit each.
	groupsAtOnce = 64
)

// leadsTo is what leads to violations of up to groupsAtOnce groups, or of any number that count as one; nil where it is not found: the run is to end, memory or disk do not
// allow it, too many nodes do, not all nodes are known that violations were found of, or distances are not the shortest ones.
func (r *run[T]) leadsTo(keys []groupKey, any bool) *leads[T] {
	l := &leads[T]{run: r, any: any, bits: map[groupKey]uint64{}, depth: map[groupKey]int{}}
	deepest := -1
	for k, key := range keys {
		depth := r.broken[key].level - 1
		l.bits[key], l.depth[key] = 1<<k, depth
		if any {
			l.bits[key] = 1
		}
		if r.cut(key) && r.broken[key].lost {
			return nil
		}
		deepest = max(deepest, depth)
	}
	if deepest < 0 || r.spec.Partial || r.opt.logged || r.late() {
		return nil
	}
	a := newAgain(r)
	defer a.close()
	if err := a.upTo(deepest); err != nil {
		return nil
	}
	l.sets = make([]leadSet[T], deepest+2)
	causes := r.spec.Spared.Causes()
	for level := deepest; level >= 0; level-- {
		if err := l.broken(a, level); err != nil {
			return nil
		}
		if err := l.sweep(a, level, causes); err != nil {
			return nil
		}
	}
	return l
}

// late reports whether there is no time left to look for a better counterexample.
func (r *run[T]) late() bool {
	return r.opt.Context != nil && r.opt.Context.Err() != nil || r.opt.Timeout > 0 && time.Since(r.start) > r.opt.Timeout
}

// told reports whether nodes tell of themselves that they break an invariant. Steps to others are known by the nodes that they start from.
func (r *run[T]) told(invariant int) bool {
	return invariant >= 0 && r.spec.Invariants[invariant].Kind == modules.KindState
}

// cut reports whether a group may have violations that no stored node tells of.
func (r *run[T]) cut(key groupKey) bool { return !r.told(key.invariant) || r.spec.Within != nil }

// broken finds the nodes that break invariants, of the groups whose last step is one from a level.
func (l *leads[T]) broken(a *again[T], level int) error {
	masks := map[uint64]uint64{} // by invariant's bit: of groups
	invariants := uint64(0)
	for key, depth := range l.depth {
		if depth == level && l.run.told(key.invariant) {
			masks[1<<key.invariant] |= l.bits[key]
			invariants |= 1 << key.invariant
		}
	}
	if invariants == 0 {
		return nil
	}
	chunks, err := a.level(level + 1)
	if err != nil {
		return err
	}
	state := l.run.spec.State
	if x := l.run.spec.Spared; x != nil {
		state = func(n *T) uint64 { return x.Judge(n, invariants) }
	}
	return l.each(a, chunks, level+1, func(_ *hand[T], n *T, _ int64) (mask uint64) {
		for broken := state(n) & invariants; broken != 0; broken &= broken - 1 {
			mask |= masks[broken&-broken]
		}
		return mask
	})
}

// sweep finds what leads to violations in a level.
func (l *leads[T]) sweep(a *again[T], level int, causes *checker.Causes[T]) error {
	chunks, err := a.level(level)
	if err != nil {
		return err
	}
	ends := map[int64]uint64{} // by number: of groups of which a node was found to end it
	for key, depth := range l.depth {
		if depth == level && l.run.cut(key) {
			for _, n := range l.run.broken[key].parents {
				ends[n] |= l.bits[key]
			}
		}
	}
	leading := l.sets[level+1].used > 0
	var screen *screen[T]
	if leading {
		if screen, err = l.screen(a, chunks, level, causes); err != nil {
			return err
		}
	}
	return l.each(a, chunks, level, func(h *hand[T], n *T, number int64) (mask uint64) {
		if len(ends) > 0 {
			mask = ends[number]
		}
		switch {
		case screen != nil:
			mask |= l.by(h, n, level, screen.causesOf(h, n))
		case leading:
			h.each(n, false, func(n *T, _ int, _ uint64) { mask |= l.sets[level+1].of(l.hash(h, n)) })
		}
		return mask
	})
}

func (l *leads[T]) hash(h *hand[T], n *T) uint64 {
	return checker.Hash(l.run.spec.Representative(n, &h.rep))
}

// by is the mask of groups to whose violations a step by some instances leads from a node of a level.
func (l *leads[T]) by(h *hand[T], s *T, level int, set []uint64) (mask uint64) {
	spec := l.run.spec
	asked := -1 // actions have their instances behind each other
	for w, left := range set {
		for ; left != 0; left &= left - 1 {
			k := 64*w + bits.TrailingZeros64(left)
			action := spec.Instances[k].Action
			if action == asked {
				continue
			}
			asked = action
			h.enabled = spec.EnabledBy(s, action, h.enabled[:0])
			for _, k := range h.enabled {
				if set[k/64]>>(k%64)&1 == 0 {
					continue
				}
				h.n = *s
				spec.Apply(s, &h.n, int(k))
				mask |= l.sets[level+1].of(l.hash(h, &h.n))
			}
		}
	}
	return mask
}

// each shows the nodes of a level and takes those to which a mask is given.
func (l *leads[T]) each(a *again[T], chunks []*chunk, level int, mask func(h *hand[T], n *T, number int64) uint64) error {
	var mu sync.Mutex
	return a.each(len(chunks), func(k int) error {
		h := l.hand(&mu)
		s := seeker[T]{arena: a.arena}
		if err := s.enter(chunks[k]); err != nil {
			return err
		}
		defer s.leave()
		var found []leadSlot
		var nodes []padded[T] // of the first ones
		for x := range chunks[k].nodes {
			n, err := s.to(chunks[k].first + int64(x))
			if err != nil {
				return err
			}
			if mask := mask(h, n, chunks[k].first+int64(x)); mask != 0 {
				found = append(found, leadSlot{l.hash(h, n), mask})
				if len(found) <= screened {
					nodes = append(nodes, s.read.cur)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		set := &l.sets[level]
		for k, f := range found {
			if set.add(f) && set.used <= screened {
				set.nodes = append(set.nodes, nodes[k])
			}
		}
		l.held += len(found)
		l.hands = append(l.hands, h)
		if l.held > mostLeads {
			return errAgain
		}
		return nil
	})
}

// hand is what a worker makes successors with.
func (l *leads[T]) hand(mu *sync.Mutex) *hand[T] {
	mu.Lock()
	defer mu.Unlock()
	if n := len(l.hands); n > 0 {
		h := l.hands[n-1]
		l.hands = l.hands[:n-1]
		return h
	}
	return newHand(l.run.spec)
}

// breaks reports whether a step to n breaks the group's invariant, as it was found: in a node that was not there before, or in none that is
// stored.
func (l *leads[T]) breaks(h *hand[T], n *T, stepped uint64, key groupKey) bool {
	spec, mask := l.run.spec, uint64(1)<<key.invariant
	if spec.Raised != nil {
		if raised, broken := spec.Raised(n); raised {
			return broken&mask != 0
		}
	}
	switch {
	case !l.run.told(key.invariant):
		return stepped&mask != 0
	case spec.Within != nil && !spec.Within(n):
		return spec.State(n)&mask != 0
	}
	return l.sets[l.depth[key]+1].of(l.hash(h, n))&l.bits[key] != 0
}

// leadSet is a set of fingerprints with a mask each.
type leadSet[T any] struct {
	slots []leadSlot // a power of two, at most half of them in use
	used  int
	nodes []padded[T] // if there are no more than screened
}

type leadSlot struct{ hash, mask uint64 }

// add adds a fingerprint, and reports whether it is new.
func (s *leadSet[T]) add(l leadSlot) bool {
	if 2*s.used >= len(s.slots) {
		old := s.slots
		s.slots = make([]leadSlot, max(64, 2*len(old)))
		for _, x := range old {
			if x.mask != 0 {
				*s.at(x.hash) = x
			}
		}
	}
	x := s.at(l.hash)
	fresh := x.mask == 0
	if fresh {
		s.used++
	}
	x.hash, x.mask = l.hash, x.mask|l.mask
	return fresh
}

// of is the mask of a fingerprint, 0 where it is not in the set.
func (s *leadSet[T]) of(hash uint64) uint64 {
	if len(s.slots) == 0 {
		return 0
	}
	return s.at(hash).mask
}

// at is the place of a fingerprint.
func (s *leadSet[T]) at(hash uint64) *leadSlot {
	last := uint64(len(s.slots) - 1)
	for k := hash & last; ; k = (k + 1) & last {
		if x := &s.slots[k]; x.mask == 0 || x.hash == hash {
			return x
		}
	}
}
