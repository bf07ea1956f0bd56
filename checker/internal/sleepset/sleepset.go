package sleepset

import (
	"slices"

	"github.com/multigrain/multigrain/checker/internal/bitset"
)

// What it computes. Each new node gets labels: instances that led to it from the level before. From
// the labels follows the node's sleep set, the instances that the search need not take there.
// Package sleepset's comment states the rule.
//
// Why it is right. An instance b sleeps in t because of a label a that precedes b and is
// independent of b. So b was enabled in the node s before t, and b then a reaches the same node v.
// Either that path is taken, or one of its steps sleeps because of a smaller label. Labels only get
// smaller along this chain, so it ends in a step that is taken.
//
// What it costs. Labels are one word for each node. The sleep set of a node is the union of at most
// eight precomputed rows, and After filters the labels with one bit test each. Forgetting a label
// only makes a sleep set smaller.
//
// Example. Independent a < b, both enabled in s. The search takes a and b in s, and b sleeps in t:
//
//	s --a--> t      t has the label a; a < b, so b sleeps in t
//	|        :
//	b        b      not taken
//	v        v
//	u --a--> v      u has the label b; a precedes b, so a is taken in u

// Labels are instances that lead to a node from nodes of the level before. They are the instances'
// numbers plus 1, up to eight in 8 bits each. Where there are too many instances for that, they are
// up to four in 16 bits each. 0 stands for no label. Short labels make nodes more alike.
type Labels uint64

const (
	labelBits  = 64
	shortLabel = 8
	longLabel  = 16
)

// Words is the number of words of 64 instances in a Set.
const Words = 16

// MaxInstances is the largest number of instances for which there are sleep sets.
const MaxInstances = 64 * Words

// Set is a sleep set: bit k%64 of word k/64 stands for instance k.
type Set [Words]uint64

// Has reports whether instance k sleeps.
func (x *Set) Has(k int) bool { return k < MaxInstances && x[k/64]>>(k%64)&1 != 0 }

// Rules are the sleep sets that labels lead to, for one order of the instances.
type Rules struct {
	width int          // of a label, in bits
	free  []bitset.Set // by label: instances that sleep if they follow it in the order; nil: none
	words int          // of a set of instances
	rows  []uint64     // by label, one set after the other: instances that sleep
	keep  []bitset.Set // by instance: labels of a node that its successor inherits
}

// New computes the rules of instances in the order of their numbers, at least one and at most
// MaxInstances. Set k of dependent holds the instances that depend on instance k, k among them.
// Those of fixed never sleep and are not inherited: where the search does not take them, the node
// that they lead to may lie outside of the constraints.
func New(dependent []bitset.Set, fixed bitset.Set) *Rules {
	n := len(dependent)
	x := &Rules{
		width: shortLabel, words: len(bitset.New(n)), free: make([]bitset.Set, n), keep: make([]bitset.Set, n),
	}
	if n >= 1<<shortLabel {
		x.width = longLabel
	}
	for a := range n {
		free := bitset.New(n)
		for b := range n {
			if !dependent[a].Has(b) && !fixed.Has(b) {
				free.Add(b)
			}
		}
		x.keep[a] = slices.Clone(free)
		if !free.Empty() {
			x.free[a] = free
		}
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
		for b := range n {
			if x.free[b] == nil { // as a label it prunes nothing
				x.keep[k].Remove(b)
			}
		}
	}
	return x.Ordered(order)
}

// Ordered returns the rules for another order, a permutation of all instances. It must not change
// while a level is expanded.
func (x *Rules) Ordered(order []int) *Rules {
	o := *x
	o.rows = make([]uint64, len(order)*x.words)
	following := bitset.New(len(order))
	for _, a := range slices.Backward(order) {
		row := o.rows[a*x.words:]
		for w, free := range x.free[a] {
			row[w] = free & following[w]
		}
		following.Add(a)
	}
	return &o
}

// Sleeping sets out to the sleep set of a node with these labels.
func (x *Rules) Sleeping(labels Labels, out *Set) {
	words, width := x.words, x.width&(labelBits-1)
	clear(out[:words])
	for ; labels != 0; labels >>= width {
		at := int(labels&(1<<width-1)-1) * words
		for w, s := range x.rows[at : at+words] {
			out[w%Words] |= s
		}
	}
}

// Valid reports whether labels are those of instances, one after the other.
func (x *Rules) Valid(labels Labels) bool {
	for width := x.width & (labelBits - 1); labels != 0; labels >>= width {
		if c := int(labels & (1<<width - 1)); c == 0 || c > len(x.free) {
			return false
		}
	}
	return true
}

// After returns the labels of a new node, which an instance reached from a node with these labels.
func (x *Rules) After(labels Labels, instance uint32) (out Labels) {
	at, width := 0, x.width&(labelBits-1)
	if x.free[instance] != nil {
		out, at = Labels(instance+1), width
	}
	keep := x.keep[instance]
	for ; labels != 0 && at < labelBits; labels >>= width {
		if c := labels & (1<<width - 1); keep.Has(int(c - 1)) {
			out |= c << at
			at += width
		}
	}
	return out
}
