package checker

import (
	"math/bits"
	"reflect"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Spared is what footprints spare a breadth-first search: steps that lead where other steps lead, what a step leaves as it is, and invariants
// that it cannot break. Nothing that a search reports depends on it but by which of several shortest ways a node is reached first.
//
// # Steps
//
// It is the idea of sleep sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996, chapter 5) for a
// search by levels, which remembers of a node not what slept there but some instances that lead to it from nodes of the level before, its
// labels.
//
// Let t be a node of level n+1 and a one of its labels, so that some s of level n leads to t by a. Let b be an instance behind a in an
// order of instances, enabled in t and independent of a. Then b is enabled in s, too, and leads from there to some u, from which a leads
// to where b leads from t. If that is a new node, u cannot be nearer than t. So b need not be taken in t: from u, in the same level as
// t, a leads there, or if a is left out in u, some step does for whose sake it is, by an instance before a, and so on. That ends,
// with a step that is taken.
//
// Any order will do that stays the same for a level: see Ordered. The best one has instances last that mostly lead to known nodes. If u
// is nearer than t, say, b leads back, and a step by a from u was taken before, whatever the order; then a before b leaves a step out, and b
// before a does not.
//
// Labels are handed on. If c is a label of s that is independent of a, then some r leads to s by c and to some v by a, and v leads to t
// by c: c is a label of t.
//
// So all nodes are found, at their distances, and generated nodes are counted, by guards, as if all steps were taken. Never left out are
// instances that may raise assertions or write what a constraint or a step property reads: the nodes of the argument may not be there,
// or steps that are equal for the search may differ for the property. To a property of all steps, one that writes nothing of what
// it reads is a step without a change; where it does not hold for that, nothing is left out. Symmetry takes other nodes for s and
// t, in which a has another name: nothing is left out with it, nor with partial-order reduction.
//
// # Large nodes
//
// A step leaves a node as it is outside of what its instance may write. Of a large node no more is compared, hashed and put back.
//
// # Invariants
//
// A step that writes nothing of what an invariant reads leaves it as it is. It is judged where it may change, and in all
// nodes once it has been false in a node of an earlier level. Likewise such a step is a step without a change to a property of all steps: from
// a node in which that holds for a step without a change, it is judged for the other steps alone.
type Spared[T any] struct {
	// Meets is, by instance, the mask of state invariants that read what it may write.
	Meets []uint64
	// Judge is Spec.State for the invariants of a mask alone.
	Judge func(n *T, mask uint64) uint64
	// JudgeStep is Spec.Steps for steps from a node that is Still, without the properties that see nothing of what the instance may write.
	JudgeStep func(s, n *T, instance int) uint64

	width int      // of a label in bits
	free  []bitset // by label: instances that are left out if they are behind it in order, nil where there is none; nil: none ever are
	words int      // of a set of instances
	rows  []uint64 // by label, one set behind the other: instances that are left out
	keep  []bitset // by instance: labels of a node that are labels of its successor
	still func(n *T) bool

	writes [][]uint64 // by instance: the lines of a large node in which it may leave another value; nil for other nodes
	rooms  []room
}

// Labels are instances that lead to a node from nodes of the level before: their numbers from 1, up to eight in 8 bits each, or up to four in
// 16 bits each where there are too many instances for that; 0 where there is none. Short labels make nodes more alike.
type Labels uint64

const (
	labelBits  = 64
	shortLabel = 8
	longLabel  = 16
)

// skipWords is how many words of 64 instances a set of steps to leave out has. Larger compositions take all steps.
const skipWords = 16

// Skips is a set of instances that are left out.
type Skips [skipWords]uint64

// Has reports whether instance k is left out.
func (x *Skips) Has(k int) bool { return k < 64*skipWords && x[k/64]>>(k%64)&1 != 0 }

// Steps reports whether steps may be left out.
func (x *Spared[T]) Steps() bool { return x != nil && x.free != nil }

// Still reports whether properties of all steps hold for a step from n without a change. Where they do not, nothing is left out.
func (x *Spared[T]) Still(n *T) bool { return x.still == nil || x.still(n) }

// Skips sets out to what is left out in a node with these labels.
func (x *Spared[T]) Skips(labels Labels, out *Skips) {
	words, width := x.words, x.width&(labelBits-1)
	clear(out[:words])
	for ; labels != 0; labels >>= width {
		at := int(labels&(1<<width-1)-1) * words
		for w, s := range x.rows[at : at+words] {
			out[w%skipWords] |= s
		}
	}
}

// After is the labels of a new node, to which an instance led from one with these labels.
func (x *Spared[T]) After(labels Labels, instance uint32) (out Labels) {
	at, width := 0, x.width&(labelBits-1)
	if x.free[instance] != nil {
		out, at = Labels(instance+1), width
	}
	keep := x.keep[instance]
	for ; labels != 0 && at < labelBits; labels >>= width {
		if c := labels & (1<<width - 1); keep.has(int(c - 1)) {
			out |= c << at
			at += width
		}
	}
	return out
}

// Spare sets spec.Spared from footprints. Without commuting, as with symmetry or partial-order reduction, invariants alone are spared. It
// fails where footprints do not fit the specification.
func Spare[S any, U Counters](composed *modules.Spec[S], spec *Spec[Node[S, U]], f Footprints, commuting bool) error {
	all, err := allTouches(composed, f)
	if err != nil {
		return err
	}
	d := independent(composed, f, all)
	n := len(spec.Instances)
	x := &Spared[Node[S, U]]{Meets: make([]uint64, n)}
	if IsLarge[Node[S, U]]() {
		x.rooms = roomsOf(reflect.TypeFor[S](), unsafe.Offsetof(new(Node[S, U]).State))
		for k := range all {
			x.writes = append(x.writes, written[S, U](all[k].writes))
		}
	}
	invariants, ofStates, ofSteps := composed.Invariants, uint64(0), uint64(0)
	for k, v := range invariants {
		if v.State != nil {
			ofStates |= 1 << k
		}
		if v.Step != nil {
			ofSteps |= 1 << k
		}
	}
	x.Judge = func(n *Node[S, U], mask uint64) (broken uint64) {
		for mask &= ofStates; mask != 0; mask &= mask - 1 {
			if k := bits.TrailingZeros64(mask); !invariants[k].State(&n.State) {
				broken |= 1 << k
			}
		}
		return broken
	}
	fixed := slices.Clone(d.raising)
	alters := make([]uint64, n) // by instance: properties of steps that see what it may write
	for k, v := range composed.Invariants {
		writers, known := d.writers[v.Name()]
		switch {
		case v.State != nil:
			for at := range x.Meets {
				if !known || writers.has(at) {
					x.Meets[at] |= 1 << k
				}
			}
		case v.Step != nil:
			for at := range alters {
				if !known || writers.has(at) {
					alters[at] |= 1 << k
				}
			}
			commuting = commuting && known
			fixed.addAll(writers)
			x.addStill(func(n *Node[S, U]) bool { return v.Step(&n.State, &n.State) })
		}
	}
	for _, v := range composed.Constraints {
		writers, known := d.writers[v.Name()]
		commuting = commuting && known
		fixed.addAll(writers)
	}
	for at, in := range spec.Instances {
		if len(composed.Actions[in.Action].Steps) > 0 {
			fixed.add(at)
			alters[at] = ^uint64(0)
		}
	}
	x.JudgeStep = func(s, n *Node[S, U], instance int) (broken uint64) {
		mask := alters[instance]
		if mask == ^uint64(0) {
			return spec.Steps(s, n, instance)
		}
		for mask &= ofSteps; mask != 0; mask &= mask - 1 {
			if k := bits.TrailingZeros64(mask); !invariants[k].Step(&s.State, &n.State) {
				broken |= 1 << k
			}
		}
		return broken
	}
	if commuting && n > 0 && n <= 64*skipWords {
		x.commute(d, fixed)
	}
	spec.Spared = x
	return nil
}

// addStill adds a property of all steps to those that have to hold for a step without a change.
func (x *Spared[T]) addStill(still func(n *T) bool) {
	if before := x.still; before != nil {
		x.still = func(n *T) bool { return before(n) && still(n) }
		return
	}
	x.still = still
}

// commute finds what labels leave out. fixed instances are never left out, and no labels that are handed on: where they are not taken, the
// node that they lead to may lie outside the constraints.
func (x *Spared[T]) commute(d *Independence, fixed bitset) {
	n := len(d.dependent)
	x.width = shortLabel
	if n >= 1<<shortLabel {
		x.width = longLabel
	}
	x.free, x.keep, x.words = make([]bitset, n), make([]bitset, n), len(newBitset(n))
	for a := range n {
		free := newBitset(n)
		for b := range n {
			if !d.dependent[a].has(b) && !fixed.has(b) {
				free.add(b)
			}
		}
		x.keep[a] = slices.Clone(free)
		if !free.empty() {
			x.free[a] = free
		}
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
		for b := range n {
			if x.free[b] == nil { // a label of no use
				x.keep[k].remove(b)
			}
		}
	}
	*x = *x.Ordered(order)
}

// Ordered is what is spared where instances are left out behind others in this order, a permutation of all. It must not change while a level
// is expanded.
func (x *Spared[T]) Ordered(order []int) *Spared[T] {
	o := *x
	o.rows = make([]uint64, len(order)*x.words)
	behind := newBitset(len(order))
	for _, a := range slices.Backward(order) {
		row := o.rows[a*x.words:]
		for w, free := range x.free[a] {
			row[w] = free & behind[w]
		}
		behind.add(a)
	}
	return &o
}
