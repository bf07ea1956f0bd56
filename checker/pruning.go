package checker

import "github.com/multigrain/multigrain/checker/internal/sleepset"

// Pruning lists the steps that a breadth-first search may omit, as footprints prove. The report of
// the search does not depend on it, except which of several shortest paths reaches a node first.
// Package reduce computes it.
type Pruning[T any] struct {
	// Sleep prunes steps that lead where other steps of the level lead. Nil: all steps are taken.
	Sleep *sleepset.Rules
	// Still reports whether all step properties hold for a step from n without a change. Where they
	// do not, no step is pruned: a step that writes nothing of what such a property reads is a step
	// without a change for it. Nil: they hold in all nodes.
	Still func(n *T) bool

	// Meets is, by instance, the mask of state invariants that read what it may write. Where an
	// invariant was true, no other step makes it false.
	Meets []uint64
	// Judge is Spec.State for the invariants of a mask alone.
	Judge func(n *T, mask uint64) uint64
	// JudgeStep is Spec.Steps for a step from a node for which Still holds, without the properties
	// that read nothing of what the instance may write.
	JudgeStep func(s, n *T, instance int) uint64

	// Lines sets out to the lines of n, a large node, in which it may differ from s after a step by
	// an instance. The others need not be compared, hashed or restored. Nil: all lines may differ,
	// or nodes are not large.
	Lines func(s, n *T, instance int, out []uint64)
}

// Sleeps reports whether steps may be pruned.
func (x *Pruning[T]) Sleeps() bool { return x != nil && x.Sleep != nil }

// IsStill reports whether a step from n that changes nothing satisfies all step properties, so that
// steps from n may be pruned. Without step properties it returns true.
func (x *Pruning[T]) IsStill(n *T) bool { return x.Still == nil || x.Still(n) }

// HasLines reports whether Lines is set: for each step, the lines of 64 bytes are known in which
// the step may write.
func (x *Pruning[T]) HasLines() bool { return x != nil && x.Lines != nil }
