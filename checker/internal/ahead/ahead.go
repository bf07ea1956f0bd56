// Package ahead searches a specification for the shortest steps from a state to one in which an
// invariant is broken. Package conform asks it where a walk on changed code should go next.
package ahead

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// What it computes. Sequences of steps that the specification allows from a state. The last step of
// each breaks an invariant. The shortest come first.
//
// Why it is right. It is a breadth-first search over the steps that a walk may take. The result is
// a proposal and no verdict: whether servers break the invariant is observed when they do the
// steps. A sequence is left out if it breaks the invariant from the twin, too. The twin is the
// state that the code should have been in. So a known mistake of the specification, which needs no
// change of the code, is not proposed.
//
// What it costs. One copy of each state of two neighbouring levels, and a hash of each state. The
// limits bound states and time.
//
// Example. A leader has committed a transaction that nobody else has:
//
//	from     NodeCrash(I: 2), ElectionAndDiscovery(I: 1, S: {0, 1})    I-8 is broken
//	twin     the same steps: nothing was committed, so nothing is lost
//	result   the two steps, for I-8

// Limits bound a search.
type Limits struct {
	States int           // that are expanded at most
	Time   time.Duration // 0: no limit
	Paths  int           // for each invariant, at most
}

// Path is a sequence of steps.
type Path struct {
	Steps  []int32 // instances
	Breaks uint64  // the mask of invariants that its last step breaks
}

// entry is a state of the search without the state itself.
type entry struct{ parent, instance int32 }

// Search returns the shortest paths from a state, as walk takes steps, to steps that break an
// invariant of the mask judged. Twin is the state from which the same steps must not break it; nil:
// there is none. An error of the specification in a state ends the search there.
func Search[T any](walk *simulate.Stepper[T], spec *checker.Spec[T], judged uint64, from, twin *T, most Limits) (out []Path) {
	s := searcher[T]{spec: spec, twin: twin, judged: judged &^ Broken(spec, from, from, -1), most: most, seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
	s.add(from, -1, -1)
	level, first, end := []T{*from}, int32(0), host.Now().Add(most.Time)
	s.next = s.next[:0]
	for expanded := 0; len(level) > 0; level, s.next = s.next, nil {
		base := first
		first = int32(len(s.entries))
		for k := range level {
			if expanded++; expanded > most.States || most.Time > 0 && host.Now().After(end) || s.judged == 0 {
				return s.found
			}
			at := level[k]
			if walk.Each(&at, func(instance int, n *T) { s.reach(&at, n, base+int32(k), instance) }) != nil {
				continue
			}
		}
	}
	return s.found
}

type searcher[T any] struct {
	spec    *checker.Spec[T]
	twin    *T
	judged  uint64
	done    uint64 // invariants with as many paths as are asked for
	most    Limits
	seed    maphash.Seed
	seen    map[uint64]bool
	entries []entry
	next    []T // the next level
	found   []Path
	count   [64]int // paths, by invariant
}

// add notes a state; false: it is known.
func (s *searcher[T]) add(n *T, parent int32, instance int) bool {
	h := maphash.Bytes(s.seed, checker.Bytes(n))
	if s.seen[h] {
		return false
	}
	s.seen[h] = true
	s.entries, s.next = append(s.entries, entry{parent, int32(instance)}), append(s.next, *n)
	return true
}

// reach takes a step from a state with a number to n.
func (s *searcher[T]) reach(at, n *T, parent int32, instance int) {
	broken := Broken(s.spec, at, n, instance)
	if broken&s.done != 0 {
		return
	}
	if broken &= s.judged; broken == 0 {
		s.add(n, parent, instance)
		return
	}
	steps := []int32{int32(instance)}
	for k := parent; s.entries[k].parent >= 0; k = s.entries[k].parent {
		steps = append(steps, s.entries[k].instance)
	}
	slices.Reverse(steps)
	if s.twin != nil {
		if broken &^= Twin(s.spec, s.twin, steps); broken == 0 {
			s.add(n, parent, instance) // as without the change
			return
		}
	}
	s.found = append(s.found, Path{steps, broken})
	for mask := broken; mask != 0; mask &= mask - 1 {
		k := bits.TrailingZeros64(mask)
		if s.count[k]++; s.count[k] >= s.most.Paths {
			s.judged, s.done = s.judged&^(1<<k), s.done|1<<k
		}
	}
}

// Broken returns the mask of invariants that are broken in n, or by the step to it from s. A
// negative instance is no step. It is 0 where the specification fails in the state.
func Broken[T any](spec *checker.Spec[T], s, n *T, instance int) (mask uint64) {
	defer func() {
		if recover() != nil {
			mask = 0
		}
	}()
	if spec.State != nil {
		mask = spec.State(n)
	}
	if spec.Steps != nil && instance >= 0 {
		mask |= spec.Steps(s, n, instance)
	}
	return mask
}

// Twin does steps from a state, as far as they are enabled, leaves that state as it is, and returns
// the mask of invariants that they break.
func Twin[T any](spec *checker.Spec[T], from *T, steps []int32) (mask uint64) {
	at := *from
	for _, k := range steps {
		mask |= Advance(spec, &at, int(k))
	}
	return mask
}

// Advance does a step if it is enabled, and returns the mask of invariants that it breaks.
func Advance[T any](spec *checker.Spec[T], at *T, instance int) (mask uint64) {
	before, after := *at, *at
	defer func() {
		if recover() != nil { // the state stays
			*at, mask = before, 0
		}
	}()
	if !spec.Enabled(&before, instance) {
		return 0
	}
	spec.Apply(&before, &after, instance)
	if spec.Raised != nil {
		if raised, _ := spec.Raised(&after); raised {
			return 0
		}
	}
	*at = after
	return Broken(spec, &before, &after, instance)
}
