package checker

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Causes says of two nodes which steps may lead from one to the other, by the words of 64 bits in which they differ: those of instances that
// may write all of these. It errs on one side only.
type Causes[T any] struct {
	// Instances that may write the same words are a class.
	classes  int
	each     int      // words of a set of classes
	sets     []uint64 // by word of the node, one set behind the other: classes that may leave another value in it, or in what no state is told by
	members  []bitset // by class: its instances
	narrowed []int32  // words that not all classes may write
}

// causes are those of footprints. Symmetry takes other nodes for what a step leads to: there are none with it.
func causes[S any, U Counters](composed *modules.Spec[S], spec *Spec[Node[S, U]], f Footprints) (*Causes[Node[S, U]], error) {
	all, err := allTouches(composed, f)
	if err != nil {
		return nil, err
	}
	var node Node[S, U]
	state, size := unsafe.Offsetof(node.State), unsafe.Sizeof(node)
	words := int(size+7) / 8
	c := &Causes[Node[S, U]]{}
	w := &lineSet{unit: 8, bits: make([]uint64, (words+63)/64)}
	byWords := map[string]int{}
	var writes [][]uint64 // by class
	for k := range all {
		w.add(0, state)
		for _, t := range all[k].writes {
			w.variable(reflect.TypeFor[S](), state, strings.Split(t.variable, "."), t.index)
		}
		for _, s := range spec.left {
			w.add(s.from, s.to)
		}
		class, ok := byWords[fmt.Sprint(w.bits)]
		if !ok {
			class = len(writes)
			byWords[fmt.Sprint(w.bits)] = class
			writes, c.members = append(writes, slices.Clone(w.bits)), append(c.members, newBitset(len(all)))
		}
		c.members[class].add(k)
		clear(w.bits)
	}
	c.classes, c.each = len(writes), (len(writes)+63)/64
	c.sets = make([]uint64, words*c.each)
	for x := range words {
		by := 0
		for class := range writes {
			if writes[class][x/64]>>(x%64)&1 != 0 {
				c.sets[x*c.each+class/64] |= 1 << (class % 64)
				by++
			}
		}
		if by < c.classes {
			c.narrowed = append(c.narrowed, int32(x))
		}
	}
	return c, nil
}

// An Order is words in which nodes tell which steps may lead from one to the other, one behind the other.
type Order struct {
	words []int32
	sets  []uint64 // of each word: classes that may write it
	rest  []uint64 // before each word, and at the end: classes that may write all that follow
}

// Order is the words with a weight above 0, those first that weigh more, as they differ more often, and exclude more classes.
func (c *Causes[T]) Order(weight []int) *Order {
	by := make([]int, len(weight))
	words := slices.DeleteFunc(slices.Clone(c.narrowed), func(x int32) bool { return weight[x] == 0 })
	for _, x := range words {
		excluded := c.classes
		for _, set := range c.set(x) {
			excluded -= bits.OnesCount64(set)
		}
		by[x] = weight[x] * excluded
	}
	slices.SortStableFunc(words, func(a, b int32) int { return by[b] - by[a] })
	o := &Order{words: words, sets: make([]uint64, len(words)*c.each), rest: make([]uint64, (len(words)+1)*c.each)}
	left := o.rest[len(words)*c.each:]
	for k := range left {
		left[k] = ^uint64(0)
	}
	for k, x := range slices.Backward(words) {
		copy(o.sets[k*c.each:], c.set(x))
		for w, set := range c.set(x) {
			o.rest[k*c.each+w] = o.rest[(k+1)*c.each+w] & set
		}
	}
	return o
}

// set is the classes that may write a word.
func (c *Causes[T]) set(word int32) []uint64 { return c.sets[int(word)*c.each:][:c.each] }

// All is the set of all classes.
func (c *Causes[T]) All() []uint64 {
	all := make([]uint64, c.each)
	for k := range all {
		all[k] = ^uint64(0)
	}
	return all
}

// Narrow leaves in a set of classes those that may write all words of an order in which two nodes differ.
func (c *Causes[T]) Narrow(set, s, n []uint64, order *Order) {
	if c.each == 1 {
		may := set[0]
		if may&^order.rest[0] == 0 {
			return
		}
		for k, x := range order.words {
			if s[x] != n[x] {
				if may &= order.sets[k]; may&^order.rest[k+1] == 0 {
					break
				}
			}
		}
		set[0] = may
		return
	}
	for k, x := range order.words {
		if s[x] == n[x] {
			continue
		}
		more, at := uint64(0), k*c.each
		for w := range set {
			set[w] &= order.sets[at+w]
			more |= set[w] &^ order.rest[at+c.each+w]
		}
		if more == 0 {
			break
		}
	}
}

// Instances adds to out the instances of a set of classes.
func (c *Causes[T]) Instances(set, out []uint64) {
	for k := range c.classes {
		if set[k/64]>>(k%64)&1 != 0 {
			bitset(out).addAll(c.members[k])
		}
	}
}
